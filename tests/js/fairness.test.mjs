// Finding 6: programs and handles that write to one storage at once take turns, and none of their writes is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { jsonl, MemoryStorage, openMemory } from "keepsake";
import { newPath, program } from "./support/jsonl.mjs";

/** Everything that the programs said was added is in the file, and nothing was refused. */
async function allThere(path, programs) {
  const said = programs.flatMap(({ said }) => said);
  assert.deepEqual(
    said.filter((line) => !line.startsWith("added ")),
    [],
  );
  const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
  const there = new Set((await memory.list()).map(({ id }) => id));
  for (const line of said) assert.ok(there.has(line.slice("added ".length)), `${line}, and it is gone`);
  // Of a program that was killed, one write for each call under way may be there that it could not tell of.
  assert.ok(there.size - said.length <= 8, `${there.size} entries, ${said.length} acknowledged`);
  assert.equal((await memory.log.verify()).ok, true);
  await memory.close();
}

test("beside a program that adds eight at a time, the single writes of another are not refused", async (t) => {
  const path = await newPath();
  const busy = program(path, "take", "busy", 8);
  t.after(() => busy.child.kill("SIGKILL"));
  await busy.saidSoMany(50);
  const single = program(path, "take", "single", 1, 40, 5);
  assert.equal(await single.ended, 0);
  busy.child.kill("SIGKILL");
  await busy.ended;
  await allThere(path, [busy, single]);
});

test("four busy programs on one file: no write is refused", async () => {
  const path = await newPath();
  const programs = [0, 1, 2, 3].map((n) => program(path, "take", `program-${n}`, 1, 60));
  for (const { ended } of programs) assert.equal(await ended, 0);
  await allThere(path, programs);
});

/** A handle to a storage whose reads take so many milliseconds: whoever writes on it is always slower than others. */
function slow(storage, ms, more = {}) {
  const inner = storage.connect();
  return {
    ...inner,
    get: async (...args) => {
      await wait(ms);
      return inner.get(...args);
    },
    scan: async (...args) => {
      await wait(ms);
      return inner.scan(...args);
    },
    ...more,
  };
}

/** A handle that adds entries without a pause, eight at a time, until it is stopped. Answers how many there are then. */
function busy(memory) {
  let [count, stopped] = [0, false];
  const lane = async () => {
    while (!stopped) {
      await memory.add(`busy ${count++}`, { namespace: "long-term" });
      // Timers of others have to get their turn as well.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const running = Promise.all(Array.from({ length: 8 }, lane));
  return async () => {
    stopped = true;
    await running;
    return count;
  };
}

const open = (storage) => openMemory({ user: "u-1", storage });

test("on a storage without turns of its own, a slow writer is not beaten for ever", async (t) => {
  const storage = new MemoryStorage();
  const [fast, late] = [await open(storage.connect()), await open(slow(storage, 5))];
  await late.search("anything");
  const stop = busy(fast);
  t.after(stop);
  for (let n = 0; n < 5; n += 1) await late.add(`late ${n}`, { id: `late-${n}`, namespace: "long-term" });
  const others = await stop();
  const ids = (await fast.list()).map(({ id }) => id);
  assert.equal(ids.filter((id) => id.startsWith("late-")).length, 5);
  assert.equal(ids.length, others + 5);
  assert.deepEqual((await late.list()).map(({ id }) => id).sort(), ids.sort());
  await late.close();
  await fast.close();
});

test("B9 a read of several scopes is one view, and is not refused beside a busy writer", async (t) => {
  const storage = new MemoryStorage();
  const [fast, late] = [await open(storage.connect()), await open(slow(storage, 2))];
  const stop = busy(fast);
  t.after(stop);
  const scopes = ["dialog", "profile", "semantic"];
  for (let n = 0; n < 3; n += 1) {
    const items = await late.read({ scopes, sessionId: "s", agentId: "a", query: "busy" });
    assert.deepEqual(
      items.map(({ scope }) => scope),
      scopes,
    );
  }
  await stop();
  await late.close();
  await fast.close();
});

test("nobody waits for long behind a writer that died in its turn", async (t) => {
  const storage = new MemoryStorage();
  const [one, two] = [await open(storage.connect()), await open(slow(storage, 5))];
  await one.add("first");
  const bytes = storage.connect();
  const [[guard]] = (await bytes.scan("meta", { start: new Uint8Array() }, 1)).items;
  const key = new Uint8Array([...guard, ...new TextEncoder().encode("turns")]);
  const next = new TextEncoder().encode("q dead.0 gone.0");
  assert.ok(await bytes.commit({ guard: key, next, ops: [], durability: "relaxed" }));
  const stop = busy(one);
  t.after(stop);
  await two.add("second");
  await stop();
  await two.close();
  await one.close();
  const [left] = await bytes.get("meta", [key]);
  assert.equal(new TextDecoder().decode(left), "q", "nobody is in the queue any more");
});

test("an adapter's own turns are taken after a conflict, and each of them is ended", async () => {
  const storage = new MemoryStorage();
  const seen = { begun: 0, ended: 0, guards: new Set() };
  const turn = async (guard) => {
    seen.begun += 1;
    seen.guards.add(`${guard}`);
    return () => {
      seen.ended += 1;
    };
  };
  const [one, two] = [await open(storage.connect()), await open({ ...storage.connect(), turn })];
  await two.add("two");
  assert.equal(seen.begun, 0, "a writer without conflicts takes no turn");
  await one.add("taken", { id: "taken", namespace: "long-term" });
  await two.add("two again");
  assert.deepEqual([seen.begun, seen.ended, seen.guards.size], [1, 1, 1]);
  // A conflict after which nothing is committed ends the turn as well.
  await one.add("also taken", { id: "also", namespace: "long-term" });
  await assert.rejects(two.add("no", { id: "also", namespace: "long-term" }), { code: "already-exists" });
  assert.equal(seen.ended, seen.begun);
  await one.close();
  await two.close();
});

test("an adapter whose turns fail is written to all the same", async () => {
  const storage = new MemoryStorage();
  const turn = () => Promise.reject(new Error("no locks today"));
  const [one, two] = [await open(storage.connect()), await open({ ...storage.connect(), turn })];
  for (let n = 0; n < 20; n += 1) await Promise.all([one.add(`one ${n}`), two.add(`two ${n}`)]);
  assert.equal(await two.count(), 40);
  await one.close();
  await two.close();
});
