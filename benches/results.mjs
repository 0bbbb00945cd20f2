// Figures that anyone can repeat: Keepsake beside other libraries in Chromium and Node, on the same texts, in one run:
// `node benches/results.mjs [options]`. Writes target/results: results.json, plots, and index.html with all of it; with
// `--quick` target/results/quick, so that the tests leave the results of a long run alone.
//
//   --quick           the smallest sizes, beside MiniSearch and IndexedDB; exit 1 if a ratio is more than twice as high as
//                     the one in results/guard.json, in each of three attempts
//   --record          with --quick: write the ratios of this run to results/guard.json
//   --full            also 200,000 and 1,000,000 entries
//   --data FOLDER     also retrieval on the sets of this folder, as `benches/eval.mjs` reads them
//   --render          only write the page again, from results.json
//   --publish         measure nothing: write docs/results and the figures of the README from target/results/results.json,
//                     which must not be of `--quick` or of a build that is not a release build
//   --republish       the same from docs/results/results.json: for a change of what is made of it

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { tabs } from "./bench/tabs.mjs";
import { DataError } from "./eval/data.mjs";
import { readSets } from "./eval/sets.mjs";
import { dialog } from "./results/dialog.mjs";
import { downloads } from "./results/downloads.mjs";
import { inChromium, inNode } from "./results/entries.mjs";
import { figures as collect } from "./results/figures.mjs";
import { check, ratios, record, recordedRatios } from "./results/guard.mjs";
import { render } from "./results/page.mjs";
import { isRelease, provenance } from "./results/provenance.mjs";
import { FOLDER, publish, republish } from "./results/publish.mjs";
import { recorded } from "./results/recorded.mjs";
import { retrieval } from "./results/retrieval.mjs";
import { OUT, stage } from "./results/stage.mjs";
import { systemsOf } from "./results/systems.mjs";
import { table } from "./table.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MINUTE = 60_000;
const NOT_RELEASE = "the package in pkg/ is not a release build; run `cargo xtask build --web`";
const flag = { type: "boolean", default: false };
const OPTIONS = {
  quick: flag,
  record: flag,
  full: flag,
  render: flag,
  publish: flag,
  republish: flag,
  data: { type: "string" },
};

function planOf({ quick, full }) {
  if (quick) return { sizes: [2_000], inNode: [], rounds: 3, messages: 400, limitMs: MINUTE };
  const sizes = [2_000, 20_000, ...(full ? [200_000, 1_000_000] : [])];
  return {
    sizes,
    inNode: [2_000, 20_000],
    rounds: 5,
    messages: 2_000,
    limitMs: full ? 60 * MINUTE : 10 * MINUTE,
  };
}

async function measure(options) {
  const log = (line) => console.error(line);
  const plan = planOf(options);
  const systems = systemsOf(options).map((system) => ({ ...system }));
  const bundles = new Set(systems.flatMap(({ bundle }) => bundle ?? []));
  // A folder that cannot be read is noticed now, and not after half an hour.
  if (options.data !== undefined) await readSets(options.data);
  const { site, keepsake: staged, wasm } = await stage(bundles);
  if (options.quick && !(await isRelease(wasm))) throw new DataError(NOT_RELEASE);
  const figures = collect();
  const browser = await tabs(site);
  let about;
  try {
    about = await provenance({ wasm, data: options.data, systems, browser: await browser.version() });
    const common = { browser, staged, systems, figures, log, ...plan };
    for (const entries of plan.sizes) {
      await inChromium({ ...common, entries });
      // Files do not change with the number of entries: they are counted where every system takes part.
      if (!options.quick && entries === plan.sizes[0]) await downloads(common);
    }
    for (const entries of plan.inNode) await inNode({ ...common, entries });
    await dialog(common);
  } finally {
    await browser.close();
  }
  const rows =
    options.data === undefined ? [] : await retrieval({ staged, data: options.data, figures, log });
  return {
    ...about,
    options: { quick: options.quick, full: options.full },
    plan: { sizes: plan.sizes, rounds: plan.rounds, messages: plan.messages },
    systems: systems.map(({ requests, ...system }) => system),
    figures: figures.taken,
    missing: figures.missing,
    retrieval: rows,
    recorded: await recorded(),
  };
}

/** How often `--quick` measures at most: a busy moment can double a ratio, a change does so every time. */
const ATTEMPTS = 3;

/** Prints the lowest ratio of all attempts beside the recorded one; whether all are good enough. */
async function guard(attempts, isRecording) {
  const all = attempts.map(({ figures }) => ratios(figures));
  const lowest = (name) => Math.min(...all.map((found) => found[name]));
  const found = Object.fromEntries(Object.keys(all[0]).map((name) => [name, lowest(name)]));
  if (isRecording) await record(found);
  const checks = check(found, await recordedRatios());
  const rows = checks.map(({ name, ratio, recorded, problem }) => {
    return [name, String(ratio ?? "-"), String(recorded ?? "-"), problem ?? "ok"];
  });
  console.log(table([["", "ratio", "recorded", ""], ...rows]));
  return checks.every(({ ok }) => ok);
}

/** What writes something from figures that are there. */
const WITHOUT_MEASURING = ["render", "publish", "republish"];

async function readResults() {
  const text = await readFile(join(OUT, "results.json"), "utf8").catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new DataError("target/results/results.json is missing: run `cargo xtask results`");
  });
  return JSON.parse(text);
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  const alone = WITHOUT_MEASURING.filter((name) => values[name]);
  if (alone.length > 0 && Object.values(values).filter(Boolean).length > 1)
    throw new DataError(`\`--${alone[0]}\` excludes other options`);
  if (values.quick && (values.full || values.data))
    throw new DataError("`--quick` excludes `--full` and `--data`");
  if (values.record && !values.quick) throw new DataError("`--record` needs `--quick`");
  if (values.data) values.data = resolve(values.data);
  if (values.publish || values.republish) {
    await (values.publish ? publish(await readResults(), ROOT) : republish(ROOT));
    console.log(join(FOLDER, "README.md"));
    return;
  }
  const out = values.quick ? join(OUT, "quick") : OUT;
  const results = values.render ? await readResults() : await measure(values);
  await mkdir(out, { recursive: true });
  if (!values.render) await writeFile(join(out, "results.json"), `${JSON.stringify(results, null, 2)}\n`);
  await render(results, out);
  if (!results.release) console.error(`warning: ${NOT_RELEASE}`);
  if (values.quick) {
    const attempts = [results];
    let isGood = await guard(attempts, values.record);
    while (!isGood && attempts.length < ATTEMPTS) {
      attempts.push(await measure(values));
      isGood = await guard(attempts, values.record);
    }
    if (!isGood) process.exitCode = 1;
  }
  console.log(join(relative(ROOT, out), "index.html"));
}

try {
  await main();
} catch (error) {
  const expected = error instanceof DataError || error.code?.startsWith?.("ERR_PARSE_ARGS");
  console.error(`error: ${expected ? error.message : error.stack}`);
  process.exitCode = 1;
}
