// A folder on a disk and a memory that are kept in step while both go on changing.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { watchFolder } from "keepsake/node";
import { memoryOf } from "./support/talk.mjs";

const made = [];
const ending = new AbortController();
after(async () => {
  // A test that has failed leaves its folder watched, and Node would never end.
  ending.abort();
  await Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true })));
});

function watched(memory, root, options = {}) {
  const signal = options.signal ? AbortSignal.any([options.signal, ending.signal]) : ending.signal;
  return watchFolder(memory, root, { ...options, signal });
}

async function tempFolder() {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-watch-"));
  made.push(folder);
  return folder;
}

/** What has been told so far, and a way to wait until all of it together says that `wanted` happened. */
function told() {
  const syncs = [];
  const waiting = new Set();
  const check = (wait) => {
    const all = (kind) => syncs.flatMap((sync) => sync[kind]);
    if (wait.wanted.every(([kind, path]) => all(kind).includes(path)) && waiting.delete(wait)) wait.resolve();
  };
  return {
    onSync: (sync) => {
      syncs.push(sync);
      for (const wait of waiting) check(wait);
    },
    async until(...wanted) {
      await new Promise((resolve) => {
        const wait = { wanted, resolve };
        waiting.add(wait);
        check(wait);
      });
      syncs.length = 0;
    },
  };
}

test("what changes on one side is changed on the other, whatever that is", async () => {
  const root = await tempFolder();
  await writeFile(join(root, "a.md"), "a");
  const memory = await memoryOf();
  const { files } = memory;
  await files.write("b.md", "b");
  const { onSync, until } = told();
  const watching = await watched(memory, root, { onSync, quiet: 20 });
  await until(["imported", "a.md"], ["exported", "b.md"]);

  await writeFile(join(root, "a.md"), "changed by hand");
  await until(["imported", "a.md"]);
  assert.equal((await files.read("a.md")).text, "changed by hand");

  await files.write("b.md", "changed by an agent");
  await until(["exported", "b.md"]);
  assert.equal(await readFile(join(root, "b.md"), "utf8"), "changed by an agent");

  // In a folder that was not there when it began; and then again, in the same one.
  await mkdir(join(root, "new/deep"), { recursive: true });
  await writeFile(join(root, "new/deep/c.md"), "c");
  await until(["imported", "new/deep/c.md"]);
  await writeFile(join(root, "new/deep/c.md"), "c again");
  await until(["imported", "new/deep/c.md"]);

  // In one that a write of the memory's has made.
  await files.write("agents/planner/memory/context.md", "# Current Context\n");
  await until(["exported", "agents/planner/memory/context.md"]);
  await writeFile(join(root, "agents/planner/memory/context.md"), "# Current Context\n\nby hand\n");
  await until(["imported", "agents/planner/memory/context.md"]);

  // Away, and another of the same name in its place.
  await rename(join(root, "new"), join(await tempFolder(), "gone"));
  await until(["removed", "new/deep/c.md"]);
  await mkdir(join(root, "new/deep"), { recursive: true });
  await writeFile(join(root, "new/deep/c.md"), "another");
  await until(["imported", "new/deep/c.md"]);
  await writeFile(join(root, "new/deep/c.md"), "another one");
  await until(["imported", "new/deep/c.md"]);

  await files.delete("b.md");
  await until(["removed", "b.md"]);
  await assert.rejects(readFile(join(root, "b.md")), { code: "ENOENT" });
  await watching.stop();
  await files.write("late.md", "nobody watches any longer");
  await assert.rejects(watching.sync());
  await assert.rejects(readFile(join(root, "late.md")), { code: "ENOENT" });
  await memory.close();
});

test("an agent that never rests does not keep the folder waiting for ever", async () => {
  const root = await tempFolder();
  const memory = await memoryOf();
  let done = false;
  const onSync = () => {
    done = true;
  };
  const watching = await watched(memory, root, { onSync, quiet: 100 });
  for (let n = 0; !done; n++) {
    await memory.files.write("a.md", `version ${n}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.match(await readFile(join(root, "a.md"), "utf8"), /^version \d+$/);
  await watching.stop();
});

test("it can be told to look now, and begins with a folder that is not there", async () => {
  const root = join(await tempFolder(), "not/yet");
  const memory = await memoryOf();
  await memory.files.write("a.md", "a");
  // So quiet that nothing would ever come of it by itself.
  const watching = await watched(memory, root, { quiet: 2 ** 30 });
  assert.equal(await readFile(join(root, "a.md"), "utf8"), "a");
  await writeFile(join(root, "b.md"), "b");
  const [one, other] = await Promise.all([watching.sync(), watching.sync()]);
  assert.deepEqual([one.imported, other.imported], [["b.md"], []], "one after the other");
  await watching[Symbol.asyncDispose]();
});

test("it ends with its signal, and with its memory; what fails is told and does not end it", async () => {
  const root = await tempFolder();
  await writeFile(join(root, "a.md"), "a");
  const memory = await memoryOf();
  const ending = new AbortController();
  const errors = [];
  const { onSync, until } = told();
  let broken = true;
  const only = () => {
    if (broken) throw new Error("the app's own mistake");
    return true;
  };
  await assert.rejects(watched(memory, root, { only }), /own mistake/);
  broken = false;
  const failed = new Promise((resolve) => {
    const onError = (error) => {
      errors.push(error.message);
      resolve();
    };
    const options = { only, onSync, onError, quiet: 20, signal: ending.signal };
    watched(memory, root, options).then(async () => {
      broken = true;
      await writeFile(join(root, "a.md"), "again");
    });
  });
  await failed;
  broken = false;
  assert.deepEqual([...new Set(errors)], ["the app's own mistake"]);
  await writeFile(join(root, "b.md"), "b");
  await until(["imported", "b.md"]);
  ending.abort();
  await assert.rejects(watched(memory, root, { signal: ending.signal }), { name: "AbortError" });

  const watching = await watched(memory, root, { quiet: 20 });
  await memory.close();
  await watching.stop();
  await assert.rejects(watched(memory, root), { code: "closed" });
});

test("a program that has stopped watching can end", async () => {
  const root = await tempFolder();
  const script = `
    import { openMemory, watchFolder } from "keepsake";
    const memory = await openMemory({ user: "u-1", storage: "memory" });
    await memory.files.write("a.md", "a");
    await watchFolder(memory, ${JSON.stringify(root)});
    await memory.close();
    console.log("done");
  `;
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, timeout: 60_000 });
  assert.equal(stdout, "done\n");
});
