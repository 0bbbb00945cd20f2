// mem0's store in the process, in Node. It is tried without a network and without a model; the error is the reason why
// there is no figure.

export async function open() {
  const { Memory } = await import("mem0ai/oss");
  const none = { provider: "openai", config: { apiKey: "none", baseURL: "http://127.0.0.1:9" } };
  const vectorStore = { provider: "memory", config: { collectionName: "documents", dimension: 8 } };
  const memory = new Memory({ embedder: none, llm: none, vectorStore, disableHistory: true });
  // `infer: false` stores a text without asking a model, but it still needs a vector.
  const addOne = ({ id, text }) =>
    memory.add(text, { userId: "u-1", infer: false, metadata: { id } }).catch(explain);
  return {
    async addMany(documents) {
      for (const document of documents) await addOne(document);
    },
    addOne,
    async search(text, limit) {
      const { results } = await memory.search(text, { filters: { user_id: "u-1" }, topK: limit });
      return results.map(({ metadata }) => metadata.id);
    },
    close() {},
  };
}

function explain(cause) {
  if (!cause.message.includes("bindings file")) throw cause;
  throw new Error("its memory store needs the native part of better-sqlite3, which is not installed", {
    cause,
  });
}
