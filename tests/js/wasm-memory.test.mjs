// The instance's linear memory: views of it do not outlive a call, and nothing in it waits for the garbage collector.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { openMemory } from "keepsake";

/** The linear memories of all instances from here on. The package keeps its instance to itself. */
const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    memories.push(this.exports.memory);
  }
};

/** A memory, and the linear memory of the instance that it runs in. */
async function opened() {
  const memory = await openMemory({ user: "u-1", storage: "memory", core: "full" });
  return { memory, linear: memories.at(-1) };
}

test("F27 calls whose texts make the instance's memory grow are answered with the right bytes", async () => {
  const { memory, linear } = await opened();
  const text = (n) => `${String.fromCodePoint(0x1f600 + n)} ${n}: ${`việc ${n} `.repeat(20_000)}`;
  const buffers = new Set([linear.buffer]);
  const entries = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const entry = await memory.add(text(n));
      buffers.add(linear.buffer);
      return entry;
    }),
  );
  assert.ok(buffers.size > 1, "the memory has grown meanwhile, so older views are detached");
  const read = await Promise.all(entries.map(({ id }) => memory.get(id)));
  for (const [n, entry] of read.entries()) assert.ok(entry.content === text(n), `entry ${n}`);
  await memory.close();
});

test("F26 calls without end leave the instance's memory as large as it was", async () => {
  const { memory, linear } = await opened();
  const round = async (calls) => {
    for (let n = 0; n < calls; n++) {
      const { id } = await memory.add(`the build number ${n % 50} is green`, { id: `build-${n % 50}` });
      await memory.search("which build is green?", { limit: 3 });
      await memory.get(id);
      await memory.delete(id);
    }
  };
  // It grows to what a round needs.
  await round(1000);
  const before = linear.buffer.byteLength;
  await round(1000);
  assert.equal(linear.buffer.byteLength, before);
  await memory.close();
});

test("F26 no answer is a handle into the instance: there is nothing that a page could forget to free", async () => {
  for (const name of ["first", "keepsake"]) {
    const bytes = await readFile(new URL(`../../pkg/wasm/${name}.wasm`, import.meta.url));
    const names = WebAssembly.Module.exports(await WebAssembly.compile(bytes)).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => /^__wbg_.*_free$/.test(name)),
      [],
    );
  }
});
