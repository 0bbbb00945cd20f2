// Without IndexedDB and without a storage, a memory is kept in memory only. The console says so once per process.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./support/pages.mjs";

/** What a program prints, on both outputs. */
function run(code) {
  const args = ["--input-type=module", "-e", `import { jsonl, openMemory } from "keepsake";\n${code}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return { stdout, stderr };
}

const WARNING =
  'keepsake: without IndexedDB this memory is lost when the program ends; keep it with `storage: jsonl("memory.jsonl")` in Node, or set `storage: "memory"` to hide this warning\n';

test("a memory without a storage warns once per process, however many are opened", () => {
  const opened = run(`
    await Promise.all(["a", "b"].map((user) => openMemory({ user })));
    const memory = await openMemory({ user: "c" });
    console.log(memory.persistent);
  `);
  assert.deepEqual(opened, { stdout: "false\n", stderr: WARNING });
});

test("an explicit storage shows no warning", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-fallback-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const opened = run(`
    await openMemory({ user: "a", storage: "memory" });
    const memory = await openMemory({ user: "a", storage: jsonl(${JSON.stringify(join(folder, "memory.jsonl"))}) });
    console.log(memory.persistent);
    await memory.close();
  `);
  assert.deepEqual(opened, { stdout: "true\n", stderr: "" });
});

test("a memory that could not be opened shows its error alone", () => {
  const { stdout, stderr } = run(`
    await openMemory({ user: "a", storage: "indexeddb" }).catch(({ code }) => console.log(code));
  `);
  assert.deepEqual({ stdout, stderr }, { stdout: "unavailable\n", stderr: "" });
});
