// Anthropic's tool runner in a real browser, on a memory in IndexedDB: no server, and files that stay.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pageScript } from "./support/page-script.mjs";
import { pages } from "./support/pages.mjs";

let script;
let browser;

before(async () => {
  script = await pageScript("anthropic-page.mjs");
  browser = await pages();
});

after(() => browser.close());

/** A tab with the memory called `name` open. */
async function tab(name) {
  const page = await browser.tab();
  await load(page, name);
  return page;
}

async function load(page, name) {
  await page.evaluate(
    async ([script, name]) => {
      globalThis.app = await import(script);
      globalThis.memory = await globalThis.app.open(name);
    },
    [script, name],
  );
}

const run = (page, steps, params) =>
  page.evaluate(([steps, params]) => globalThis.app.run(globalThis.memory, steps, params), [steps, params]);

const text = (page, path) =>
  page.evaluate(async (path) => (await globalThis.memory.files.read(path))?.text, path);

const PLAN = "/memories/plan.md";
const TRIP = "/memories/trips/hanoi.md";

const STEPS = [
  { command: "view", path: "/memories" },
  { command: "create", path: PLAN, file_text: "# Plan\n\n- book the train\n- book the train\n" },
  // The model's mistake, and what it does when it is told.
  { command: "str_replace", path: PLAN, old_str: "- book the train", new_str: "- train is booked" },
  {
    command: "str_replace",
    path: PLAN,
    old_str: "- book the train\n- book the train",
    new_str: "- train is booked\n- book the room",
  },
  { command: "insert", path: PLAN, insert_line: 4, insert_text: "- pack\n" },
  { command: "rename", old_path: PLAN, new_path: TRIP },
  { command: "create", path: "/memories/scratch.md", file_text: "x" },
  { command: "delete", path: "/memories/scratch.md" },
  { tool: "memory_add", content: "Ann travels to Hanoi", namespace: "long-term" },
  { command: "view", path: TRIP },
  "The plan is kept.",
];

for (const stream of [false, true]) {
  const how = stream ? "streamed" : "at once";
  test(`all commands, an error that is corrected, and the files after a reload; ${how}`, async () => {
    const name = `anthropic-${stream}`;
    const page = await tab(name);
    const { told, said, pieces } = await run(page, STEPS, { stream });
    assert.equal(said, "The plan is kept.");
    assert.equal(pieces > 50, stream, `${pieces} pieces`);
    assert.match(told[0].content, /^Here're the files and directories up to 2 levels deep in \/memories/);
    assert.equal(told[1].content, `File created successfully at: ${PLAN}`);
    assert.match(told[2].content, /Multiple occurrences of old_str `- book the train` in lines: 3, 4/);
    assert.deepEqual(
      told.map(({ is_error }) => is_error === true),
      told.map((_, at) => at === 2),
      "only that one was an error",
    );
    const kept = "# Plan\n\n- train is booked\n- book the room\n- pack\n";
    assert.match(told[9].content, / {5}5\t- pack\n/);

    await page.reload();
    await load(page, name);
    assert.equal(await text(page, "trips/hanoi.md"), kept);
    assert.equal(await text(page, "plan.md"), undefined);
    const again = await run(page, [
      { command: "view", path: TRIP },
      { tool: "memory_search", query: "Hanoi" },
      "done",
    ]);
    assert.equal(again.told[0].content, told[9].content);
    assert.match(again.told[1].content, /Ann travels to Hanoi/);
  });
}

test("two tabs whose models write to one file at once lose nothing", async () => {
  const [one, two] = await Promise.all([tab("anthropic-tabs"), tab("anthropic-tabs")]);
  await run(one, [{ command: "create", path: PLAN, file_text: "begin" }, "done"]);
  const inserts = (who) => [
    ...Array.from({ length: 10 }, (_, n) => ({
      command: "insert",
      path: PLAN,
      insert_line: 1,
      insert_text: `${who} ${n}`,
    })),
    "done",
  ];
  await Promise.all([run(one, inserts("a")), run(two, inserts("b"))]);
  const wanted = ["a", "b"].flatMap((who) => Array.from({ length: 10 }, (_, n) => `${who} ${n}`));
  const lines = (await text(two, "plan.md")).split("\n");
  assert.deepEqual(lines.toSorted(), ["begin", ...wanted].toSorted());
});
