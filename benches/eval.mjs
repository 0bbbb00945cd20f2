// How well search finds what it should: `node benches/eval.mjs FOLDER [--json] [--ranking best|formula|both]`.
// Goes through the public API of the built package, one memory for each conversation or file of passages.
// `--vectors FILE` gives the memories an embedder that looks texts up in FILE, which eval/minilm.py writes.

import { parseArgs } from "node:util";
import { openMemory } from "keepsake";
import { print } from "./eval/report.mjs";
import { average, score } from "./eval/score.mjs";
import { DataError, readSets } from "./eval/sets.mjs";
import { readVectors } from "./eval/vectors.mjs";

const RANKINGS = ["best", "formula"];
const USAGE = "usage: node benches/eval.mjs FOLDER [--json] [--ranking best|formula|both] [--vectors FILE]";

/** As deep as the reciprocal rank is followed; what comes later adds less than 1/100. */
const DEPTH = 100;

/**
 * A memory that holds these entries. `options` are `openMemory`'s: what a set needs beside the texts (an embedder, say)
 * comes in here.
 */
async function remember(user, entries, options = {}) {
  const room = { maxEntries: 1_000_000 };
  const config = { namespaces: { "short-term": room, "long-term": room } };
  const memory = await openMemory({ name: "eval", user, storage: "memory", config, ...options });
  if (typeof memory.search !== "function") {
    throw new DataError("the built package has no search: run `cargo xtask build`");
  }
  for (const { content, ...draft } of entries)
    await memory.add(content, { ...draft, namespace: "long-term" });
  return memory;
}

/** For each ranking, the categories of one set with their averages. */
async function evaluate(set, rankings, options) {
  const scores = Object.fromEntries(rankings.map((ranking) => [ranking, []]));
  for (const { user, entries, questions } of set.memories) {
    const memory = await remember(user, entries, options);
    for (const ranking of rankings) {
      for (const { query, gold, category } of questions) {
        const hits = await memory.search(query, { ranking, limit: DEPTH, minScore: 0 });
        const found = hits.map(({ id }) => id);
        scores[ranking].push({ category, ...score(found, gold) });
      }
    }
    await memory.close();
  }
  return Object.fromEntries(rankings.map((ranking) => [ranking, average(scores[ranking], set.categories)]));
}

async function main() {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      ranking: { type: "string", default: "both" },
      vectors: { type: "string" },
    },
    allowPositionals: true,
  });
  const rankings = values.ranking === "both" ? RANKINGS : RANKINGS.filter((name) => name === values.ranking);
  if (positionals.length !== 1 || rankings.length === 0) throw new DataError(USAGE);

  const options = values.vectors === undefined ? {} : { embedder: await readVectors(values.vectors) };
  const results = Object.fromEntries(rankings.map((ranking) => [ranking, {}]));
  for (const set of await readSets(positionals[0])) {
    const started = performance.now();
    const averages = await evaluate(set, rankings, options);
    for (const ranking of rankings) results[ranking][set.name] = averages[ranking];
    console.error(`${set.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
  if (values.json) console.log(JSON.stringify(results, null, 2));
  else print(results);
}

try {
  await main();
} catch (error) {
  const expected = error instanceof DataError || error.code?.startsWith?.("ERR_PARSE_ARGS");
  console.error(`error: ${expected ? error.message : error.stack}`);
  process.exitCode = 1;
}
