// What many writes at once cost in a real browser, and a first use and a cold open, each beside what is measured in turn
// with it: `node benches/bulk.mjs [options]`; a size of 0 leaves its part out. Figures, no verdict.
//
//   --entries 20000     entries in one `addMany`, beside raw puts in one transaction and Dexie's `bulkPut`; Dexie takes part
//                       if it is installed: `npm ci --ignore-scripts` in benches/results
//   --appends 10000     messages of one session in one `append`, beside raw puts
//   --lines 100000      an import of an export with so many lines, half of them entries and half messages: in the page into
//                       IndexedDB, beside parsing the lines and raw puts of them; and by `keepsake import` into a file,
//                       beside parsing the lines and writing a file of them; once, because it takes minutes
//   --per-session 100   so many of these messages are of one session
//   --alternate         entries and messages take turns in that file; an export has all entries first
//   --megabytes 10      one text by `ingest` and by `addDocuments`, beside raw puts of its passages
//   --first 7           so many first uses: opening a new memory in a new page and one `add`, beside a bare database
//   --cold 20000        from a new page to the first hit among so many entries, beside MiniSearch with the index that it saved
//   --rounds 3          times are medians of so many, each in a new database; cold opens are always 7
//
// The package is staged as one minified bundle, and the browser's HTTP cache may keep it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { document } from "./bench/corpus.mjs";
import { median, timed } from "./bench/measure.mjs";
import { tabs } from "./bench/tabs.mjs";
import { config } from "./bench/writes.mjs";
import { stage } from "./results/stage.mjs";
import { table } from "./table.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const USER = "u-1";
const COLD_RUNS = 7;

/** So many drafts or messages are given to one call that prepares something. */
const AT_ONCE = 500;

const number = (size) => ({ type: "string", default: String(size) });
const { values } = parseArgs({
  options: {
    entries: number(20_000),
    appends: number(10_000),
    lines: number(100_000),
    "per-session": number(100),
    alternate: { type: "boolean", default: false },
    megabytes: number(10),
    first: number(7),
    cold: number(20_000),
    rounds: number(3),
  },
});
const rounds = Number(values.rounds);

const ms = (time) => `${time.toFixed(time < 10 ? 2 : 0)} ms`;
const times = (time, beside) => `${(time / beside).toFixed(2)} ×`;

/**
 * The times and longest blocks of the ways beside those of some of them. `rate` is the amount of work and its unit, if
 * there is more to say than the time.
 */
function print(heading, results, besides, rate) {
  const known = besides.filter((name) => results[name]);
  const rates = rate ? [`${rate.unit}/s`] : [];
  const blocks = Object.values(results).some(({ longest }) => longest !== undefined) ? ["page blocked"] : [];
  console.log(
    table([
      [heading, "time", ...rates, ...blocks, ...known.map((name) => `beside ${name}`), ""],
      ...Object.entries(results).map(([name, { time, longest }]) => [
        name,
        ms(time),
        ...rates.map(() => ((rate.amount * 1000) / time).toFixed(rate.digits)),
        ...blocks.map(() => ms(longest)),
        ...known.map((beside) => times(time, results[beside].time)),
        "",
      ]),
    ]),
  );
}

async function inTab(browser, ...call) {
  const tab = await browser.tab();
  try {
    return await tab.call(...call);
  } finally {
    await tab.close();
  }
}

/**
 * Makes each of the calls in a new page, in turn, so many times; the number of the run is their last argument. Answers the
 * medians of their figures. One run more comes first and fills the browser's caches.
 */
async function inNewPages(browser, runs, calls) {
  const found = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));
  for (let run = 0; run <= runs; run += 1) {
    for (const [name, call] of Object.entries(calls)) {
      const figures = await inTab(browser, ...call, run);
      if (run > 0) found[name].push(figures);
    }
  }
  const medianOf = (all) =>
    Object.fromEntries(Object.keys(all[0]).map((key) => [key, median(all.map((figures) => figures[key]))]));
  return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, medianOf(all)]));
}

