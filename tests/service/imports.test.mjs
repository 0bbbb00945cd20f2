// What the components of the service ask of a host, read from the binaries: nothing but what their WIT names.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { DRAFTS } from "./support/server.mjs";

const IMPORTS = 10;
const INSTANCE = 5;

/** The names of a component's imports, all of which are instances of interfaces. */
function importsOf(bytes) {
  let at = 8;
  const number = () => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while (byte & 0x80);
    return value;
  };
  const names = [];
  while (at < bytes.length) {
    const section = bytes[at++];
    const end = number() + at;
    if (section === IMPORTS) {
      for (let left = number(); left > 0; left--) {
        at += 1;
        const length = number();
        names.push(bytes.toString("utf8", at, at + length));
        at += length;
        assert.equal(bytes[at++], INSTANCE, names.at(-1));
        number();
      }
    }
    at = end;
  }
  return names.sort();
}

for (const draft of DRAFTS) {
  test(`${draft}: the imports are HTTP, a bucket, clocks and chance, and nothing else`, async () => {
    const file = new URL(`../../target/component/keepsake-service-${draft}.wasm`, import.meta.url);
    const wasi = [
      "clocks/monotonic-clock",
      "clocks/wall-clock",
      "http/types",
      "io/error",
      "io/poll",
      "io/streams",
    ];
    const wanted = [
      ...[...wasi, "random/random"].map((name) => `wasi:${name}@0.2.0`),
      ...["atomics", "batch", "store"].map((name) => `wasi:keyvalue/${name}@0.2.0-${draft}`),
    ];
    assert.deepEqual(importsOf(await readFile(file)), wanted.sort());
  });
}
