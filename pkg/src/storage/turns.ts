// Turns: writers that conflict queue up, so that a slow one is not starved. Turns are for fairness only: the guard decides
// whether a commit is written, and a writer whose turn does not come goes on without it.

import { areSame } from "../base/bytes.js";
import type { StorageAdapter, StorageBatch, StorageRange, StorageSpace } from "./adapter.js";

/** After a conflict, commits wait for a turn until this many of them had no other write between them. */
const POLITE = 8;

/** A writer without conflicts checks for waiting writers at every n-th commit: it may be the one that starves them. */
const LOOK = 16;

/** How long (ms) to wait for a turn. */
const PATIENCE = 10_000;

/** An adapter for one writer, whose commits yield to those of others. */
export class Turns implements StorageAdapter {
  readonly #inner: StorageAdapter;
  /** Ends the current turn of this writer. */
  #end: (() => void) | undefined;
  /** Settles when the end of the last turn is stored, where turns are stored. */
  #ending: Promise<void> | undefined;
  #polite = 0;
  /** The value of the guard after this writer's last commit. */
  #last: Uint8Array | undefined;
  #sinceLook = 0;
  /** Replaced each time the pending calls have ended: a turn that comes later belongs to no call. */
  #round = 0;

  constructor(inner: StorageAdapter) {
    this.#inner = inner;
  }

  get(space: StorageSpace, keys: Uint8Array[]) {
    return this.#inner.get(space, keys);
  }

  scan(space: StorageSpace, range: StorageRange, limit: number) {
    return this.#inner.scan(space, range, limit);
  }

  async close() {
    this.rest();
    await this.#ending;
    await this.#inner.close();
  }

  /**
   * Commits. After a conflict it returns during this writer's turn, which lasts until a commit succeeds or the call ends.
   */
  async commit(batch: StorageBatch): Promise<boolean> {
    this.#sinceLook += 1;
    if (!this.#end && (this.#polite > 0 || this.#sinceLook >= LOOK)) {
      this.#sinceLook = 0;
      await this.#take(batch.guard, true);
      // Others wrote during the wait, so the commit would conflict: the call plans again at once, during this turn.
      if (this.#end && this.#polite > 0) return false;
    }
    let written = true;
    try {
      written = await this.#inner.commit(batch);
    } finally {
      if (written !== false) this.end();
    }
    if (written === false) {
      this.#polite = POLITE;
      await this.#take(batch.guard);
      return false;
    }
    if (this.#polite > 0) this.#polite = areSame(batch.expected, this.#last) ? this.#polite - 1 : POLITE;
    this.#last = batch.next;
    return written;
  }

  /** Waits for a turn, which lasts until a commit succeeds or the call ends. */
  async turn(guard: Uint8Array): Promise<undefined> {
    await this.#take(guard);
  }

  /** Ends the turn, if there is one. */
  end(): void {
    const end = this.#end;
    this.#end = undefined;
    // A failure to end the turn does not change the result of the commit.
    if (end) this.#ending = (async () => end())().catch(() => {});
  }

  /** No call is pending any more. */
  rest(): void {
    this.#round += 1;
    this.end();
  }

  async #take(guard: Uint8Array, ifBusy = false): Promise<void> {
    if (this.#end || !this.#inner.turn) return;
    let round: number | undefined = this.#round;
    const taken = (async () => {
      const end = await this.#inner.turn?.(guard, ifBusy);
      if (round === this.#round) this.#end = end;
      else end?.();
    })();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, PATIENCE);
    });
    await Promise.race([taken, late]).catch(() => {});
    clearTimeout(timer);
    round = undefined;
  }
}
