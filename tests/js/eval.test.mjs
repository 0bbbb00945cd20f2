// `node benches/eval.mjs`, as `cargo xtask eval` runs it: reading chats, the figures, and the floors.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { bm25, words } from "../../benches/eval/bm25.mjs";
import { check, failures } from "../../benches/eval/check.mjs";
import { DataError } from "../../benches/eval/data.mjs";
import { FLOORS, FORMULA } from "../../benches/eval/floors.mjs";
import { readSets } from "../../benches/eval/sets.mjs";

const program = fileURLToPath(new URL("../../benches/eval.mjs", import.meta.url));
const FIXTURES = fileURLToPath(new URL("../fixtures/eval", import.meta.url));

/** Runs the program; its output and its exit code. */
function run(...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { maxBuffer: 1e9 }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr });
    });
  });
}

/** A folder with these files, given by their paths. */
async function folderWith(t, files) {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-eval-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

const chat = (change = {}) => ({
  user: "ann",
  entries: [
    {
      id: "1",
      content: "The key is under the mat.",
      session: "s",
      speaker: "Ann",
      at: "2025-01-02T10:00:00Z",
    },
    { id: "2", content: "Thank you!", session: "s", speaker: "Bo" },
  ],
  questions: [{ query: "Where is the key?", gold: ["1"], category: "place" }],
  ...change,
});

test("chats in the neutral form are measured by folder and file, with their variants, beside the peers", async () => {
  const { code, stdout, stderr } = await run(FIXTURES, "--json");
  assert.equal(code, 0, stderr);
  const { best, formula, variants, peers, apart, ...rest } = JSON.parse(stdout);
  assert.deepEqual(rest, {});
  assert.deepEqual(Object.keys(best), ["assistant/boat", "people/allotment"]);
  assert.deepEqual(Object.keys(formula), Object.keys(best));
  // A question without gold is not counted.
  assert.deepEqual(Object.keys(best["people/allotment"]), ["detail", "several", "all"]);
  assert.deepEqual(
    Object.values(best["people/allotment"]).map(({ n }) => n),
    [4, 1, 5],
  );
  assert.deepEqual(Object.keys(variants["people/allotment"]), ["without session"]);
  assert.deepEqual(Object.keys(variants["assistant/boat"]), [
    "without session",
    "roles unknown",
    "roles unknown, without session",
  ]);
  assert.deepEqual(Object.keys(peers), ["MiniSearch", "FlexSearch", "FlexSearch, English", "BM25"]);
  for (const rows of [
    best["people/allotment"],
    variants["assistant/boat"]["roles unknown"],
    peers.BM25["people/allotment"],
  ]) {
    assert.equal(rows.all.r5, 100);
    assert.ok(rows.all.ndcg10 > 90 && rows.all.mrr > 90);
  }
  const { conversations, mean, min, max } = apart["people/allotment"].best;
  assert.deepEqual(Object.keys(conversations), ["mara-and-tomek", "noor-and-sam"]);
  assert.equal(conversations["noor-and-sam"].n, 1);
  assert.ok(min.mrr <= mean.mrr && mean.mrr <= max.mrr);
});

test("flags choose a set, a ranking, and leave the peers out", async () => {
  const { code, stdout, stderr } = await run(
    FIXTURES,
    "--json",
    "--set",
    "people",
    "--ranking",
    "best",
    "--no-peers",
  );
  assert.equal(code, 0, stderr);
  const results = JSON.parse(stdout);
  assert.deepEqual(Object.keys(results), ["best", "variants", "peers", "apart"]);
  assert.deepEqual(Object.keys(results.best), ["people/allotment"]);
  assert.deepEqual(results.peers, {});
  const missing = await run(FIXTURES, "--set", "peple");
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /no set `peple` in .*: it has assistant\/boat, people\/allotment/);
});

test("the tables name each category and the conversations apart", async () => {
  const { code, stdout, stderr } = await run(FIXTURES, "--apart", "--check");
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^several · best, without session +1 +100\.0/m);
  assert.match(stdout, /^instruction · FlexSearch, English +1 /m);
  assert.match(stdout, /^Categories below MiniSearch: /m);
  assert.match(stdout, /^people\/allotment, best, one conversation at a time$/m);
  assert.match(stdout, /^mean +100\.0/m);
  assert.match(stdout, /^not measured +best locomo 1-4: /m);
  assert.match(stdout, /^ok +session costs assistant\/boat all, roles unknown: R@5: /m);
});

