// A file of commits that other handles and other programs may write to as well: reading what is new, and committing.

import { setTimeout as pause } from "node:timers/promises";
import { MemoryError } from "../../base/errors.js";
import type { StorageBatch } from "../adapter.js";
import { changes, Tables } from "../tables.js";
import { discard, rewrite, sweep, useful } from "./compaction.js";
import { newName, VERSION } from "./line.js";
import { lookAt, OpenFile } from "./open-file.js";
import { problem } from "./problems.js";

/**
 * For how long others may keep a file sealed. It takes them a few milliseconds, unless they were killed or stopped; who
 * is hindered all the same only has to begin again.
 */
const PATIENCE_MS = 500;
const PAUSE_MS = 5;

/** What a handle knows of the file that it was opened on. */
export interface Seen {
  /** What the file called itself; nothing if it had no line yet. */
  id?: string | undefined;
}

export class LogFile {
  readonly path: string;
  readonly #patience: number;
  readonly #empty = new Tables();
  #file: OpenFile | undefined;
  #swept = false;
  /** Settles when what was begun before is done. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string, patience = PATIENCE_MS) {
    this.path = path;
    this.#patience = patience;
  }

  /** Looks at what is in the file now, also by the hands of others. */
  async read<T>(look: (tables: Tables) => T, seen: Seen = {}): Promise<T> {
    try {
      // The usual case: nobody has written, and nobody has to be waited for to see that.
      if (this.#isCurrent()) return look(this.#tablesFor(seen));
    } catch (error) {
      throw problem(error, this.path);
    }
    return this.#inTurn(async () => {
      await this.#refresh();
      return look(this.#tablesFor(seen));
    });
  }

  /** As in `StorageAdapter`. When more than `compactAbove` bytes are of no use, the file is written anew afterwards. */
  async commit(batch: StorageBatch, compactAbove: number, seen: Seen = {}): Promise<boolean> {
    const done = await this.#inTurn(() => this.#commit(batch, seen));
    // Nobody has to wait for that but who comes next.
    if (done) void this.#inTurn(() => this.#compact(compactAbove)).catch(() => {});
    return done;
  }

  /** Lets go of the file when everything that was begun is done. */
  async close(): Promise<void> {
    await this.#inTurn(() => this.#use(undefined));
  }

  /** One at a time: what is read of a file and what is written to it must not get mixed up. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work).catch((error) => {
      throw problem(error, this.path);
    });
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** What is in the file, if it is still the one that a handle knows. */
  #tablesFor(seen: Seen): Tables {
    const { id, tables } = this.#file?.chain ?? { id: undefined, tables: this.#empty };
    seen.id ??= id;
    if (seen.id === id) return tables;
    throw new MemoryError("store-lost", `${this.path} was deleted or replaced while it was open`);
  }

  #isCurrent(): boolean {
    const found = lookAt(this.path);
    if (!this.#file || !found) return !this.#file && !found;
    // An edit in place, such as the repair of a damaged line, may leave the size as it was.
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
        // It does not go on as it began. Somebody may have copied another file over it, which is fine in itself.
      }
    }
    await this.#open(false);
  }

  async #open(create: boolean): Promise<void> {
    // Given up first: if the file cannot be read, what was known of it is not what there is.
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
    throw new MemoryError("unavailable", `${this.path} cannot be written: this program may only read it`);
  }

  async #makeDurable(file: OpenFile): Promise<void> {
    try {
      await file.makeDurable();
    } catch (cause) {
      // Not `storage-failed`: then it would be looked up whether the commit is there, and it is, as long as there is
      // power.
      const text = `${this.path} was written, and the disk does not say that it has it`;
      throw new MemoryError("unavailable", text, { cause });
    }
  }

  /** Waits until the file is not sealed any more, or another is in its place; in the end it breaks the seal. */
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
    // Whatever hindered it may last, and to write a file costs the more the larger it is.
    else file.retryAt = file.size + Math.max(live, above);
  }
}
