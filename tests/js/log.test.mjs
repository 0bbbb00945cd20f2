// The frozen log: it verifies, it is exported as JSONL, and damage to an export is found.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage, openMemory } from "keepsake";
import { memoryOf, talk, toolPair } from "./support/talk.mjs";

test("C23 C26 an export has a header and the documented lines, each message with its link", async () => {
  const memory = await memoryOf();
  const chat = memory.session("s");
  await chat.append([...talk(2), ...toolPair("c-1")]);
  await memory.session("other").append(talk(3));
  const jsonl = await memory.log.export("s");
  assert.ok(jsonl.endsWith("\n"));
  const [header, ...lines] = jsonl
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { type, version, session, links, first, last } = header;
  assert.deepEqual(
    { type, version, session, links, first: first.seq, last: last.seq },
    { type: "keepsake-log", version: 1, session: "s", links: 4, first: 1, last: 4 },
  );
  assert.deepEqual(
    lines.map(({ type }) => type),
    ["user", "assistant", "action", "observation"],
  );
  assert.deepEqual([lines[2].tool, lines[2].params], ["get_weather", { city: "Beijing" }]);
  assert.equal(lines[3].result, "Sunny");
  assert.ok(lines.every(({ link, ts }) => link && ts));
  assert.deepEqual(await memory.log.check(jsonl), { ok: true, links: 4 });
  assert.deepEqual(await memory.log.check(jsonl.replaceAll("\n", "\r\n")), { ok: true, links: 4 });
  const nobody = await memory.log.export("nobody");
  assert.equal(JSON.parse(nobody).links, 0);
  assert.deepEqual(await memory.log.check(nobody), { ok: true, links: 0 });
});

test("C25 one changed byte of an export names its line and its link", async () => {
  const memory = await memoryOf();
  await memory.session("s").append(talk(4));
  const jsonl = await memory.log.export("s");
  const third = jsonl.indexOf("message 2");
  const changed = `${jsonl.slice(0, third)}massage 2${jsonl.slice(third + 9)}`;
  const verdict = await memory.log.check(changed);
  assert.deepEqual([verdict.ok, verdict.damage, verdict.line], [false, "changed", 4]);
  assert.equal(verdict.seq, JSON.parse(jsonl.split("\n")[3]).link.seq);
  assert.ok(verdict.problem.length > 0);
  const lines = jsonl.trim().split("\n");
  assert.equal((await memory.log.check([lines[0], "", lines[1]].join("\n"))).ok, false);
});

test("C25 lines that are removed, swapped, doubled or cut off are found, each by its name", async () => {
  const memory = await memoryOf();
  await memory.session("s").append(talk(5));
  const lines = (await memory.log.export("s")).trim().split("\n");
  const check = async (some) => {
    const { ok, damage, line } = await memory.log.check(`${some.join("\n")}\n`);
    return [ok, damage, line];
  };
  const [header, one, two, three, four, five] = lines;
  assert.deepEqual(await check([header, one, two, four, five]), [false, "missing", 4]);
  assert.deepEqual(await check([header, two, one, three, four, five]), [false, "swapped", 2]);
  assert.deepEqual(await check([header, one, two, two, three, four, five]), [false, "doubled", 4]);
  assert.deepEqual(await check([header, one, two, three]), [false, "cut-off", 5]);
  assert.deepEqual(await check([header]), [false, "cut-off", 2]);
  // Older exports have no header.
  assert.deepEqual(await check([one, two, three, four, five]), [false, "end-unknown", undefined]);
  assert.deepEqual(await check([one, two, three]), [false, "end-unknown", undefined]);
  assert.deepEqual(await check([one, three, four]), [false, "missing", 2]);
  assert.equal((await memory.log.check("")).damage, "end-unknown");
});

