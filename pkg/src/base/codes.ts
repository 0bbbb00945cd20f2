// Generated from wit/ by `cargo xtask generate`. Do not edit.

/**
 * One word for each way of the core to fail.
 *
 * - `invalid-input`: An argument is invalid; the field is named.
 * - `too-large`: An argument, or a value for the storage, is larger than its limit.
 * - `already-exists`: Another entry has that id or key, or another message or session has that id. An expired entry counts until
 *   it is cleaned up.
 * - `not-found`: There is no entry, session, message, file or skill with that id, or it has expired; the text has the
 *   details.
 * - `conflict`: The stored value is not the expected one, or others kept changing it. Read again and retry. The number is
 *   the number of attempts.
 * - `quota-exceeded`: The storage is full. Reading and deleting still work.
 * - `blocked`: Another tab or program has the storage open in an older format and does not close it.
 * - `superseded`: A newer version of the program took over the storage. Reload.
 * - `newer-version`: The storage was written by a newer version of this library.
 * - `unavailable`: There is no storage here, or WebAssembly is not allowed; the text has the reason.
 * - `store-lost`: The storage was emptied or replaced while it was open.
 * - `storage-failed`: Another failure of the storage; the text has the reason.
 * - `corrupt`: A stored value cannot be read; the text has the reason.
 * - `closed`: The memory, or the storage below it, was closed.
 * - `environment`: The clock or the source of randomness failed.
 */
export type CoreErrorCode =
  | "invalid-input"
  | "too-large"
  | "already-exists"
  | "not-found"
  | "conflict"
  | "quota-exceeded"
  | "blocked"
  | "superseded"
  | "newer-version"
  | "unavailable"
  | "store-lost"
  | "storage-failed"
  | "corrupt"
  | "closed"
  | "environment";

/** The status of an HTTP answer for each code. */
export const STATUS: { readonly [code in CoreErrorCode]: number } = {
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
};
