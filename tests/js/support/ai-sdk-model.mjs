// A language model of the AI SDK that follows a script, at once or streamed.

import { MockLanguageModelV4 } from "ai/test";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** The parts of a stream that says `content`, texts in pieces. */
export function streamed(content) {
  const parts = [{ type: "stream-start", warnings: [] }];
  for (const [at, part] of content.entries()) {
    const id = String(at);
    const { type } = part;
    if (type === "text" || type === "reasoning") {
      parts.push({ type: `${type}-start`, id });
      for (const delta of part.text.match(/.{1,5}/gsu) ?? [])
        parts.push({ type: `${type}-delta`, id, delta });
      parts.push({ type: `${type}-end`, id });
    } else {
      parts.push(part);
    }
  }
  parts.push({ type: "finish", usage, finishReason: reason(content) });
  return parts;
}

function reason(content) {
  const calls = content.some(({ type, providerExecuted }) => type === "tool-call" && !providerExecuted);
  return { unified: calls ? "tool-calls" : "stop", raw: undefined };
}

/** A call of a tool. */
export function call(toolName, input, toolCallId = `c-${toolName}`) {
  return { type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) };
}

/**
 * A model that says one thing after the other. Each is a text, a list of parts, or a function that makes one of these of
 * the prompt. `prompts` holds what it was asked.
 */
export function scriptedModel(...steps) {
  const prompts = [];
  const next = ({ prompt }) => {
    const step = steps[prompts.length];
    prompts.push(prompt);
    const said = typeof step === "function" ? step(prompt) : step;
    if (said === undefined) throw new Error("the script is at its end");
    return typeof said === "string" ? [{ type: "text", text: said }] : said;
  };
  const model = new MockLanguageModelV4({
    // Otherwise the SDK would fetch what they refer to.
    supportedUrls: { "*/*": [/./] },
    doGenerate: async (options) => {
      const content = next(options);
      return { content, finishReason: reason(content), usage, warnings: [] };
    },
    doStream: async (options) => {
      const parts = streamed(next(options));
      const stream = new ReadableStream({
        pull(controller) {
          if (options.abortSignal?.aborted) return controller.error(options.abortSignal.reason);
          const part = parts.shift();
          if (part === undefined) controller.close();
          else if (part instanceof Error) controller.error(part);
          else controller.enqueue(part);
        },
      });
      return { stream };
    },
  });
  return Object.assign(model, { prompts });
}

/** All text of the last message of the user in a prompt. */
export function asked(prompt) {
  const { content } = prompt.findLast(({ role }) => role === "user");
  return content.map(({ text }) => text ?? "").join("\n");
}
