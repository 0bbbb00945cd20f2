// Conversations for the tests of sessions: memories of their own, and talk of a given length.

import { openMemory } from "keepsake";

/** A memory that is gone with the test. */
export function memoryOf(options = {}) {
  return openMemory({ user: "u-1", storage: "memory", ...options });
}

/** Messages of user and assistant in turn, each of about 4 × `words` tokens. */
export function talk(count, words = 1, start = 0) {
  return Array.from({ length: count }, (_, at) => ({
    role: (start + at) % 2 === 0 ? "user" : "assistant",
    content: `message ${start + at} ${"and some more words ".repeat(words)}`.trim(),
  }));
}

/** A tool's call and its result. */
export function toolPair(id, output = "Sunny") {
  return [
    {
      role: "ASSISTANT",
      content: [{ type: "tool_use", id, name: "get_weather", input: { city: "Beijing" } }],
    },
    {
      role: "TOOL",
      content: [{ type: "tool_result", toolUseId: id, output: [{ type: "text", text: output }] }],
    },
  ];
}

/** The texts of messages. */
export function texts(messages) {
  return messages.map(({ content }) => content.map(({ text }) => text ?? "").join("\n"));
}
