/** What a file has to be for a change to happen. */
export interface ExpectOptions {
  /**
   * The hash that the file must have, or `null` if it must not be there. If it is otherwise, the call rejects with
   * `conflict` and changes nothing. Default: anything.
   */
  expect?: string | null | undefined;
}
