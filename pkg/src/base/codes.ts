// Generated from wit/ by `cargo xtask generate`. Do not edit.

/** The codes of the core, each with the status of an HTTP answer. */
export const STATUS = {
  "invalid-input": 400,
  "too-large": 413,
  "already-exists": 409,
  "not-found": 404,
  conflict: 503,
  "quota-exceeded": 507,
  blocked: 503,
  superseded: 503,
  "newer-version": 500,
  unavailable: 503,
  "store-lost": 503,
  "storage-failed": 503,
  corrupt: 500,
  closed: 503,
  environment: 500,
} as const;

/**
 * One word for each way of the core to fail.
 *
 * - `invalid-input`: An argument was refused; the field is named.
 * - `too-large`: An argument, or a value for the storage, is larger than its limit.
 * - `already-exists`: There is another entry with that id or key, or another message or session with that id. An entry that has expired
 *   and was not cleaned up counts, too.
 * - `not-found`: There is no entry, session, message, file or skill with that id, or it has expired; the text says which.
 * - `conflict`: The stored value is not the expected one, or others kept changing it. Read again and retry. The number counts the
 *   tries.
 * - `quota-exceeded`: The storage is full. Reading and deleting still work.
 * - `blocked`: Another tab or program holds the storage in an older form and does not let go.
 * - `superseded`: A newer version of the program took the storage over. Reload.
 * - `newer-version`: The storage was written by a newer version of this library.
 * - `unavailable`: There is no storage here, or WebAssembly is not allowed; the text says why.
 * - `store-lost`: The storage was emptied or replaced while it was open.
 * - `storage-failed`: The storage failed in a way of its own; the text says how.
 * - `corrupt`: Something stored cannot be read; the text says what gave it away.
 * - `closed`: The memory, or the storage below it, was closed.
 * - `environment`: The clock or the source of randomness failed.
 */
export type CoreErrorCode = keyof typeof STATUS;
