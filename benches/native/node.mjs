// What benches/native.mjs measures in Node: a memory in a `jsonl` file. The program in Rust beside it does the same.

import { readFileSync } from "node:fs";
import { jsonl, openMemory } from "keepsake";
import { ask, spread, timed } from "../bench/measure.mjs";

const SLICE = 10_000;

const [command, path, ...rest] = process.argv.slice(2);
const config = { namespaces: { "long-term": { maxEntries: 2_000_000 } } };
const open = (user) => openMemory({ user, storage: jsonl(path), config });
const draftsOf = (file) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => ({ ...JSON.parse(line), namespace: "long-term" }));

const commands = {
  async fill(file) {
    const drafts = draftsOf(file);
    const memory = await open("u-1");
    const time = await timed(async () => {
      for (let at = 0; at < drafts.length; at += SLICE) await memory.addMany(drafts.slice(at, at + SLICE));
    });
    await memory.close();
    return { each: time / drafts.length };
  },
  async single(file, count) {
    const drafts = draftsOf(file).slice(0, Number(count));
    const memory = await open("u-1");
    const [times, flushed] = [[], []];
    for (const { content } of drafts) {
      times.push(await timed(() => memory.add(content, { namespace: "long-term" })));
    }
    for (const { content } of drafts) {
      flushed.push(
        await timed(async () => {
          await memory.add(content, { namespace: "long-term" });
          await memory.flush();
        }),
      );
    }
    await memory.close();
    const { p50, p95 } = spread(times);
    return { p50, p95, flushed: spread(flushed).p50 };
  },
  async users(file, count) {
    const drafts = draftsOf(file).slice(0, 10);
    const memories = await Promise.all(Array.from({ length: Number(count) }, (_, at) => open(`u-${at}`)));
    const time = await timed(() =>
      Promise.all(
        memories.map(async (memory) => {
          for (const { content } of drafts) await memory.add(content, { namespace: "long-term" });
        }),
      ),
    );
    await Promise.all(memories.map((memory) => memory.close()));
    return { user: time / (memories.length * drafts.length) };
  },
  async open(file) {
    const questions = JSON.parse(readFileSync(file, "utf8"));
    let memory;
    const search = async (text) =>
      (await memory.search(text, { ranking: "best", limit: 5 })).map(({ id }) => Number(id));
    const opened = await timed(async () => {
      memory = await open("u-1");
    });
    const searched = await timed(() => search(questions[0].text));
    const { p50, p95, r5 } = await ask(search, questions);
    await memory.close();
    return { opened, firstHit: opened + searched, search50: p50, search95: p95, r5 };
  },
  /** Writes, says so, and waits to be killed. */
  async write() {
    const memory = await open("u-1");
    await memory.add("the last words", { namespace: "long-term" });
    setInterval(() => memory, 1_000);
    return {};
  },
};

console.log(JSON.stringify(await commands[command](...rest)));
