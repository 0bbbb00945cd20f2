// The search engines that are measured: the built package, and its peers. Each is a function from one memory of a set to
// `{ searches, close }`; `searches` holds functions by name, from a query to ids, best first.

import { openMemory } from "keepsake";
import { flexSearch, miniSearch } from "../peers.mjs";
import { bm25 } from "./bm25.mjs";
import { DataError } from "./data.mjs";

/** As deep as the reciprocal rank is followed; later hits add less than 1/100. */
const DEPTH = 100;

/** The moment before the first entry; later than any date of the data. */
const START = Date.parse("2026-01-01T00:00:00Z");

/**
 * A memory that holds these entries, a millisecond apart: the formula ranks equal scores by age, so a real clock would
 * give other figures in every run. `options` are `openMemory`'s: an embedder, for instance.
 */
async function remember(user, entries, options) {
  const room = { maxEntries: 1_000_000 };
  const config = { namespaces: { "short-term": room, "long-term": room } };
  let clock = START;
  const memory = await openMemory({
    name: "eval",
    user,
    storage: "memory",
    config,
    now: () => clock,
    ...options,
  });
  if (typeof memory.search !== "function") {
    throw new DataError("the built package has no search: run `cargo xtask build`");
  }
  for (const { content, ...draft } of entries) {
    clock += 1;
    await memory.add(content, { ...draft, namespace: "long-term" });
  }
  return memory;
}

/** The package with these rankings. */
export const keepsake =
  (rankings, options) =>
  async ({ user, entries }) => {
    const memory = await remember(user, entries, options);
    const searchBy = (ranking) => async (query) => {
      const hits = await memory.search(query, { ranking, limit: DEPTH, minScore: 0 });
      return hits.map(({ id }) => id);
    };
    return {
      searches: Object.fromEntries(rankings.map((ranking) => [ranking, searchBy(ranking)])),
      close: () => memory.close(),
    };
  };

const INDEXES = {
  MiniSearch: miniSearch,
  FlexSearch: (documents) => flexSearch(documents),
  "FlexSearch, English": (documents) => flexSearch(documents, "en"),
  BM25: bm25,
};

/** The peers index the texts alone: they know no sessions, speakers or dates. */
export async function peers({ entries }) {
  const documents = entries.map(({ id, content }) => ({ id, text: content }));
  const searches = {};
  for (const [name, index] of Object.entries(INDEXES)) {
    const { search } = await index(documents);
    searches[name] = (query) => search(query, DEPTH);
  }
  return { searches, close() {} };
}
