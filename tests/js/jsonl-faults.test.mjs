// The storage in a file, when the file system fails it. What cannot be had here for certain, such as a full disk at a
// chosen moment, is said by a gate before the calls to the file system.

import assert from "node:assert/strict";
import { mkdir, readdir, readFile, readlink, rename, rm, stat, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { jsonl, MemoryError, openMemory } from "keepsake";
import { LogFile } from "../../target/web-testing/inner-node.js";
import { failure, withGate } from "./support/disk.mjs";
import { beside, commit, contents, found, newPath } from "./support/jsonl.mjs";

/** A gate at which calls fail that `fails` says so of: it answers a code, or nothing. */
function failing(fails) {
  return async (name, args, execute, path) => {
    const code = fails(name, args, path);
    if (code) throw failure(code);
    return execute();
  };
}

const codes = {
  ENOSPC: "quota-exceeded",
  EDQUOT: "quota-exceeded",
  EFBIG: "quota-exceeded",
  EIO: "storage-failed",
  EMFILE: "storage-failed",
};

for (const [code, wanted] of Object.entries(codes)) {
  test(`F5 a write that fails with ${code} is ${wanted}, nothing is half written, and the next one works`, async () => {
    const path = await newPath();
    let broken = false;
    const gate = failing((name) => (broken && name === "file.write" ? code : undefined));
    await withGate(gate, async () => {
      const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
      await memory.add("before");
      const before = await readFile(path);
      broken = true;
      await assert.rejects(memory.add("during"), (error) => {
        assert.ok(error instanceof MemoryError);
        assert.equal(error.code, wanted);
        return true;
      });
      assert.deepEqual(await readFile(path), before);
      assert.equal(await memory.count(), 1, "F7 reading works");
      broken = false;
      await memory.add("after");
      assert.deepEqual(
        (await memory.list()).map(({ summary }) => summary),
        ["after", "before"],
      );
      await memory.close();
    });
  });
}

for (const code of ["EACCES", "EPERM", "EROFS"]) {
  test(`a file that can only be read (${code}) is read, and unavailable for writing`, async () => {
    const path = await newPath();
    const open = () => openMemory({ user: "u-1", storage: jsonl(path) });
    const before = await open();
    await before.add("can be read");
    await before.close();
    let readOnly = true;
    // 3: to read or write.
    const gate = failing((name, [, flags]) => (readOnly && name === "open" && flags & 3 ? code : undefined));
    await withGate(gate, async () => {
      const memory = await open();
      assert.equal((await memory.search("read")).length, 1);
      await assert.rejects(memory.add("cannot be written"), { code: "unavailable" });
      assert.equal(await memory.count(), 1);
      readOnly = false;
      await memory.add("can be written now");
      assert.equal(await memory.count(), 2);
      await memory.close();
    });
  });

  test(`a file that may not be used at all (${code}) is unavailable`, async () => {
    const path = await newPath();
    await writeFile(path, "");
    await withGate(
      failing((name) => (name === "open" ? code : undefined)),
      () => assert.rejects(openMemory({ user: "u-1", storage: jsonl(path) }), { code: "unavailable" }),
    );
  });
}

test("F21 flush hands the file and its name to the disk; a write alone does not wait for that", async () => {
  const path = await newPath();
  const synced = [];
  const gate = async (name, _args, execute, place) => {
    if (name === "file.datasync" || name === "file.sync")
      synced.push(`${name} ${place === path ? "file" : "folder"}`);
    return execute();
  };
  await withGate(gate, async () => {
    const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
    await memory.add("x");
    assert.deepEqual(synced, []);
    await memory.flush();
    assert.deepEqual(synced, ["file.datasync file", "file.sync folder"]);
    await memory.flush();
    assert.deepEqual(synced.slice(2), ["file.datasync file"], "its name is on the disk already");
    await memory.close();
  });
});

test("F21 a disk that does not confirm is an error of flush, though the write can be seen", async () => {
  const path = await newPath();
  let broken = true;
  const gate = failing((name) => (broken && name === "file.datasync" ? "EIO" : undefined));
  await withGate(gate, async () => {
    const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
    await memory.add("x");
    await assert.rejects(memory.flush(), (error) => {
      assert.equal(error.code, "unavailable");
      assert.match(error.message, /the disk did not confirm it/);
      return true;
    });
    broken = false;
    await memory.flush();
    assert.equal(await memory.count(), 1);
    await memory.close();
  });
});

/** What a compaction does with the file system, once it has begun. */
const STEPS = {
  "making the new file": (name, path) => name === "open" && path.endsWith(".tmp"),
  "writing the new file": (name, path) => name === "file.write" && path.endsWith(".tmp"),
  "handing it to the disk": (name, path) => name === "file.datasync" && path.endsWith(".tmp"),
  "giving it its rights": (name) => name === "file.chmod",
  "putting it in its place": (name) => name === "rename",
  "deleting what others left": (name) => name === "readdir",
};

for (const [step, is] of Object.entries(STEPS)) {
  test(`F7 a compaction that fails at ${step} changes nothing, leaves nothing behind, and is tried again`, async () => {
    const path = await newPath();
    const wanted = {};
    let broken = true;
    let failures = 0;
    const gate = failing((name, _args, place) => {
      if (!broken || !is(name, place)) return undefined;
      failures += 1;
      return "ENOSPC";
    });
    await withGate(gate, async () => {
      const file = new LogFile(path, 0);
      const write = async () => {
        for (let n = 0; n < 30; n += 1) {
          await commit(file, "often", { value: `${n}`.padEnd(200, "."), compactAbove: 1_000 });
          await commit(file, `k-${n}`, { compactAbove: 1_000 });
          Object.assign(wanted, { often: `${n}`.padEnd(200, "."), [`k-${n}`]: `k-${n}` });
          assert.deepEqual(await contents(file), wanted);
        }
      };
      await write();
      assert.ok(failures > 0);
      broken = false;
      assert.deepEqual(await beside(path), []);
      const { size } = await stat(path);
      await write();
      await file.close();
      assert.ok((await stat(path)).size < size * 2);
      assert.deepEqual(await beside(path), []);
    });
    assert.deepEqual(await found(path), wanted);
  });
}

test("F18 nobody waits long for a program that was stopped while it compacts, and it does no harm when it wakes up", async () => {
  const path = await newPath();
  let wake = () => {};
  const sleep = new Promise((resolve) => {
    wake = resolve;
  });
  let asleep = () => {};
  const fallsAsleep = new Promise((resolve) => {
    asleep = resolve;
  });
  const gate = async (name, _args, execute) => {
    if (name === "rename") {
      asleep();
      await sleep;
    }
    return execute();
  };
  await withGate(gate, async () => {
    const stopped = new LogFile(path);
    await commit(stopped, "often", { value: "x".repeat(5_000) });
    await commit(stopped, "often", { value: "y", compactAbove: 1_000 });
    await fallsAsleep;
    const other = new LogFile(path);
    await commit(other, "meanwhile");
    assert.deepEqual(await beside(path), [], "what was to take the file's place is gone");
    wake();
    await commit(stopped, "awake again");
    assert.deepEqual(await contents(stopped), {
      often: "y",
      meanwhile: "meanwhile",
      "awake again": "awake again",
    });
    assert.deepEqual(await contents(other), await contents(stopped));
    await stopped.close();
    await other.close();
  });
  assert.deepEqual(Object.keys(await found(path)).sort(), ["awake again", "meanwhile", "often"]);
});

test("F9 a file that is deleted while it is open is store-lost, not a new beginning", async () => {
  const path = await newPath();
  const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
  await memory.add("gone");
  await rm(path);
  await assert.rejects(memory.add("x"), { code: "store-lost" });
  await assert.rejects(memory.list(), { code: "store-lost" });
  assert.deepEqual(await beside(path), []);
  const fresh = await openMemory({ user: "u-1", storage: jsonl(path) });
  await fresh.add("a new beginning");
  assert.equal(await fresh.count(), 1);
  await assert.rejects(memory.list(), { code: "store-lost" });
  await memory.close();
  await fresh.close();
});

test("F9 a file that is deleted within a write is store-lost", async () => {
  const path = await newPath();
  let deletes = false;
  const gate = async (name, _args, execute) => {
    if (deletes && name === "file.write") await rm(path);
    return execute();
  };
  await withGate(gate, async () => {
    const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
    await memory.add("before");
    deletes = true;
    await assert.rejects(memory.add("during"), { code: "store-lost" });
    await memory.close();
  });
});

test("F16 a file that another one is put in the place of is noticed, even if it has the same size", async () => {
  const path = await newPath();
  const other = `${path}.other`;
  const [one, two] = [new LogFile(path), new LogFile(other)];
  await commit(one, "a");
  await commit(two, "b");
  assert.equal((await stat(path)).size, (await stat(other)).size);
  assert.deepEqual(await contents(one), { a: "a" });
  await rename(other, path);
  assert.deepEqual(await contents(one), { b: "b" });
  await commit(one, "c");
  assert.deepEqual(await found(path), { b: "b", c: "c" });
  // Written over in its place, as `cp` does.
  await commit(two, "d");
  await writeFile(path, await readFile(other));
  await commit(one, "e");
  assert.deepEqual(await contents(one), { d: "d", e: "e" });
  await one.close();
  await two.close();
});

/** How many descriptors of this process lead to the file. */
async function descriptors(path) {
  const links = (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ""));
  return (await Promise.all(links)).filter((target) => target === path).length;
}

