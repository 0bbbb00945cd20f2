// A script in place of a model, so that the example needs no key. It answers questions from what the memory has put into the
// prompt, and from nothing else. Yours is `openai("gpt-5-mini")` of @ai-sdk/openai, or any other model of the AI SDK.

import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";

export const model = new MockLanguageModelV4({
  doStream: async ({ prompt }) => {
    const texts = prompt.map(({ content }) => JSON.stringify(content));
    const asked = texts.at(-1)?.includes("?");
    // Its own answers are recalled as well.
    const [, recalled] = texts.join("\n").match(/\\n> (?!You told me)(.*?)\\n/) ?? [];
    const reply = !asked ? "Noted." : recalled ? `You told me: ${recalled}` : "I don't know yet.";
    return {
      stream: simulateReadableStream({
        chunks: [
          { type: "text-start", id: "1" },
          ...reply.split(/(?<= )/).map((delta) => ({ type: "text-delta" as const, id: "1", delta })),
          { type: "text-end", id: "1" },
          {
            type: "finish",
            finishReason: { unified: "stop", raw: undefined },
            usage: {
              inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
              outputTokens: { total: 1, text: 1, reasoning: undefined },
            },
          },
        ],
      }),
    };
  },
});
