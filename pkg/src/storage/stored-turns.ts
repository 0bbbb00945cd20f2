// A queue of writers inside the storage, for storages without turns of their own. It is the value of a key beside the guard:
// for each writer an id and a heartbeat counter.

import { concatenated } from "../base/bytes.js";
import type { StorageAdapter, StorageTurn } from "./adapter.js";

/** The suffix of the guard's key. */
const SUFFIX = "turns";

/** Before the ids: some storages treat an empty value as a missing one. */
const MARK = "q";

/**
 * The heartbeat interval (ms) of the first writer in the queue, and the time after which a silent one is considered dead.
 */
const BEAT = 250;
const PATIENCE = 1_000;

/** The polling pause (ms) per writer ahead, and its maximum. */
const PAUSE = 2;
const LONGEST_PAUSE = 20;

/** How often a change of the queue is tried: a storage that refuses all changes must not block a writer. */
const MOST_TRIES = 50;

/** Turns by a queue in the storage. A writer that has died does not block the queue for long. */
export function storedTurns(storage: StorageAdapter): StorageTurn {
  return async (guard, ifBusy) => {
    // Joining the queue is a write, which is wasted if it is empty.
    if (ifBusy && (await queueOf(storage, guard)).length === 0) return undefined;
    return queued(storage, guard);
  };
}

async function queued(storage: StorageAdapter, guard: Uint8Array): Promise<() => Promise<void>> {
  const id = Math.random().toString(36).slice(2);
  const isMine = (ticket: string) => ticket.startsWith(`${id}.`);
  const change = (edit: (queue: string[]) => string[]) => changed(storage, guard, edit);
  let queue = await change((queue) => [...queue, `${id}.0`]);
  let since = performance.now();
  for (;;) {
    const place = queue.findIndex(isMine);
    // Not in the queue: another writer considers this one dead, and does not wait for it.
    if (place <= 0) break;
    await pause(Math.min(PAUSE * place, LONGEST_PAUSE));
    const [first] = queue;
    queue = await queueOf(storage, guard);
    if (queue[0] !== first) since = performance.now();
    else if (performance.now() - since > PATIENCE) {
      queue = await change((queue) => (queue[0] === first ? queue.slice(1) : queue));
      since = performance.now();
    }
  }
  let beats = 0;
  const beating = setInterval(() => {
    beats += 1;
    const beat = (ticket: string) => (isMine(ticket) ? `${id}.${beats}` : ticket);
    change((queue) => queue.map(beat)).catch(() => {});
  }, BEAT);
  return async () => {
    clearInterval(beating);
    await change((queue) => queue.filter((ticket) => !isMine(ticket))).catch(() => {});
  };
}

/** Changes the queue by compare-and-swap. Returns its new state. */
async function changed(
  storage: StorageAdapter,
  guard: Uint8Array,
  edit: (queue: string[]) => string[],
): Promise<string[]> {
  const key = keyOf(guard);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const [expected] = await storage.get("meta", [key]);
    const queue = edit(read(expected));
    const next = new TextEncoder().encode([MARK, ...queue].join(" "));
    const batch = { guard: key, expected, next, ops: [], durability: "relaxed" as const };
    if (await storage.commit(batch)) return queue;
    await pause(Math.random() * Math.min(PAUSE * tries, LONGEST_PAUSE));
  }
  return [];
}

async function queueOf(storage: StorageAdapter, guard: Uint8Array): Promise<string[]> {
  const [held] = await storage.get("meta", [keyOf(guard)]);
  return read(held);
}

function keyOf(guard: Uint8Array): Uint8Array {
  return concatenated([guard, new TextEncoder().encode(SUFFIX)]);
}

function read(held: Uint8Array | undefined): string[] {
  return held ? new TextDecoder().decode(held).split(" ").slice(1) : [];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
