// The rows of the list of entries: read in pages, only as far as they are visible, and read again after changes.

import type { MemoryEntry, Metadata } from "../../wire/types.js";
import type { AnyMemory } from "../inside.js";
import { paced } from "../parts/paced.js";

/** The fields of a row. The content is read when an entry is opened. */
export interface EntryRow {
  id: string;
  namespace: string;
  text: string;
  importance: number;
  expiresAt: string;
  tags: string[];
}

const PAGE = 200;
const TEXT = 200;

/** The entries of a namespace, or of all, newest first. */
export class EntryRows {
  /** The rows that were read so far. */
  rows: EntryRow[] = [];
  /** The number of entries, and their namespaces. */
  total = 0;
  namespaces: { [name: string]: number } = {};
  error: unknown;
  /** Whether nothing has been read yet. */
  waiting = true;
  readonly #memory: AnyMemory;
  readonly #namespace: string | undefined;
  readonly #told: () => void;
  readonly #off: () => void;
  #wanted = PAGE;
  #stale = true;
  #busy = false;
  #over = false;

  /** Starts reading; `told` is called after each update, until `end`. */
  constructor(memory: AnyMemory, namespace: string | undefined, told: () => void) {
    this.#memory = memory;
    this.#namespace = namespace;
    this.#told = told;
    this.#off = paced(memory).on("change", () => {
      this.#stale = true;
      void this.#read();
    });
    void this.#read();
  }

  /** Sets the number of visible rows. */
  need(count: number): void {
    this.#wanted = Math.max(PAGE, count);
    void this.#read();
  }

  end(): void {
    this.#over = true;
    this.#off();
  }

  /** Reads page after page; after a change from the beginning, while the old rows stay until as many are read again. */
  async #read(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      let rows = this.rows;
      while (!this.#over && (this.#stale || (rows.length < this.#wanted && rows.length < this.total))) {
        if (this.#stale) {
          this.#stale = false;
          rows = [];
          const { total, namespaces } = await this.#memory.stats();
          const named = this.#namespace === undefined ? undefined : namespaces[this.#namespace];
          this.total = this.#namespace === undefined ? total : (named ?? 0);
          this.namespaces = namespaces;
        }
        const after = rows[rows.length - 1]?.id;
        const page = await this.#memory.list({ namespace: this.#namespace, limit: PAGE, after });
        // A copy, since the previous array is displayed.
        rows = [...rows, ...page.map(rowOf)];
        if (page.length < PAGE) this.total = rows.length;
        if (this.#stale || (rows.length < this.#wanted && rows.length < this.total)) continue;
        this.#show(rows, undefined);
      }
    } catch (error) {
      // The last row may be deleted in between: then a change event starts the read again.
      if (!this.#stale) this.#show(this.rows, error);
    } finally {
      this.#busy = false;
    }
    if (this.#stale && !this.#over) void this.#read();
  }

  #show(rows: EntryRow[], error: unknown): void {
    this.rows = rows;
    this.error = error;
    this.waiting = false;
    if (!this.#over) this.#told();
  }
}

function rowOf(entry: MemoryEntry<Metadata, string>): EntryRow {
  const { id, namespace, summary, importance, expiresAt, tags } = entry;
  return { id, namespace, text: summary.slice(0, TEXT), importance, expiresAt, tags };
}
