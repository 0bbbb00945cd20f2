// Lunr. It stems English and joins words with OR by default. An index cannot be changed after it was built.

import { inMemory } from "./in-memory.mjs";

export const { open, reopen } = inMemory({
  async build(documents) {
    const { default: lunr } = await import("lunr");
    const index = lunr(function () {
      this.ref("id");
      this.field("text");
      for (const document of documents) this.add(document);
    });
    return searchable(index);
  },
  async load(saved) {
    const { default: lunr } = await import("lunr");
    return searchable(lunr.Index.load(JSON.parse(saved)));
  },
});

const searchable = (index) => ({
  add() {
    throw new Error("an index of Lunr cannot be changed: it is built again for each new document");
  },
  search(text, limit) {
    // `search` would read `:` or `*` in a question as its own syntax; words are added one by one instead.
    const hits = index.query((query) => {
      for (const word of text.toLowerCase().split(/\W+/)) if (word !== "") query.term(word);
    });
    return hits.slice(0, limit).map(({ ref }) => Number(ref));
  },
  save: () => JSON.stringify(index),
});
