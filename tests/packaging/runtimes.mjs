// The example of docs/start.md in the runtimes that have no page, and a script of the old kind. Workers have their own tests.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { app, said } from "./support/examples.mjs";
import { modules, project, run } from "./support/harness.mjs";

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

  test("the command of the packed package takes in what it is given, and finds it", async () => {
    const { bin } = JSON.parse(await readFile(join(modules, "keepsake/package.json"), "utf8"));
    const command = join(modules, "keepsake", bin.keepsake);
    const keepsake = (name, file, ...args) =>
      run(process.execPath, [command, name, file, ...args, "--user", "u-42"], folder);
    await run(process.execPath, ["fill.mjs"], folder);
    const lines = await keepsake("export", "from.jsonl");
    await writeFile(join(folder, "lines.jsonl"), lines);
    await keepsake("import", "to.jsonl", "--from", "lines.jsonl");
    assert.match(await keepsake("search", "to.jsonl", "deploy keys"), /Deploy keys rotate on Mondays/);
    assert.match(await keepsake("inspect", "to.jsonl"), /1/);
  });
}
