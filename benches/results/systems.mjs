// The systems that are compared, and the words for them in the tables.

/**
 * `in`: where it runs. `search`: up to how many entries search is measured, 0 for not at all. `stores`: whether one add is
 * written when it returns, in the page. `adds`: a word on one add. `bundle`: the folder of its code on the site, if any.
 * `scans`: it has no index of words. `lists`: its search ignores the question. `batchOnly`: one add is that of another
 * system. `background`: its batch is not stored when it returns.
 */
export const SYSTEMS = [
  {
    id: "keepsake",
    name: "Keepsake",
    in: ["chromium", "node"],
    search: Infinity,
    stores: true,
    setup: "IndexedDB in the page, memory in Node; ranking `best`",
  },
  {
    id: "minisearch",
    adds: "in memory only",
    name: "MiniSearch",
    package: "minisearch",
    bundle: "minisearch",
    in: ["chromium", "node"],
    search: Infinity,
    setup: "defaults; the index is saved as JSON in IndexedDB",
  },
  {
    id: "flexsearch",
    adds: "in memory only",
    name: "FlexSearch",
    package: "flexsearch",
    bundle: "flexsearch",
    in: ["chromium", "node"],
    search: Infinity,
    setup: "defaults with `suggest`; the export is saved in IndexedDB",
  },
  {
    id: "flexsearch-english",
    adds: "in memory only",
    name: "FlexSearch, English",
    package: "flexsearch",
    bundle: "flexsearch",
    in: ["chromium", "node"],
    search: Infinity,
    setup: "the same, with its stop words and stems for English",
  },
  {
    id: "orama",
    adds: "in memory only",
    name: "Orama",
    package: "@orama/orama",
    bundle: "orama",
    in: ["chromium", "node"],
    search: Infinity,
    setup: "English with stemming; saved by `save` in IndexedDB",
  },
  {
    id: "lunr",
    name: "Lunr",
    package: "lunr",
    bundle: "lunr",
    in: ["chromium", "node"],
    search: 20_000,
    setup:
      "defaults; the index is saved as JSON in IndexedDB, and cannot be changed after it was built: no larger sizes, because it needs all texts at once",
  },
  {
    id: "sqlite",
    adds: "waits for the disk",
    name: "SQLite FTS5",
    package: "@sqlite.org/sqlite-wasm",
    bundle: "sqlite",
    in: ["chromium", "node"],
    search: Infinity,
    stores: true,
    setup:
      "FTS5 with `porter unicode61`, words joined with OR, ordered by `rank`; OPFS in a worker of the page with the default journal, memory in Node",
  },
  {
    id: "pglite",
    name: "PGlite",
    package: "@electric-sql/pglite",
    bundle: "pglite",
    in: ["chromium", "node"],
    search: 200_000,
    stores: true,
    setup:
      "a stored tsvector with a GIN index, words joined with |, ordered by `ts_rank`; IndexedDB in the page, memory in Node",
  },
  {
    id: "pglite-relaxed",
    adds: "written in the background",
    background: true,
    name: "PGlite, relaxed durability",
    package: "@electric-sql/pglite",
    bundle: "pglite",
    in: ["chromium"],
    search: 200_000,
    setup: "the same; a query returns before its pages are in IndexedDB",
  },
  {
    id: "indexeddb",
    name: "IndexedDB",
    in: ["chromium"],
    search: 2_000,
    stores: true,
    scans: true,
    setup: "relaxed durability, as Keepsake's; no index of words: a search reads every text and counts words",
  },
  {
    id: "indexeddb-each",
    name: "IndexedDB, a transaction each",
    batchOnly: true,
    in: ["chromium"],
    search: 0,
    stores: true,
    setup: "the same; a batch is one transaction for each text",
  },
  {
    id: "dexie",
    name: "Dexie",
    package: "dexie",
    bundle: "dexie",
    in: ["chromium"],
    search: 2_000,
    stores: true,
    scans: true,
    setup: "relaxed durability; no index of words: a search reads every text and counts words",
  },
  {
    id: "langgraph",
    name: "LangGraph InMemoryStore",
    package: "@langchain/langgraph-checkpoint",
    in: ["node"],
    search: 20_000,
    lists: true,
    setup:
      "without embeddings: its search ignores the question and lists the namespace, so only its time is measured",
  },
  {
    id: "mem0",
    name: "mem0",
    package: "mem0ai",
    in: ["node"],
    search: 20_000,
    setup: "its memory store, without a network and without a model",
  },
];

/** What `--quick` compares with. */
const QUICK = ["keepsake", "minisearch", "indexeddb"];

export const systemsOf = ({ quick }) => SYSTEMS.filter(({ id }) => !quick || QUICK.includes(id));
