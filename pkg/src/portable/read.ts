// Reads the lines of an export; errors have the line number.

import { MemoryError } from "../base/errors.js";
import { type Header, type Item, NAMES } from "./form.js";
import { goTogether, type Taker } from "./taker.js";

/** A line with its number, from 1. */
export interface Numbered {
  text: string;
  number: number;
}

/** Lines end with `\n` only: Node's `readline` also splits at characters that may occur in a string. */
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

/** Parses a line as an object. */
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

/** The header. Refused if it is not of an export, or of a newer version. */
export function headerOf(first: Numbered | undefined): Header {
  if (!first) throw new Error("there is nothing to import");
  const header = parsed(first) as Partial<Header>;
  if (header.kind !== "keepsake") throw new Error("this was not written by `keepsake export`");
  if (header.version !== 1 && header.version !== 2)
    throw new Error("this was written by a newer `keepsake export`");
  const { user, namespaces } = header;
  if (typeof user !== "string") throw new Error(`line ${first.number}: \`user\` must be a string`);
  if (!Array.isArray(namespaces) || namespaces.some((name) => typeof name !== "string")) {
    throw new Error(`line ${first.number}: \`namespaces\` must be an array of strings`);
  }
  return header as Header;
}

/** Options of an import. */
export interface TakeOptions {
  /** Called after each line with its number. Default: none. */
  onLine?: ((number: number) => void) | undefined;
  /** Stops between two lines, and rejects with its reason. Imported lines stay. Default: never. */
  signal?: AbortSignal | undefined;
}

/** The most lines and characters of one write. More characters would be several parts of `addMany`, of which one may fail. */
const MOST_LINES = 500;
const MOST_CHARACTERS = 500_000;

/** Imports all lines between the first and the last. The lines before an invalid one are imported. */
export async function takeAll(
  taker: Taker,
  lines: AsyncIterable<Numbered>,
  { onLine, signal }: TakeOptions = {},
): Promise<void> {
  let waiting: { item: Item; number: number }[] = [];
  let characters = 0;
  const take = async () => {
    const some = waiting;
    waiting = [];
    characters = 0;
    const [first] = some;
    const alone = first && taker.beginsSession(first.item) ? some.splice(0, 1) : [];
    for (const group of [alone, some]) {
      const taken = await taker.takeMany(group.map(({ item }) => item));
      for (const { item, number } of group) {
        if (!taken) await takeOne(taker, item, number);
        onLine?.(number);
      }
    }
  };
  try {
    for await (const numberedLine of lines) {
      signal?.throwIfAborted();
      const item = parsed(numberedLine);
      if (item.kind === "end") continue;
      const { number, text } = numberedLine;
      if (typeof item.kind !== "string" || !Object.hasOwn(NAMES, item.kind)) {
        throw new Error(`line ${number} has an unknown kind; the lines before it are imported`);
      }
      const next = item as Item;
      const [first] = waiting;
      const isFull = waiting.length === MOST_LINES || characters + text.length > MOST_CHARACTERS;
      if (first && (isFull || !goTogether(first.item, next))) await take();
      waiting.push({ item: next, number });
      characters += text.length;
    }
  } finally {
    if (!signal?.aborted) await take();
  }
}

async function takeOne(taker: Taker, item: Item, number: number): Promise<void> {
  try {
    await taker.take(item);
  } catch (error) {
    const wrong = error instanceof MemoryError || error instanceof TypeError;
    if (!wrong) throw error;
    const reason = error instanceof MemoryError ? error.message : "something is missing";
    throw new Error(`line ${number}: ${reason}; the lines before it are imported`, { cause: error });
  }
}
