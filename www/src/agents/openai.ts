// An endpoint with OpenAI's chat completions API, which many others offer too.

import { type Agent, AgentFailure } from "./agent.js";
import { BUDGET, instructions, recordTurn, referencesOf } from "./prompt.js";
import { addressOf, at, post, type Remote } from "./sse.js";

/** Answers with a model of the endpoint. */
export function openaiAgent(remote: Remote): Agent {
  return async function* (turn) {
    const address = addressOf(remote, "chat/completions");
    const { messages, used } = await turn.session.context({
      format: "openai",
      budget: BUDGET,
      system: instructions(turn),
    });
    yield { references: await referencesOf(turn, used) };
    // A local model needs no key.
    const headers: Record<string, string> = remote.key ? { authorization: `Bearer ${remote.key}` } : {};
    const body = { model: remote.model, messages, stream: true };
    let over = false;
    for await (const event of post(address, headers, body, turn.signal)) {
      if (event === "[DONE]") {
        over = true;
        break;
      }
      const failed = at(event, "error", "message");
      if (typeof failed === "string") throw new AgentFailure("server", failed);
      const text = at(event, "choices", 0, "delta", "content");
      if (typeof text === "string" && text !== "") yield { text };
      if (typeof at(event, "choices", 0, "finish_reason") === "string") over = true;
    }
    if (!over) throw new AgentFailure("cut");
    recordTurn(turn);
  };
}
