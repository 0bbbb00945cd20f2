// Three programs of Node on one `jsonl` file, in one process group.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const WRITERS = 3;
const PROGRAM = fileURLToPath(new URL("node-writer.mjs", import.meta.url));

export async function host() {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-kills-"));
  const path = join(folder, "memory.jsonl");
  return {
    writers: WRITERS,
    isLocal: true,
    start: async () => started(path),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The shell leads the group; each program has a pipe for what it is asked and one for its answers. */
function started(path) {
  const commands = Array.from(
    { length: WRITERS },
    (_, at) => `"$0" "$1" "$2" <&${3 + 2 * at} >&${4 + 2 * at} &`,
  );
  const pipes = Array(2 * WRITERS).fill("pipe");
  const child = spawn("sh", ["-c", `${commands.join("\n")}\nwait`, process.execPath, PROGRAM, path], {
    detached: true,
    stdio: ["ignore", "ignore", "inherit", ...pipes],
  });
  const ended = once(child, "exit");
  const writers = Array.from({ length: WRITERS }, (_, at) =>
    asked(child.stdio[3 + 2 * at], child.stdio[4 + 2 * at]),
  );
  return {
    execute: (writer, operation) => writers[writer]({ operation }),
    readAll: (writer) => writers[writer]({}),
    async kill() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGKILL");
      await ended;
    },
  };
}

/** Asks a program in lines of JSON. Whatever it has not answered when it ends is rejected, after its last answer. */
function asked(input, output) {
  const waiting = new Map();
  let number = 0;
  let over = false;
  input.on("error", () => {});
  output.on("error", () => {});
  createInterface({ input: output })
    .on("line", (line) => {
      const { number, answer, error } = JSON.parse(line);
      const { resolve, reject } = waiting.get(number);
      waiting.delete(number);
      if (error) reject(Object.assign(new Error(error.message), { code: error.code }));
      else resolve(answer);
    })
    .on("close", () => {
      over = true;
      for (const { reject } of waiting.values()) reject(new Error("killed"));
    });
  return (request) =>
    new Promise((resolve, reject) => {
      if (over) return reject(new Error("killed"));
      number += 1;
      waiting.set(number, { resolve, reject });
      input.write(`${JSON.stringify({ ...request, number })}\n`);
    });
}
