// The connection to the database: opens and upgrades it, closes it for a newer version, and reopens it when it breaks.

import { MemoryError } from "../../base/errors.js";
import { SPACES, type StorageSpace } from "../adapter.js";
import { isPrepared, prepare } from "./carried.js";
import { meaning, meant, nameOf, unavailable, unopened } from "./failures.js";

/** The version of the schema: the object stores, and since version 2 the index of records inside log pages. */
export const SCHEMA = 2;

/** How long (ms) another tab may block an upgrade (F2), and how long opening may take (F11). */
const PATIENCE_BLOCKED = 2_000;
const PATIENCE_OPEN = 10_000;

/**
 * How long (ms) a checked database is trusted. Commits within this time share one check; a database that is emptied by hand
 * accepts at most the commits of this time.
 */
const CHECKED = 50;

/** An open database, with its schema version if that is newer than ours. */
interface Open {
  database: IDBDatabase;
  newer: number | undefined;
  /** Whether the database was created by this call. */
  created: boolean;
}

/**
 * The reason why a connection is not usable. `broken`: the browser closed it, or it does not answer; the next call reopens
 * it.
 */
type Unused = "broken" | "superseded" | "closed";

/** A connection that reopens itself when the browser drops it. */
export class Connection {
  readonly #name: string;
  readonly #schema: number;
  #link: Open | Unused = "broken";
  #opening: Promise<IDBDatabase> | undefined;
  /** The error that broke it, if the disk was full: reopening fails until there is space. */
  #full: MemoryError | undefined;
  /** Whether it was open before. */
  #wasOpen = false;
  /** Whether most records that were looked up together lay inside pages of the log, so that they are looked up there first. */
  carriesMost = false;
  /** The time at which a guard of this database last had the expected value. */
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(name: string, schema: number) {
    this.#name = name;
    this.#schema = schema;
  }

  get isOpen(): boolean {
    return typeof this.#link === "object";
  }

  /** Whether the database was checked recently. */
  get isChecked(): boolean {
    return performance.now() - this.#checkedAt < CHECKED;
  }

  /** Records that a guard had the expected value. */
  checked(): void {
    this.#checkedAt = performance.now();
  }

