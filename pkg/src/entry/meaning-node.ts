/**
 * `keepsake/meaning` in Node: the file is read from the folder of the package's scripts.
 *
 * @module keepsake/meaning
 */

import { bytesIn, fetched, type MeaningSource, unavailable } from "../open/meaning/bytes.js";

export type { MeaningSource } from "../open/meaning/bytes.js";

/**
 * Loads the file of English word meanings.
 *
 * @param source The file (a path, a `file:` URL or an `https:` URL), or its bytes. Default: the file in this package.
 */
export async function loadMeaning(source?: MeaningSource): Promise<Uint8Array> {
  const file = source ?? new URL("../../data/meaning-en.bin", import.meta.url);
  const bytes = bytesIn(file);
  if (bytes) return bytes;
  if (/^https?:/.test(String(file))) return fetched(file as string | URL);
  const { readFile } = await import("node:fs/promises");
  return readFile(file as string | URL).catch((cause: unknown) => {
    throw unavailable(cause);
  });
}
