// A program that executes operations on a memory in a file: `node node-writer.mjs <path>`, with a request in JSON on each
// line, which is answered by a line.

import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { jsonl, openMemory } from "keepsake";
import { execute, readAll } from "./verbs.mjs";

/** So low that the file is written anew again and again. */
const COMPACT_ABOVE = 60_000;

let memory;

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { number, operation } = JSON.parse(line);
  const storage = () => jsonl(process.argv[2], { compactAbove: COMPACT_ABOVE });
  try {
    memory ??= openMemory({ user: "u-1", storage: storage() });
    const answer = await (operation ? execute(await memory, operation) : readAll(await memory));
    say({ number, answer });
  } catch ({ code, message }) {
    say({ number, error: { code, message } });
  }
});

/** Not buffered: an acknowledgement has left the program before the next one. */
function say(answer) {
  const bytes = Buffer.from(`${JSON.stringify(answer)}\n`);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}
