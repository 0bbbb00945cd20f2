// `keepsake import`: reads the output of `keepsake export`. Existing items are not overwritten.

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
  summary: "import an export",
  help: `Usage: keepsake export FILE --user NAME | keepsake import FILE --user NAME

Imports the output of \`keepsake export\` with its original times. Existing items are not overwritten,
so an interrupted import can be run again. A damaged export is refused before anything is written.

  -u, --user NAME   the user whose memory it is; default: $KEEPSAKE_USER
      --from PATH   read this file; default: stdin
      --json        print the counts as JSON`,
  options: { from: { type: "string" }, json: { type: "boolean" } },
  takes: [1, 1],
  async run(args) {
    const { user } = args;
    const from = args.text("from");
    const input = from === undefined ? process.stdin : createReadStream(from);
    // Read twice: a damaged export must be detected before anything is written.
    const bytes: Uint8Array[] = [];
    for await (const piece of input) bytes.push(piece);
    const { header, complete } = await checked(numbered(bytes));
    if (!complete) note("this export is of an older version: lines missing at its end cannot be detected");
    const lines = numbered(bytes);
    await lines.next();
    if (header.user !== user)
      note(`this export is from ${oneLine(header.user)}'s memory; it is imported into ${user}'s`);
    // Entries and messages are written with their original times.
    let clock: number | undefined;
    // No limits: the entries were within the limits of the app that wrote them.
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
