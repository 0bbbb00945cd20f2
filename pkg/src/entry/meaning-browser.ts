/**
 * `keepsake/meaning`: the optional file of word meanings, for `openMemory({ meaning })`.
 *
 * @module keepsake/meaning
 */

import { bytesIn, fetched, type MeaningSource } from "../open/meaning/bytes.js";

export type { MeaningSource } from "../open/meaning/bytes.js";

/**
 * Loads the file of English word meanings. In a Worker, import its bytes from `keepsake/meaning-en.bin`, and give them to
 * `openMemory` as they are.
 *
 * @param source Where the file is, or its bytes. Default: the file of this package.
 */
export async function loadMeaning(source?: MeaningSource): Promise<Uint8Array> {
  const file = source ?? new URL("../../data/meaning-en.bin", import.meta.url);
  return bytesIn(file) ?? fetched(file as string | URL);
}
