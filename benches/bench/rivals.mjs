// Runs in the page: the other engines, on the same documents and questions. They answer ids only, which is less than
// keepsake does; each is set up as its own documentation has it for questions in which not every word need match.

import { document, questions } from "./corpus.mjs";
import { ask, timed } from "./measure.mjs";

const MINISEARCH = { fields: ["text"] };
const SAVED = "minisearch";

/** One engine at a time, so that none pays for the garbage of another. */
export async function searches(count) {
  const documents = Array.from({ length: count }, (_, id) => ({ id, text: document(id) }));
  return {
    MiniSearch: await miniSearch(documents),
    FlexSearch: await flexSearch(documents),
    "FlexSearch, English": await flexSearch(documents, "en"),
  };
}

async function miniSearch(documents) {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch(MINISEARCH);
  index.addAll(documents);
  const figures = await ask((text) => firstFive(index, text), questions);
  const store = await savedIndexes("readwrite");
  await answer(store.put(JSON.stringify(index), SAVED));
  return figures;
}

const firstFive = (index, text) => {
  const hits = index.search(text).slice(0, 5);
  return hits.map(({ id }) => id);
};

/** `language`: FlexSearch has stop words and stems for a language that it is told. */
async function flexSearch(documents, language) {
  const { Charset, Encoder, Index } = (await import("flexsearch")).default;
  const told = language && (await import(`flexsearch/lang/${language}`)).default;
  const index = new Index(told ? { encoder: new Encoder(Charset.Normalize, told) } : {});
  for (const { id, text } of documents) index.add(id, text);
  return ask((text) => index.search(text, { limit: 5, suggest: true }), questions);
}

/** From nothing loaded to MiniSearch's first hit in the index that it saved. */
export async function coldOpen(question) {
  let index;
  const opened = await timed(async () => {
    const { default: MiniSearch } = await import("minisearch");
    const store = await savedIndexes("readonly");
    index = MiniSearch.loadJSON(await answer(store.get(SAVED)), MINISEARCH);
  });
  const searched = await timed(() => firstFive(index, questions[question].text));
  return { opened, firstHit: opened + searched };
}

async function savedIndexes(mode) {
  const opening = indexedDB.open("rivals", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("indexes");
  const database = await answer(opening);
  return database.transaction("indexes", mode).objectStore("indexes");
}

const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
