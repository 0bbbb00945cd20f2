// Conversations, their histories and documents as files of the Markdown tree, for those who ask for them.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { nodeFolder, openMemory } from "keepsake";
import { memoryOf, talk, toolPair } from "./support/talk.mjs";

const paths = (files) => files.map(({ path }) => path);
const linesOf = (text) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("C6 C7 a conversation is a file of lines in the documented shapes, written when it is asked for", async () => {
  const memory = await memoryOf();
  const session = memory.session("s-1", { compression: false });
  await session.append([
    { role: "user", content: "Where does Ann live? Ở đâu?" },
    ...toolPair("c1", "Hanoi"),
  ]);
  await session.append({
    role: "assistant",
    content: [
      { type: "thought", text: "Simple" },
      { type: "text", text: "In Hanoi." },
    ],
  });
  assert.deepEqual(await memory.files.list(), [], "only on request");
  const written = await memory.files.writeSession("s-1");
  assert.deepEqual(paths(written), ["contexts/agent/s-1.jsonl"]);
  const lines = linesOf(written[0].text);
  assert.deepEqual(
    lines.map(({ type }) => type),
    ["user", "action", "observation", "thought", "assistant"],
  );
  assert.equal(lines[0].content, "Where does Ann live? Ở đâu?");
  assert.deepEqual([lines[1].tool, lines[1].params], ["get_weather", { city: "Beijing" }]);
  assert.ok(lines.every(({ ts }) => !Number.isNaN(Date.parse(ts))));
  await session.append({ role: "user", content: "Thanks" });
  const [again] = await memory.files.writeSession("s-1");
  assert.ok(again.text.startsWith(written[0].text), "what was there stays in front");
  const [same] = await memory.files.writeSession("s-1");
  assert.equal(same.version, again.version, "nothing new, no version");
  // The lines are the conversation again.
  const other = memory.session("s-2", { compression: false });
  await other.append(await memory.fromLines(linesOf(again.text)));
  assert.deepEqual(linesOf((await memory.files.writeSession("s-2"))[0].text), linesOf(again.text));
  const [odd] = await (async () => {
    await memory.session("a/b: c?").append({ role: "user", content: "hi" });
    return memory.files.writeSession("a/b: c?", { folder: ".airsspec" });
  })();
  assert.match(odd.path, /^\.airsspec\/contexts\/agent\/a_b_ c\?-[0-9a-f]{8}\.jsonl$/);
  await assert.rejects(memory.files.writeSession("nobody"), { code: "not-found" });
  await assert.rejects(memory.files.writeSession("s-1", { folder: "../x" }), {
    code: "invalid-input",
    field: "folder",
  });
});

