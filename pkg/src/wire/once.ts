// Writes that are made once, however often they are called for.

import { optionsIn } from "../base/errors.js";
import { known } from "../base/options.js";

/** How a write is made. */
export interface WriteOptions {
  /**
   * A key under which the write is made once: a call with a key that was used in the last day writes nothing, and resolves to
   * what became of the first one. For a queue, a webhook or a page that calls again because it never got its answer. Another
   * write under the same key is rejected with `invalid-input`. Default: none.
   */
  idempotencyKey?: string | undefined;
}

/** Where the arguments of a call carry the key: no field of a draft can be taken for it. */
export const ONCE: unique symbol = Symbol("once");

/** Arguments of a call that may be made once. */
export interface Once {
  readonly [ONCE]?: string | undefined;
}

/** The part of a call's arguments that its options say. */
export function once(options: WriteOptions = {}): Once {
  known(options, "idempotencyKey");
  return { [ONCE]: optionsIn(options).idempotencyKey };
}
