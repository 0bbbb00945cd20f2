// An export of statements that have replaced each other, imported into an empty memory: the words of a person, there and back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemory } from "keepsake";
import { collected, exportOf, importInto } from "./support/portable.mjs";

const LIVES = [
  ["I live in Porto.", "I now live in Hanoi.", "I moved to Oslo."],
  ["Tôi sống ở Huế.", "Tôi đã chuyển đến Đà Nẵng."],
  ["Ich wohne in Köln.", "Ich bin nach Bremen gezogen."],
];

const open = () => openMemory({ user: "ann", storage: "memory" });

/** What a person sees: each entry, with its earlier versions and what it replaces. */
async function seen(memory) {
  const entries = await collected(memory.entries({ includePast: true }));
  const whole = entries.map(async ({ id }) => {
    const { content, replaces, validFrom, validUntil } = await memory.get(id);
    const before = (await memory.history(id)).map(({ id, content }) => ({ id, content }));
    return { id, content, replaces, validFrom, validUntil, before };
  });
  return (await Promise.all(whole)).sort((one, other) => one.id.localeCompare(other.id));
}

for (const life of LIVES) {
  test(`E12 an export of "${life[0]}" and of what replaced it is imported whole`, async () => {
    const memory = await open();
    const facts = memory.longTerm();
    for (const content of life) await facts.record([{ role: "user", content }]);
    const told = await seen(memory);
    assert.equal(told.length, life.length);
    assert.equal(await memory.count(), 1);

    const lines = await exportOf(memory);
    const copy = await open();
    const { taken, error } = await importInto(copy, lines);
    assert.equal(error, undefined);
    assert.equal(taken.entry, life.length);
    assert.deepEqual(await seen(copy), told);
    assert.equal(await copy.count(), 1);

    const again = await importInto(copy, lines);
    assert.deepEqual([again.error, again.kept.entry], [undefined, life.length]);
    assert.deepEqual(await seen(copy), told);
    await Promise.all([memory.close(), copy.close()]);
  });
}
