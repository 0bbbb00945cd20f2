// Orama. Its default threshold returns every document with one of the words; stemming is an option for English.

import { inMemory } from "./in-memory.mjs";

const OPTIONS = {
  schema: { text: "string" },
  components: { tokenizer: { language: "english", stemming: true } },
};

export const { open, reopen } = inMemory({
  async build(documents) {
    const orama = await import("@orama/orama");
    const index = await orama.create(OPTIONS);
    // The batch size is large, because the library sleeps between two batches.
    await orama.insertMultiple(index, documents.map(row), documents.length);
    return searchable(orama, index);
  },
  async load(saved) {
    const orama = await import("@orama/orama");
    const index = await orama.create(OPTIONS);
    await orama.load(index, saved);
    return searchable(orama, index);
  },
});

const row = ({ id, text }) => ({ id: String(id), text });

const searchable = (orama, index) => ({
  add: (document) => orama.insert(index, row(document)),
  async search(term, limit) {
    const { hits } = await orama.search(index, { term, properties: ["text"], limit });
    return hits.map(({ id }) => Number(id));
  },
  save: () => orama.save(index),
});