/** A file with two entries, and the same bytes with one of them changed in the last line. */
async function damagedFile() {
  const path = await newPath();
  const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
  await memory.add("first");
  await memory.add("second");
  await memory.close();
  const good = await readFile(path);
  const bad = Buffer.from(good);
  bad[good.length - 60] ^= 1;
  return { path, good, bad };
}

const opened = (path) => openMemory({ user: "u-1", storage: jsonl(path) });

test("a damaged file that failed to open leaves nothing behind, and is read anew after its repair", async () => {
  const { path, good, bad } = await damagedFile();
  await writeFile(path, bad);
  await assert.rejects(opened(path), { code: "corrupt" });
  assert.equal(await descriptors(path), 0, "after the open that failed");
  // In place and of the same size, as an editor would.
  await writeFile(path, good);
  const memory = await opened(path);
  assert.equal(await memory.count(), 2);
  await memory.close();
  assert.equal(await descriptors(path), 0, "after the close of the one that worked");
  await writeFile(path, bad);
  await assert.rejects(opened(path), { code: "corrupt" }, "no copy from before may answer for the file");
  assert.equal(await descriptors(path), 0);
});

test("two that open a damaged file at once both fail, and neither keeps it open", async () => {
  const { path, good, bad } = await damagedFile();
  await writeFile(path, bad);
  const both = await Promise.allSettled([opened(path), opened(path)]);
  assert.deepEqual(
    both.map(({ status, reason }) => [status, reason?.code]),
    [
      ["rejected", "corrupt"],
      ["rejected", "corrupt"],
    ],
  );
  await writeFile(path, good);
  const memory = await opened(path);
  assert.equal(await memory.count(), 2);
  await memory.close();
  assert.equal(await descriptors(path), 0);
});

