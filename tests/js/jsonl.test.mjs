// The storage in a file: what it promises, alone and with others on the same file.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, link, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { jsonl, MemoryError, openMemory } from "keepsake";
import { jsonl as subpath } from "keepsake/jsonl";
import { LogFile } from "../../target/web-testing/inner-node.js";
import { CASES, contract } from "./support/contract.mjs";
import { beside, commit, found, lines, listen, newFolder, newPath, program } from "./support/jsonl.mjs";
import { run } from "./support/scenario.mjs";

const WRITER = new URL("./support/jsonl-writer.mjs", import.meta.url);
const LONG = { namespace: "long-term" };

const summaries = async (memory) => (await memory.list({ limit: 1000 })).map(({ summary }) => summary);

const own = [];
after(() => Promise.all(own.map((file) => file.close())));

/** A storage that shares nothing with others but the file, as another program's. */
function ofItsOwn(path) {
  const file = new LogFile(path);
  own.push(file);
  let open = true;
  const whenOpen = async (work) => {
    if (!open) throw new MemoryError("closed", "the storage is closed");
    return work();
  };
  return {
    get: (space, keys) => whenOpen(() => file.read((tables) => tables.get(space, keys))),
    scan: (space, range, limit) => whenOpen(() => file.read((tables) => tables.scan(space, range, limit))),
    commit: (batch) => whenOpen(() => file.commit(batch, 2_000)),
    close: async () => {
      open = false;
      await file.close();
    },
  };
}

test("the store contract holds for handles on a file", async () => {
  const folder = await newFolder();
  const connect = (name) => jsonl(join(folder, `${name}.jsonl`), { compactAbove: 2_000 });
  assert.deepEqual(await contract(connect), { cases: CASES });
});

test("the store contract holds for programs on a file", async () => {
  const folder = await newFolder();
  const connect = (name) => ofItsOwn(join(folder, `${name}.jsonl`));
  assert.deepEqual(await contract(connect), { cases: CASES });
});

const scenarios = await readdir(new URL("../scenarios/", import.meta.url));
for (const name of scenarios.filter((name) => name.endsWith(".json"))) {
  test(`F42 scenario ${name} on a file, opened anew for every memory`, async () => {
    const scenario = JSON.parse(await readFile(new URL(`../scenarios/${name}`, import.meta.url), "utf8"));
    const path = await newPath();
    const connect = () => jsonl(path, { compactAbove: 2_000 });
    const outcomes = await run(scenario, (rest) => openMemory({ ...rest, storage: connect() }), connect);
    assert.ok(outcomes.length > 0);
    for (const { at, wanted, seen } of outcomes) assert.deepEqual(seen, wanted, `step ${at}`);
  });
}

test("D5 D21 D23 what was written is there when it is opened again, one line of JSON a commit", async () => {
  const path = await newPath();
  const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
  assert.equal(memory.persistent, true);
  assert.deepEqual(await beside(path), [], "nothing is made before the first write");
  const { id } = await memory.add("Deploy keys rotate on Mondays", LONG);
  await memory.session("s-1").append({ role: "user", content: "hello" });
  await memory.close();
  const [first, ...commits] = (await lines(path)).map((line) => JSON.parse(line));
  assert.equal(first.format, "keepsake-jsonl");
  assert.equal(first.version, 1);
  assert.equal(commits.length, 2);
  assert.equal((await stat(path)).mode & 0o777, 0o600, "nobody else may read it");

  const again = await openMemory({ user: "u-1", storage: subpath(path) });
  assert.equal((await again.get(id)).content, "Deploy keys rotate on Mondays");
  assert.equal((await again.search("deploy keys"))[0]?.id, id);
  assert.equal((await again.session("s-1").messages()).total, 1);
  assert.equal((await again.log.verify()).ok, true);
  await again.close();
});

test("S4 S6 several users in one file never see each other", async () => {
  const path = await newPath();
  const users = ["a", "a:b", "b", "user1", "user10", "%", "__proto__"];
  const memories = await Promise.all(users.map((user) => openMemory({ user, storage: jsonl(path) })));
  await Promise.all(memories.map((memory, at) => memory.add(`secret of ${users[at]}`, { id: "same" })));
  await Promise.all(memories.map((memory) => memory.close()));
  for (const user of users) {
    const memory = await openMemory({ user, storage: jsonl(path) });
    assert.deepEqual(await summaries(memory), [`secret of ${user}`]);
    await memory.close();
  }
});

test("a closed handle says so, and the others on the file go on", async () => {
  const path = await newPath();
  const [one, two] = await Promise.all([1, 2].map(() => openMemory({ user: "u-1", storage: jsonl(path) })));
  const last = one.add("before it closes");
  await one.close();
  await one.close();
  assert.equal((await last).summary, "before it closes");
  await assert.rejects(one.add("x"), { code: "closed" });
  const storage = jsonl(path);
  await storage.get("meta", []);
  await Promise.all([storage.close(), storage.close()]);
  await storage.close();
  await assert.rejects(storage.get("meta", []), { code: "closed" });
  await two.add("still open");
  assert.deepEqual(await summaries(two), ["still open", "before it closes"]);
  await two.close();
});

