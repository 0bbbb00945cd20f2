// What the tests of keepsake/anthropic run in a page: Anthropic's client and tool runner, and a model with a script.

import Anthropic from "@anthropic-ai/sdk";
import { openMemory } from "keepsake";
import { memoryTool, memoryTools } from "keepsake/anthropic";
import { resultsIn, scripted } from "../../js/support/anthropic-api.mjs";

export const open = (name) => openMemory({ name, user: "u-1", storage: "indexeddb" });

/** Runs the steps on a memory, and answers what the model was told after each, and what it said at the end. */
export async function run(memory, steps, params = {}) {
  const api = scripted(steps);
  const client = new Anthropic({
    apiKey: "none",
    fetch: api.fetch,
    maxRetries: 0,
    dangerouslyAllowBrowser: true,
  });
  const runner = client.beta.messages.toolRunner({
    model: "claude-sonnet-5",
    max_tokens: 100,
    messages: [{ role: "user", content: "Keep notes." }],
    tools: [memoryTool(memory), ...(await memoryTools(memory))],
    ...params,
  });
  let pieces = 0;
  for await (const turn of runner) {
    if (params.stream) for await (const event of turn) pieces += event.type === "content_block_delta" ? 1 : 0;
  }
  const last = await runner.done();
  const told = api.requests.slice(1).map((request) => resultsIn(request)[0]);
  return { told, said: last.content[0].text, pieces };
}
