// What a language model was asked and answered, in the form that `memory.parse` reads.

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/** A message of the AI SDK, as JSON. */
export interface Turn {
  role: LanguageModelV4Message["role"];
  content: object[];
}

type Part = Exclude<LanguageModelV4Message["content"], string>[number];

/** The text of the user's last message; empty if it has none. */
export function lastQuestion(prompt: LanguageModelV4Prompt): string {
  const last = prompt.findLast(({ role }) => role === "user");
  const parts = (last?.content ?? []) as Part[];
  return parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
}

/** What the model had not answered yet: everything after its last word. Earlier calls have been recorded. */
export function newIn({ prompt }: LanguageModelV4CallOptions): Turn[] {
  const last = prompt.findLastIndex(({ role }) => role === "assistant");
  const fresh = prompt.slice(last + 1).filter(({ role }) => role !== "system");
  return fresh.map(({ role, content }) => ({ role, content: (content as Part[]).flatMap(askedPart) }));
}

/** A part of a question: of a file that lies with a provider there is nothing to keep. */
function askedPart(part: Part): object[] {
  if (part.type !== "file") return [part];
  if (part.data.type === "text") return [{ type: "text", text: part.data.text }];
  return part.data.type === "reference" ? [] : [part];
}

/** What the model answered; nothing if that is nothing to keep. */
export function answerOf(parts: readonly LanguageModelV4Content[]): Turn[] {
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
  content(): LanguageModelV4Content[] {
    return this.#finished && !this.#failed ? this.#parts : [];
  }
}
