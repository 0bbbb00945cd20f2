// What a language model was asked and answered, in the form that `memory.parse` reads.

import type { LanguageModelMiddleware } from "ai";

// By way of `ai`, because the package that names them need not be where an app finds it.
type Wraps = Required<LanguageModelMiddleware>;
type Generated = Awaited<ReturnType<Wraps["wrapGenerate"]>>;
type Streamed = Awaited<ReturnType<Wraps["wrapStream"]>>["stream"];

/** What a model is asked. */
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

/** The text of the user's last message; empty if it has none. */
export function lastQuestion(prompt: Prompt): string {
  const last = prompt.findLast(({ role }) => role === "user");
  const parts = (last?.content ?? []) as Part[];
  return parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
}

/** What the model had not answered yet: everything after its last word. Earlier calls have been recorded. */
export function newIn({ prompt }: Call): Turn[] {
  const last = prompt.findLastIndex(({ role }) => role === "assistant");
  const fresh = prompt.slice(last + 1).filter(({ role }) => role !== "system");
  return fresh
    .map(({ role, content }) => ({ role, content: (content as Part[]).flatMap(askedPart) }))
    .filter(({ content }) => content.length > 0);
}

/** A part of a question: of a file that lies with a provider there is nothing to keep. */
function askedPart(part: Part): object[] {
  if (part.type !== "file") return [part];
  if (part.data.type === "text") return [{ type: "text", text: part.data.text }];
  return part.data.type === "reference" ? [] : [part];
}

/** What the model answered; nothing if that is nothing to keep. */
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

/** The arguments of a call, which models give as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** As after a way through JSON. Bytes are no part of a talk; what stands for them says that there were some. */
export function plain(turns: readonly Turn[]): unknown {
  return JSON.parse(JSON.stringify(turns, (_, value) => (value instanceof Uint8Array ? "AA==" : value)));
}

/** Whether an answer came to its end. */
export function isGood({ unified }: Generated["finishReason"]): boolean {
  return unified !== "error" && unified !== "interrupted";
}

/** Puts the parts of a stream together again; nothing unless it comes to a good end. */
export class Gathered {
  readonly #parts: Content[] = [];
  /** Texts and thoughts that are under way, by their ids. */
  readonly #open = new Map<string, { text: string }>();
  #finished = false;
  #failed = false;

  /** Takes the next part of the stream. */
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

  /** What the model answered, once the stream has ended. */
  content(): Content[] {
    return this.#finished && !this.#failed ? this.#parts : [];
  }
}
