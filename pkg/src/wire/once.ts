// Idempotent writes.

import { optionsIn } from "../base/errors.js";
import { known } from "../base/options.js";

/** Options of a write. */
export interface WriteOptions {
  /**
   * An idempotency key: a call with a key that was used within the last day writes nothing, and resolves to the result
   * of the first call. Use it to retry safely from a queue, a webhook or a page that lost the response. A different
   * write with the same key rejects with `invalid-input`. Default: none.
   */
  idempotencyKey?: string | undefined;
}

/** The property that carries the key in the arguments of a call. A symbol cannot collide with a field of a draft. */
export const ONCE: unique symbol = Symbol("once");

/** Arguments of a call that supports an idempotency key. */
export interface Once {
  readonly [ONCE]?: string | undefined;
}

/** Converts write options to arguments of a call. */
export function once(options: WriteOptions = {}): Once {
  known(options, "idempotencyKey");
  return { [ONCE]: optionsIn(options).idempotencyKey };
}
