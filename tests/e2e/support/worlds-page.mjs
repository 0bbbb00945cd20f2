// A memory in TypeScript and one in Rust behind the same few calls. Loaded in pages.

/** The memory of the npm package. */
async function typescript(name) {
  const { openMemory } = await import("keepsake");
  const memory = await openMemory({ name, user: "u-1", storage: "indexeddb" });
  // No compression: both worlds write the same, and nothing else.
  const talk = memory.session("talk", { contextTokens: 1e9 });
  return {
    add: (id, content) => memory.add(content, { id, namespace: "long-term" }),
    append: (id, content) => talk.append({ id, role: "user", content }),
    search: async (query) => (await memory.search(query, { limit: 20 })).map(({ id }) => id),
    count: () => memory.count(),
    messages: async () => (await talk.info())?.messages ?? 0,
    order: async () => {
      const ids = [];
      for await (const { id } of talk.all()) ids.push(id);
      return ids;
    },
    has: async (id) => (await memory.get(id)) !== null,
    hasMessage: async (id) => (await talk.message(id)) !== null,
    verify: async () => (await memory.verify()).problems,
    close: () => memory.close(),
  };
}

/** The crate's, as the tests of the Rust door are built. `folder`: that of another build. */
async function rust(name, folder = "rust-door") {
  const page = await import(`/target/${folder}/page.js`);
  await page.default({ module_or_path: `/target/${folder}/page_bg.wasm` });
  globalThis.rustPage = page;
  const memory = await page.RustMemory.open(name, "u-1");
  const call = async (verb, args) => JSON.parse(await memory.call(verb, JSON.stringify(args)));
  const session = "talk";
  return {
    add: (id, content) => call("add", { content, id, namespace: "long-term" }),
    append: (id, content) => call("append", { session, messages: [{ id, role: "user", content }] }),
    search: async (query) => (await call("search", { query, limit: 20 })).map(({ id }) => id),
    count: () => call("count", {}),
    messages: async () => (await call("session", { session }))?.messages ?? 0,
    has: async (id) => (await call("get", { id })) !== null,
    hasMessage: async (id) => (await call("message", { session, id })) !== null,
    verify: async () => (await call("verify", { repair: false })).problems,
    close: () => memory.close(),
  };
}

/** Opens the memory called `name` as `globalThis.world`. */
export async function open(world, name, folder) {
  globalThis.world = await (world === "rust" ? rust(name, folder) : typescript(name));
}

/** Writes messages and entries, each of them with some calls under way all the time, until told to stop. */
export async function write(who, { messages, entries, atOnce = 4 }, report = () => {}) {
  const { add, append } = globalThis.world;
  const failed = [];
  const lanes = (count, kind, one) => {
    let next = 0;
    const lane = async () => {
      while (next < count && !globalThis.stopped) {
        const id = `${kind}-${who}-${next++}`;
        await one(id, `${kind} number ${next} by ${who} about tea and harbours`).then(
          () => report(id),
          (error) => failed.push(`${id}: ${error.code ?? error.message}`),
        );
      }
    };
    return Array.from({ length: atOnce }, lane);
  };
  await Promise.all([...lanes(messages, "message", append), ...lanes(entries, "entry", add)]);
  return failed;
}

/** The hash of everything that is stored, as tests/scenarios/README.md defines it, read through TypeScript's storage. */
export async function stored(name) {
  const { indexedDb } = await import("/target/web-testing/inner.js");
  const storage = indexedDb(name);
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const lines = [];
  for (const space of ["meta", "records", "bodies", "log", "index"]) {
    let start = new Uint8Array();
    while (start) {
      const { items, next } = await storage.scan(space, { start }, 100);
      for (const [key, value] of items) lines.push(`${space} ${hex(key)} ${hex(value)}\n`);
      start = next;
    }
  }
  await storage.close();
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.join("")));
  return hex(new Uint8Array(hash));
}
