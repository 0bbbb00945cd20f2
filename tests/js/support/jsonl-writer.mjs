// A program that writes to a memory in a file, and says what was acknowledged: `node jsonl-writer.mjs <path> <what> …`.

import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { jsonl, openMemory } from "keepsake";

// Not buffered: what was said was heard, whatever happens next.
const say = (line) => writeSync(1, `${line}\n`);

const programs = {
  /** Adds so many entries, as fast as they go. */
  async add(path, who, times) {
    const memory = await openMemory({ user: "u-1", storage: jsonl(path, { compactAbove: 20_000 }) });
    const numbers = [...Array(Number(times)).keys()];
    await Promise.all(numbers.map((n) => memory.add(`${who}/${n}`, { namespace: "long-term" })));
    await memory.close();
  },

  /** Adds entries from `from` on until it is killed, and makes so much garbage that the file is written anew all the time. */
  async forever(path, from) {
    const memory = await openMemory({ user: "u-1", storage: jsonl(path, { compactAbove: 20_000 }) });
    const filler = "x".repeat(40_000);
    for (let n = Number(from); ; n += 1) {
      await memory.add(`entry ${n}`, { id: `e-${n}`, namespace: "long-term" });
      say(`added ${n}`);
      await memory.profile.updateProfile({ step: n, filler });
      say(`step ${n}`);
    }
  },

  /** Adds entries with so many calls under way all the time, and says what became of each; without `to` until it is killed. */
  async take(path, who, atOnce, to, pause) {
    const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
    await memory.search("anything");
    let next = 0;
    const lane = async () => {
      while (next < Number(to || 1e9)) {
        const id = `${who}-${next++}`;
        if (pause) await wait(Number(pause));
        await memory.add(`entry ${id}`, { id, namespace: "long-term" }).then(
          () => say(`added ${id}`),
          (error) => say(`failed ${id} ${error.code}`),
        );
      }
    };
    await Promise.all(Array.from({ length: Number(atOnce) }, lane));
    await memory.close();
  },

  /** Adds entries of 2,000 characters until it fails, and says how. */
  async fill(path) {
    const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
    for (let n = 0; ; n += 1) {
      try {
        await memory.add(`${n} ${"x".repeat(2_000)}`, { id: `e-${n}`, namespace: "long-term" });
        say(`added ${n}`);
      } catch (error) {
        say(`failed ${error.code}`);
        say(`has ${await memory.count()}`);
        return;
      }
    }
  },
};

const [path, what, ...args] = isMainThread ? process.argv.slice(2) : workerData;
await programs[what](path, ...args);
parentPort?.postMessage("done");
