// Messages and searches of a memory in one world, in this page. See benches/worlds.mjs.

import { open } from "/tests/e2e/support/worlds-page.mjs";

const WORDS = "harbour lantern orchard violin compass meadow thunder copper saffron glacier".split(" ");

const text = (number) =>
  `${WORDS[number % 10]} ${WORDS[(number * 7 + 3) % 10]} noted as item ${number}, and what the keeper said of it`;

/** Opens a memory with `entries` entries. */
export async function prepare(world, name, entries) {
  await open(world, name, "rust-door-release");
  await Promise.all(
    Array.from({ length: entries }, (_, number) => globalThis.world.add(`e-${number}`, text(number))),
  );
  await globalThis.world.search("lantern");
}

async function timed(count, run) {
  const times = [];
  for (let at = 0; at < count; at += 1) {
    const begun = performance.now();
    await run(at);
    times.push(performance.now() - begun);
  }
  times.sort((one, other) => one - other);
  return times[times.length >> 1];
}

/** The medians of a round, in milliseconds: messages one by one, and searches. */
export async function round(number, { messages, searches }) {
  const { append, search } = globalThis.world;
  return {
    append: await timed(messages, (at) => append(`m-${number}-${at}`, text(at))),
    search: await timed(searches, (at) => search(`${WORDS[at % 10]} item ${at}`)),
  };
}
