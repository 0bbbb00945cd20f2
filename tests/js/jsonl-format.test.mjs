// What is in the file of a storage: a line more or less, a byte that is another one, a file that is none of ours.

import assert from "node:assert/strict";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { jsonl, openMemory } from "keepsake";
import { LogFile } from "../../target/web-testing/inner-node.js";
import { commit, found, lines, newPath } from "./support/jsonl.mjs";

/** A file with these records, one a commit, and its bytes. */
async function sample(...keys) {
  const path = await newPath();
  const file = new LogFile(path);
  for (const key of keys) await commit(file, key);
  await file.close();
  return { path, bytes: await readFile(path) };
}

/** Opens a memory on the file, and expects that to fail; the file stays as it is. */
async function refusal(path, code) {
  const before = await readFile(path);
  const refused = { error: undefined };
  await assert.rejects(openMemory({ user: "u-1", storage: jsonl(path) }), (error) => {
    refused.error = error;
    assert.equal(error.code, code, error.message);
    return true;
  });
  assert.deepEqual(await readFile(path), before, "nothing was written");
  return refused.error;
}

test("F40 cut off at any byte, the whole lines before it are there, and it goes on", async () => {
  const keys = ["a", "b", "c"];
  const { path, bytes } = await sample(...keys);
  const ends = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at);
  for (let length = 0; length <= bytes.length; length += 1) {
    await writeFile(path, bytes.subarray(0, length));
    // A line is whole without its end. The first one holds no commit.
    const whole = ends.filter((end) => end <= length).length - 1;
    const wanted = Object.fromEntries(keys.slice(0, Math.max(0, whole)).map((key) => [key, key]));
    assert.deepEqual(await found(path), wanted, `cut off at ${length}`);
    const file = new LogFile(path);
    await commit(file, "next");
    await commit(file, "one more");
    await file.close();
    const after = { ...wanted, next: "next", "one more": "one more" };
    assert.deepEqual(await found(path), after, `written after having been cut off at ${length}`);
  }
});

test("F40 a flipped bit is found wherever it is, and nothing is dropped without a word", async () => {
  const { path, bytes } = await sample("a", "b", "c");
  const codes = { corrupt: 0, "newer-version": 0 };
  for (let at = 0; at < bytes.length; at += 1) {
    for (const bit of [0, 3, 5]) {
      const flipped = Buffer.from(bytes);
      flipped[at] ^= 1 << bit;
      await writeFile(path, flipped);
      await assert.rejects(found(path), (error) => {
        codes[error.code] += 1;
        assert.match(error.message, /memory\.jsonl/);
        return error.code in codes;
      });
    }
  }
  // Only the digit that is the version can be taken for another version.
  assert.ok(codes["newer-version"] <= 3 && codes.corrupt > 1000, JSON.stringify(codes));
});

test("a damaged line in the middle is corrupt: the error names its line and byte, and to cut there keeps the rest", async () => {
  const { path, bytes } = await sample("a", "b", "c", "d");
  const at = bytes.indexOf('"ops"', bytes.indexOf("\n", bytes.indexOf("\n") + 1));
  bytes[at + 12] ^= 1;
  await writeFile(path, bytes);
  const { message } = await refusal(path, "corrupt");
  const [, line, byte] = message.match(/^line (\d+) of .*memory\.jsonl, at byte (\d+),/);
  assert.equal(line, "3");
  await writeFile(path, bytes.subarray(0, Number(byte)));
  assert.deepEqual(await found(path), { a: "a" });
});

test("a line that is missing, or not where it was, is corrupt", async () => {
  const { path } = await sample("a", "b", "c", "d");
  const all = await lines(path);
  const changes = [
    all.toSpliced(2, 1),
    all.toSpliced(0, 1),
    all.toSpliced(1, 2, all[2], all[1]),
    all.toSpliced(2, 0, "# a remark"),
    all.toSpliced(2, 0, '{"ops":[]}'),
  ];
  for (const changed of changes) {
    await writeFile(path, `${changed.join("\n")}\n`);
    await refusal(path, "corrupt");
  }
});

