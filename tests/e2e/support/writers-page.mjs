// Tabs that write to one memory at once, and what each of them sees in the end. Loaded in pages.

const WORDS = "harbour lantern orchard violin compass meadow thunder copper saffron glacier".split(" ");

/** A word of these for each place, so that searches find some entries and not others. */
const word = (number) => WORDS[number % WORDS.length];

/** The content of the entry that a tab writes under this number. */
const content = (who, number) => `${word(number)} ${word(number * 7 + 3)} noted by ${who} as item ${number}`;

/**
 * Adds the entries up to `to` of the writer `who`, with so many calls under way all the time, and calls `report` with the id,
 * the milliseconds and the error code of each call as soon as it is answered. Without `to` it goes on until the page is told
 * to stop. `pause`: milliseconds before each call.
 */
export async function write(memory, { who, to = 1e9, atOnce = 1, pause = 0 }, report) {
  let next = 0;
  // From now on the index is loaded, and has to be kept up to date with what others write.
  await memory.search("lantern");
  const lane = async () => {
    while (next < to && !globalThis.stopped) {
      const number = next++;
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      const id = `${who}-${number}`;
      const begun = performance.now();
      const error = await memory.add(content(who, number), { id, namespace: "long-term" }).then(
        () => undefined,
        (error) => error.code ?? String(error),
      );
      // Heard before the next call: of a tab that is killed, only the calls under way are unknown.
      await report({ id, ms: performance.now() - begun, error });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** What a handle sees: every entry, and the hits of some searches with their scores. */
export async function view(memory) {
  const ids = [];
  for await (const { id, version } of memory.entries({ namespace: "long-term" }))
    ids.push(`${id}@${version}`);
  const searches = [];
  for (const query of [...WORDS, "item 7", "violin noted by tab-1"]) {
    const hits = await memory.search(query, { limit: 20 });
    searches.push(hits.map(({ id, score }) => `${id} ${score.toFixed(6)}`));
  }
  return { ids: ids.sort(), searches };
}

/** The same of a memory whose stored index is thrown away first, so that it is built again from the records. */
export async function rebuiltView(keepsake, name) {
  await new Promise((resolve, reject) => {
    const request = indexedDB.open(`keepsake/${name}`);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const transaction = request.result.transaction("index", "readwrite");
      transaction.objectStore("index").clear();
      transaction.oncomplete = () => {
        request.result.close();
        resolve();
      };
    };
  });
  const memory = await keepsake.openMemory({ name, user: "u-1" });
  const seen = await view(memory);
  await memory.close();
  return seen;
}