test("a text that is no export is refused by name, not by a TypeError", async () => {
  const memory = await memoryOf();
  for (const jsonl of [null, undefined, 5, ["{}"], {}]) {
    await assert.rejects(memory.log.check(jsonl), { code: "invalid-input", field: "jsonl" });
  }
  const header = JSON.parse(await memory.log.export("s"));
  const newer = JSON.stringify({ ...header, version: 7 });
  for (const jsonl of ["nonsense\n", "{}", "[1]", '{"kind":"keepsake","version":2}', newer]) {
    await assert.rejects(memory.log.check(jsonl), { code: "invalid-input", field: "lines" }, jsonl);
  }
});

test("C6 the messages of an export come back as they were, without their links", async () => {
  const memory = await memoryOf();
  const chat = memory.session("s");
  await chat.append([...talk(2), ...toolPair("c-1")]);
  await chat.append({ role: "user", content: [{ type: "text", text: "see", link: "https://example.org" }] });
  const { messages } = await chat.messages();
  const jsonl = await memory.log.export("s");
  assert.deepEqual(await memory.fromLines(jsonl), messages);
  const lines = jsonl
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(await memory.fromLines(lines), messages);
  await assert.rejects(memory.fromLines("no line"), { code: "invalid-input", field: "lines[0]" });
});

test("an export of somebody else's log is not in this one", async () => {
  const one = await memoryOf();
  const two = await memoryOf();
  for (const memory of [one, two]) await memory.session("s").append(talk(2));
  assert.equal((await two.log.check(await one.log.export("s"))).ok, false);
});

test("one byte flipped in the storage is found, and the link is named", async () => {
  const storage = new MemoryStorage();
  const memory = await openMemory({ user: "u-1", storage: storage.connect() });
  await memory.session("s").append(talk(3));
  const { ok, links } = await memory.log.verify();
  assert.deepEqual([ok, links >= 3], [true, true]);
  // The storage of an adversary: one byte of the second message's text is another one.
  const inner = storage.connect();
  const spoiled = {
    ...Object.fromEntries(
      ["scan", "commit", "close"].map((name) => [name, (...args) => inner[name](...args)]),
    ),
    get: async (space, keys) => {
      const values = await inner.get(space, keys);
      return values.map((value) => {
        const at = value ? Buffer.from(value).indexOf("message 1") : -1;
        if (at < 0) return value;
        const copy = Uint8Array.from(value);
        copy[at] ^= 1;
        return copy;
      });
    },
  };
  const other = await openMemory({ user: "u-1", storage: spoiled });
  const verdict = await other.log.verify();
  assert.deepEqual([verdict.ok, verdict.seq], [false, 2]);
  assert.ok(verdict.problem.length > 0);
});

test("X1 an erased session leaves the log whole, and no byte of what was said", async () => {
  const storage = new MemoryStorage();
  const memory = await openMemory({ user: "u-1", storage: storage.connect() });
  const chat = memory.session("secret", { contextTokens: 1500 });
  await chat.append(talk(30, 20).map((message) => ({ ...message, content: `${message.content} xylophone` })));
  await chat.idle();
  await chat.saveComponents({ Agent: { word: "xylophone" } });
  await memory.session("kept").append(talk(2));
  assert.ok(await holds(storage, "xylophone"));
  const before = await memory.log.verify();
  const exported = await memory.log.export("secret");
  await chat.delete();
  const after = await memory.log.verify();
  assert.deepEqual([before.ok, after.ok], [true, true]);
  assert.ok(after.links > before.links, "an erase is a link too");
  assert.ok(!(await holds(storage, "xylophone")));
  const erased = await memory.log.export("secret");
  assert.equal(JSON.parse(erased).links, 0, "a header, and no message");
  assert.equal((await memory.log.check(erased)).ok, true);
  assert.equal((await memory.log.check(exported)).ok, true, "an export from before has its links");
  assert.deepEqual(await memory.queryMemory("xylophone"), []);
  assert.equal((await memory.session("kept").messages()).total, 2);
});

/** Whether any value of the storage holds the word. */
async function holds(storage, word) {
  const inner = storage.connect();
  for (const space of ["meta", "records", "bodies", "log", "index"]) {
    const { items } = await inner.scan(space, { start: new Uint8Array() }, 1_000_000);
    if (items.some(([, value]) => Buffer.from(value).includes(word))) return true;
  }
  return false;
}
