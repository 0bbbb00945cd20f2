// `keepsake import`: takes in what `keepsake export` has written. What is there already stays as it is.

import { createReadStream } from "node:fs";
import { MemoryError } from "../errors.js";
import type { Memory } from "../memory.js";
import type { Metadata, NamespaceConfig } from "../types.js";
import { type Header, type Item, NAMES } from "./form.js";
import type { Command } from "./options.js";
import { counted, line, note, oneLine, styled } from "./output.js";
import { Taker } from "./taker.js";

export const importCommand: Command = {
  summary: "take in what export has written",
  help: `Usage: keepsake export FILE --user NAME | keepsake import FILE --user NAME

Takes in lines of \`keepsake export\`, with the times that they tell of. What is there already
stays as it is, so that an import that was broken off can be run again.

  -u, --user NAME   whose memory; or KEEPSAKE_USER
      --from PATH   read this file; default: stdin
      --json        say what was taken in as JSON`,
  options: { from: { type: "string" }, json: { type: "boolean" } },
  takes: [1, 1],
  async run(args) {
    const { user } = args;
    const from = args.text("from");
    const input = from === undefined ? process.stdin : createReadStream(from);
    const lines = numbered(input);
    const header = headerOf((await lines.next()).value as Numbered | undefined);
    if (header.user !== user)
      note(`this was exported from ${oneLine(header.user)}'s memory, and becomes ${user}'s`);
    // The clock that entries and messages are written by is the one of the time that they tell of.
    let clock: number | undefined;
    // Limits are for those who add, not for what others have let in already.
    const open: NamespaceConfig = { maxEntries: 1_000_000_000, maxContentChars: 1_000_000_000 };
    const namespaces = Object.fromEntries(
      ["short-term", "long-term", ...header.namespaces].map((name) => [name, open]),
    );
    const memory = await args.open("write", { now: () => clock ?? Date.now(), config: { namespaces } });
    try {
      const taker = new Taker(memory, (at) => {
        clock = at === undefined ? undefined : Date.parse(at);
        if (Number.isNaN(clock)) throw new MemoryError("invalid-input", "a time is not in ISO 8601");
      });
      await takeAll(taker, lines);
      clock = undefined;
      await report(memory, taker, args.has("json"));
      return 0;
    } finally {
      await memory.close();
    }
  },
};

interface Numbered {
  text: string;
  number: number;
}

/** Lines end with `\n` and nothing else: what Node's own reader takes for an end may stand in a text. */
async function* numbered(input: AsyncIterable<Uint8Array>): AsyncGenerator<Numbered> {
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

function parsed({ text, number }: Numbered): { kind?: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`line ${number} is not JSON`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Error(`line ${number} is not an object`);
}

function headerOf(first: Numbered | undefined): Header {
  if (!first) throw new Error("there is nothing to import");
  const header = parsed(first) as Partial<Header>;
  if (header.kind !== "keepsake") throw new Error("this was not written by `keepsake export`");
  if (header.version !== 1) throw new Error("this was written by a newer `keepsake export`");
  const { user, namespaces } = header;
  if (typeof user !== "string") throw new Error(`line ${first.number}: \`user\` must be a name`);
  if (!Array.isArray(namespaces) || namespaces.some((name) => typeof name !== "string")) {
    throw new Error(`line ${first.number}: \`namespaces\` must be a list of names`);
  }
  return header as Header;
}

async function takeAll(taker: Taker, lines: AsyncGenerator<Numbered>): Promise<void> {
  for await (const numberedLine of lines) {
    const item = parsed(numberedLine);
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
  }
}

async function report(
  memory: Memory<Metadata, string>,
  { taken, kept }: Taker,
  json: boolean,
): Promise<void> {
  if (json) return line(JSON.stringify({ user: memory.user, imported: taken, alreadyThere: kept }));
  const say = (counts: Taker["taken"]) =>
    Object.entries(counts)
      .map(([kind, count]) => counted(count, ...NAMES[kind as Item["kind"]]))
      .join(", ");
  await line(`${styled("green", "imported")} ${say(taken) || "nothing"}`);
  if (Object.keys(kept).length > 0) await line(`${styled("dim", "already there")} ${say(kept)}`);
}
