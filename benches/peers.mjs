// Other search libraries behind one interface, each set up as its own documentation has it for questions in which not
// every word need match. Runs in Node and in the benchmark's page.
//
// An index is made of `documents`, which are `{ id, text }`; `search(text, limit)` returns ids, best first. `add` takes
// one more document, and `save` returns a value that IndexedDB can store and the library's loader reads.

const MINISEARCH = { fields: ["text"] };

export async function miniSearch(documents) {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch(MINISEARCH);
  index.addAll(documents);
  return searchable(index);
}

/** The index that `save` wrote. */
export async function loadMiniSearch(saved) {
  const { default: MiniSearch } = await import("minisearch");
  return searchable(MiniSearch.loadJSON(saved, MINISEARCH));
}

const searchable = (index) => ({
  search(text, limit) {
    const hits = index.search(text).slice(0, limit);
    return hits.map(({ id }) => id);
  },
  add: (document) => index.add(document),
  save: () => JSON.stringify(index),
});

/** `language`: FlexSearch has stop words and stems for a language that it is told. */
export async function flexSearch(documents, language) {
  const index = await flexIndex(language);
  for (const { id, text } of documents) index.add(id, text);
  return suggesting(index);
}

/** The index that `save` wrote; `language` must be the same. */
export async function loadFlexSearch(saved, language) {
  const index = await flexIndex(language);
  for (const [key, part] of saved) index.import(key, part);
  return suggesting(index);
}

async function flexIndex(language) {
  const { Charset, Encoder, Index } = (await import("flexsearch")).default;
  const told = language && (await import(`flexsearch/lang/${language}`)).default;
  return new Index(told ? { encoder: new Encoder(Charset.Normalize, told) } : {});
}

const suggesting = (index) => ({
  search: (text, limit) => index.search(text, { limit, suggest: true }),
  add: ({ id, text }) => index.add(id, text),
  async save() {
    const parts = [];
    await index.export((key, part) => parts.push([key, part]));
    return parts;
  },
});
