// Messages that a caller passes, checked for what is passed instead of them most often.

import { refused } from "../base/errors.js";

/** Fields of replies and messages of models' APIs, and what `memory.parse` takes of each. */
const FOREIGN: readonly (readonly [field: string, parsed: string])[] = [
  ["choices", '"openai", [reply.choices[0].message]'],
  ["output", '"openai-responses", reply.output'],
  ["candidates", '"gemini", [reply.candidates[0].content]'],
  ["stop_reason", '"anthropic", [reply]'],
  ["refusal", '"openai", [message]'],
  ["tool_calls", '"openai", [message]'],
  ["tool_call_id", '"openai", [message]'],
];

/** Throws `invalid-input` for a bare text, and for a message in the form of a model's API. The core checks the rest. */
export function checkSaid(messages: readonly unknown[]): void {
  messages.forEach((message, at) => {
    const field = `messages[${at}]`;
    if (typeof message === "string")
      throw refused(field, 'must be an object: `{ role: "user", content: "Hello" }`');
    const foreign = FOREIGN.find(([name]) => name in Object(message));
    if (foreign)
      throw refused(field, `is in the form of a model's API; convert it: \`memory.parse(${foreign[1]})\``);
  });
}
