// PGlite: Postgres as wasm, with a generated tsvector and a GIN index. IndexedDB in a page, memory in Node.

const TABLE = `
  CREATE TABLE IF NOT EXISTS documents (
    id integer PRIMARY KEY,
    text text NOT NULL,
    words tsvector GENERATED ALWAYS AS (to_tsvector('english', text)) STORED
  );
  CREATE INDEX IF NOT EXISTS documents_words ON documents USING gin (words);`;

/** Rows for one statement: large enough to be fast, small enough for one message of the protocol. */
const ROWS = 1000;

const INSERT = `
  INSERT INTO documents (id, text)
  SELECT * FROM unnest($1::integer[], $2::text[])`;

const SEARCH = `
  SELECT id FROM documents, to_tsquery('english', $1) AS question
  WHERE words @@ question ORDER BY ts_rank(words, question) DESC LIMIT $2`;

export async function open(name, options) {
  const { PGlite } = await import("@electric-sql/pglite");
  const where = typeof indexedDB === "undefined" ? "memory://" : `idb://pglite-${name}`;
  const db = await PGlite.create(where, options);
  await db.exec(TABLE);
  const insert = (client, documents) =>
    client.query(INSERT, [documents.map(({ id }) => id), documents.map(({ text }) => text)]);
  return {
    batch: `INSERT of ${ROWS} rows, all in one transaction`,
    addMany: (documents) =>
      db.transaction(async (client) => {
        for (let at = 0; at < documents.length; at += ROWS)
          await insert(client, documents.slice(at, at + ROWS));
      }),
    addOne: (document) => insert(db, [document]),
    async search(text, limit) {
      const words = text.match(/\p{L}+|\p{N}+/gu) ?? [];
      const { rows } = await db.query(SEARCH, [words.join(" | "), limit]);
      return rows.map(({ id }) => id);
    },
    close: () => db.close(),
  };
}

/** Opening is the same whether there is something or not. */
export const reopen = open;
