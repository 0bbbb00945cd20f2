// Finding 6: tabs that write at once take turns. None of their writes is refused, and all of them see the same in the end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

/**
 * Lets the tab of each job do its writes, all of them at once; a job without an end begins before the others and goes on until
 * they are done. Answers what became of each call.
 */
async function written(name, jobs) {
  const pages = [];
  for (const _ of jobs) pages.push(await browser.tabWith(name));
  const begin = (job, at) =>
    pages[at].evaluate(async (job) => {
      const { write } = await import("/tests/e2e/support/writers-page.mjs");
      globalThis.calls = [];
      await write(globalThis.memory, job, (call) => globalThis.calls.push(call));
      return globalThis.calls;
    }, job);
  const endless = jobs.map((job, at) => (job.to ? undefined : begin(job, at)));
  for (const [at, job] of jobs.entries()) {
    if (!job.to) await pages[at].waitForFunction(() => globalThis.calls?.length > 50);
  }
  const ending = await Promise.all(jobs.map((job, at) => (job.to ? begin(job, at) : [])));
  for (const page of pages) {
    await page.evaluate(() => {
      globalThis.stopped = true;
    });
  }
  const calls = [...ending, ...(await Promise.all(endless))].flatMap((calls) => calls ?? []);
  return { pages, calls };
}

/** Every call was acknowledged, every tab sees exactly those writes, and so does an index that is built again. */
async function allThere(name, { pages, calls }) {
  assert.deepEqual(
    calls.filter(({ error }) => error),
    [],
  );
  const seen = [];
  for (const page of pages) {
    seen.push(
      await page.evaluate(async () => {
        const { view } = await import("/tests/e2e/support/writers-page.mjs");
        return view(globalThis.memory);
      }),
    );
  }
  assert.deepEqual(seen[0].ids, calls.map(({ id }) => `${id}@1`).sort());
  for (const view of seen) assert.deepEqual(view, seen[0]);
  await Promise.all(pages.slice(1).map((page) => page.close()));
  const rebuilt = await pages[0].evaluate(async (name) => {
    const { rebuiltView } = await import("/tests/e2e/support/writers-page.mjs");
    await globalThis.memory.close();
    return rebuiltView(globalThis.keepsake, name);
  }, name);
  assert.deepEqual(rebuilt, seen[0]);
  await pages[0].close();
}

test("four busy tabs: no write is refused, and all tabs see all of them", async () => {
  const jobs = [0, 1, 2, 3].map((tab) => ({ who: `tab-${tab}`, to: 60 }));
  await allThere("busy-tabs", await written("busy-tabs", jobs));
});

test("beside a tab that adds eight at a time, the single writes of another tab are not refused", async () => {
  const jobs = [
    { who: "eight", atOnce: 8 },
    { who: "single", to: 25, pause: 30 },
  ];
  await allThere("eight-at-a-time", await written("eight-at-a-time", jobs));
});
