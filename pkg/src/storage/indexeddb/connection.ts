// The connection to the database: opened, upgraded, given up when somebody newer asks, opened again when it breaks.

import { MemoryError } from "../../base/errors.js";
import { SPACES, type StorageSpace } from "../adapter.js";
import { isPrepared, prepare } from "./carried.js";
import { meaning, meant, nameOf, unavailable, unopened } from "./failures.js";

/** The version of the schema: which object stores there are, and since 2 the index of what pages of the log carry. */
export const SCHEMA = 2;

/** How long another tab may take to give way to an upgrade (F2), and how long opening may take at all (F11). */
const PATIENCE_BLOCKED = 2_000;
const PATIENCE_OPEN = 10_000;

/**
 * For how many milliseconds a database is taken to be the one that it was. Commits in a row share one look; one that is
 * emptied by hand meanwhile takes in at most the commits of that time.
 */
const CHECKED = 50;

/** In use, and the schema if it is newer than ours. */
interface Open {
  database: IDBDatabase;
  newer: number | undefined;
  /** Whether there was none before. */
  created: boolean;
}

/** Why a connection is not in use. `broken`: the browser closed it, or it stopped answering; the next call opens it again. */
type Unused = "broken" | "superseded" | "closed";

/** A connection that comes back by itself when the browser drops it. */
export class Connection {
  readonly #name: string;
  readonly #schema: number;
  #link: Open | Unused = "broken";
  #opening: Promise<IDBDatabase> | undefined;
  /** The failure that broke it, if the disk was full: it cannot be opened before there is room. */
  #full: MemoryError | undefined;
  /** Whether it was in use before. */
  #wasOpen = false;
  /** When a guard of this database was last seen to hold what it should. */
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(name: string, schema: number) {
    this.#name = name;
    this.#schema = schema;
  }

  get isOpen(): boolean {
    return typeof this.#link === "object";
  }

  /** Whether the database is the one that it was, as far as a moment ago tells. */
  get isChecked(): boolean {
    return performance.now() - this.#checkedAt < CHECKED;
  }

  /** A guard held what it should. */
  checked(): void {
    this.#checkedAt = performance.now();
  }

  /** Opens the database if it is not open. */
  async open(): Promise<IDBDatabase> {
    this.check();
    if (typeof this.#link === "object") return this.#link.database;
    // One at a time: who comes meanwhile waits for the same.
    this.#opening ??= this.#reopened().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  close(): void {
    if (typeof this.#link === "object") this.#link.database.close();
    this.#link = "closed";
  }

  /** Throws if it is not to be used any more. */
  check(): void {
    if (this.#link === "superseded") {
      throw new MemoryError("superseded", "a newer version took the storage over: reload");
    }
    if (this.#link === "closed") throw new MemoryError("closed", "the storage is closed");
  }

  /** A database of a newer schema can be read, as far as it has what we know; it is never written to (F3). */
  checkWritable(): void {
    this.check();
    if (typeof this.#link === "object" && this.#link.newer !== undefined) {
      throw newer(this.#link.newer, this.#schema);
    }
  }

  /** Runs a read, and once more on a new connection if this one turns out to be dead (F10). */
  async reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== "storage-failed") throw error;
      this.#break();
      return read();
    }
  }

  /** Begins a transaction, at once if that can be; on a new connection if this one is closing (F8). */
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

  /** The meaning of a browser exception; a full disk is remembered. */
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
    // It may have been closed meanwhile.
    if (this.#link !== "broken") {
      open.database.close();
      this.check();
    }
    if (open.created && this.#wasOpen) {
      open.database.close();
      throw new MemoryError("store-lost", "the storage was deleted while it was open: open the memory again");
    }
    this.#link = open;
    this.#wasOpen = true;
    this.#checkedAt = Number.NEGATIVE_INFINITY;
    this.#watch(open);
    return open.database;
  }

  /** Gives way to upgrades, and notices when the browser closes the connection. */
  #watch(open: Open): void {
    const replace = (why: Unused) => {
      if (this.#link === open) this.#link = why;
    };
    open.database.onversionchange = (event) => {
      // Transactions under way are finished by the browser; `close` waits for them.
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
  throw open.newer === undefined ? unavailable("the database is not one of ours") : newer(open.newer, schema);
}

/** Whether a database has everything that we read. */
function isReadable({ database, newer }: Open): boolean {
  if (!SPACES.every((space) => database.objectStoreNames.contains(space))) return false;
  // One of our own schema was made with it.
  return newer === undefined || isPrepared(database.transaction("log").objectStore("log"));
}

/**
 * One try to open, which never takes for ever: neither when another tab is in the way, nor when the browser does not
 * answer.
 */
function opened(name: string, schema?: number): Promise<{ database: IDBDatabase; created: boolean }> {
  return new Promise((resolve, reject) => {
    // Where there is none, or where a page may not use it, this throws.
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
      const message = "another tab holds an older version of the storage open: close or reload it";
      patience = setTimeout(() => giveUp(new MemoryError("blocked", message)), PATIENCE_BLOCKED);
    };
    request.onsuccess = () => {
      clearTimeout(patience);
      // What opens too late must not stay open, where it would be in everybody's way.
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
  const message = `the storage has schema ${found}, and this version knows up to ${known}: update keepsake`;
  return new MemoryError("newer-version", message);
}
