// How well search finds what it should, through the public API of the built package, beside other search libraries:
// `node benches/eval.mjs FOLDER [options]`. One memory for each conversation or file of passages.
//
//   --json                          print everything as JSON
//   --ranking best|formula|both     the rankings of the package (both)
//   --set NAME                      one set, or all that begin with NAME, as `beam` or `xquad`
//   --no-peers                      leave MiniSearch, FlexSearch and BM25 out
//   --apart                         also each conversation alone, and the mean, least and most of them
//   --check                         exit 1 if a figure is below its floor (eval/floors.mjs)
//   --vectors FILE                  an embedder that looks texts up in FILE, which eval/minilm.py writes
//   --meaning FILE                  a file of word meanings, as pkg/data/meaning-en.bin

import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { loadMeaning } from "keepsake/meaning";
import { check, failures } from "./eval/check.mjs";
import { DataError } from "./eval/data.mjs";
import { measure } from "./eval/measure.mjs";
import { print, printApart, printChecks, summarise } from "./eval/report.mjs";
import { readSets } from "./eval/sets.mjs";
import { keepsake, peers } from "./eval/systems.mjs";
import { variants } from "./eval/variants.mjs";
import { readVectors } from "./eval/vectors.mjs";

const RANKINGS = ["best", "formula"];
const USAGE =
  "usage: node benches/eval.mjs FOLDER [--json] [--ranking best|formula|both] [--set NAME] [--no-peers] [--apart] [--check] [--vectors FILE] [--meaning FILE]";

const flag = { type: "boolean", default: false };
const OPTIONS = {
  json: flag,
  ranking: { type: "string", default: "both" },
  set: { type: "string" },
  "no-peers": flag,
  apart: flag,
  check: flag,
  vectors: { type: "string" },
  meaning: { type: "string" },
};

/** The options of `openMemory` that flags give: a flag that loads a part from a file adds its line here. */
async function memoryOptions({ vectors, meaning }) {
  return {
    ...(vectors !== undefined && { embedder: await readVectors(vectors) }),
    ...(meaning !== undefined && { meaning: await readMeaning(meaning) }),
  };
}

async function readMeaning(file) {
  try {
    return await loadMeaning(await readFile(file));
  } catch (cause) {
    throw new DataError(`${file}: ${cause.message}`);
  }
}

/** Adds the figures of one set to the results. */
async function measureSet(set, rankings, options, { results, withPeers }) {
  const own = await measure(set, keepsake(rankings, options));
  for (const ranking of rankings) results[ranking][set.name] = own[ranking].rows;
  if (set.chat) {
    results.apart[set.name] = Object.fromEntries(
      rankings.map((ranking) => {
        const alone = Object.entries(own[ranking].apart).map(([user, rows]) => [user, rows[set.whole]]);
        return [ranking, summarise(Object.fromEntries(alone))];
      }),
    );
  }
  // The formula reads neither sessions nor speakers: variants are of the other ranking.
  if (set.chat && rankings.includes("best")) {
    results.variants[set.name] = {};
    for (const variant of variants(set)) {
      const { best } = await measure(variant.set, keepsake(["best"], options));
      results.variants[set.name][variant.name] = best.rows;
    }
  }
  if (withPeers) {
    for (const [name, { rows }] of Object.entries(await measure(set, peers))) {
      results.peers[name] ??= {};
      results.peers[name][set.name] = rows;
    }
  }
}

async function main() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const rankings = values.ranking === "both" ? RANKINGS : RANKINGS.filter((name) => name === values.ranking);
  if (positionals.length !== 1 || rankings.length === 0) throw new DataError(USAGE);

  const sets = await readSets(positionals[0], values.set);
  const options = await memoryOptions(values);
  const results = {
    ...Object.fromEntries(rankings.map((ranking) => [ranking, {}])),
    variants: {},
    peers: {},
    apart: {},
  };
  for (const set of sets) {
    const started = performance.now();
    await measureSet(set, rankings, options, { results, withPeers: !values["no-peers"] });
    console.error(`${set.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }

  const chats = sets.filter(({ chat }) => chat).map(({ name, whole }) => [name, whole]);
  if (values.check) results.check = check(results, Object.fromEntries(chats));
  if (values.json) console.log(JSON.stringify(results, null, 2));
  else {
    print(results);
    if (values.apart) printApart(results.apart);
    if (values.check) printChecks(results.check);
  }
  for (const failure of values.check ? failures(results.check) : []) {
    console.error(`failed: ${failure}`);
    process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  const expected = error instanceof DataError || error.code?.startsWith?.("ERR_PARSE_ARGS");
  console.error(`error: ${expected ? error.message : error.stack}`);
  process.exitCode = 1;
}
