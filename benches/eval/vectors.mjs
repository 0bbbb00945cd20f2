// An embedder that computes nothing: it looks texts up in a file that minilm.py wrote.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { DataError } from "./data.mjs";

const REMEDY = "run benches/eval/minilm.py on the same folder";

/** An embedder, as `openMemory` takes it, that knows the texts of `file`. */
export async function readVectors(file) {
  const bytes = await readFile(file).catch((cause) => {
    throw new DataError(`could not read ${file} (${cause.code}): benches/eval/minilm.py writes it`);
  });
  const { dimensions, rows, start } = read(bytes, file);
  return async (texts) => {
    return texts.map((text) => {
      const row = rows.get(key(text));
      if (row === undefined) throw new DataError(`no vector for "${text}" in ${file}: ${REMEDY}`);
      const at = start + row * dimensions * 4;
      // A copy: the rows need not lie where floats may.
      return new Float32Array(Uint8Array.from(bytes.subarray(at, at + dimensions * 4)).buffer);
    });
  };
}

/** Which row is for which text, and where the rows begin. */
function read(bytes, file) {
  const start = bytes.indexOf("\n") + 1;
  try {
    const { dimensions, texts } = JSON.parse(bytes.toString("utf8", 0, start));
    if (bytes.length !== start + texts.length * dimensions * 4) throw new Error("its rows are incomplete");
    return { dimensions, rows: new Map(texts.map((text, row) => [text, row])), start };
  } catch (cause) {
    throw new DataError(`${file} is no file of vectors: ${cause.message}`);
  }
}

/** As minilm.py names a text. */
function key(text) {
  const spaced = text.replace(/[ \t\n\r\f\v]+/g, " ").replace(/^ | $/g, "");
  return createHash("sha256").update(spaced).digest("hex");
}
