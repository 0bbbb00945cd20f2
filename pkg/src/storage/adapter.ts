// The storage seam in TypeScript: an app implements it to choose where memories are stored.

/** A separate group of keys: a table, an object store, a prefix. */
export type StorageSpace = "meta" | "records" | "bodies" | "log" | "index";

/** Every space, in a fixed order: a storage may use their indices. */
export const SPACES: readonly StorageSpace[] = ["meta", "records", "bodies", "log", "index"];

/** Keys from `start` to `end`, exclusive; without `end` the range is open. Keys compare byte by byte. */
export interface StorageRange {
  /** The first key that may be in the range. */
  start: Uint8Array;
  /** The first key after the range. Default: no end. */
  end?: Uint8Array | undefined;
}

/** One operation of a batch. */
export type StorageOp =
  | {
      type: "put";
      space: StorageSpace;
      key: Uint8Array;
      value: Uint8Array;
      /**
       * This key does not exist, and will not be overwritten, only deleted. A storage may use this as a hint.
       */
      isNew?: boolean;
    }
  | { type: "delete"; space: StorageSpace; key: Uint8Array }
  | { type: "delete-range"; space: StorageSpace; range: StorageRange };

/** Operations that are applied atomically. */
export interface StorageBatch {
  /** A key in the space `meta`, which holds the revision. */
  guard: Uint8Array;
  /** The value that the guard must have. Default: the guard must not exist. */
  expected?: Uint8Array | undefined;
  /** The new value of the guard. */
  next: Uint8Array;
  /** The operations, in order. */
  ops: StorageOp[];
  /** `strict`: on disk when the promise resolves. `relaxed`: survives the end of the process. */
  durability: "relaxed" | "strict";
}

/** A page of a scan. */
export interface StoragePage {
  /** Keys and values, in key order. */
  items: [key: Uint8Array, value: Uint8Array][];
  /** The start of the next page. Default: none, this is the end of the range. */
  next?: Uint8Array | undefined;
}

/**
 * Waits for the turn to write to the memory with this guard, and resolves with a function that ends the turn. Turns should
 * come in the order of the calls, and the turn of a writer that has died should end by itself. With `ifBusy` the caller
 * wants a turn only if another writer has or awaits one; otherwise the result may be `undefined`. Correctness never depends
 * on turns: others may commit in between, and after 10 seconds the caller goes on without one.
 */
export type StorageTurn = (guard: Uint8Array, ifBusy: boolean) => Promise<(() => void) | undefined>;

/**
 * Durable bytes. Calls may overlap. To report a full disk, throw an error with the `code` `"quota-exceeded"`. A
 * `MemoryError` reaches the app unchanged, so its message must not contain stored data. Any other error reaches the app as
 * `storage-failed`, without its message. Keys may be views of a larger buffer; values never are.
 */
export interface StorageAdapter {
  /** The values of `keys`, in the same order; `undefined` for a missing key. */
  get(space: StorageSpace, keys: Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  /** The items of `range` in byte order, at most `limit`. */
  scan(space: StorageSpace, range: StorageRange, limit: number): Promise<StoragePage>;
  /** Applies all operations or none: `true` if they were written, `false` if the guard does not have the expected value. */
  commit(batch: StorageBatch): Promise<boolean>;
  /** Releases resources. Called by `close()` of the memory, and when a memory cannot be opened on this storage. */
  close(): Promise<void>;
  /** Lets conflicting writers take turns. Default: Web Locks in browsers, elsewhere a queue in `meta`. */
  turn?: StorageTurn | undefined;
  /** Whether data survives the end of the program. Default: `true`. */
  readonly persistent?: boolean | undefined;
}
