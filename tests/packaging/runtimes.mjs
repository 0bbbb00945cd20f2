// The README's first example in the runtimes that have no page, and a script of the old kind. Workers have their own tests.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { app, said } from "./examples.mjs";
import { modules, project, run } from "./harness.mjs";

const folder = await project("runtimes", { "app.mjs": app });

/** The binary that npm has chosen for this machine. */
function binary(scope, file) {
  const [packageName] = readdirSync(join(modules, scope));
  return join(modules, scope, packageName, file);
}

const programs = {
  Node: [process.execPath],
  Bun: [binary("@oven", "bin/bun"), "run"],
  Deno: [binary("@deno", "deno"), "run", "--allow-read", "--no-remote"],
};

export function runtimes() {
  for (const [name, [program, ...args]] of Object.entries(programs)) {
    test(`${name} runs ES modules`, async () => {
      assert.equal(await run(program, [...args, "app.mjs"], folder), `${said(1, false)}\n`);
    });

    test(`${name} runs CommonJS that imports`, async () => {
      const wanted = "first nothing\nsecond Deploy keys rotate on Mondays\n";
      assert.equal(await run(program, [...args, "commonjs.cjs"], folder), wanted);
    });
  }
}