const isInstalled = (path) =>
  stat(join(ROOT, path)).then(
    () => true,
    () => false,
  );

async function entries({ browser, withDexie }, count) {
  const results = await inTab(browser, "bulk", "entries", count, rounds, withDexie);
  print(`${count} entries`, results, ["raw puts", "Dexie bulkPut"]);
  if (!withDexie) console.log("Dexie is not installed: npm ci --ignore-scripts in benches/results");
}

async function appends({ browser }, count) {
  const results = await inTab(browser, "bulk", "appends", count, rounds);
  print(`${count} messages`, results, ["raw puts"]);
}

async function lines({ browser, folder, site, staged }, count) {
  const keepsake = fileURLToPath(new URL("dist/cli/keepsake.js", staged));
  const file = join(site.folder, "export.jsonl");
  await exportOf(count, { file, keepsake, folder, staged });
  const portable = await bundledImport(site.folder);
  if (values.alternate) await alternate(file, portable);
  const rate = { amount: count, unit: "lines", digits: 0 };
  const inPage = await inTab(browser, "bulk", "lines", count);
  print(`${count} lines, page`, inPage, ["parse and raw puts"], rate);
  const into = join(folder, "into.jsonl");
  const inNode = {
    "parse and write": { time: await timed(() => copy(file, join(folder, "copy.jsonl"))) },
    "keepsake import": { time: await timed(() => imported(keepsake, file, into, count)) },
  };
  print(`${count} lines, Node`, inNode, ["parse and write"], rate);
}

/** Writes an export of so many entries and messages, by the package itself. */
async function exportOf(count, { file, keepsake, folder, staged }) {
  const { jsonl, openMemory } = await import(new URL("dist/entry/node.js", staged).href);
  const from = join(folder, "from.jsonl");
  const memory = await openMemory({ user: USER, storage: jsonl(from), config });
  const half = Math.floor(count / 2);
  const some = (at, to, make) => Array.from({ length: to - at }, (_, n) => make(at + n));
  const entry = (n) => ({ id: `e-${n}`, content: document(n), namespace: "long-term" });
  const message = (n) => ({ role: n % 2 === 0 ? "user" : "assistant", content: document(n) });
  await memory.addMany(some(0, half, entry));
  const perSession = Number(values["per-session"]);
  for (let at = half; at < count; ) {
    const session = Math.floor((at - half) / perSession);
    const to = Math.min(count, at + AT_ONCE, half + (session + 1) * perSession);
    await memory.session(`s-${session}`, { compression: false }).append(some(at, to, message));
    at = to;
  }
  await memory.close();
  const out = await open(file, "w");
  const time = await timed(() => run(keepsake, ["export", from, "--user", USER], out.fd));
  await out.close();
  const { size } = await stat(file);
  console.error(`an export of ${count} lines, ${(size / 1e6).toFixed(1)} MB: ${ms(time)}`);
}

