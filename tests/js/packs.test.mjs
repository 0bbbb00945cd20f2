// Language packs: each is loaded before the first call that judges a text in its language, and no earlier.

import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { after, beforeEach, mock, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { brotliCompressSync } from "node:zlib";
import { openMemory } from "keepsake";
import { MOVES, move } from "./support/dialogues.mjs";

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const codes = (await readdir(at("packs"))).flatMap((name) => name.match(/^(\w+)\.txt$/)?.[1] ?? []).sort();
/** The chunks of packs, by language. The inspector has chunks of the same names. */
const chunks = new Map();
for (const name of await readdir(at("pkg/dist/shared"))) {
  const text = await readFile(at(`pkg/dist/shared/${name}`), "utf8");
  const [, code] = text.match(/^\/\/ packs\/(\w+)\.txt$/m) ?? [];
  if (code) chunks.set(code, name);
}

/** Inside the project, so that imports of the package are found. */
await mkdir(at("target"), { recursive: true });
const folder = await mkdtemp(at("target/packs-"));
after(() => rm(folder, { recursive: true }));

/** The packs that the copy of the package has loaded. */
const loaded = [];
globalThis.packLoaded = (code) => loaded.push(code);
beforeEach(() => loaded.splice(0));

/** `openMemory` of a copy of the package that counts its packs, and in which these packs are replaced. */
async function copy(name, replaced = {}) {
  const place = `${folder}/${name}`;
  const isScript = (source) => !source.endsWith(".d.ts");
  await cp(at("pkg/dist"), `${place}/dist`, { recursive: true, filter: isScript });
  await symlink(at("pkg/wasm"), `${place}/wasm`);
  await cp(at("pkg/package.json"), `${place}/package.json`);
  for (const code of codes) {
    const file = `${place}/dist/shared/${chunks.get(code)}`;
    const text = replaced[code] ?? (await readFile(file, "utf8"));
    await writeFile(file, `packLoaded("${code}");\n${text}`);
  }
  const module = await import(pathToFileURL(`${place}/dist/entry/node.js`).href);
  return (options) => module.openMemory({ user: "u-1", storage: "memory", ...options });
}

/** A promise and the function that resolves it. */
function gate() {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const user = (content) => ({ role: "user", content });

test("each pack is a chunk of the package, with its text as it is, within its size", async () => {
  assert.deepEqual([...chunks.keys()].sort(), codes);
  for (const code of codes) {
    const file = at(`pkg/dist/shared/${chunks.get(code)}`);
    const { default: text } = await import(pathToFileURL(file).href);
    assert.equal(text, await readFile(at(`packs/${code}.txt`), "utf8"));
    const bytes = brotliCompressSync(await readFile(file)).length;
    assert.ok(bytes <= 3584, `${code}: ${bytes} bytes`);
  }
});

for (const language of Object.keys(MOVES)) {
  test(`a move told in ${language} replaces the city`, async () => {
    const memory = await openMemory({ user: "u-1", storage: "memory" });
    assert.deepEqual(await move(memory, language), { old: false, new: true });
    await memory.close();
  });
}

test("a memory that adds, searches and keeps sessions loads no pack", async () => {
  const open = await copy("none");
  const memory = await open();
  await memory.add("Mình sống ở Hà Nội");
  await memory.search("mình sống ở đâu?");
  await memory.session("s").append([user("I live in Hanoi")]);
  await memory.call("memory_search", { query: "where do I live?" });
  await memory.queryMemory("where do I live?");
  await memory.queryMemory(MOVES.vi[2], { onlyAnswers: false });
  await memory.call("memory_search", { query: MOVES.vi[2] });
  await memory.close();
  assert.deepEqual(loaded, []);
});

test("concurrent calls share a pack, and each verb that judges texts loads it", async () => {
  const calls = {
    record: (memory) => memory.longTerm().record([user([{ type: "text", text: MOVES.vi[0] }])]),
    filtered: (memory) => memory.longTerm({ recordFilter: () => [MOVES.vi[0]] }).record([user("x")]),
    retrieve: (memory) => memory.longTerm().retrieve(MOVES.vi[2]),
    recordTool: (memory) => memory.longTerm().tools[0].call({ content: MOVES.vi[0] }),
    queryMemory: (memory) => memory.queryMemory(MOVES.vi[2], { onlyAnswers: true }),
    forget: (memory) => memory.forget({ query: MOVES.vi[0] }),
    keywords: (memory) => memory.call("retrieve_from_memory", { keywords: [MOVES.vi[2]] }),
    recordCall: (memory) => memory.call("record_to_memory", { content: [MOVES.vi[0]] }),
    add: (memory) => memory.add(MOVES.vi[0], { secrets: "redact" }),
    addCall: (memory) => memory.call("memory_add", { content: MOVES.vi[0] }),
    stringCall: (memory) => memory.call("record_to_memory", JSON.stringify({ content: [MOVES.vi[0]] })),
    context: (memory) => memory.session("s").context({ query: MOVES.vi[2] }),
    lastMessage: async (memory) => {
      await memory.session("s").append([user(MOVES.vi[2])]);
      await memory.session("s").context();
    },
  };
  for (const [name, call] of Object.entries(calls)) {
    loaded.splice(0);
    const open = await copy(name);
    const memory = await open();
    await Promise.all([call(memory), call(memory)]);
    await memory.close();
    assert.deepEqual(loaded, ["vi"], name);
  }
});

test("what a request to forget means is judged in the languages of what is stored", async () => {
  const open = await copy("stored");
  const memory = await open();
  for (const text of ["Tôi mới chuyển nhà đến Đà Nẵng", "Ich wohne in Bremen", "Tôi thích cà phê"])
    await memory.add(text);
  await memory.session("s").append([user("J'habite à Lyon."), user("J'aime le thé.")]);
  const { entries, messages } = await memory.forget({ query: "where I live", messages: true });
  assert.deepEqual([entries.length, messages], [2, 1]);
  assert.deepEqual(
    (await memory.list()).map(({ summary }) => summary),
    ["Tôi thích cà phê"],
  );
  await memory.close();
  // Of the request, and of every text that it was compared with.
  for (const code of ["en", "vi", "de", "fr"]) assert.ok(loaded.includes(code), code);
});

test("a reranker gets the hits of a judged question", async () => {
  const open = await copy("rerank");
  const asked = [];
  const rerank = (query, hits) => {
    asked.push(query);
    return hits.map((_, at) => at);
  };
  const memory = await open({ rerank });
  await memory.search("something");
  assert.deepEqual(loaded, []);
  assert.deepEqual(await move(memory, "vi"), { old: false, new: true });
  assert.deepEqual([asked.at(-1), loaded], [MOVES.vi[2], ["vi"]]);
  await memory.close();
});

test("writes keep their order while a pack loads, reads do not wait, and close waits for the writes", async () => {
  const text = await readFile(at(`pkg/dist/shared/${chunks.get("vi")}`), "utf8");
  const open = await copy("slow", { vi: `await packAllowed;\n${text}` });
  const { promise, resolve } = gate();
  globalThis.packAllowed = promise;
  const memory = await open();
  const order = [];
  const note = (name) => () => order.push(name);
  const messages = [user(MOVES.vi[0])];
  const recorded = memory.longTerm().record(messages);
  const calls = [recorded.then(note("record"))];
  while (loaded.length === 0) await new Promise(setImmediate);
  // The call has its own copy of the messages.
  messages[0].content = "changed";
  calls.push(
    memory
      .session("s")
      .append([user("after")])
      .then(note("append")),
  );
  await memory.search("before").then(note("search"));
  calls.push(memory.close().then(note("close")));
  resolve();
  await Promise.all(calls);
  assert.deepEqual(order, ["search", "record", "append", "close"]);
  assert.deepEqual(
    (await recorded).map(({ summary }) => summary),
    [MOVES.vi[0]],
  );
  await assert.rejects(memory.longTerm().record([user(MOVES.vi[0])]), { code: "closed" });
});

test("without its pack a language is judged by simpler rules, with one warning", async () => {
  const warn = mock.method(console, "warn", () => {});
  const open = await copy("broken", { vi: `throw new Error("no pack today");` });
  const memory = await open();
  assert.notDeepEqual(await move(memory, "vi"), { old: false, new: true });
  // Other languages are not affected.
  assert.deepEqual(await move(memory, "ja"), { old: false, new: true });
  await memory.close();
  const told = warn.mock.calls.map(({ arguments: [text, error] }) => [text, error?.message]);
  warn.mock.restore();
  assert.deepEqual(told, [['keepsake: language pack "vi":', "no pack today"]]);
});

test("a memory in a worker gets its packs from the thread that calls it", async () => {
  const { openMemory } = await import("keepsake/worker");
  const worker = new Worker(new URL("./support/worker-thread.mjs", import.meta.url));
  const memory = await openMemory({ worker, user: "u-1", storage: "memory" });
  for (const language of Object.keys(MOVES)) {
    assert.deepEqual(await move(memory, language), { old: false, new: true }, language);
  }
  await memory.close();
  await worker.terminate();
});
