// What the tests of the storage in a file share: folders, batches without a memory above them, and programs that write.

import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { LogFile } from "../../../target/web-testing/inner-node.js";

const WRITER = fileURLToPath(new URL("./jsonl-writer.mjs", import.meta.url));

const folders = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A folder of a test's own. */
export async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-jsonl-"));
  folders.push(folder);
  return folder;
}

/** The path of a file in a folder of its own; there is no file yet. */
export async function newPath() {
  return join(await newFolder(), "memory.jsonl");
}

export const bytes = (text) => new TextEncoder().encode(text);
export const text = (value) => value && new TextDecoder().decode(value);

const GUARD = bytes("tenant");

/** A batch on top of the number `base`, which leaves the next one in its guard. */
export function batch(base, ops, durability = "relaxed") {
  const expected = base === 0 ? undefined : Uint8Array.of(base >> 8, base & 255);
  return { guard: GUARD, expected, next: Uint8Array.of((base + 1) >> 8, (base + 1) & 255), ops, durability };
}

export const put = (key, value = key) => ({
  type: "put",
  space: "records",
  key: bytes(key),
  value: bytes(value),
});

/** The number that the next batch goes on top of. */
export async function base(file) {
  const [guard] = await file.read((tables) => tables.get("meta", [GUARD]));
  return guard ? guard[0] * 256 + guard[1] : 0;
}

/** Everything among the records, as texts. */
export async function contents(file) {
  const { items } = await file.read((tables) =>
    tables.scan("records", { start: new Uint8Array(0) }, 100_000),
  );
  return Object.fromEntries(items.map(([key, value]) => [text(key), text(value)]));
}

/** Commits one record, however often somebody else comes first. */
export async function commit(
  file,
  key,
  { value = key, compactAbove = Number.POSITIVE_INFINITY, durability } = {},
) {
  while (!(await file.commit(batch(await base(file), [put(key, value)], durability), compactAbove)));
}

/** What another program would find in the file. */
export async function found(path) {
  const file = new LogFile(path, 0);
  try {
    return await contents(file);
  } finally {
    await file.close();
  }
}

export const lines = async (path) => (await readFile(path, "latin1")).split("\n").slice(0, -1);

/** The names of what lies beside the file. */
export async function beside(path) {
  return (await readdir(join(path, ".."))).filter((name) => !path.endsWith(name));
}

/** A program that does something with the file. What it says comes line by line; its end is how it ended. */
export function program(path, ...args) {
  const child = spawn(process.execPath, [WRITER, path, ...args.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return listen(child);
}

/** The lines that a child says, and how it ended. */
export function listen(child) {
  const said = [];
  let rest = "";
  let heard = () => {};
  child.stdout.setEncoding("latin1");
  child.stdout.on("data", (data) => {
    const [...whole] = (rest + data).split("\n");
    rest = whole.pop();
    said.push(...whole);
    heard();
  });
  const ended = new Promise((resolve) => {
    child.on("close", (code, signal) => {
      resolve(signal ?? code);
      heard();
    });
  });
  /** Settles when it has said so many lines, or has ended. */
  const saidSoMany = (wanted) =>
    new Promise((resolve) => {
      heard = () => {
        if (said.length >= wanted || child.exitCode !== null || child.signalCode !== null) resolve();
      };
      heard();
    });
  return { child, said, ended, saidSoMany };
}
