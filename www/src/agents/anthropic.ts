// An endpoint with Anthropic's messages API.

import { type Agent, AgentFailure } from "./agent.js";
import { BUDGET, instructions, MOST_TOKENS, recordTurn, referencesOf } from "./prompt.js";
import { addressOf, at, post, type Remote } from "./sse.js";

/** Answers with a model of the endpoint. */
export function anthropicAgent(remote: Remote): Agent {
  return async function* (turn) {
    const address = addressOf(remote, "messages");
    if (remote.key === "") throw new AgentFailure("no-key");
    const { messages: said, used } = await turn.session.context({
      format: "anthropic",
      budget: BUDGET,
      system: instructions(turn),
    });
    yield { references: await referencesOf(turn, used) };
    const headers = {
      "x-api-key": remote.key,
      "anthropic-version": "2023-06-01",
      // Without this header the service refuses requests of pages. The user typed the key into this page.
      "anthropic-dangerous-direct-browser-access": "true",
    };
    const body = { model: remote.model, max_tokens: MOST_TOKENS, ...said, stream: true };
    let over = false;
    for await (const event of post(address, headers, body, turn.signal)) {
      const type = at(event, "type");
      if (type === "error") throw new AgentFailure("server", String(at(event, "error", "message") ?? ""));
      const text = type === "content_block_delta" ? at(event, "delta", "text") : undefined;
      if (typeof text === "string" && text !== "") yield { text };
      if (type === "message_stop") {
        over = true;
        break;
      }
    }
    if (!over) throw new AgentFailure("cut");
    recordTurn(turn);
  };
}
