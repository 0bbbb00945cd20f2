// Workers KV: read-only snapshots of a memory. KV has no compare-and-swap, so a memory cannot write to it.

import { areSame, concatenated } from "../../base/bytes.js";
import { MemoryError, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import { SPACES, type StorageAdapter, type StorageSpace } from "../../storage/adapter.js";
import { Tables } from "../../storage/tables.js";
import type { KvLike } from "./platform.js";

/** Options of a snapshot. */
export interface KvStorageOptions {
  /** The name of the snapshot in the namespace, 1 to 256 bytes. Default: `"keepsake"`. */
  name?: string | undefined;
}

/** Options of `publishSnapshot`. */
export interface PublishOptions extends KvStorageOptions {
  /** The time to live of a snapshot in seconds, at least 60. Default: 7 days. */
  keepSeconds?: number | undefined;
}

/** A read-only storage with stale data. */
export interface KvStorage extends StorageAdapter {
  /** Data may be a minute old, or older; writes are refused. */
  readonly consistency: "eventual";
}

/** The pointer that is stored under a snapshot's name: the location of its pieces. */
interface Pointer {
  version: 1;
  id: string;
  pieces: number;
}
const PAGE = 256;
/** KV accepts 25 MiB per value. */
const PIECE = 20_000_000;
const WEEK = 7 * 24 * 60 * 60;
const TRIES = 10;

/**
 * A snapshot in Workers KV as a storage: `openMemory` reads it as it was published, while it is open. A write is refused
 * with `unavailable`: reads of KV are stale, and of two concurrent writes KV keeps one.
 *
 * @example
 * const memory = await openMemory({ user: "u-42", storage: kvStorage(env.SNAPSHOTS) });
 */
export function kvStorage(namespace: KvLike, options: KvStorageOptions = {}): KvStorage {
  known(options, "name");
  const name = checked(namespace, options);
  let open = true;
  let loading: Promise<Tables> | undefined;
  const tables = async (): Promise<Tables> => {
    if (!open) throw new MemoryError("closed", "the storage is closed");
    loading ??= load(namespace, name).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    consistency: "eventual",
    get: async (space, keys) => (await tables()).get(space, keys),
    scan: async (space, range, limit) => (await tables()).scan(space, range, limit),
    commit: async () => {
      throw new MemoryError(
        "unavailable",
        "Workers KV cannot be written to by a memory: it has no compare-and-swap; use a Durable Object (durableObjectStorage)",
      );
    },
    close: async () => {
      open = false;
      loading = undefined;
    },
  };
}

/**
 * Publishes a storage as a snapshot for `kvStorage`. A snapshot is consistent, even if the storage is written to in between;
 * readers see the old one or the new one, never a mix.
 */
export async function publishSnapshot(
  storage: StorageAdapter,
  namespace: KvLike,
  options: PublishOptions = {},
): Promise<void> {
  known(options, "name keepSeconds");
  const name = checked(namespace, options);
  const { keepSeconds = WEEK } = options;
  if (!Number.isSafeInteger(keepSeconds) || keepSeconds < 60) {
    throw refused("keepSeconds", "must be an integer of at least 60");
  }
  const whole = await snapshotOf(storage);
  const id = crypto.randomUUID();
  const pieces = Math.max(1, Math.ceil(whole.length / PIECE));
  const kept = { expirationTtl: keepSeconds };
  for (let at = 0; at < pieces; at++) {
    await namespace.put(pieceName(name, id, at), whole.subarray(at * PIECE, (at + 1) * PIECE), kept);
  }
  // Last: a reader that finds the pointer must find the pieces.
  const pointer: Pointer = { version: 1, id, pieces };
  await namespace.put(name, new TextEncoder().encode(JSON.stringify(pointer)), kept);
}

function checked(namespace: KvLike, { name = "keepsake" }: KvStorageOptions): string {
  if (typeof namespace?.get !== "function") throw refused("namespace", "must be a namespace of Workers KV");
  const { length } = new TextEncoder().encode(String(name));
  if (typeof name !== "string" || length < 1 || length > 256) {
    throw refused("name", "must be a string of 1 to 256 bytes");
  }
  return name;
}

function pieceName(name: string, id: string, at: number): string {
  return `${name}/${id}/${at}`;
}

async function load(namespace: KvLike, name: string): Promise<Tables> {
  const tables = new Tables();
  const found = await namespace.get(name, "arrayBuffer");
  if (!found) return tables;
  const pointer = pointerOf(found);
  const names = Array.from({ length: pointer.pieces }, (_, at) => pieceName(name, pointer.id, at));
  const pieces = await Promise.all(names.map((piece) => namespace.get(piece, "arrayBuffer")));
  const whole: Uint8Array[] = [];
  for (const piece of pieces) {
    if (!piece)
      throw new MemoryError("unavailable", "the snapshot is not complete in this region yet; try again");
    whole.push(new Uint8Array(piece));
  }
  unpack(whole, tables);
  return tables;
}

function pointerOf(found: ArrayBuffer): Pointer {
  let pointer: Pointer | undefined;
  try {
    pointer = JSON.parse(new TextDecoder().decode(found)) as Pointer;
  } catch {}
  if (typeof pointer?.version !== "number")
    throw new MemoryError("corrupt", "this is not a snapshot of a memory");
  if (pointer.version !== 1)
    throw new MemoryError("newer-version", "a newer version published this snapshot");
  if (typeof pointer.id !== "string" || !Number.isSafeInteger(pointer.pieces)) {
    throw new MemoryError("corrupt", "the snapshot's pointer is damaged");
  }
  return pointer;
}

/** Serialises a storage: for each item its space, the lengths of key and value, and both. */
async function snapshotOf(storage: StorageAdapter): Promise<Uint8Array> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await packed(storage, ["meta"]);
    const whole = await packed(storage, SPACES);
    const after = await packed(storage, ["meta"]);
    // Every commit changes a guard, and guards are in `meta`.
    if (areSame(before, after)) return whole;
  }
  throw new MemoryError("conflict", "the storage kept changing; try again");
}

async function packed(storage: StorageAdapter, spaces: readonly StorageSpace[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const space of spaces) {
    let start: Uint8Array | undefined = new Uint8Array(0);
    while (start) {
      const { items, next }: Awaited<ReturnType<StorageAdapter["scan"]>> = await storage.scan(
        space,
        { start },
        PAGE,
      );
      for (const [key, value] of items) {
        const head = new DataView(new ArrayBuffer(9));
        head.setUint8(0, SPACES.indexOf(space));
        head.setUint32(1, key.length);
        head.setUint32(5, value.length);
        parts.push(new Uint8Array(head.buffer), key, value);
      }
      start = next;
    }
  }
  return concatenated(parts);
}

function unpack(pieces: Uint8Array[], tables: Tables): void {
  const whole = concatenated(pieces);
  const view = new DataView(whole.buffer);
  let at = 0;
  const take = (length: number) => {
    if (at + length > whole.length) throw new MemoryError("corrupt", "the snapshot is truncated");
    at += length;
    return at - length;
  };
  while (at < whole.length) {
    const head = take(9);
    const space = SPACES[view.getUint8(head)];
    if (!space) throw new MemoryError("corrupt", "the snapshot is damaged");
    const key = take(view.getUint32(head + 1));
    const value = take(view.getUint32(head + 5));
    const put = { type: "put" as const, space, key: whole.slice(key, value), value: whole.slice(value, at) };
    tables.apply(put);
  }
}
