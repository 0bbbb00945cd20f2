// Language packs in a real browser: a page fetches those of the languages that it records, for a memory in a worker too.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MOVES } from "../js/support/dialogues.mjs";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

for (const place of ["page", "worker", "service worker"]) {
  test(`moves told in three languages replace the city, in a ${place}`, async () => {
    const page = await browser.tab();
    const seen = await page.evaluate(async (place) => {
      const { MOVES, move } = await import("/tests/js/support/dialogues.mjs");
      const { openMemory } = await import(place === "page" ? "keepsake" : "keepsake/worker");
      const script = "/tests/e2e/support/host.mjs";
      const workers = {
        worker: () => new Worker(script, { type: "module" }),
        "service worker": async () => {
          await navigator.serviceWorker.register(script, { type: "module" });
          return (await navigator.serviceWorker.ready).active;
        },
      };
      const worker = await workers[place]?.();
      const memory = await openMemory({ user: "u-1", storage: "memory", ...(worker && { worker }) });
      const packs = () =>
        performance
          .getEntriesByType("resource")
          .flatMap(({ name }) => name.match(/\/shared\/([a-z]{2})-[\w-]+\.js$/)?.[1] ?? []);
      await memory.add("Deploy keys rotate on Mondays");
      const steps = [packs()];
      const moves = {};
      for (const language of Object.keys(MOVES)) {
        moves[language] = await move(memory, language);
        steps.push(packs());
      }
      await memory.close();
      return { moves, steps };
    }, place);
    const replaced = { old: false, new: true };
    assert.deepEqual(seen.moves, { vi: replaced, en: replaced, ja: replaced });
    const [before, ...after] = seen.steps;
    assert.deepEqual(before, []);
    Object.keys(MOVES).forEach((language, at) => {
      // A short text may be in one of several languages, whose packs are loaded as well.
      assert.ok(after[at].includes(language) && !after[at - 1]?.includes(language), String(after[at]));
    });
  });
}
