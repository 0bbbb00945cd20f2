// Loss is noticed: `memory.verify` names what is gone or changed places, and `repair` leaves a memory that can be used.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryError, openMemory } from "keepsake";

/** A storage whose rows can be reached behind the memory's back. */
function rows() {
  const spaces = { meta: new Map(), records: new Map(), bodies: new Map(), log: new Map(), index: new Map() };
  const hex = (bytes) => Buffer.from(bytes).toString("hex");
  const bytes = (text) => Uint8Array.from(Buffer.from(text, "hex"));
  const within = (space, { start, end }) => {
    const last = end && hex(end);
    return [...spaces[space].keys()].filter((key) => key >= hex(start) && (!last || key < last)).sort();
  };
  const adapter = {
    get: async (space, keys) => keys.map((key) => spaces[space].get(hex(key))),
    scan: async (space, range, limit) => {
      const keys = within(space, range);
      const items = keys.slice(0, limit).map((key) => [bytes(key), spaces[space].get(key)]);
      return { items, next: keys.length > limit ? bytes(keys[limit]) : undefined };
    },
    commit: async ({ guard, expected, next, ops }) => {
      if (String(spaces.meta.get(hex(guard))) !== String(expected)) return false;
      for (const op of ops) {
        if (op.type === "put") spaces[op.space].set(hex(op.key), op.value);
        else if (op.type === "delete") spaces[op.space].delete(hex(op.key));
        else for (const key of within(op.space, op.range)) spaces[op.space].delete(key);
      }
      spaces.meta.set(hex(guard), next);
      return true;
    },
    close: async () => {},
  };
  /** The keys of records in which a name stands. */
  const keysWith = (space, name) =>
    [...spaces[space].keys()].filter((key) => key.includes(hex(Buffer.from(name))));
  return { adapter, spaces, keysWith };
}

async function lived() {
  const storage = rows();
  const memory = await openMemory({ user: "hoa", storage: storage.adapter });
  await memory.add("Hoa trinkt gern grünen Tee", { id: "tee" });
  await memory.add("花さんは京都に住んでいます", { id: "kyoto" });
  await memory.session("chat").append([
    { id: "hallo", role: "user", content: "Wo wohne ich?" },
    { role: "assistant", content: "In Kyoto." },
  ]);
  await memory.files.write("MEMORY.md", "# Hoa\n");
  await memory.profile.update({ language: "de" });
  return { storage, memory };
}

test("F9 a lost entry is named, and after a repair everything else is there", async () => {
  const { storage, memory } = await lived();
  assert.deepEqual((await memory.verify()).problems, []);
  for (const key of storage.keysWith("records", "tee")) storage.spaces.records.delete(key);
  const found = await memory.verify();
  assert.deepEqual(
    [found.ok, found.problems.map(({ kind, name, damage }) => [kind, name, damage])],
    [false, [["entry", "tee", "missing"]]],
  );
  const repaired = await memory.verify({ repair: true });
  assert.deepEqual([repaired.ok, repaired.problems.map((it) => it.repaired)], [true, [true]]);
  const again = await openMemory({ user: "hoa", storage: storage.adapter });
  assert.deepEqual((await again.verify()).problems, []);
  assert.equal(await again.get("tee"), null);
  assert.equal((await again.search("京都"))[0]?.id, "kyoto");
  assert.equal((await again.session("chat").messages()).messages.length, 2);
  assert.deepEqual(
    (await again.search("grünen Tee")).filter(({ id }) => id === "tee"),
    [],
  );
});

test("F9 a session that lost its record keeps its messages, and an id leads to its message again", async () => {
  const { storage, memory } = await lived();
  await memory.close();
  const session = storage.keysWith("records", "chat");
  // The record of the session itself has the shortest key of all that is the session's.
  const shortest = Math.min(...session.map((key) => key.length));
  const lost = session.filter(
    (key) => key.length === shortest || key.includes(Buffer.from("hallo").toString("hex")),
  );
  for (const key of lost) storage.spaces.records.delete(key);
  const again = await openMemory({ user: "hoa", storage: storage.adapter });
  const { ok, problems } = await again.verify({ repair: true });
  assert.equal(ok, true);
  assert.ok(problems.some(({ kind, session }) => kind === "session" && session === "chat"));
  assert.equal((await again.session("chat").messages()).messages.length, 2);
  assert.equal((await again.session("chat").message("hallo"))?.content[0]?.text, "Wo wohne ich?");
  await again.session("chat").append({ role: "user", content: "Danke" });
  assert.equal((await again.session("chat").messages()).messages.length, 3);
  assert.deepEqual((await again.verify()).problems, []);
});

test("F40 two values that have changed places are refused when they are read", async () => {
  const { storage, memory } = await lived();
  const [tee] = storage.keysWith("records", "tee");
  const [kyoto] = storage.keysWith("records", "kyoto");
  const [one, two] = [storage.spaces.records.get(tee), storage.spaces.records.get(kyoto)];
  storage.spaces.records.set(tee, two).set(kyoto, one);
  const refused = await memory.get("tee").catch((error) => error);
  assert.ok(refused instanceof MemoryError);
  assert.equal(refused.code, "corrupt");
  assert.equal((await memory.verify()).problems.filter(({ kind }) => kind === "entry").length, 2);
});

test("a check can be watched and stopped, and wrong options are refused by name", async () => {
  const { memory } = await lived();
  for (let at = 0; at < 300; at += 1) await memory.add(`Notiz ${at}`);
  const seen = [];
  const { checked } = await memory.verify({ onProgress: ({ done }) => seen.push(done) });
  assert.ok(checked > 300 && seen.length > 0);
  await assert.rejects(memory.verify({ signal: AbortSignal.abort() }), { name: "AbortError" });
  await assert.rejects(memory.verify({ repairs: true }), { code: "invalid-input", field: "repairs" });
  await assert.rejects(memory.verify({ repair: "yes" }), { code: "invalid-input", field: "repair" });
});
