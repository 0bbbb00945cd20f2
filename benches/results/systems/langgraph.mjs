// LangGraph's InMemoryStore, in Node. Without embeddings its search ignores the question and lists the namespace.

const NAMESPACE = ["documents"];

export async function open() {
  const { InMemoryStore } = await import("@langchain/langgraph-checkpoint");
  const store = new InMemoryStore();
  const addOne = ({ id, text }) => store.put(NAMESPACE, String(id), { text });
  return {
    async addMany(documents) {
      for (const document of documents) await addOne(document);
    },
    addOne,
    async search(query, limit) {
      const items = await store.search(NAMESPACE, { query, limit });
      return items.map(({ key }) => Number(key));
    },
    close() {},
  };
}