/** Whether all of 400 adds are there, each program's in its order. */
async function assertNoneLost(path, who) {
  const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
  const seen = (await summaries(memory)).reverse();
  assert.equal(seen.length, 400);
  assert.equal(new Set(seen).size, 400);
  for (const name of who) {
    assert.deepEqual(
      seen.filter((summary) => summary.startsWith(`${name}/`)),
      [...Array(200).keys()].map((n) => `${name}/${n}`),
    );
  }
  assert.equal((await memory.log.verify()).ok, true);
  await memory.close();
}

test("F17 two handles in one program, 200 adds each at once: none lost, both list all", async () => {
  const path = await newPath();
  const open = () => openMemory({ user: "u-1", storage: jsonl(path, { compactAbove: 20_000 }) });
  const handles = await Promise.all([open(), open()]);
  const numbers = [...Array(200).keys()];
  await Promise.all(handles.flatMap((memory, who) => numbers.map((n) => memory.add(`${who}/${n}`, LONG))));
  const [one, two] = await Promise.all(handles.map(summaries));
  assert.deepEqual(one, two);
  await Promise.all(handles.map((memory) => memory.close()));
  await assertNoneLost(path, ["0", "1"]);
});

test("F17 two processes, 200 adds each at once: none lost", async () => {
  const path = await newPath();
  const programs = ["a", "b"].map((who) => program(path, "add", who, 200));
  assert.deepEqual(await Promise.all(programs.map(({ ended }) => ended)), [0, 0]);
  await assertNoneLost(path, ["a", "b"]);
});

test("F17 two threads of one process, 200 adds each at once: none lost", async () => {
  const path = await newPath();
  const threads = ["a", "b"].map((who) => new Worker(WRITER, { workerData: [path, "add", who, 200] }));
  const ended = threads.map(
    (thread) => new Promise((resolve, reject) => thread.on("exit", resolve).on("error", reject)),
  );
  assert.deepEqual(await Promise.all(ended), [0, 0]);
  await assertNoneLost(path, ["a", "b"]);
});

test("D22 D39 F44 S15 compaction keeps everything that is of use, and nothing else is left in the file", async () => {
  const path = await newPath();
  const open = (options) => openMemory({ user: "u-1", storage: jsonl(path, options) });
  const memory = await open({ compactAbove: Number.POSITIVE_INFINITY });
  for (let n = 0; n < 20; n += 1) await memory.add(`entry ${n}`, { ...LONG, id: `e-${n}` });
  await memory.add("the secret word is xyzzy", { id: "secret" });
  for (let n = 0; n < 20; n += 1) await memory.profile.updateProfile({ n, filler: "x".repeat(10_000) });
  await memory.delete("secret");
  await memory.close();
  await chmod(path, 0o640);
  const before = await stat(path, { bigint: true });
  const texts = async () => {
    const ops = (await lines(path)).flatMap((line) => JSON.parse(line).ops ?? []);
    return ops.flatMap((op) => op.slice(2).map((part) => Buffer.from(part, "base64").toString("latin1")));
  };
  assert.ok((await texts()).some((text) => text.includes("xyzzy")));

  const another = ofItsOwn(path);
  await another.get("meta", []);
  const again = await open({ compactAbove: 0 });
  await again.add("one more", LONG);
  await again.close();
  const after = await stat(path, { bigint: true });
  assert.ok(after.size * 4n < before.size, `${before.size} bytes became ${after.size}`);
  assert.notEqual(after.ino, before.ino);
  assert.equal(after.mode, before.mode);
  assert.deepEqual(await beside(path), []);
  assert.ok(!(await texts()).some((text) => text.includes("xyzzy")), "S15 what was deleted is gone");

  for (const storage of [another, jsonl(path)]) {
    const reader = await openMemory({ user: "u-1", storage });
    assert.equal((await reader.list({ limit: 100 })).length, 21);
    assert.equal((await reader.get("e-7")).content, "entry 7");
    assert.equal((await reader.profile.getProfile()).n, 19);
    assert.equal((await reader.log.verify()).ok, true);
    await reader.close();
  }
});

test("by default a small file is left as it is", async () => {
  const path = await newPath();
  const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
  await memory.add("x");
  const { ino } = await stat(path);
  for (let n = 0; n < 20; n += 1) await memory.profile.updateProfile({ n, filler: "x".repeat(10_000) });
  await memory.close();
  assert.equal((await stat(path)).ino, ino);
});

