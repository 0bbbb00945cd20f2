// The published results: docs/results and the README's figures are what is made of docs/results/results.json, no other
// performance figure is in the README, and a run that says nothing about the shipped package is refused.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { claims, printed, problems } from "../../benches/results/claims.mjs";
import { figures } from "../../benches/results/figures.mjs";
import {
  FOLDER,
  generated,
  publish,
  publishedText,
  republish,
  withoutSection,
  withSection,
} from "../../benches/results/publish.mjs";
import { expanded, leaks, published, written } from "../../benches/results/published.mjs";
import { SYSTEMS } from "../../benches/results/systems.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = await readFile(join(root, "README.md"), "utf8");

/** Figures of the README that nobody measured here, each with a reason. One that is no longer in the README fails. */
const ALLOWED = [];

test("the README's figures and docs/results are made of docs/results/results.json", async () => {
  const files = generated(await publishedText(root), readme);
  for (const [path, content] of files) {
    const found = existsSync(join(root, path)) ? await readFile(join(root, path), "utf8") : undefined;
    assert.ok(found === content, `${path} is out of date: run \`cargo xtask results --republish\``);
  }
  const there = (await readdir(join(root, FOLDER))).map((name) => join(FOLDER, name));
  const unknown = there.filter((path) => !files.has(path) && path !== join(FOLDER, "results.json"));
  assert.deepEqual(unknown, [], "not made of the results");
});

test("the published results are of a release build, and do not name a machine", async () => {
  const text = await publishedText(root);
  const { release, options, figures: groups } = JSON.parse(text);
  assert.deepEqual([release, options.quick], [true, false]);
  assert.ok(groups.length > 10);
  assert.deepEqual(leaks(text), []);
});

test("every performance figure of the README is published, or has a reason", async () => {
  const results = expanded(JSON.parse(await publishedText(root)));
  assert.deepEqual(problems(withoutSection(readme), new Set(printed(results)), ALLOWED), []);
});

// Below, results that are made up.

const about = {
  date: "2026-01-02T03:04:05.000Z",
  commit: "0123456789abcdef",
  clean: true,
  release: true,
  modules: { "keepsake.wasm": "ab".repeat(32) },
  data: { "locomo/a.json": "cd".repeat(32) },
  machine: { cpu: "Some Processor", cpus: 2, memory: 2 ** 33, load: 0.123_456_78 },
  options: { quick: false, full: false },
  plan: { sizes: [2_000, 20_000], rounds: 3, messages: 2_000 },
  systems: SYSTEMS,
  versions: {
    node: "v20.0.0",
    browser: "HeadlessChrome/1.2.3",
    ...Object.fromEntries(SYSTEMS.flatMap(({ package: name }) => (name ? [[name, "1.0.0"]] : []))),
  },
  recorded: [{ title: "Kills", file: "docs/reliability.md", command: "x", head: ["a"], rows: [["b"]] }],
};

function run(more = {}) {
  const all = figures();
  const key = (what, system, entries, unit = "ms") => {
    return { what, system, where: "chromium", entries, unit, better: "less" };
  };
  for (const entries of about.plan.sizes) {
    all.rounds(key("search", "Keepsake", entries), [0.123_456_789, 0.2, 0.3]);
    all.rounds(key("search", "MiniSearch", entries), [2, 3, 4]);
    all.rounds(key("add", "Keepsake", entries), [3, 3, 3]);
    all.rounds({ ...key("add", "IndexedDB", entries), note: "a | b" }, [1, 1, 1]);
    all.rounds(key("open", "Keepsake", entries), [5, 1, 5]);
    all.rounds(key("open", "MiniSearch", entries), [4, 4, 4]);
  }
  all.single(key("download to the first hit", "Keepsake", undefined, "bytes"), 160_000);
  all.single(key("download to the first hit", "MiniSearch", undefined, "bytes"), 8_000);
  all.fail(key("search", "mem0", 2_000), new Error("not done after 60 seconds"));
  const measures = (r5) => ({ r5, r10: r5 + 1, ndcg10: 1, mrr: 1 });
  const retrieval = [
    { set: "locomo", category: "1-4", n: 759, systems: { Keepsake: measures(75), MiniSearch: measures(46) } },
  ];
  return { ...about, figures: all.taken, missing: all.missing, retrieval, ...more };
}

const own = { host: "some-host", user: "somebody" };
const textOf = (results) => written(published(results), own);
const EMPTY = "# A\n<!-- results -->\n<!-- /results -->\nend\n";

test("the published form is the same figures, rounded", () => {
  const back = expanded(JSON.parse(textOf(run())));
  const before = run().figures;
  assert.equal(back.figures.length, before.length);
  for (const figure of before) {
    const same = back.figures.find(
      ({ what, system, entries }) =>
        what === figure.what && system === figure.system && entries === figure.entries,
    );
    assert.ok(Math.abs(same.median - figure.median) <= 1e-4 * figure.median);
    assert.equal(same.note, figure.note);
    assert.equal(same.samples?.length, figure.samples?.length);
  }
  assert.deepEqual(back.goals[0].goal, { r5: 75, r10: 81 });
});

