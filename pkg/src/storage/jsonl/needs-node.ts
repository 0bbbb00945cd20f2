// `jsonl` where there are no files. TypeScript resolves `keepsake` to these entries too when it compiles for a bundler
// (`"moduleResolution": "bundler"`), and does not know that the program runs in Node.

import { MemoryError } from "../../base/errors.js";
import type { StorageAdapter } from "../adapter.js";
import type { JsonlOptions } from "./jsonl.js";

/**
 * A storage in the file at `path`, in Node. On other platforms it throws `unavailable`.
 *
 * @example
 * const memory = await openMemory({ user: "u-42", storage: jsonl("./memory.jsonl") });
 */
export function jsonl(_path: string, _options?: JsonlOptions): StorageAdapter {
  throw new MemoryError(
    "unavailable",
    "`jsonl` needs Node: omit `storage` here, or import `jsonl` from keepsake/node",
  );
}
