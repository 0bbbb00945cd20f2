// The storage in a file, when programs end at the worst moments and write at the same time.

import assert from "node:assert/strict";
import { watch } from "node:fs";
import { cp, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { jsonl, openMemory } from "keepsake";
import { LogFile } from "../../target/web-testing/inner-node.js";
import { dice, never, withGate } from "./support/disk.mjs";
import {
  base,
  batch,
  beside,
  commit,
  contents,
  found,
  newFolder,
  newPath,
  program,
  put,
} from "./support/jsonl.mjs";

const KILLS = 50;
/** So that a file stays small, and is written anew all the time. */
const KILLS_A_FILE = 10;

test(`F20 killed with SIGKILL ${KILLS} times in the middle of writes and compaction: every acknowledged write is there`, async (t) => {
  const seen = { acknowledged: 0, livesWithCompaction: 0, killedWhileCompacting: 0 };
  for (let file = 0; file < KILLS / KILLS_A_FILE; file += 1) {
    const path = await newPath();
    const added = [];
    let step = -1;
    for (let kill = 0; kill < KILLS_A_FILE; kill += 1) {
      const before = { left: await beside(path), ...(await stat(path).catch(() => ({}))) };
      const writer = program(path, "forever", added.length);
      await writer.saidSoMany(1 + Math.floor(Math.random() * 60));
      if (kill % 2 === 0) await Promise.race([newNameIn(join(path, "..")), writer.ended]);
      await wait(Math.random() * 5);
      writer.child.kill("SIGKILL");
      assert.equal(await writer.ended, "SIGKILL");
      for (const [what, n] of writer.said.map((line) => line.split(" "))) {
        if (what === "added") added.push(Number(n));
        else step = Number(n);
      }
      seen.acknowledged += writer.said.length;
      if ((await stat(path)).ino !== before.ino) seen.livesWithCompaction += 1;
      if ((await beside(path)).length > before.left.length) seen.killedWhileCompacting += 1;

      const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
      const listed = new Set((await memory.list({ limit: 1000 })).map(({ summary }) => summary));
      for (const n of added) assert.ok(listed.has(`entry ${n}`), `entry ${n} after kill ${kill}`);
      if (added.length > 0) {
        const id = `e-${added.length - 1}`;
        assert.equal((await memory.get(id))?.content, `entry ${added.length - 1}`);
      }
      assert.ok(((await memory.profile.getProfile()).step ?? -1) >= step, `step ${step} after kill ${kill}`);
      assert.equal((await memory.log.verify()).ok, true);
      await memory.close();
      // What was written and not acknowledged any more may be there as well: it is not to be added twice.
      while (listed.has(`entry ${added.length}`)) added.push(added.length);
    }
  }
  t.diagnostic(JSON.stringify(seen));
  assert.ok(seen.killedWhileCompacting > 0);
});

/** Settles when somebody makes a file in the folder, which is how a compaction begins. */
function newNameIn(folder) {
  return new Promise((resolve) => {
    const watcher = watch(folder, (event) => {
      if (event !== "rename") return;
      watcher.close();
      resolve();
    });
  });
}

/** Executes a call, without waiting for the disk: what ends here is programs, and not the power. */
async function onDisk(name, execute) {
  return name === "file.datasync" || name === "file.sync" ? undefined : execute();
}

/** Commits that make a file be written anew all the time. The answer: what was acknowledged, as it goes on. */
function busy(path, acknowledged) {
  return (async () => {
    const file = new LogFile(path, 0);
    for (let n = 0; n < 8; n += 1) {
      await commit(file, `k-${n}`, { compactAbove: 600, durability: n % 4 === 3 ? "strict" : "relaxed" });
      acknowledged[`k-${n}`] = `k-${n}`;
      await commit(file, "often", { value: `${n}`.padEnd(300, "."), compactAbove: 600 });
      acknowledged.often = `${n}`.padEnd(300, ".");
    }
    await file.close();
  })();
}

test("F20 F40 stopped before each call to the file system, or within a write: what was acknowledged is there, and it goes on", async () => {
  const seen = new Set();
  let places = 0;
  for (const half of [false, true]) {
    for (let at = 0, reached = true; reached; at += 1) {
      const path = await newPath();
      const acknowledged = {};
      let calls = 0;
      let stop = () => {};
      const stopped = new Promise((resolve) => {
        stop = resolve;
      });
      const gate = async (name, [bytes], execute) => {
        calls += 1;
        if (calls <= at) return onDisk(name, execute);
        if (calls === at + 1) {
          seen.add(name);
          // What a program leaves that is killed while it writes.
          if (half && name === "file.write") await execute(bytes, 0, bytes.length >> 1, null);
          stop();
        }
        return never();
      };
      reached = await withGate(gate, () =>
        Promise.race([busy(path, acknowledged).then(() => false), stopped.then(() => true)]),
      );
      // Another machine, so to speak: nothing of the stopped program is there any more.
      const copy = await newFolder();
      await cp(join(path, ".."), copy, { recursive: true });
      const copied = join(copy, "memory.jsonl");
      const after = await found(copied);
      for (const [key, value] of Object.entries(acknowledged)) {
        // The last write may have come through without having been acknowledged.
        const next = `${Number.parseInt(value, 10) + 1}`.padEnd(300, ".");
        const fine = after[key] === value || (key === "often" && after[key] === next);
        assert.ok(fine, `${key} is ${after[key]} when stopped at call ${at}`);
      }
      const file = new LogFile(copied, 0);
      await commit(file, "goes on", { compactAbove: 600 });
      await file.close();
      assert.deepEqual(await found(copied), { ...after, "goes on": "goes on" });
      places += 1;
    }
  }
  assert.ok(places > 150, `${places} places`);
  for (const call of ["open", "rename", "file.write", "file.datasync"]) assert.ok(seen.has(call), call);
});

/** Three at first; whenever one is killed, the next one begins. */
const NAMES = ["p1", "p2", "p3", "p4", "p5", "p6", "p7"];

/**
 * Several programs on one file, in one: whose call to the file system comes next is up to chance, and so is who is
 * killed. What each of them saw is held against what is there in the end.
 */
async function jumble(seed) {
  const folder = await newFolder();
  const chance = dice(seed);
  const waiting = [];
  const programs = new Map();
  // A program is known by how it spells the path.
  const pathOf = (name) => `${folder}/${name}/../memory.jsonl`;
  const gate = (name, [bytes], execute, path) =>
    new Promise((resolve, reject) => {
      const who = programs.get(path.slice(folder.length + 1).split("/")[0]);
      const go = async () => onDisk(name, execute).then(resolve, reject);
      // How far a write gets whose program is killed within it.
      const cutOff = async () => {
        if (name === "file.write") await execute(bytes, 0, 1 + chance(bytes.length), null);
      };
      waiting.push({ who, name, go, cutOff });
    });
  const calls = {};
  const known = { there: new Set(), not: new Set(), perhaps: new Set() };
  let [running, failed] = [0, undefined];

  const begin = (name) => {
    running += 1;
    const me = { dead: false, trying: undefined };
    programs.set(name, me);
    const work = async () => {
      const file = new LogFile(pathOf(name), [0, 10, 40][chance(3)]);
      for (let n = 0; n < 8; n += 1) {
        me.trying = `${name}/${n}`;
        const ops = [put(me.trying), put("often", me.trying.padEnd(200, "."))];
        const done = await file.commit(batch(await base(file), ops), 400);
        (done ? known.there : known.not).add(me.trying);
        me.trying = undefined;
        if (!done) continue;
        const sure = [...known.there];
        const seen = await contents(file);
        for (const key of sure) if (!(key in seen)) throw new Error(`${name} does not see ${key}`);
      }
      await file.close();
    };
    const fail = (error) => {
      failed ??= error;
    };
    work()
      .catch(fail)
      .finally(() => {
        running -= 1;
      });
    return me;
  };

  await Promise.all(NAMES.map((name) => mkdir(join(folder, name))));
  await withGate(gate, async () => {
    const alive = NAMES.slice(0, 3).map(begin);
    while (running > 0 && !failed) {
      if (waiting.length === 0) {
        await new Promise(setImmediate);
        continue;
      }
      const victim = chance(60) === 0 ? alive[chance(alive.length)] : undefined;
      if (
        victim &&
        !victim.dead &&
        alive.length < NAMES.length &&
        waiting.some(({ who }) => who === victim)
      ) {
        victim.dead = true;
        running -= 1;
        if (chance(2) === 0) await waiting.find(({ who }) => who === victim).cutOff();
        if (victim.trying) known.perhaps.add(victim.trying);
        alive.push(begin(NAMES[alive.length]));
      }
      const [next] = waiting.splice(chance(waiting.length), 1);
      if (next.who?.dead) continue;
      calls[next.name] = (calls[next.name] ?? 0) + 1;
      await next.go();
    }
  });
  if (failed) throw failed;
  const after = await found(join(folder, "memory.jsonl"));
  delete after.often;
  const keys = Object.keys(after);
  for (const key of known.there) assert.ok(keys.includes(key), `${key} was acknowledged`);
  for (const key of known.not) assert.ok(!keys.includes(key), `${key} was refused`);
  for (const key of keys) assert.ok(known.there.has(key) || known.perhaps.has(key), `${key} is nobody's`);
  return calls;
}

const ORDERS = 150;

test(`F17 F19 three programs that write, compact and are killed, in ${ORDERS} orders of their calls: nothing is lost, nothing is written that was refused`, async (t) => {
  const calls = {};
  for (let seed = 1; seed <= ORDERS; seed += 1) {
    try {
      for (const [name, times] of Object.entries(await jumble(seed)))
        calls[name] = (calls[name] ?? 0) + times;
    } catch (cause) {
      throw new Error(`with the seed ${seed}: ${cause.message}`, { cause });
    }
  }
  t.diagnostic(JSON.stringify(calls));
  assert.ok(
    calls.rename > ORDERS && calls.unlink > ORDERS,
    "files are replaced, and kept from being replaced",
  );
});
