// A file of commits that other handles and processes may write to: reads new lines, and commits.

import { setTimeout as pause } from "node:timers/promises";
import { MemoryError } from "../../base/errors.js";
import type { StorageBatch } from "../adapter.js";
import { changes, Tables } from "../tables.js";
import { discard, rewrite, sweep, useful } from "./compaction.js";
import { newName, VERSION } from "./line.js";
import { lookAt, OpenFile } from "./open-file.js";
import { problem } from "./problems.js";

/**
 * How long (ms) others may keep a file sealed. A compaction takes a few milliseconds, unless its process was killed or
 * suspended; a slower one whose seal is broken starts again.
 */
const PATIENCE_MS = 500;
const PAUSE_MS = 5;

/** The state of a handle. */
export interface Seen {
  /** The id of the file when the handle opened it; undefined if it had no line yet. */
  id?: string | undefined;
}

export class LogFile {
  readonly path: string;
  readonly #patience: number;
  readonly #empty = new Tables();
  #file: OpenFile | undefined;
  #swept = false;
  /** Settles when earlier work is done. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string, patience = PATIENCE_MS) {
    this.path = path;
    this.#patience = patience;
  }

  /** Reads new lines, including those of other writers. */
  async read<T>(look: (tables: Tables) => T, seen: Seen = {}): Promise<T> {
    try {
      // The fast path: nothing was written, so there is no need to wait in the queue.
      if (this.#isCurrent()) return look(this.#tablesFor(seen));
    } catch (error) {
      throw problem(error, this.path);
    }
    return this.#inTurn(async () => {
      await this.#refresh();
      return look(this.#tablesFor(seen));
    });
  }

  /** As in `StorageAdapter`. If more than `compactAbove` bytes are obsolete, the file is compacted afterwards. */
  async commit(batch: StorageBatch, compactAbove: number, seen: Seen = {}): Promise<boolean> {
    const done = await this.#inTurn(() => this.#commit(batch, seen));
    // Not awaited: only the next call waits for it.
    if (done) void this.#inTurn(() => this.#compact(compactAbove)).catch(() => {});
    return done;
  }

  /** Closes the file when earlier work is done. */
  async close(): Promise<void> {
    await this.#inTurn(() => this.#use(undefined));
  }

  /** Serialises work: reads and writes of a file must not interleave. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work).catch((error) => {
      throw problem(error, this.path);
    });
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** The open file, if it is still the one that the handle opened. */
  #tablesFor(seen: Seen): Tables {
    const { id, tables } = this.#file?.chain ?? { id: undefined, tables: this.#empty };
    seen.id ??= id;
    if (seen.id === id) return tables;
    throw new MemoryError("store-lost", `${this.path} was deleted or replaced while it was open`);
  }

  #isCurrent(): boolean {
    const found = lookAt(this.path);
    if (!this.#file || !found) return !this.#file && !found;
    // An edit in place, such as the repair of a damaged line, may keep the size.
    const { size, modified } = this.#file;
    return this.#file.is(found) && found.size === BigInt(size) && found.mtimeNs === modified;
  }

  async #refresh(): Promise<void> {
    if (this.#isCurrent()) return;
    const found = lookAt(this.path);
    if (this.#file?.is(found) && found && found.size > BigInt(this.#file.size)) {
      try {
        return await this.#file.readOn();
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        // The file does not continue the known lines. Another valid file may have been copied over it.
      }
    }
    await this.#open(false);
  }

  async #open(create: boolean): Promise<void> {
    // Closed first: if the file cannot be read, the known content is no longer valid.
    await this.#use(undefined);
    await this.#use(await OpenFile.open(this.path, create));
  }

  async #use(file: OpenFile | undefined): Promise<void> {
    const before = this.#file;
    this.#file = file;
    await before?.close();
  }

  async #commit(batch: StorageBatch, seen: Seen): Promise<boolean> {
    for (;;) {
      await this.#refresh();
      if (!this.#tablesFor(seen).holds(batch)) return false;
      const file = this.#file;
      if (!file?.writable) await this.#openToWrite();
      else if (file.chain.head === "") await file.append({ version: VERSION, id: newName() });
      else if (file.chain.seal !== undefined) await this.#outwait(file, file.chain.seal);
      else if (await file.append({ ops: changes(batch) })) {
        if (batch.durability === "strict") await this.#makeDurable(file);
        return true;
      }
    }
  }

  async #openToWrite(): Promise<void> {
    await this.#open(true);
    if (this.#file?.writable) return;
    throw new MemoryError("unavailable", `${this.path} cannot be written: this process may only read it`);
  }

  async #makeDurable(file: OpenFile): Promise<void> {
    try {
      await file.makeDurable();
    } catch (cause) {
      // Not `storage-failed`: the core would then look up the commit, and find it, although a power failure can still lose
      // it.
      const text = `${this.path} was written, but the disk did not confirm it`;
      throw new MemoryError("unavailable", text, { cause });
    }
  }

  /** Waits until the file is not sealed, or was replaced; after the timeout breaks the seal. */
  async #outwait(file: OpenFile, seal: string): Promise<void> {
    const since = performance.now();
    while (this.#file === file && file.chain.seal === seal) {
      if (performance.now() - since > this.#patience) await discard(file, seal);
      else await pause(PAUSE_MS);
      await this.#refresh();
    }
  }

  async #compact(above: number): Promise<void> {
    const file = this.#file;
    if (!this.#swept) await sweep(this.path).catch(() => {});
    this.#swept = true;
    if (!file || file.size < file.retryAt) return;
    const live = useful(file.chain.tables);
    if (file.size - live <= Math.max(live, above)) return;
    await sweep(this.path).catch(() => {});
    const fresh = await rewrite(file);
    if (fresh) await this.#use(fresh);
    // The obstacle may persist, and a rewrite costs more the larger the file is.
    else file.retryAt = file.size + Math.max(live, above);
  }
}