test("C7 a conversation that is too long for one file goes on in the next", async () => {
  const memory = await memoryOf();
  const session = memory.session("long", { compression: false });
  const long = "đường dài ".repeat(12_000);
  for (let at = 0; at < 8; at++) await session.append({ role: "user", content: `${at} ${long}` });
  const written = await memory.files.writeSession("long");
  assert.deepEqual(paths(written), ["contexts/agent/long.jsonl", "contexts/agent/long.002.jsonl"]);
  const lines = written.flatMap(({ text }) => linesOf(text));
  assert.deepEqual(
    lines.map(({ content }) => Number.parseInt(content, 10)),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
});

test("C13 C15 histories are files of the library, each under a number that it keeps", async () => {
  const memory = await memoryOf();
  const compressed = async (id) => {
    const session = memory.session(id, { contextTokens: 400 });
    await session.append(talk(30, 6));
    await session.compress();
    await session.idle();
    return session;
  };
  const first = await compressed("s-1");
  const [history] = await first.histories();
  assert.ok(history);
  const library = async () => paths(await memory.files.list("knowledge/library"));
  await memory.files.writeSession("s-1");
  const count = (await first.histories()).length;
  const names = (from, to) =>
    Array.from(
      { length: to - from + 1 },
      (_, at) => `knowledge/library/history-${String(from + at).padStart(3, "0")}.md`,
    );
  assert.deepEqual(await library(), names(1, count));
  const { text } = await memory.files.read("knowledge/library/history-001.md");
  assert.ok(text.includes(history.text.trim()) && text.includes("s-1"), text);
  const second = await compressed("s-2");
  await memory.files.writeSession("s-2");
  const both = count + (await second.histories()).length;
  assert.deepEqual(await library(), names(1, both), "another conversation's come after them");
  await memory.files.writeSession("s-1");
  assert.deepEqual(await library(), names(1, both));
  assert.equal((await memory.files.read("knowledge/library/history-001.md")).text, text);
});

test("C17 documents dropped into sources/ are found, changed and forgotten with their files", async () => {
  const root = await mkdtemp(join(tmpdir(), "keepsake-sources-"));
  try {
    const embedded = [];
    const memory = await openMemory({
      user: "u-1",
      storage: "memory",
      embedder: async (texts) => {
        embedded.push(...texts);
        return texts.map((text) => [text.length, 1]);
      },
    });
    await mkdir(join(root, "sources", "tiếng việt"), { recursive: true });
    await mkdir(join(root, ".airsspec", "sources"), { recursive: true });
    await writeFile(
      join(root, "sources", "handbook.md"),
      "# Handbook\n\n## Leave\n\nAsk Marguerite for a free day.\n",
    );
    await writeFile(
      join(root, "sources", "tiếng việt", "kho.md"),
      "# Kho\n\nChìa khóa kho ở chỗ bác Hùng.\n",
    );
    await writeFile(
      join(root, ".airsspec", "sources", "adr.md"),
      "# ADR 7\n\nAuthentication uses opaque tokens.\n",
    );
    await writeFile(join(root, "notes.md"), "# Notes\n\nMarguerite is not here.\n");
    const folder = nodeFolder(root);
    const plain = await memory.files.sync(folder);
    assert.equal(plain.ingested, undefined);
    const asked = async (query) =>
      (await memory.queryMemory(query, { limit: 3 })).flatMap(({ source }) => source ?? []);
    assert.deepEqual(await asked("who gives a free day"), [], "only on request");

    const { ingested } = await memory.files.sync(folder, { sources: true });
    assert.deepEqual(ingested, {
      added: [".airsspec/sources/adr.md", "sources/handbook.md", "sources/tiếng việt/kho.md"],
      removed: [],
    });
    assert.ok(
      embedded.some((text) => text.includes("Marguerite")),
      "the embedder has seen them",
    );
    assert.equal((await asked("who gives a free day"))[0], "sources/handbook.md");
    assert.equal((await asked("chia khoa kho"))[0], "sources/tiếng việt/kho.md");
    assert.equal((await asked("authentication decision tokens"))[0], ".airsspec/sources/adr.md");
    const before = await memory.count();
    assert.deepEqual((await memory.files.sync(folder, { sources: true })).ingested, {
      added: [],
      removed: [],
    });
    assert.equal(await memory.count(), before);

    await writeFile(
      join(root, "sources", "handbook.md"),
      "# Handbook\n\n## Leave\n\nAsk Ottokar for a free day.\n",
    );
    await unlink(join(root, ".airsspec", "sources", "adr.md"));
    const changed = await memory.files.sync(folder, { sources: true });
    assert.deepEqual(changed.ingested, {
      added: ["sources/handbook.md"],
      removed: [".airsspec/sources/adr.md"],
    });
    const [{ text }] = await memory.queryMemory("who gives a free day");
    assert.match(text, /Ottokar/);
    assert.ok(!(await asked("authentication decision tokens")).includes(".airsspec/sources/adr.md"));

    // The same without a folder; what an app has taken in itself is none of it.
    await memory.ingest("The attic is locked.", { source: "sources/by-hand" });
    await memory.files.delete("sources/handbook.md");
    await memory.files.write("sources/new.md", "# New\n\nThe cellar floods in spring.\n");
    assert.deepEqual(await memory.files.ingestSources(), {
      added: ["sources/new.md"],
      removed: ["sources/handbook.md"],
    });
    assert.equal((await asked("cellar in spring"))[0], "sources/new.md");
    assert.equal((await asked("is the attic locked"))[0], "sources/by-hand");
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test("C28 the guidance for an agent is there for its system prompt", async () => {
  const memory = await memoryOf();
  const text = await memory.guidance();
  assert.ok(text.length > 200 && text.length < 1500, `${text.length}`);
  for (const said of [/short|brief/i, /link|path|reference/i, /`memory_search`/, /summar/i])
    assert.match(text, said);
});
