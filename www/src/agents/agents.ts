// Selects the agent: each is loaded on first use.

import { keys, preferences } from "../shell/preferences.js";
import type { Agent } from "./agent.js";

/** The agent that the user chose. */
export async function chosenAgent(): Promise<Agent> {
  const { agent, openai, anthropic } = preferences.value;
  switch (agent) {
    case "openai":
      return (await import("./openai.js")).openaiAgent({ ...openai, key: keys.value.openai });
    case "anthropic":
      return (await import("./anthropic.js")).anthropicAgent({ ...anthropic, key: keys.value.anthropic });
    case "built-in":
      return (await import("./built-in.js")).builtInAgent();
    default:
      return (await import("./demo/demo.js")).demoAgent;
  }
}
