// Prompts and answers of a language model, in the format that `memory.parse` reads.

import type { LanguageModelMiddleware } from "ai";

// Derived from `ai`, because the package that exports these types may not be resolvable from an app.
type Wraps = Required<LanguageModelMiddleware>;
type Generated = Awaited<ReturnType<Wraps["wrapGenerate"]>>;
type Streamed = Awaited<ReturnType<Wraps["wrapStream"]>>["stream"];

/** The options of a model call. */
export type Call = Parameters<Wraps["transformParams"]>[0]["params"];
/** The messages of a call. */
export type Prompt = Call["prompt"];
/** A part of an answer. */
export type Content = Generated["content"][number];
/** A part of an answer that is streamed. */
export type StreamPart = Streamed extends ReadableStream<infer P> ? P : never;

/** A message of the AI SDK, as JSON. */
export interface Turn {
  role: Prompt[number]["role"];
  content: object[];
}

type Part = Exclude<Prompt[number]["content"], string>[number];

/** The text of the user's last message; empty if there is none. */
export function lastQuestion(prompt: Prompt): string {
  const last = prompt.findLast(({ role }) => role === "user");
  const parts = (last?.content ?? []) as Part[];
  return parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
}

/** The messages after the model's last one. Earlier messages have been recorded. */
export function newIn({ prompt }: Call): Turn[] {
  const last = prompt.findLastIndex(({ role }) => role === "assistant");
  const fresh = prompt.slice(last + 1).filter(({ role }) => role !== "system");
  return fresh
    .map(({ role, content }) => ({ role, content: (content as Part[]).flatMap(askedPart) }))
    .filter(({ content }) => content.length > 0);
}

/** A part of a prompt. A file stored at a provider is left out. */
function askedPart(part: Part): object[] {
  if (part.type !== "file") return [part];
  if (part.data.type === "text") return [{ type: "text", text: part.data.text }];
  return part.data.type === "reference" ? [] : [part];
}

/** The message of an answer; `undefined` if it is empty. */
export function answerOf(parts: readonly Content[]): Turn[] {
  const content = parts.flatMap((part): object[] => {
    switch (part.type) {
      case "text":
      case "reasoning":
        return part.text ? [part] : [];
      case "tool-call":
        return [{ ...part, input: parsed(part.input) }];
      case "tool-result":
        return [{ ...part, output: { type: part.isError ? "error-json" : "json", value: part.result } }];
      default:
        return [];
    }
  });
  return content.length > 0 ? [{ role: "assistant", content }] : [];
}

/** The arguments of a call, which models return as a string. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The value as JSON. Bytes are replaced by a placeholder. */
export function plain(turns: readonly Turn[]): unknown {
  return JSON.parse(JSON.stringify(turns, (_, value) => (value instanceof Uint8Array ? "AA==" : value)));
}

/** Whether an answer is complete. */
export function isGood({ unified }: Generated["finishReason"]): boolean {
  return unified !== "error" && unified !== "interrupted";
}

/** Collects the parts of a stream; the result is `undefined` unless the stream completes. */
export class Gathered {
  readonly #parts: Content[] = [];
  /** Unfinished texts and reasoning, by id. */
  readonly #open = new Map<string, { text: string }>();
  #finished = false;
  #failed = false;

  /** Adds the next part of the stream. */
  add(part: StreamPart): void {
    const [kind, step] = part.type.split("-");
    if (kind === "text" || kind === "reasoning") {
      const { id } = part as { id: string };
      if (step === "start") {
        const begun = { type: kind, text: "" } as const;
        this.#open.set(kind + id, begun);
        this.#parts.push(begun);
      }
      const begun = this.#open.get(kind + id);
      if (begun && "delta" in part) begun.text += part.delta;
    }
    if (part.type === "tool-call" || part.type === "tool-result") this.#parts.push(part);
    if (part.type === "error") this.#failed = true;
    if (part.type === "finish") this.#finished = isGood(part.finishReason);
  }

  /** The answer, once the stream has ended. */
  content(): Content[] {
    return this.#finished && !this.#failed ? this.#parts : [];
  }
}
