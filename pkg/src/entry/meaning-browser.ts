/**
 * `keepsake/meaning`: the optional file of word meanings, for `openMemory({ meaning })`.
 *
 * @module keepsake/meaning
 */

import { bytesIn, fetched, type MeaningSource } from "../open/meaning/bytes.js";

export type { MeaningSource } from "../open/meaning/bytes.js";

/**
 * Loads the file of English word meanings. In a Cloudflare Worker, import its bytes from `keepsake/meaning-en.bin` and pass
 * them to `openMemory` directly.
 *
 * @param source The URL of the file, or its bytes. Default: the file in this package.
 */
export async function loadMeaning(source?: MeaningSource): Promise<Uint8Array> {
  const file = source ?? new URL("../../data/meaning-en.bin", import.meta.url);
  return bytesIn(file) ?? fetched(file as string | URL);
}
