// Compaction: rewrites a file without its obsolete lines.
//
// The new file is prepared beside the old one, to which others may still write. A seal in the old file ends it: later
// commits do not count, and the seal names the new file. The lines before the seal are added to the new file, which is then
// renamed over the old one. If the process that sealed a file does not finish, another one deletes the new file, so that a
// late rename fails, and then breaks the seal. Nothing has to be undone if the process ends at any point.

import { readdir, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { StorageOp } from "../adapter.js";
import type { Tables } from "../tables.js";
import { newName, VERSION } from "./line.js";
import { lookAt, OpenFile } from "./open-file.js";
import { codeOf } from "./problems.js";

/** About how many bytes of keys and values a line of a new file has. */
const LINE_BYTES = 1 << 18;

/** A file without writes for this long (ms) is abandoned. */
const STALE_MS = 60_000;

/** About how many bytes of a file are live. */
export function useful(tables: Tables): number {
  const { keys, bytes } = tables.weigh();
  return (bytes * 4) / 3 + keys * '["put","records","",""],'.length;
}

/** The path of the file that the seal `name` names. */
export function sealedPlace(path: string, name: string): string {
  return `${path}.${name}.tmp`;
}

/** Replaces `old` by a compacted file; `undefined` if that failed, which changes nothing. */
export async function rewrite(old: OpenFile): Promise<OpenFile | undefined> {
  if (!isReplaceable(old)) return undefined;
  const name = newName();
  const place = sealedPlace(old.path, name);
  const late: StorageOp[] = [];
  old.chain.onCommit = (ops) => {
    for (const op of ops) late.push(op);
  };
  let fresh: OpenFile | undefined;
  try {
    fresh = await OpenFile.toReplace(old, place);
    await fresh.append({ version: VERSION, id: old.chain.id ?? newName() });
    await fill(fresh, puts(old.chain.tables));
    // Most of the data, before the seal makes others wait.
    await fresh.makeContentDurable();
    if (await seal(old, name)) {
      if (late.length > 0) await fill(fresh, late);
      await fresh.makeContentDurable();
      if (isReplaceable(old)) {
        await rename(place, old.path);
        return fresh;
      }
    }
  } catch {
    // The old file is intact in any case.
  } finally {
    old.chain.onCommit = undefined;
  }
  await fresh?.close().catch(() => {});
  await discard(old, name).catch(() => {});
  return undefined;
}

/** Whether the path still leads to this file, and the file has no other name: a hard link would become a second file. */
function isReplaceable(old: OpenFile): boolean {
  const found = lookAt(old.path);
  return old.is(found) && found?.nlink === 1n;
}

/** Deletes the file that a seal names, and then breaks the seal. */
export async function discard(old: OpenFile, name: string): Promise<void> {
  await remove(sealedPlace(old.path, name));
  const found = lookAt(old.path);
  // If the path leads to another file now, the rename came before the deletion.
  while (old.is(found) && old.chain.seal === name) await old.append({ unseal: name });
}

/** Deletes files that unfinished compactions have left beside the file. */
export async function sweep(path: string): Promise<void> {
  const folder = dirname(path);
  const ours = `${basename(path)}.`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(ours) || !/^[0-9a-f]{16}\.tmp$/.test(name.slice(ours.length))) continue;
    const place = join(folder, name);
    const age = Date.now() - (await stat(place).catch(() => ({ mtimeMs: Number.NaN }))).mtimeMs;
    // If another process still writes to it, that compaction fails and is repeated later.
    if (age > STALE_MS) await remove(place);
  }
}

async function seal(old: OpenFile, name: string): Promise<boolean> {
  while (old.chain.seal === undefined) {
    if (await old.append({ seal: name })) return true;
  }
  return false;
}

/** Adds operations to the new file, which only this process writes to. */
async function fill(fresh: OpenFile, ops: Iterable<StorageOp>): Promise<void> {
  const append = async (ops: StorageOp[]) => {
    if (!(await fresh.append({ ops }))) throw new Error("another process is writing to our compaction file");
  };
  let [some, bytes]: [StorageOp[], number] = [[], 0];
  for (const op of ops) {
    some.push(op);
    bytes += op.type === "put" ? op.key.length + op.value.length : 0;
    if (bytes < LINE_BYTES) continue;
    await append(some);
    [some, bytes] = [[], 0];
  }
  if (some.length > 0) await append(some);
}

function* puts(tables: Tables): Generator<StorageOp> {
  for (const item of tables.everything()) yield { type: "put", ...item };
}

async function remove(place: string): Promise<void> {
  try {
    await unlink(place);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
