// What a page downloads for each system: the files that it asked for, each with brotli at its best.

import { brotliCompressSync, constants } from "node:zlib";
import { staged } from "./stage.mjs";

const PARAMS = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 };

const isCode = (path) => /^\/(keepsake|wasm|rivals)\//.test(path);

export async function downloads({ systems, figures, log }) {
  const sizes = new Map();
  const size = async (path) => {
    if (!sizes.has(path)) sizes.set(path, brotliCompressSync(await staged(path), { params: PARAMS }).length);
    return sizes.get(path);
  };
  const total = async (paths) => {
    let sum = 0;
    for (const path of new Set(paths.filter(isCode))) sum += await size(path);
    return sum;
  };
  for (const { name, requests } of systems) {
    if (requests === undefined) continue;
    log(`downloads of ${name}`);
    const key = (what) => ({ what, system: name, where: "chromium", unit: "bytes", better: "less" });
    figures.single(key("download to the first hit"), await total(requests.first));
    figures.single(key("download in all"), await total(requests.all));
  }
}