test("a file in another form is refused by its name and the field", async (t) => {
  const [entry] = chat().entries;
  const [question] = chat().questions;
  const bad = {
    "the file": {},
    "[0]": ["ann"],
    "[0].user": [chat({ user: 7 })],
    "[1].entries": [chat(), chat({ entries: undefined })],
    "[0].entries[0]": [chat({ entries: [null] })],
    "[0].entries[0].id": [chat({ entries: [{ ...entry, id: 1 }] })],
    "[0].entries[1].id": [chat({ entries: [entry, entry] })],
    "[0].entries[0].content": [chat({ entries: [{ ...entry, content: " " }] })],
    "[0].entries[0].session": [chat({ entries: [{ ...entry, session: 3 }] })],
    "[0].entries[0].speaker": [chat({ entries: [{ ...entry, speaker: {} }] })],
    "[0].entries[0].at": [chat({ entries: [{ ...entry, at: "some day" }] })],
    "[0].questions": [chat({ questions: {} })],
    "[0].questions[0].query": [chat({ questions: [{ ...question, query: "" }] })],
    "[0].questions[0].gold": [chat({ questions: [{ ...question, gold: "1" }] })],
    "[0].questions[0].gold[1]": [chat({ questions: [{ ...question, gold: ["1", "9"] }] })],
    "[0].questions[0].category": [chat({ questions: [{ ...question, category: undefined }] })],
  };
  for (const [field, content] of Object.entries(bad)) {
    const folder = await folderWith(t, { "mine/talk.json": content });
    await assert.rejects(readSets(folder), (error) => {
      assert.ok(error instanceof DataError, field);
      const start = `${join(folder, "mine/talk.json")} is not in the neutral chat form: \`${field}\` must be `;
      assert.equal(error.message.slice(0, start.length), start);
      return true;
    });
  }
  const broken = await run(await folderWith(t, { "mine/talk.json": "[{" }));
  assert.deepEqual([broken.code, broken.stdout], [1, ""]);
  assert.match(broken.stderr, /^error: .*talk\.json is not in the neutral chat form: /);
  const unasked = await folderWith(t, { "mine/talk.json": [chat({ questions: [] })] });
  await assert.rejects(
    readSets(unasked),
    /the set `mine\/talk` in .* has no question with something to find/,
  );
  const empty = await run(await folderWith(t, { "notes.txt": "nothing here" }));
  assert.match(empty.stderr, /^error: nothing to measure in /);
});

test("entries of equal score are ranked the same in every run", async (t) => {
  // The ids are in another order than the entries, which are a millisecond apart: the newest is first.
  const entries = Array.from({ length: 400 }, (_, at) => ({
    id: String((at * 7) % 400),
    content: "The key is under the mat.",
  }));
  const questions = [{ query: "key", gold: [entries[370].id], category: "place" }];
  const folder = await folderWith(t, { "mine/keys.json": [{ user: "ann", entries, questions }] });
  const { stdout, stderr } = await run(folder, "--ranking", "formula", "--no-peers", "--json");
  assert.equal(JSON.parse(stdout).formula["mine/keys"].all.mrr, Number((100 / 30).toFixed(4)), stderr);
});

/** As many Russian questions as the floor is for; they find their passage or another one. */
function russian(finds) {
  const { n } = FLOORS.find(({ set }) => set === "xquad.ru");
  const question = finds ? "Где стоит маяк?" : "Кто печёт хлеб?";
  const qas = Array.from({ length: n }, () => ({ question }));
  const passages = [{ context: "Маяк стоит на скале у моря.", qas }];
  for (let at = 0; at < 8; at += 1) passages.push({ context: `Пекарь номер ${at} печёт хлеб.`, qas: [] });
  return { data: [{ paragraphs: passages }] };
}

test("--check passes above the floors, and fails below them with a line each", async (t) => {
  const args = ["--check", "--ranking", "best", "--no-peers"];
  const above = await run(await folderWith(t, { "xquad/xquad.ru.json": russian(true) }), ...args);
  assert.equal(above.code, 0, above.stderr);
  assert.match(above.stdout, /^ok +best xquad\.ru all: R@5: 100\.00, at least 98$/m);
  assert.match(above.stdout, /^not measured +best xquad\.de all: /m);
  assert.match(above.stdout, /^not measured +formula xquad\.ru all: /m);

  const below = await run(await folderWith(t, { "xquad/xquad.ru.json": russian(false) }), ...args, "--json");
  assert.equal(below.code, 1);
  assert.match(below.stderr, /^failed: best xquad\.ru all: R@5 is 0\.00, at least 98$/m);
  const failed = JSON.parse(below.stdout).check.filter(({ outcome }) => outcome === "failed");
  assert.deepEqual(
    failed.map(({ what }) => what),
    ["best xquad.ru all: R@5"],
  );
});

/** Results that reach every floor with nothing to spare. */
function passing() {
  const results = { best: {}, formula: {}, variants: {} };
  const put = (rows, { category, n, least, exactly }) => {
    rows[category] = { n, r5: 0, r10: 0, ...least, ...exactly };
  };
  for (const floor of FLOORS) {
    if (floor.variant === undefined) {
      results.best[floor.set] ??= {};
      put(results.best[floor.set], floor);
    } else {
      results.variants[floor.set] ??= { [floor.variant]: {} };
      put(results.variants[floor.set][floor.variant], floor);
    }
  }
  for (const floor of FORMULA) {
    results.formula[floor.set] ??= {};
    put(results.formula[floor.set], floor);
  }
  return results;
}