test("of two that open a file at once the second works when only the first fails", async () => {
  const { path } = await damagedFile();
  let failures = 1;
  const gate = failing((name, _args, place) => {
    if (name !== "open" || place !== path || failures === 0) return undefined;
    failures -= 1;
    return "EMFILE";
  });
  await withGate(gate, async () => {
    const both = await Promise.allSettled([opened(path), opened(path)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    const { value: memory } = both.find(({ status }) => status === "fulfilled");
    await memory.add("third");
    assert.equal(await memory.count(), 3);
    await memory.close();
  });
  assert.equal(await descriptors(path), 0);
});

test("a folder in the file's place fails to open, and a file there afterwards is used", async () => {
  const { path, good } = await damagedFile();
  await rm(path);
  await mkdir(path);
  await assert.rejects(opened(path), { code: "unavailable" });
  await rm(path, { recursive: true });
  await writeFile(path, good);
  const memory = await opened(path);
  assert.equal(await memory.count(), 2);
  await memory.close();
  assert.equal(await descriptors(path), 0);
});

test("a file that may not be used is used once it may", async () => {
  const { path } = await damagedFile();
  let denied = true;
  await withGate(
    failing((name) => (denied && name === "open" ? "EACCES" : undefined)),
    async () => {
      await assert.rejects(opened(path), { code: "unavailable" });
      denied = false;
      const memory = await opened(path);
      assert.equal(await memory.count(), 2);
      await memory.close();
    },
  );
  assert.equal(await descriptors(path), 0);
});

test("a repair in place is seen by a handle that another memory keeps open", async () => {
  const { path, good, bad } = await damagedFile();
  const other = await openMemory({ user: "u-2", storage: jsonl(path) });
  assert.equal(await other.count(), 0);
  await writeFile(path, bad);
  await assert.rejects(opened(path), { code: "corrupt" });
  await writeFile(path, good);
  const memory = await opened(path);
  assert.equal(await memory.count(), 2);
  await memory.close();
  assert.equal(await other.count(), 0);
  await other.close();
  assert.equal(await descriptors(path), 0);
});

test("options that are refused leave the storage usable", async () => {
  const { path } = await damagedFile();
  const storage = jsonl(path);
  await assert.rejects(openMemory({ user: "", storage }), { code: "invalid-input" });
  const memory = await openMemory({ user: "u-1", storage });
  assert.equal(await memory.count(), 2);
  await memory.close();
});
