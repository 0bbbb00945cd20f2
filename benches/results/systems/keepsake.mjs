// Keepsake: IndexedDB in a page, memory in Node.

const OVERLAPPING = 200;

export async function open(name) {
  const { openMemory } = await import("keepsake");
  const config = { namespaces: { "long-term": { maxEntries: 2_000_000 } } };
  const storage = typeof indexedDB === "undefined" ? "memory" : "indexeddb";
  const memory = await openMemory({ name, user: "u-1", storage, config });
  const draft = ({ id }) => ({ id: String(id), namespace: "long-term" });
  const addOne = (document) => memory.add(document.text, draft(document));
  const overlapping = async (documents) => {
    for (let at = 0; at < documents.length; at += OVERLAPPING) {
      await Promise.all(documents.slice(at, at + OVERLAPPING).map(addOne));
    }
  };
  const inOneCall = (documents) =>
    memory.addMany(documents.map((document) => ({ content: document.text, ...draft(document) })));
  return {
    batch: memory.addMany ? "one call of addMany" : `add, ${OVERLAPPING} calls at a time`,
    addMany: memory.addMany ? inOneCall : overlapping,
    addOne,
    async search(text, limit) {
      const hits = await memory.search(text, { ranking: "best", limit });
      return hits.map(({ id }) => Number(id));
    },
    close: () => memory.close(),
  };
}

/** Opening is the same whether there is something or not. */
export const reopen = open;
