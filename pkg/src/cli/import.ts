// `keepsake import`: takes in what `keepsake export` has written. What is there already stays as it is.

import { createReadStream } from "node:fs";
import { MemoryError } from "../base/errors.js";
import type { Memory } from "../memory/memory.js";
import { type Item, NAMES } from "../portable/form.js";
import { numbered, takeAll } from "../portable/read.js";
import { checked } from "../portable/seal.js";
import { Taker } from "../portable/taker.js";
import type { Metadata, NamespaceConfig } from "../wire/types.js";
import type { Command } from "./options.js";
import { counted, line, note, oneLine, styled } from "./output.js";

export const importCommand: Command = {
  summary: "take in what export has written",
  help: `Usage: keepsake export FILE --user NAME | keepsake import FILE --user NAME

Takes in lines of \`keepsake export\`, with the times that they tell of. What is there already
stays as it is, so that an import that was interrupted can be run again. An export that is damaged
is refused before anything is written.

  -u, --user NAME   whose memory; or KEEPSAKE_USER
      --from PATH   read this file; default: stdin
      --json        say what was taken in as JSON`,
  options: { from: { type: "string" }, json: { type: "boolean" } },
  takes: [1, 1],
  async run(args) {
    const { user } = args;
    const from = args.text("from");
    const input = from === undefined ? process.stdin : createReadStream(from);
    // Read twice, because a damaged export is to be found before anything is written.
    const bytes: Uint8Array[] = [];
    for await (const piece of input) bytes.push(piece);
    const { header, complete } = await checked(numbered(bytes));
    if (!complete) note("this export is of an older version: lines missing at its end cannot be detected");
    const lines = numbered(bytes);
    await lines.next();
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
