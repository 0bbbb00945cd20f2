// What is used of Cloudflare's platform, by its shape: an app's own types of it fit, whichever version they are of.

/** The part of a Durable Object's SQL that is used. */
export interface SqlLike {
  /** Runs one statement; rows come as lists. */
  exec(query: string, ...bindings: unknown[]): { raw(): Iterable<unknown[]> };
}

/** The part of `ctx.storage` of a SQLite-backed Durable Object that is used. */
export interface ObjectStorageLike {
  /** The object's database. */
  readonly sql: SqlLike;
  /** Runs `work` in one transaction; what it throws undoes everything. */
  transactionSync<T>(work: () => T): T;
  /** Resolves when everything written so far is on the disk. */
  sync(): Promise<void>;
}

/** The part of a Workers KV namespace that is used. */
export interface KvLike {
  /** The bytes of a key; `null` if there are none. */
  get(key: string, type: "arrayBuffer"): Promise<ArrayBuffer | null>;
  /** Sets the bytes of a key, for so many seconds at most. */
  put(key: string, value: ArrayBuffer | Uint8Array, options?: { expirationTtl?: number }): Promise<void>;
}

/** The part of a Durable Object's stub that is used. */
export interface StubLike {
  /** Sends the object a request. */
  fetch(request: Request): Promise<Response>;
}

/** The part of a namespace of Durable Objects that is used, such as `env.MEMORY`. */
export interface ObjectNamespaceLike {
  /** The id of the object of this name. */
  idFromName(name: string): object;
  /** The way to that object. */
  get(id: never): StubLike;
}

/** The part of `ctx.storage` that wakes an object up. */
export interface AlarmsLike {
  /** When it is going to be woken up, in milliseconds since 1970; `null`: not at all. */
  getAlarm(): Promise<number | null>;
  /** Has it woken up at that time. */
  setAlarm(at: number): Promise<void>;
}
