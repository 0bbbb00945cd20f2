// Other search libraries behind one interface, each set up as its own documentation has it for questions in which not
// every word need match. Runs in Node and in the benchmark's page.
//
// An index is made of `documents`, which are `{ id, text }`; `search(text, limit)` returns ids, best first.

const MINISEARCH = { fields: ["text"] };

export async function miniSearch(documents) {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch(MINISEARCH);
  index.addAll(documents);
  return { search: searchOf(index), save: () => JSON.stringify(index) };
}

/** The index that `save` wrote. */
export async function loadMiniSearch(saved) {
  const { default: MiniSearch } = await import("minisearch");
  return { search: searchOf(MiniSearch.loadJSON(saved, MINISEARCH)) };
}

const searchOf = (index) => (text, limit) => {
  const hits = index.search(text).slice(0, limit);
  return hits.map(({ id }) => id);
};

/** `language`: FlexSearch has stop words and stems for a language that it is told. */
export async function flexSearch(documents, language) {
  const { Charset, Encoder, Index } = (await import("flexsearch")).default;
  const told = language && (await import(`flexsearch/lang/${language}`)).default;
  const index = new Index(told ? { encoder: new Encoder(Charset.Normalize, told) } : {});
  for (const { id, text } of documents) index.add(id, text);
  return { search: (text, limit) => index.search(text, { limit, suggest: true }) };
}
