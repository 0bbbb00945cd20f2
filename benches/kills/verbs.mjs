// Runs in every host: executes one operation on a memory by its public API, and reads back everything that was stored.

/** So small that sessions are compressed in the background after a few messages. */
const SESSION = { contextTokens: 400 };

/** A memory over HTTP has no files, and its sessions take no such options. */
const isLocal = (memory) => "files" in memory;
const sessionOf = (memory, id) => memory.session(id, isLocal(memory) ? SESSION : {});

const VERBS = {
  add: (memory, { content, draft }, request) => memory.add(content, draft, request),
  update: (memory, { id, content }, request) => memory.update(id, { content }, request),
  delete: (memory, { id }, request) => memory.delete(id, request),
  append: (memory, { session, messages }, request) => sessionOf(memory, session).append(messages, request),
  deleteSession: (memory, { session }, request) => sessionOf(memory, session).delete(request),
  values: (memory, { changes }, request) => memory.collection("pairs").write(changes, request),
  count: (memory) => memory.collection("counts").update("all", (count = 0) => count + 1),
  search: (memory, { query }) => memory.search(query),
  context: (memory, { session }) => sessionOf(memory, session).context({ budget: 2_000 }),
  writeFile: (memory, { path, text }) => memory.files.write(path, text),
  appendFile: (memory, { path, text }) => memory.files.append(path, text),
  moveFile: (memory, { from, to }) => memory.files.move(from, to),
  deleteFile: (memory, { path }) => memory.files.delete(path),
  profile: (memory, { changes }) => memory.profile.updateProfile(changes),
  ingest: (memory, { text, source }) => memory.ingest(text, { source, targetChars: 300 }),
  compress: (memory, { session }) => sessionOf(memory, session).compress(),
  cleanup: (memory) => memory.cleanup(),
};

/** Executes an operation. Resolves to the id of a new entry once the write is acknowledged. */
export async function execute(memory, { verb, args, key }) {
  const answer = await VERBS[verb](memory, args, isLocal(memory) ? undefined : { idempotencyKey: key });
  return { id: answer?.id };
}

/**
 * Everything that is stored, as `[name, value]` pairs; the ids of entries by their first word; the entries and values that
 * a search for their own first word does not find; and the problems that `verify` reports.
 */
export async function readAll(memory) {
  const things = [];
  const unfound = [];
  const ids = {};
  const documents = new Map();
  for await (const { id, version, source } of memory.entries()) {
    const { content } = await memory.get(id);
    if (source) {
      const parts = content.match(/\bv\d+p\d+\b/g) ?? [];
      documents.set(source, [...(documents.get(source) ?? []), ...parts]);
      continue;
    }
    const [word] = content.split(" ");
    ids[word] = id;
    things.push([`entry ${word}`, `v${version} ${content}`]);
    const hits = await memory.search(word, { limit: 3 });
    if (!hits.some((hit) => hit.id === id)) unfound.push(`entry ${word}`);
  }
  for (const [source, parts] of documents) things.push([`document ${source}`, parts.sort().join(" ")]);
  for (const { id } of await memory.sessions()) things.push(...(await messagesOf(memory, id)));
  const pairs = memory.collection("pairs");
  for await (const [key, value] of pairs.entries()) {
    things.push([`value ${key}`, JSON.stringify(value)]);
    const hits = await pairs.search(value.word, { limit: 3 });
    if (!hits.some((hit) => hit.key === key)) unfound.push(`value ${key}`);
  }
  const count = await memory.collection("counts").get("all");
  if (!isLocal(memory)) return { things, ids, unfound, count, problems: [] };
  for (const { path } of await memory.files.list())
    things.push([`file ${path}`, (await memory.files.read(path)).text]);
  for (const [name, value] of Object.entries(await memory.profile.getProfile()))
    things.push([`profile ${name}`, `${value}`]);
  const { problems } = await memory.verify();
  return { things, ids, unfound, count, problems };
}

/** The messages of a session, each with its place; in a shared one, with whether it follows the one it was appended with. */
async function messagesOf(memory, id) {
  const session = sessionOf(memory, id);
  const all = [];
  for (let page = { more: true }; page.more; ) {
    page = await session.messages({ limit: 100, before: all[0]?.id });
    all.unshift(...page.messages);
  }
  const words = all.map(({ content }) => textOf(content));
  return words.map((text, at) => {
    const [word] = text.split(" ");
    const [batch, part] = word.split("p");
    const isTogether = part === "0" || words[at - 1]?.startsWith(`${batch}p${part - 1} `);
    const place = id.startsWith("shared") ? (isTogether ? "together" : "apart") : at;
    return [`message ${id} ${word}`, `${place} ${text}`];
  });
}

function textOf(content) {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
}
