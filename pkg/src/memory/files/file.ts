/** A precondition of a file change. */
export interface ExpectOptions {
  /**
   * The hash that the file must have, or `null` if the file must not exist. Otherwise the call rejects with `conflict`
   * and changes nothing. Default: no check.
   */
  expect?: string | null | undefined;
}
