// Runs in the page: the other engines, on the same documents and questions. They answer ids only, which is less than
// keepsake does.

import { flexSearch, loadMiniSearch, miniSearch } from "../peers.mjs";
import { document, questions } from "./corpus.mjs";
import { ask, timed } from "./measure.mjs";

const SAVED = "minisearch";
const LIMIT = 5;

const documentsOf = (count) => Array.from({ length: count }, (_, id) => ({ id, text: document(id) }));

/** One engine at a time, so that none pays for the garbage of another. */
export async function searches(count) {
  return compare(documentsOf(count), questions, save);
}

/** Saves MiniSearch's index of so many documents, without asking it. */
export async function fill(count) {
  await save(await miniSearch(documentsOf(count)));
}

async function save(index) {
  const store = await savedIndexes("readwrite");
  await answer(store.put(index.save(), SAVED));
}

/** The figures of each peer; `keep` gets MiniSearch's index after its questions. */
export async function compare(documents, questions, keep = () => {}) {
  const asked = async (index, after = () => {}) => {
    const figures = await ask((text) => index.search(text, LIMIT), questions);
    await after(index);
    return figures;
  };
  return {
    MiniSearch: await asked(await miniSearch(documents), keep),
    FlexSearch: await asked(await flexSearch(documents)),
    "FlexSearch, English": await asked(await flexSearch(documents, "en")),
  };
}

/** From nothing loaded to MiniSearch's first hit in the index that it saved. */
export async function coldOpen(question) {
  let index;
  const opened = await timed(async () => {
    const store = await savedIndexes("readonly");
    index = await loadMiniSearch(await answer(store.get(SAVED)));
  });
  const searched = await timed(() => index.search(questions[question].text, LIMIT));
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
