// The common part of libraries whose index is in memory: documents go into it, and all of it is saved at once.

import { keep, kept } from "./kept.mjs";

/**
 * A system by three functions: `build(documents)` and `load(saved)` return `{ search, add, save }`. The index is built
 * with the first batch, because Lunr's cannot be changed after it was built.
 */
export function inMemory({ build, load }) {
  const handle = (name, index) => ({
    async addMany(documents) {
      if (index === undefined) index = await build(documents);
      else for (const document of documents) await index.add(document);
    },
    addOne: (document) => index.add(document),
    search: (text, limit) => index.search(text, limit),
    save: async () => keep(name, await index.save()),
    close() {
      index = undefined;
    },
  });
  return {
    open: async (name) => handle(name),
    reopen: async (name) => handle(name, await load(await kept(name))),
  };
}
