// Turns: writers that got in each other's way queue up, so that a slow one is not beaten for ever. This is about fairness
// alone: the guard decides what may be written, whoever's turn it is, and a turn that does not come is done without.

import { areSame } from "../base/bytes.js";
import type { StorageAdapter, StorageBatch, StorageRange, StorageSpace } from "./adapter.js";

/** After a conflict, commits wait for their turn until nobody else has written between this many of them. */
const POLITE = 8;

/** A writer without conflicts looks for others at every so many commits: it may be the reason why they do not get to write. */
const LOOK = 16;

/** How long (ms) to wait for a turn. */
const PATIENCE = 10_000;

/** An adapter for one writer, whose commits give way to those of others. */
export class Turns implements StorageAdapter {
  readonly #inner: StorageAdapter;
  /** Ends the turn that this writer has. */
  #end: (() => void) | undefined;
  /** Settles when the end of the last turn is written down, where it has to be. */
  #ending: Promise<void> | undefined;
  #polite = 0;
  /** The value of the guard after this writer's last commit. */
  #last: Uint8Array | undefined;
  #sinceLook = 0;
  /** Another one each time the calls under way have ended: a turn that comes later is nobody's. */
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

  /** Commits. After a conflict it returns in this writer's turn, which lasts until a commit succeeds or the call has ended. */
  async commit(batch: StorageBatch): Promise<boolean> {
    this.#sinceLook += 1;
    if (!this.#end && (this.#polite > 0 || this.#sinceLook >= LOOK)) {
      this.#sinceLook = 0;
      await this.#take(batch.guard, true);
      // Others wrote while it waited, so the commit would be refused: it is planned again at once, in this turn.
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

  /** Waits for a turn, which lasts until a commit succeeds or the call has ended. */
  async turn(guard: Uint8Array): Promise<undefined> {
    await this.#take(guard);
  }

  /** Ends the turn, if there is one. */
  end(): void {
    const end = this.#end;
    this.#end = undefined;
    // Whatever goes wrong with it, the commit is what it is.
    if (end) this.#ending = (async () => end())().catch(() => {});
  }

  /** No call is under way any more. */
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
