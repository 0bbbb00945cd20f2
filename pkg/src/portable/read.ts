// Reads the lines of an export, and says which one is wrong.

import { MemoryError } from "../base/errors.js";
import { type Header, type Item, NAMES } from "./form.js";
import type { Taker } from "./taker.js";

/** A line and which one it is, counted from 1. */
export interface Numbered {
  text: string;
  number: number;
}

/** Lines end with `\n` and nothing else: what Node's own reader takes for an end may stand in a text. */
export async function* numbered(
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Numbered> {
  const decoder = new TextDecoder();
  let number = 0;
  let left = "";
  const cut = function* (text: string): Generator<Numbered> {
    const lines = (left + text).split("\n");
    left = lines.pop() as string;
    for (const line of lines) {
      number += 1;
      if (line.trim() !== "") yield { text: line, number };
    }
  };
  for await (const bytes of input) yield* cut(decoder.decode(bytes, { stream: true }));
  yield* cut(`${decoder.decode()}\n`);
}

/** A line as an object. */
export function parsed({ text, number }: Numbered): { kind?: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`line ${number} is not JSON`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Error(`line ${number} is not an object`);
}

/** What the first line says; refused if it is no export, or one of a newer form. */
export function headerOf(first: Numbered | undefined): Header {
  if (!first) throw new Error("there is nothing to import");
  const header = parsed(first) as Partial<Header>;
  if (header.kind !== "keepsake") throw new Error("this was not written by `keepsake export`");
  if (header.version !== 1 && header.version !== 2)
    throw new Error("this was written by a newer `keepsake export`");
  const { user, namespaces } = header;
  if (typeof user !== "string") throw new Error(`line ${first.number}: \`user\` must be a name`);
  if (!Array.isArray(namespaces) || namespaces.some((name) => typeof name !== "string")) {
    throw new Error(`line ${first.number}: \`namespaces\` must be a list of names`);
  }
  return header as Header;
}

/** How lines are taken in. */
export interface TakeOptions {
  /** Called after each line with its number. Default: nothing. */
  onLine?: ((number: number) => void) | undefined;
  /** Stops between two lines, and rejects with its reason. What was taken in stays. Default: never. */
  signal?: AbortSignal | undefined;
}

/** Takes all lines between the first and the last. The lines before one that is refused are taken in. */
export async function takeAll(
  taker: Taker,
  lines: AsyncIterable<Numbered>,
  { onLine, signal }: TakeOptions = {},
): Promise<void> {
  for await (const numberedLine of lines) {
    signal?.throwIfAborted();
    const item = parsed(numberedLine);
    if (item.kind === "end") continue;
    const where = `line ${numberedLine.number}`;
    if (typeof item.kind !== "string" || !Object.hasOwn(NAMES, item.kind)) {
      throw new Error(`${where} is of no known kind; the lines before it are imported`);
    }
    try {
      await taker.take(item as Item);
    } catch (error) {
      const wrong = error instanceof MemoryError || error instanceof TypeError;
      if (!wrong) throw error;
      const reason = error instanceof MemoryError ? error.message : "something is missing";
      throw new Error(`${where}: ${reason}; the lines before it are imported`, { cause: error });
    }
    onLine?.(numberedLine.number);
  }
}
