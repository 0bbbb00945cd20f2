// `spin up [--key-value KEY=VALUE]…` where there is no Spin: sets the keys, and runs the component that the manifest of this folder
// names on Spin's port. wasmtime is the host, and the Redis at STORE_PORT the key-value store.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { command, WASMTIME } from "./server.mjs";

const PORT = 3000;

const { positionals, values } = parseArgs({
  options: { "key-value": { type: "string", multiple: true, default: [] } },
  allowPositionals: true,
});
assert.deepEqual(positionals, ["up"]);

const manifest = readFileSync("spin.toml", "utf8");
assert.match(manifest, /^key_value_stores = \["default"\]$/m);
const [, source] = manifest.match(/^source = "(.+)"$/m) ?? [];

const { STORE_PORT } = process.env;
for (const pair of values["key-value"]) {
  const at = pair.indexOf("=");
  await command(Number(STORE_PORT), ["SET", pair.slice(0, at), pair.slice(at + 1)]);
}
const args = [source, "--listen", `127.0.0.1:${PORT}`, "--redis", `redis://127.0.0.1:${STORE_PORT}`];
spawn(WASMTIME, [...args, "--compile", "quickly"], { stdio: "inherit" });