test("the README has a line for each figure, and what is best in bold", () => {
  const section = generated(textOf(run()), EMPTY).get("README.md");
  assert.match(section, /^# A\n<!-- results -->\n## Figures\n/);
  assert.match(section, /<!-- \/results -->\nend\n$/);
  assert.match(section, /Keepsake has it in 2 of 5\./);
  for (const line of [
    "| Search | **0.200 ms** | 3.00 ms |",
    "| One add | 3.00 ms | – |",
    "| Download to the first hit | 160 KB | **8.00 KB** |",
    "| Open to the first hit | 5.00 ms | **4.00 ms** |",
    "| **75.0 %** | 46.0 % |",
  ]) {
    assert.ok(section.includes(line), `${line}\n${section}`);
  }
});

test("the page has every system and figure, the failures, the goals and the plots", () => {
  const files = generated(textOf(run()), EMPTY);
  const page = files.get(join(FOLDER, "README.md"));
  for (const text of ["a \\| b", "not done after 60 seconds", "| 74.5 | 75.0 |", "![", "Node v20.0.0"]) {
    assert.ok(page.includes(text), text);
  }
  assert.ok(files.has(join(FOLDER, "search.svg")));
  assert.doesNotMatch(page, /undefined|NaN|Infinity|\[object/);
  const widths = page.split("\n").flatMap((line, at, all) => {
    const isRow = line.startsWith("|") && all[at - 1]?.startsWith("|");
    const cells = (row) => row.split(/(?<!\\)\|/).length;
    return isRow && cells(line) !== cells(all[at - 1]) ? [line] : [];
  });
  assert.deepEqual(widths, [], "rows of a table have as many cells");
});

test("a quick run and a build that is not a release build are refused, and so is an empty run", () => {
  const quick = { options: { quick: true, full: false } };
  assert.throws(() => published(run(quick)), /results of `--quick` are not published/);
  assert.throws(() => published(run({ release: false })), /not a release build/);
  assert.throws(() => published(run({ figures: [] })), /no figures/);
});

test("results that name the machine are refused", () => {
  const failing = (reason) => () =>
    textOf(run({ missing: [{ what: "search", system: "mem0", where: "node", reason }] }));
  for (const reason of [
    "no file /home/x/y",
    "at file:///srv/app/a.js",
    "C:\\Users\\x",
    "http://127.0.0.1:4000/a.js",
    "some-host is busy",
    "no rights for somebody",
  ]) {
    assert.throws(failing(reason), /name this machine/, reason);
  }
  assert.doesNotThrow(failing("@electric-sql/pglite has no docs/a.md; 1 / 2 of text/plain"));
  assert.deepEqual(leaks("in Node, by root", { host: "node", user: "root" }), []);
});

test("a refusal leaves what was published, and publishing writes it all", async () => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-published-"));
  try {
    const read = (path) => readFile(join(folder, path), "utf8");
    await assert.rejects(publishedText(folder), /is missing: run `cargo xtask results`, then .*--publish/);
    await writeFile(join(folder, "README.md"), "no markers\n");
    await assert.rejects(publish(run(), folder), /README.md must have/);
    assert.ok(!existsSync(join(folder, FOLDER)));

    await writeFile(join(folder, "README.md"), EMPTY);
    await mkdir(join(folder, FOLDER), { recursive: true });
    await writeFile(join(folder, FOLDER, "former.svg"), "<svg/>");
    await publish(run(), folder);
    const names = ["README.md", "add.svg", "open.svg", "results.json", "search.svg"];
    assert.deepEqual((await readdir(join(folder, FOLDER))).sort(), names);
    const before = await read("README.md");

    await assert.rejects(publish(run({ release: false }), folder), /release/);
    assert.equal(await read("README.md"), before);
    await writeFile(join(folder, "README.md"), before.replace("faster", "slower"));
    await republish(folder);
    assert.equal(await read("README.md"), before);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a falsified figure is noticed, in the section and outside of it", () => {
  const text = textOf(run());
  const page = generated(text, EMPTY).get("README.md");
  const falsified = page.replace("0.200 ms", "0.100 ms");
  assert.notEqual(falsified, page);
  assert.notEqual(generated(text, falsified).get("README.md"), falsified);

  const known = printed(expanded(JSON.parse(text)));
  const check = (words, allowed = []) => problems(withoutSection(`${words}\n${EMPTY}`), known, allowed);
  for (const right of ["A search takes 0.200 ms.", "15× faster", "15 times", "15-fold", "160 KB", "75.0 %"]) {
    assert.deepEqual(check(right), [], right);
  }
  for (const wrong of [
    "A search takes 0.100 ms.",
    "16× faster",
    "16x",
    "16 times",
    "ten times faster",
    "twice as fast",
    "150 KB",
    "77.0 %",
    "12µs",
    "half as large",
  ]) {
    assert.equal(check(wrong).length, 1, wrong);
  }
  assert.match(check("\nIn 9 ms")[0], /^line 2: "9 ms" is no figure of docs\/results\/results.json$/);
});

test("a limit needs a reason, and a reason a limit", () => {
  const known = new Set();
  const allowed = [{ text: "14 days", reason: "a limit" }];
  assert.deepEqual(problems("for 14 days", known, allowed), []);
  assert.match(problems("for 15 days", known, allowed).join("\n"), /"15 days".*\n"14 days" is allowed, and/);
  assert.match(problems("for 14 days", known, [{ text: "14 days" }]).join(), /without a reason/);
});

test("figures are found in every spelling, and versions and decimals are whole", () => {
  const found = (text) => claims(text).map((claim) => claim.text);
  assert.deepEqual(found("1,200 ms, 3.5×, 12\u00a0s and 7-fold"), ["1,200 ms", "3.5 ×", "12 s", "7 ×"]);
  assert.deepEqual(found("Node 20.19 or newer, D27, [32](x.md), int8, 2 shards, Vite 8, xs"), []);
});

test("the section is written between the markers, once", () => {
  assert.equal(withSection(EMPTY, "x"), EMPTY.replace("-->\n<", "-->\nx\n<"));
  assert.equal(withSection(withSection(EMPTY, "x"), "x"), withSection(EMPTY, "x"));
  assert.equal(withoutSection(withSection(EMPTY, "9 ms\n8 ms")).split("\n").length, 7);
  assert.throws(() => withSection(EMPTY + EMPTY, "x"), /once/);
});
