// What the tests of keepsake/openai-agents run in a page: the SDK's runner, and a model with a script.

import { Agent, Runner, tool } from "@openai/agents-core";
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from "@openai/agents-core/testing";
import { openMemory } from "keepsake";
import { KeepsakeSession } from "keepsake/openai-agents";

const runner = new Runner({ tracingDisabled: true });

const weather = tool({
  name: "get_weather",
  description: "The weather in a city",
  strict: true,
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
  execute: async ({ city }) => `Sunny in ${city}`,
});

export async function start(name) {
  const memory = await openMemory({ name, user: "u-1", storage: "indexeddb" });
  const session = new KeepsakeSession(memory, {
    sessionId: "s-1",
    onError: (error) => Promise.reject(error),
  });
  Object.assign(globalThis, { memory, session });
}

/** Asks the agent: it looks at the weather once, and then says how many items it was sent. */
export async function ask(input, stream) {
  const model = new ScriptedModel([
    [functionCall("get_weather", { city: "Hanoi" }, { callId: `c-${Math.random()}` })],
    modelResponder(({ request }) => [assistantMessage(`${input}: ${request.input.length} items`)]),
  ]);
  const agent = new Agent({ name: "Helper", model, tools: [weather] });
  const result = await runner.run(agent, input, { session: globalThis.session, stream });
  if (stream) await result.completed;
  return result.finalOutput;
}
