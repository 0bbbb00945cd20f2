// The storage seam in TypeScript: what an app implements to keep memories where it likes.

/** A group of keys with an order of its own: a table, an object store, a prefix. */
export type StorageSpace = "meta" | "records" | "bodies" | "log" | "index";

/** Every space, in a fixed order: a storage may call them by their places. */
export const SPACES: readonly StorageSpace[] = ["meta", "records", "bodies", "log", "index"];

/** Keys from `start` up to, but not including, `end`; without `end` there is no end. Keys compare byte by byte. */
export interface StorageRange {
  /** The first key that may be in the range. */
  start: Uint8Array;
  /** The first key after the range. */
  end?: Uint8Array | undefined;
}

/** One change of a batch. */
export type StorageOp =
  | {
      type: "put";
      space: StorageSpace;
      key: Uint8Array;
      value: Uint8Array;
      /**
       * Nothing is under this key, and nothing will be put over it: it can only be taken away. A storage may make use of
       * that, and need not.
       */
      isNew?: boolean;
    }
  | { type: "delete"; space: StorageSpace; key: Uint8Array }
  | { type: "delete-range"; space: StorageSpace; range: StorageRange };

/** Changes that happen together or not at all. */
export interface StorageBatch {
  /** A key in the space `meta`. */
  guard: Uint8Array;
  /** What the guard has to hold for the batch to be written; `undefined`: the guard must not be there. */
  expected?: Uint8Array | undefined;
  /** What the guard holds afterwards. */
  next: Uint8Array;
  /** The changes, in order. */
  ops: StorageOp[];
  /** `strict`: on the disk when the promise resolves. `relaxed`: it survives the end of the program. */
  durability: "relaxed" | "strict";
}

/** A piece of a scan. */
export interface StoragePage {
  /** Keys and values, in the order of the keys. */
  items: [key: Uint8Array, value: Uint8Array][];
  /** Where the next piece begins; left out at the end of the range. */
  next?: Uint8Array | undefined;
}

/**
 * Waits for the turn to write to the memory with this guard; resolves with a function that ends the turn. Turns should come in
 * the order in which they were asked for, and that of a writer that has died should end by itself. With `ifBusy` the caller
 * wants a turn only if somebody else has or awaits one; otherwise the answer may be `undefined`. Correctness never depends on
 * turns: others may commit meanwhile, and after 10 seconds the caller goes on without one.
 */
export type StorageTurn = (guard: Uint8Array, ifBusy: boolean) => Promise<(() => void) | undefined>;

/**
 * Durable bytes. Calls may overlap. To report a full disk, throw an error whose `code` is `"quota-exceeded"`. A
 * `MemoryError` reaches the app as it is: its text must hold nothing of what is stored. Anything else that is thrown
 * reaches the app as `storage-failed`, without its text. Keys may be parts of a larger buffer, values never are.
 */
export interface StorageAdapter {
  /** The values of `keys`, in their order; `undefined` for a key that is not there. */
  get(space: StorageSpace, keys: Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  /** Keys of `range` with their values, in byte order, at most `limit` of them. */
  scan(space: StorageSpace, range: StorageRange, limit: number): Promise<StoragePage>;
  /** All or nothing: `true` if it was written, `false` if the guard does not hold what was expected. */
  commit(batch: StorageBatch): Promise<boolean>;
  /** Releases the medium. Called by `close()` of the memory, and when a memory cannot be opened on it. */
  close(): Promise<void>;
  /** Lets writers that got in each other's way take turns. Default: Web Locks in browsers, elsewhere a queue in `meta`. */
  turn?: StorageTurn | undefined;
  /** Whether what is written is there after the program ends. Default: `true`. */
  readonly persistent?: boolean | undefined;
}
