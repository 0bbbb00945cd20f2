// What the compiler says about typical mistakes: the allowed values, not the names of types.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const LIMIT_MS = 60_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "tests/types/mistakes");

/** The compiler's messages by line, each with its continuation lines. */
async function messages() {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const options = ["--pretty", "false", "-p", folder];
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...options], { timeout: LIMIT_MS })
    .then(() => assert.fail("every mistake compiles"))
    .catch((error) => error);
  const found = new Map();
  let line = 0;
  for (const text of stdout.split("\n")) {
    const [, file, at] = /^(\S+)\((\d+),\d+\): error /.exec(text) ?? [];
    if (file) assert.match(file, /mistakes\.ts$/, text);
    if (at) line = Number(at);
    found.set(line, `${found.get(line) ?? ""}${text}\n`);
  }
  return found;
}

test("a message of the compiler about a mistake names the allowed values", async () => {
  const lines = (await readFile(join(folder, "mistakes.ts"), "utf8")).split("\n");
  const found = await messages();
  let mistakes = 0;
  for (const [at, line] of lines.entries()) {
    const [, wanted] = /^ {2}\/\/ (.*)$/.exec(line) ?? [];
    const said = found.get(at + 2) ?? "";
    if (!wanted) continue;
    mistakes += 1;
    assert.ok(said.includes(wanted), `${lines[at + 1]}\nmust say: ${wanted}\nsays: ${said || "nothing"}`);
    found.delete(at + 2);
  }
  assert.ok(mistakes >= 25, `${mistakes} mistakes`);
  assert.deepEqual([...found.values()].join(""), "", "no other message");
});