  /** Opens the database if it is not open. */
  async open(): Promise<IDBDatabase> {
    this.check();
    if (typeof this.#link === "object") return this.#link.database;
    // Concurrent calls share one attempt.
    this.#opening ??= this.#reopened().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  close(): void {
    if (typeof this.#link === "object") this.#link.database.close();
    this.#link = "closed";
  }

  /** Throws if the connection must not be used any more. */
  check(): void {
    if (this.#link === "superseded") {
      throw new MemoryError("superseded", "a newer version has taken over the storage; reload");
    }
    if (this.#link === "closed") throw new MemoryError("closed", "the storage is closed");
  }

  /** A database with a newer schema is read-only, if it has everything that we read (F3). */
  checkWritable(): void {
    this.check();
    if (typeof this.#link === "object" && this.#link.newer !== undefined) {
      throw newer(this.#link.newer, this.#schema);
    }
  }

  /** Runs a read, and retries it once on a new connection if this one is dead (F10). */
  async reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== "storage-failed") throw error;
      this.#break();
      return read();
    }
  }

  /** Begins a transaction, synchronously if possible; on a new connection if this one is closing (F8). */
  begin(
    spaces: StorageSpace[],
    mode: IDBTransactionMode,
    durability: IDBTransactionDurability,
  ): IDBTransaction | Promise<IDBTransaction> {
    const begin = (database: IDBDatabase) => database.transaction(spaces, mode, { durability });
    const again = () => this.open().then(begin).catch(meant);
    if (typeof this.#link !== "object") return again();
    try {
      return begin(this.#link.database);
    } catch (error) {
      if (nameOf(error) !== "InvalidStateError") throw meaning(error);
      this.#break();
      return again();
    }
  }

  /** Maps a browser exception; a full disk is remembered. */
  failed(error: unknown): MemoryError {
    const failure = meaning(error);
    if (failure.code === "quota-exceeded") this.#full = failure;
    return failure;
  }

  #break(): void {
    if (typeof this.#link !== "object") return;
    this.#link.database.close();
    this.#link = "broken";
  }

  async #reopened(): Promise<IDBDatabase> {
    const open = await openOrReadNewer(this.#name, this.#schema).catch((error) => {
      throw error.code === "unavailable" && this.#full ? this.#full : error;
    });
    this.#full = undefined;
    // `close` may have been called while the database opened.
    if (this.#link !== "broken") {
      open.database.close();
      this.check();
    }
    if (open.created && this.#wasOpen) {
      open.database.close();
      throw new MemoryError("store-lost", "the storage was deleted while it was open; open the memory again");
    }
    this.#link = open;
    this.#wasOpen = true;
    this.#checkedAt = Number.NEGATIVE_INFINITY;
    this.#watch(open);
    return open.database;
  }

  /** Closes the connection for upgrades of other tabs, and handles a connection that the browser closes. */
  #watch(open: Open): void {
    const replace = (why: Unused) => {
      if (this.#link === open) this.#link = why;
    };
    open.database.onversionchange = (event) => {
      // The browser finishes pending transactions; `close` waits for them.
      open.database.close();
      replace(event.newVersion === null ? "broken" : "superseded");
    };
    open.database.onclose = () => replace("broken");
  }
}

async function openOrReadNewer(name: string, schema: number): Promise<Open> {
  let open: Open;
  try {
    open = { ...(await opened(name, schema)), newer: undefined };
  } catch (error) {
    if (nameOf(error) !== "VersionError") throw unopened(error);
    const there = await opened(name).catch((error) => {
      throw unopened(error);
    });
    open = { ...there, newer: there.database.version };
  }
  if (isReadable(open)) return open;
  open.database.close();
  throw open.newer === undefined
    ? unavailable("the database was not created by keepsake")
    : newer(open.newer, schema);
}

/** Whether a database has everything that we read. */
function isReadable({ database, newer }: Open): boolean {
  if (!SPACES.every((space) => database.objectStoreNames.contains(space))) return false;
  // A database with our own schema was created with the index.
  return newer === undefined || isPrepared(database.transaction("log").objectStore("log"));
}

/**
 * One attempt to open. It always settles, even if another tab blocks it or the browser does not answer.
 */
function opened(name: string, schema?: number): Promise<{ database: IDBDatabase; created: boolean }> {
  return new Promise((resolve, reject) => {
    // Throws where IndexedDB does not exist or is not allowed.
    const request = indexedDB.open(name, schema);
    let late = false;
    const giveUp = (error: MemoryError) => {
      late = true;
      reject(error);
    };
    let patience = setTimeout(() => giveUp(unavailable("IndexedDB does not answer")), PATIENCE_OPEN);
    let created = false;
    request.onupgradeneeded = ({ oldVersion }) => {
      created = oldVersion === 0;
      const there = request.result.objectStoreNames;
      for (const space of SPACES) if (!there.contains(space)) request.result.createObjectStore(space);
      if (request.transaction) prepare(request.transaction.objectStore("log"));
    };
    request.onblocked = () => {
      clearTimeout(patience);
      const message = "another tab has an older version of the storage open; close or reload it";
      patience = setTimeout(() => giveUp(new MemoryError("blocked", message)), PATIENCE_BLOCKED);
    };
    request.onsuccess = () => {
      clearTimeout(patience);
      // A connection that opens too late must not stay open: it would block upgrades.
      if (late) request.result.close();
      else resolve({ database: request.result, created });
    };
    request.onerror = () => {
      clearTimeout(patience);
      reject(request.error);
    };
  });
}

function newer(found: number, known: number): MemoryError {
  const message = `the storage has schema ${found}, and this version supports up to ${known}; update keepsake`;
  return new MemoryError("newer-version", message);
}
