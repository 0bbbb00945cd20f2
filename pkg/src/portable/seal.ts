// The last line of an export, by which an import detects damage before it writes anything.

import { turn } from "../base/later.js";
import { crc32 } from "../memory/files/zip/crc32.js";
import type { End, Header, Item } from "./form.js";
import { headerOf, type Numbered, parsed } from "./read.js";

/** The most characters that are checked before the host has its turn: lines of a file come without one. */
const SLICE = 250_000;

/** Counts lines and computes their checksum. */
class Tally {
  #lines = 0;
  #sum = 0;

  add(text: string): void {
    this.#lines += 1;
    this.#sum = crc32(new TextEncoder().encode(`${text}\n`), this.#sum);
  }

  end(): End {
    return { kind: "end", lines: this.#lines, sum: this.#sum.toString(16).padStart(8, "0") };
  }
}

/** The lines of an export as strings, including the last one. */
export async function* sealed(items: AsyncIterable<Header | Item>): AsyncGenerator<string> {
  const tally = new Tally();
  for await (const item of items) {
    const text = JSON.stringify(item);
    tally.add(text);
    yield text;
  }
  yield JSON.stringify(tally.end());
}

/** The header of an export, and whether its last line proves that nothing is missing, duplicated, reordered or changed. */
export interface Checked {
  header: Header;
  /** `false` for exports of version 1, which have no checksum. */
  complete: boolean;
}

/** Validates an export without importing it. Rejects if it is damaged. */
export async function checked(lines: AsyncGenerator<Numbered>): Promise<Checked> {
  const first = (await lines.next()).value || undefined;
  const header = headerOf(first);
  if (header.version === 1 || !first) return { header, complete: false };
  const tally = new Tally();
  tally.add(plain(first));
  let end: Partial<End> | undefined;
  let read = 0;
  for await (const line of lines) {
    read += line.text.length;
    if (read > SLICE) {
      read = 0;
      await turn();
    }
    if (end) throw damaged(`line ${line.number} comes after the last line`);
    const item = parsed(line);
    if (item.kind === "end") end = item as Partial<End>;
    else tally.add(plain(line));
  }
  if (!end) throw damaged("it is cut off: its last line is missing");
  const found = tally.end();
  if (end.lines !== found.lines) {
    const remark = Number(end.lines) > found.lines ? "lines are missing" : "lines are duplicated or added";
    throw damaged(`${remark}: ${found.lines} of ${end.lines}`);
  }
  if (end.sum !== found.sum) throw damaged("lines were changed or reordered");
  return { header, complete: true };
}

/** Removes whitespace that an editor or a mail program may have added at the end of a line. */
function plain({ text }: Numbered): string {
  return text.replace(/\r$/, "");
}

function damaged(reason: string): Error {
  return new Error(`this export is damaged: ${reason}; nothing was imported`);
}