test("a floor is met to the digit, and other data with the same name is not compared", () => {
  assert.deepEqual(failures(check(passing(), {})), []);

  const lower = passing();
  lower.best.locomo["1-4"].r10 -= 0.01;
  lower.variants["beam/beam-100k-dev"]["roles unknown"].all.r5 = 40;
  assert.deepEqual(failures(check(lower, {})), [
    "best locomo 1-4: R@10 is 80.49, at least 80.5",
    "best beam/beam-100k-dev all, roles unknown: R@5 is 40.00, at least 48",
  ]);

  // A better formula is another formula.
  const better = passing();
  better.formula.jsquad.all.mrr += 0.0001;
  assert.match(
    failures(check(better, {})).join("\n"),
    /^formula jsquad all: MRR is \d+\.\d{4}, exactly \d+\.\d{4}$/,
  );

  const other = passing();
  other.best.locomo["1-4"] = { n: 5, r5: 0, r10: 0 };
  const [first] = check(other, {});
  assert.equal(first.outcome, "not measured");
  assert.equal(first.detail, "the floor is for 759 questions, the set has 5");

  assert.deepEqual(failures(check({ best: {}, variants: {} }, {})), ["nothing was checked"]);
});

test("a file of word meanings finds more, and one that is no such file is an error", async (t) => {
  const turns = ["I bought a violin last week.", "The train was late again.", "We ate at noon."];
  const entries = turns.map((content, at) => ({ id: `${at}`, content, session: `s-${at}`, speaker: "Ann" }));
  const questions = [{ query: "Which musical instruments are there?", gold: ["0"], category: "class" }];
  const folder = await folderWith(t, { "my/chat.json": [{ user: "ann", entries, questions }] });
  const recall = async (...flags) => {
    const { code, stdout, stderr } = await run(folder, "--json", "--no-peers", "--ranking", "best", ...flags);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout).best["my/chat"].all.r5;
  };
  const file = fileURLToPath(new URL("../../pkg/data/meaning-en.bin", import.meta.url));
  assert.deepEqual([await recall(), await recall("--meaning", file)], [0, 100]);
  const wrong = await run(folder, "--no-peers", "--meaning", join(folder, "my/chat.json"));
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /^error: .*`meaning` must be the bytes of a file of word meanings/m);
  const missing = await run(folder, "--no-peers", "--meaning", join(folder, "nowhere.bin"));
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /^error: .*nowhere\.bin/m);
});

test("passing the session may cost a point of recall, not more", () => {
  const results = (r5, unknown) => ({
    best: { "my/chat": { all: { n: 9, r5, r10: 60 } } },
    variants: {
      "my/chat": {
        "without session": { all: { n: 9, r5: 50, r10: 60 } },
        "roles unknown": { all: { n: 9, r5: 40, r10: unknown } },
        "roles unknown, without session": { all: { n: 9, r5: 40, r10: 45 } },
      },
    },
  });
  const chats = { "my/chat": "all" };
  assert.deepEqual(failures(check(results(49, 44), chats)), []);
  assert.deepEqual(failures(check(results(48.9, 43), chats)), [
    "session costs my/chat all: R@5 is 1.10, at most 1",
    "session costs my/chat all, roles unknown: R@10 is 2.00, at most 1",
  ]);
});

test("a session's cost that was not measured is not passed", async () => {
  const { code, stdout, stderr } = await run(FIXTURES, "--check", "--ranking", "formula", "--no-peers");
  assert.equal(code, 1);
  assert.match(stdout, /^not measured +session costs people\/allotment all: /m);
  assert.match(stderr, /^failed: nothing was checked$/m);
});

test("the plain BM25 finds words in scripts with and without spaces", () => {
  assert.deepEqual(words("Der Ｋahn, 2 Kähne"), ["der", "kahn", "2", "kähne"]);
  assert.deepEqual(words("東京へ"), ["東", "京", "へ", "東京", "京へ"]);
  assert.ok(words("แมวกินปลา").includes("ปลา"));
  const { search } = bm25([
    { id: "a", text: "ten ten ten short words" },
    { id: "b", text: "one lighthouse" },
    { id: "c", text: "a lighthouse among very many other words that say nothing of it" },
  ]);
  assert.deepEqual(search("lighthouse?", 5), ["b", "c"]);
  assert.deepEqual(search("words of a lighthouse", 1), ["c"]);
  assert.deepEqual(search("nothing known", 5), ["c"]);
  assert.deepEqual(search("???", 5), []);
});