test("a link to the file stays a link, and both names are the same memory", async () => {
  const path = await newPath();
  const name = join(await newFolder(), "link.jsonl");
  await symlink(path, name);
  await assert.rejects(openMemory({ user: "u-1", storage: jsonl(name) }), { code: "unavailable" });
  const one = await openMemory({ user: "u-1", storage: jsonl(path) });
  await one.add("through the file", LONG);
  const two = await openMemory({ user: "u-1", storage: jsonl(name, { compactAbove: 0 }) });
  await two.add("through the link", LONG);
  await two.profile.updateProfile({ filler: "x".repeat(10_000) });
  await two.profile.updateProfile({ filler: "y" });
  await two.close();
  assert.deepEqual(await summaries(one), ["through the link", "through the file"]);
  await one.close();
  assert.deepEqual(await beside(name), []);
  assert.deepEqual(await found(name), await found(path));
});

test("a file with two names stays one file", async () => {
  const path = await newPath();
  const name = join(await newFolder(), "hard.jsonl");
  const file = new LogFile(path);
  await commit(file, "a");
  await link(path, name);
  for (let n = 0; n < 9; n += 1) {
    await commit(file, "often", { value: `${n}`.padEnd(500, "."), compactAbove: 100 });
  }
  await file.close();
  assert.equal((await stat(name)).ino, (await stat(path)).ino);
  assert.deepEqual(await found(name), await found(path));
});

test("what others left beside the file is cleaned up, and nothing that is none of ours", async () => {
  const path = await newPath();
  const old = new Date(Date.now() - 3_600_000);
  const kept = [".0123456789abcdef.tmp.bak", ".notes.tmp", ".0123456789abcdeX.tmp", ".fedcba9876543210.tmp"];
  for (const name of [".0123456789abcdef.tmp", ...kept]) {
    await writeFile(path + name, "x");
    // The last one was written to just now: somebody may be at it.
    if (name !== kept.at(-1)) await utimes(path + name, old, old);
  }
  const file = new LogFile(path);
  await commit(file, "a");
  await file.close();
  assert.deepEqual((await beside(path)).sort(), kept.map((name) => `memory.jsonl${name}`).sort());
});

test("F5 a disk that is full within a write is quota-exceeded; what is there stays, and it goes on when there is room", async () => {
  const path = await newPath();
  // No file may become larger than 64 KB: the operating system takes the beginning of the line that goes beyond that.
  const limited = `ulimit -f 64; exec "$0" "$@"`;
  const args = ["-c", limited, process.execPath, fileURLToPath(WRITER), path, "fill"];
  const child = listen(spawn("bash", args, { stdio: ["ignore", "pipe", "inherit"] }));
  assert.equal(await child.ended, 0);
  const added = child.said.filter((line) => line.startsWith("added"));
  assert.ok(added.length > 3);
  assert.deepEqual(child.said.slice(-2), ["failed quota-exceeded", `has ${added.length}`]);
  assert.ok(!(await readFile(path, "latin1")).endsWith("\n"), "the last line was cut off");
  const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
  assert.equal(await memory.count(), added.length);
  await memory.add("there is room", LONG);
  await memory.close();
  const again = await openMemory({ user: "u-1", storage: jsonl(path) });
  assert.equal(await again.count(), added.length + 1);
  await again.close();
});

test("a place where there can be no file is unavailable, and says why", async () => {
  const path = await newPath();
  const folder = join(path, "..");
  await writeFile(join(folder, "file"), "");
  const cases = [
    [join(folder, "missing", "memory.jsonl"), /its folder does not exist/],
    [folder, /it is a folder/],
    [join(folder, "file", "memory.jsonl"), /is a file/],
    ["/dev/null", /it is not a file/],
    [join(folder, "n".repeat(300)), /name is too long/],
  ];
  for (const [place, reason] of cases) {
    const opening = openMemory({ user: "u-1", storage: jsonl(place) });
    await assert.rejects(opening, (error) => {
      assert.ok(error instanceof MemoryError);
      assert.equal(error.code, "unavailable", place);
      assert.match(error.message, reason);
      return true;
    });
  }
  assert.deepEqual(await readdir(folder), ["file"]);
  const storage = jsonl(cases[0][0]);
  await assert.rejects(storage.get("meta", []), { code: "unavailable" });
  await mkdir(join(folder, "missing"));
  assert.deepEqual(await storage.get("meta", []), [], "it works as soon as it can");
  await storage.close();
});

test("arguments that make no sense are refused by name", () => {
  for (const path of [undefined, null, "", 7, new URL("file:///tmp/x")]) {
    assert.throws(() => jsonl(path), { code: "invalid-input", field: "path" });
  }
  for (const compactAbove of [-1, Number.NaN, "1", null]) {
    assert.throws(() => jsonl("x", { compactAbove }), { code: "invalid-input", field: "compactAbove" });
  }
});

test("a bundle for browsers knows nothing of files", async () => {
  const entries = ["keepsake", "keepsake/full", "keepsake/slim"];
  const contents = entries.map((entry, at) => `export * as entry${at} from "${entry}";`).join("\n");
  const stdin = { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)) };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  const [{ text }] = outputFiles;
  assert.ok(text.includes("openMemory"));
  assert.ok(!/["']node:|datasync/.test(text));
});