test("a line twice, empty lines and the line ends of Windows do no harm", async () => {
  const { path } = await sample("a", "b", "c");
  const all = await lines(path);
  for (const changed of [all.toSpliced(2, 0, all[2]), [...all, ...all], all.toSpliced(1, 0, "", "")]) {
    for (const end of ["\n", "\r\n"]) {
      await writeFile(path, changed.join(end) + end);
      assert.deepEqual(await found(path), { a: "a", b: "b", c: "c" });
      const file = new LogFile(path);
      await commit(file, "d");
      await file.close();
      assert.deepEqual(await found(path), { a: "a", b: "b", c: "c", d: "d" });
    }
  }
});

test("F41 a file of a newer version is refused, and not written to", async () => {
  const path = await newPath();
  for (const first of [
    '{"format":"keepsake-jsonl","version":2}\nsomething new\n',
    '{"after":"","by":"x","format":"keepsake-jsonl","version":7,"more":1,"sum":"0123456789abcdef"}\n',
    '{"after":"","format":"keepsake-jsonl","version":2}',
  ]) {
    await writeFile(path, first);
    const { message } = await refusal(path, "newer-version");
    assert.match(message, /format version (2|7), and this version supports 1/);
  }
});

test("a file that is none of ours is refused, and not written to", async () => {
  const path = await newPath();
  const foreign = [
    '{"name":"an app"}\n',
    "# Notes",
    "\0".repeat(5000),
    "null",
    "x".repeat(3_000_000),
    "[]\n",
  ];
  for (const content of foreign) {
    await writeFile(path, content);
    await refusal(path, "corrupt");
  }
});

test("a file that is empty is a memory that is empty", async () => {
  const path = await newPath();
  await writeFile(path, "");
  assert.deepEqual(await found(path), {});
  const file = new LogFile(path);
  await commit(file, "a");
  await file.close();
  assert.deepEqual(await found(path), { a: "a" });
});

test("what another program is still writing is waited for, not taken for damage", async () => {
  const { path, bytes } = await sample("a", "b");
  const half = bytes.length - 40;
  await writeFile(path, bytes.subarray(0, half));
  const file = new LogFile(path);
  const keys = async () =>
    (await file.read((tables) => tables.scan("records", { start: new Uint8Array() }, 9))).items;
  assert.equal((await keys()).length, 1);
  await appendFile(path, bytes.subarray(half, half + 10));
  assert.equal((await keys()).length, 1);
  await appendFile(path, bytes.subarray(half + 10));
  assert.equal((await keys()).length, 2);
  await commit(file, "c");
  await file.close();
  assert.deepEqual(await found(path), { a: "a", b: "b", c: "c" });
});

test("a file of another kind is named as such, without advice to truncate it", async () => {
  const others = [
    '{\n  "name": "app"\n}\n',
    '{"name":"app"}',
    "\n\n# Notes\n",
    '{"after":1}\n',
    "PK\u0003\u0004",
  ];
  for (const text of others) {
    const path = await newPath();
    await writeFile(path, text);
    const { message } = await refusal(path, "corrupt");
    assert.match(message, /memory\.jsonl is not a Keepsake file/, text);
    assert.doesNotMatch(message, /truncate|checksum/, text);
  }
});

test("S20 an error about a file holds nothing of what is in it", async () => {
  const { path, bytes } = await sample("secret", "another");
  bytes[bytes.length - 60] ^= 1;
  await writeFile(path, bytes);
  const error = await refusal(path, "corrupt");
  const encoded = Buffer.from("secret").toString("base64").slice(0, 6);
  assert.ok(!`${error.message} ${error.cause} ${error.stack}`.includes("secret"));
  assert.ok(!`${error.message} ${error.cause} ${error.stack}`.includes(encoded));
});
