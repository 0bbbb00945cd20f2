// Asks a set's questions of an engine, and averages.

import { average, score } from "./score.mjs";

/**
 * The averages of a set by the engine's searches: `{ [search]: { rows, apart } }`, where `rows` are by category and
 * `apart` has the rows of each conversation alone.
 */
export async function measure(set, open) {
  const scores = {};
  for (const memory of set.memories) {
    const { searches, close } = await open(memory);
    for (const [name, search] of Object.entries(searches)) {
      scores[name] ??= [];
      for (const { query, gold, category } of memory.questions) {
        scores[name].push({ user: memory.user, category, ...score(await search(query), gold) });
      }
    }
    await close();
  }
  const measured = Object.entries(scores).map(([name, all]) => {
    const apart = set.memories.map(({ user }) => {
      return [
        user,
        average(
          all.filter((one) => one.user === user),
          set.categories,
        ),
      ];
    });
    return [name, { rows: average(all, set.categories), apart: Object.fromEntries(apart) }];
  });
  return Object.fromEntries(measured);
}
