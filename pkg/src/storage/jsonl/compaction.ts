// Writing a file anew, without what is of no use in it any more.
//
// The new file is prepared beside the old one, which others may go on writing to. A seal in the old one says that from
// there on no commit counts, and names the new file; what came before it is added to the new one, which then takes the old
// one's name. Should whoever has sealed a file not do that, others delete the file that the seal names, so that it cannot
// take anyone's place any more, however late it tries, and then break the seal. Nothing of this has to be undone when
// the program ends anywhere in between.

import { readdir, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { StorageOp } from "../adapter.js";
import type { Tables } from "../tables.js";
import { newName, VERSION } from "./line.js";
import { lookAt, OpenFile } from "./open-file.js";
import { codeOf } from "./problems.js";

/** About how many bytes of keys and values a line of a new file holds. */
const LINE_BYTES = 1 << 18;

/** A file that nobody has written to for so long is one that nobody is writing. */
const STALE_MS = 60_000;

/** About how many bytes of a file are of use. */
export function useful(tables: Tables): number {
  const { keys, bytes } = tables.weigh();
  return (bytes * 4) / 3 + keys * '["put","records","",""],'.length;
}

/** Where the file is that the seal `name` speaks of. */
export function sealedPlace(path: string, name: string): string {
  return `${path}.${name}.tmp`;
}

/** Puts a new file in the place of `old`; `undefined` if that was not to be, which changes nothing. */
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
    // Most of it, before anybody has to wait for it.
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
    // Whatever it was, the old file is as good as before.
  } finally {
    old.chain.onCommit = undefined;
  }
  await fresh?.close().catch(() => {});
  await discard(old, name).catch(() => {});
  return undefined;
}

/** Whether the file is where it was, and nowhere else: one that has two names would become two files. */
function isReplaceable(old: OpenFile): boolean {
  const found = lookAt(old.path);
  return old.is(found) && found?.nlink === 1n;
}

/** Takes away the file that a seal names, and then the seal. */
export async function discard(old: OpenFile, name: string): Promise<void> {
  await remove(sealedPlace(old.path, name));
  const found = lookAt(old.path);
  // If it is another file by now, then that one came to its place before it could be deleted.
  while (old.is(found) && old.chain.seal === name) await old.append({ unseal: name });
}

/** Deletes what others who did not get to the end have left beside the file. */
export async function sweep(path: string): Promise<void> {
  const folder = dirname(path);
  const ours = `${basename(path)}.`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(ours) || !/^[0-9a-f]{16}\.tmp$/.test(name.slice(ours.length))) continue;
    const place = join(folder, name);
    const age = Date.now() - (await stat(place).catch(() => ({ mtimeMs: Number.NaN }))).mtimeMs;
    // If somebody is still writing it after all, they notice, and begin again some time.
    if (age > STALE_MS) await remove(place);
  }
}

async function seal(old: OpenFile, name: string): Promise<boolean> {
  while (old.chain.seal === undefined) {
    if (await old.append({ seal: name })) return true;
  }
  return false;
}

/** Adds changes to a file that nobody else writes to. */
async function fill(fresh: OpenFile, ops: Iterable<StorageOp>): Promise<void> {
  const append = async (ops: StorageOp[]) => {
    if (!(await fresh.append({ ops }))) throw new Error("somebody else writes to a file that is not theirs");
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
