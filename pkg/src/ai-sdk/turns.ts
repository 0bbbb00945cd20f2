// What a language model was asked and answered, as messages of a session.

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import type { BlockInput, MessageInput } from "../messages.js";
import type { Json } from "../types.js";

type Part = Exclude<LanguageModelV4Message["content"], string>[number];

/** The text of the user's last message; empty if it has none. */
export function lastQuestion(prompt: LanguageModelV4Prompt): string {
  const last = prompt.findLast(({ role }) => role === "user");
  if (last?.role !== "user") return "";
  return last.content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
}

/** What the model had not answered yet: everything after its last word. Earlier calls have been recorded. */
export function newIn({ prompt }: LanguageModelV4CallOptions): MessageInput[] {
  const last = prompt.findLastIndex(({ role }) => role === "assistant");
  return prompt.slice(last + 1).flatMap((message) => {
    if (message.role === "system") return [];
    const content = (message.content as Part[]).flatMap(blockOf);
    return content.length > 0 ? [{ role: message.role, content }] : [];
  });
}

/** What the model answered; nothing if that is nothing to keep. */
export function answerOf(content: readonly LanguageModelV4Content[]): MessageInput[] {
  const blocks = content.flatMap(answerBlock);
  return blocks.length > 0 ? [{ role: "assistant", content: blocks }] : [];
}

function blockOf(part: Part): BlockInput[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text }];
    case "reasoning":
      return [{ type: "thought", text: part.text }];
    case "tool-call":
      return [{ type: "tool_use", id: part.toolCallId, name: part.toolName, input: json(part.input) }];
    case "tool-result":
      return [{ type: "tool_result", toolUseId: part.toolCallId, ...resultOf(part.output) }];
    case "file": {
      const named = part.filename === undefined ? {} : { name: part.filename };
      const { data } = part;
      if (data.type === "text") return [{ type: "text", text: data.text }];
      if (data.type === "url")
        return [{ type: "file", mediaType: part.mediaType, ...named, url: String(data.url) }];
      // What lies with a provider has another id with each of them.
      if (data.type === "reference") return [];
      return [{ type: "file", mediaType: part.mediaType, ...named, data: base64(data.data) }];
    }
    default:
      return [];
  }
}

function answerBlock(part: LanguageModelV4Content): BlockInput[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "reasoning":
      return part.text === "" ? [] : [{ type: "thought", text: part.text }];
    case "tool-call":
      return [{ type: "tool_use", id: part.toolCallId, name: part.toolName, input: parsed(part.input) }];
    case "tool-result": {
      const output = JSON.stringify(part.result) ?? "";
      const failed = part.isError ? { isError: true } : {};
      return [{ type: "tool_result", toolUseId: part.toolCallId, output, ...failed }];
    }
    default:
      return [];
  }
}

function resultOf(output: LanguageModelV4ToolResultOutput): {
  output: string | BlockInput[];
  isError?: boolean;
} {
  switch (output.type) {
    case "text":
      return { output: output.value };
    case "json":
      return { output: JSON.stringify(output.value) };
    case "error-text":
      return { output: output.value, isError: true };
    case "error-json":
      return { output: JSON.stringify(output.value), isError: true };
    case "execution-denied":
      return { output: output.reason ?? "The call was denied.", isError: true };
    case "content":
      return { output: output.value.flatMap((part) => (part.type === "custom" ? [] : blockOf(part))) };
  }
}

/** The arguments of a call, which models give as text. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** As it would be after a way through JSON. */
function json(value: unknown): Json {
  return JSON.parse(JSON.stringify(value) ?? "null") as Json;
}

function base64(data: Uint8Array | string): string {
  if (typeof data === "string") return data;
  let binary = "";
  for (const byte of data) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Whether an answer came to its end. */
export function isGood({ unified }: LanguageModelV4FinishReason): boolean {
  return unified !== "error" && unified !== "interrupted";
}

/** Puts the parts of a stream together again; nothing unless it comes to a good end. */
export class Gathered {
  readonly #parts: LanguageModelV4Content[] = [];
  /** Texts and thoughts that are under way, by their ids. */
  readonly #open = new Map<string, { text: string }>();
  #finished = false;
  #failed = false;

  /** Takes the next part of the stream. */
  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const begun = {
          type: part.type === "text-start" ? ("text" as const) : ("reasoning" as const),
          text: "",
        };
        this.#open.set(part.type + part.id, begun);
        this.#parts.push(begun);
        return;
      }
      case "text-delta":
      case "reasoning-delta": {
        const begun = this.#open.get(part.type.replace("delta", "start") + part.id);
        if (begun) begun.text += part.delta;
        return;
      }
      case "tool-call":
      case "tool-result":
        this.#parts.push(part);
        return;
      case "error":
        this.#failed = true;
        return;
      case "finish":
        this.#finished = isGood(part.finishReason);
        return;
      default:
        return;
    }
  }

  /** What the model answered, once the stream has ended. */
  content(): LanguageModelV4Content[] {
    return this.#finished && !this.#failed ? this.#parts : [];
  }
}
