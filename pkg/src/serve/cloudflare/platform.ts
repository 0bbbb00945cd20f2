// The used parts of Cloudflare's platform as structural types: they accept an app's own types of any version.

/** The used part of a Durable Object's SQL. */
export interface SqlLike {
  /** Runs one statement; rows are arrays. */
  exec(query: string, ...bindings: unknown[]): { raw(): Iterable<unknown[]> };
}

/** The used part of `ctx.storage` of a SQLite-backed Durable Object. */
export interface ObjectStorageLike {
  /** The object's database. */
  readonly sql: SqlLike;
  /** Runs `work` in one transaction; an exception rolls it back. */
  transactionSync<T>(work: () => T): T;
  /** Resolves when all writes so far are on disk. */
  sync(): Promise<void>;
}

/** The used part of a Workers KV namespace. */
export interface KvLike {
  /** The bytes of a key; `null` if it does not exist. */
  get(key: string, type: "arrayBuffer"): Promise<ArrayBuffer | null>;
  /** Sets the bytes of a key, with a time to live in seconds. */
  put(key: string, value: ArrayBuffer | Uint8Array, options?: { expirationTtl?: number }): Promise<void>;
}

/** The used part of a Durable Object's stub. */
export interface StubLike {
  /** Sends a request to the object. */
  fetch(request: Request): Promise<Response>;
}

/** The used part of a namespace of Durable Objects, such as `env.MEMORY`. */
export interface ObjectNamespaceLike {
  /** The id of the object with this name. */
  idFromName(name: string): object;
  /** The stub of that object. */
  get(id: never): StubLike;
}

/** The alarm functions of `ctx.storage`. */
export interface AlarmsLike {
  /** The time of the alarm, in milliseconds since 1970; `null` if none is set. */
  getAlarm(): Promise<number | null>;
  /** Sets the alarm. */
  setAlarm(at: number): Promise<void>;
}
