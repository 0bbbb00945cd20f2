// What a first visit to the demo asks for: up to the moment that the page can be used, and after it by itself.

import { readFile } from "node:fs/promises";
import { brotliCompressSync, constants } from "node:zlib";

const DIST = new URL("../../../www/dist/", import.meta.url);
const BEST = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

/** How many bytes a file of the build has with brotli at its best. */
async function weight(path) {
  const file = await readFile(new URL(path === "/" ? "index.html" : path.slice(1), DIST));
  return brotliCompressSync(file, BEST).length;
}

/**
 * Files and their bytes that a settled page of a new profile has asked for: `first` before it could be used, and `later`
 * by itself. What the service worker puts into its cache is not among them.
 */
export async function requestsOf(page) {
  const asked = await page.evaluate(() => {
    const [{ startTime: ready }] = performance.getEntriesByName("interactive");
    const entries = performance.getEntriesByType("resource");
    const page = { path: location.pathname, first: true };
    const others = entries.map(({ name, startTime }) => ({
      path: new URL(name).pathname,
      first: startTime < ready,
    }));
    return [page, ...others];
  });
  const parts = { first: { bytes: 0, files: [] }, later: { bytes: 0, files: [] } };
  const known = new Set();
  for (const { path, first } of asked) {
    if (known.has(path)) continue;
    known.add(path);
    const part = parts[first ? "first" : "later"];
    part.files.push(path);
    part.bytes += await weight(path);
  }
  return parts;
}
