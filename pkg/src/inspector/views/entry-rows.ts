// The rows of the list of entries: read in pages, only as far as somebody looks, and read again when something changes.

import type { MemoryEntry, Metadata } from "../../wire/types.js";
import type { AnyMemory } from "../inside.js";
import { paced } from "../parts/paced.js";

/** What a row shows. Contents are read when an entry is opened. */
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
  /** As far as they were read. */
  rows: EntryRow[] = [];
  /** How many there are, and in which namespaces. */
  total = 0;
  namespaces: { [name: string]: number } = {};
  error: unknown;
  /** Whether nothing was read yet. */
  waiting = true;
  readonly #memory: AnyMemory;
  readonly #namespace: string | undefined;
  readonly #told: () => void;
  readonly #off: () => void;
  #wanted = PAGE;
  #stale = true;
  #busy = false;
  #over = false;

  /** Begins at once; `told` is called whenever there is something new to show, until `end`. */
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

  /** So many are to be seen. */
  need(count: number): void {
    this.#wanted = Math.max(PAGE, count);
    void this.#read();
  }

  end(): void {
    this.#over = true;
    this.#off();
  }

  /** One page after the other; after a change from the beginning, and what is shown stays until as much is read anew. */
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
        // A copy, since the rows before are shown.
        rows = [...rows, ...page.map(rowOf)];
        if (page.length < PAGE) this.total = rows.length;
        if (this.#stale || (rows.length < this.#wanted && rows.length < this.total)) continue;
        this.#show(rows, undefined);
      }
    } catch (error) {
      // The last row that was read may be gone meanwhile: then a change is told, and it begins anew.
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
