// The database itself, in the thread that SQLite runs in. Words of a question are joined with OR; `rank` is FTS5's BM25.

const TABLE = "CREATE VIRTUAL TABLE IF NOT EXISTS documents USING fts5(text, tokenize = 'porter unicode61')";
const INSERT = "INSERT INTO documents (rowid, text) VALUES (?, ?)";
const SEARCH = "SELECT rowid FROM documents WHERE documents MATCH ? ORDER BY rank LIMIT ?";

export function database(sqlite, name) {
  const stored = sqlite.oo1.OpfsDb !== undefined;
  const db = stored ? new sqlite.oo1.OpfsDb(`/${name}.sqlite3`) : new sqlite.oo1.DB(":memory:", "c");
  db.exec(TABLE);
  const inserting = db.prepare(INSERT);
  const searching = db.prepare(SEARCH);
  const addOne = ({ id, text }) => inserting.bind([id, text]).stepReset();
  return {
    storage: stored ? "OPFS" : "memory",
    addOne,
    addMany: (documents) =>
      db.transaction(() => {
        for (const document of documents) addOne(document);
      }),
    search(text, limit) {
      const words = text.match(/\p{L}+|\p{N}+/gu) ?? [];
      searching.bind([words.map((word) => `"${word}"`).join(" OR "), limit]);
      const ids = [];
      while (searching.step()) ids.push(searching.getInt(0));
      searching.reset();
      return ids;
    },
    wasm: () => sqlite.wasm.memory?.buffer.byteLength ?? sqlite.wasm.heap8().byteLength,
    close() {
      inserting.finalize();
      searching.finalize();
      db.close();
    },
  };
}
