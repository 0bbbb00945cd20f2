// A queue of writers that is kept in the storage itself, for storages that have no turns of their own. It is the value of a key
// beside the guard: an id for each writer, and how often that one has said that it is still there.

import { concatenated } from "../base/bytes.js";
import type { StorageAdapter, StorageTurn } from "./adapter.js";

/** Follows the guard in the key. */
const SUFFIX = "turns";

/** Before the ids: an empty value is no value in some storages. */
const MARK = "q";

/** How often (ms) the first in the queue says that it is still there, and how long others believe in one that does not. */
const BEAT = 250;
const PATIENCE = 1_000;

/** The pause (ms) between two reads for each writer ahead, and the longest one. */
const PAUSE = 2;
const LONGEST_PAUSE = 20;

/** How often a change of the queue is tried: a storage that refuses them all must not hold up a writer. */
const MOST_TRIES = 50;

/** Turns in a queue that is kept in the storage. Nobody waits for long behind a writer that has died. */
export function storedTurns(storage: StorageAdapter): StorageTurn {
  return async (guard, ifBusy) => {
    // To queue up is a write, and for nothing if nobody waits.
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
    // Not there: somebody has taken this writer for dead, and does not wait for it.
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

/** Changes the queue, on top of what others do to it at the same time. Answers how it is then. */
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