/** Runs the command `keepsake`; its output goes to a file, or is ignored. */
async function run(keepsake, given, output = "ignore") {
  const child = spawn(process.execPath, [keepsake, ...given], { stdio: ["ignore", output, "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`keepsake ${given[0]} ended with ${code}`);
}

async function imported(keepsake, file, into, count) {
  const report = await open(`${into}.report`, "w+");
  await run(keepsake, ["import", into, "--user", USER, "--from", file, "--json"], report.fd);
  const { entry = 0, message = 0 } = JSON.parse(await readFile(`${into}.report`, "utf8")).imported;
  await report.close();
  if (entry + message !== count) throw new Error(`${entry + message} of ${count} lines were imported`);
}

const parsed = async (file) => (await readFile(file, "utf8")).trimEnd().split("\n").map(JSON.parse);

async function copy(file, to) {
  const items = await parsed(file);
  await writeFile(to, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
}

/** Writes an export again, with an entry after each message. */
async function alternate(file, { sealed }) {
  const all = await parsed(file);
  const [entries, others] = [true, false].map((is) => all.filter(({ kind }) => (kind === "entry") === is));
  async function* mixed() {
    for (const item of others) {
      if (item.kind === "end") continue;
      yield item;
      if (item.kind === "message" && entries.length > 0) yield entries.shift();
    }
    yield* entries;
  }
  const out = [];
  for await (const line of sealed(mixed())) out.push(`${line}\n`);
  await writeFile(file, out.join(""));
}

/**
 * The package's import as a module of the site: no entry of the package exports it, only the inspector and the command line
 * use it. Its errors are those of the package in the page, by which it tells them from others.
 */
async function bundledImport(site) {
  const outfile = join(site, "portable.mjs");
  const names = { read: "numbered, takeAll", seal: "checked, sealed", taker: "Taker" };
  await build({
    stdin: {
      contents: Object.entries(names)
        .map(([from, some]) => `export { ${some} } from "./${from}.ts";`)
        .join("\n"),
      resolveDir: join(ROOT, "pkg/src/portable"),
    },
    plugins: [
      {
        name: "errors",
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/base\/errors\.js$/ }, () => ({ path: "keepsake", external: true })),
      },
    ],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}

async function text({ browser }, megabytes) {
  const results = await inTab(browser, "bulk", "text", Math.round(megabytes * 1e6), rounds);
  const rate = { amount: megabytes, unit: "MB", digits: 2 };
  print(`a text of ${megabytes} MB`, results, ["raw puts of passages"], rate);
}

async function first({ browser }, runs) {
  const found = await inNewPages(browser, runs, {
    "bare database": ["bulk", "bareFirstUse"],
    Keepsake: ["bulk", "firstUse"],
  });
  const bare = found["bare database"];
  console.log(
    table([
      ["first use", "code", "open", "first write", "open and write", "beside a bare database"],
      ...Object.entries(found).map(([name, { loaded, open, write, both }]) => {
        const code = loaded > 0 ? ms(loaded) : "";
        return [name, code, ms(open), ms(write), ms(both), times(both, bare.both)];
      }),
    ]),
  );
}

async function cold({ browser }, count) {
  const filling = await browser.tab();
  await filling.call("keepsake", "fill", 0, count);
  await filling.call("keepsake", "close");
  await filling.call("rivals", "fill", count);
  await filling.close();
  const found = await inNewPages(browser, COLD_RUNS, {
    MiniSearch: ["rivals", "coldOpen"],
    Keepsake: ["keepsake", "coldOpen"],
  });
  console.log(
    table([
      [`cold open, ${count} entries`, "opened", "first hit", "beside MiniSearch"],
      ...Object.entries(found).map(([name, { opened, firstHit }]) => {
        return [name, ms(opened), ms(firstHit), times(firstHit, found.MiniSearch.firstHit)];
      }),
    ]),
  );
}

const parts = { entries, appends, lines, megabytes: text, first, cold };
const withDexie = await isInstalled("benches/results/node_modules/dexie");
// In target, so that what is staged finds the packages of the repository.
await mkdir(join(ROOT, "target"), { recursive: true });
const folder = await mkdtemp(join(ROOT, "target/bulk-"));
try {
  const { site, keepsake: staged } = await stage(["minisearch", ...(withDexie ? ["dexie"] : [])], folder);
  for (const [name, part] of Object.entries(parts)) {
    const size = Number(values[name]);
    if (!(size > 0)) continue;
    console.error(name);
    // A browser of its own: what the part before has left on the disk is not tidied up meanwhile.
    const headers = { "Cache-Control": "max-age=3600" };
    const browser = await tabs({ ...site, modules: "benches/bench", headers });
    try {
      await part({ browser, folder, site, staged, withDexie }, size);
    } finally {
      await browser.close();
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
