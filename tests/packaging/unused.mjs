// What an app pays for an import that it does not use, through each bundler that leaves out what is not needed.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { project, run, tool } from "./support/harness.mjs";

const LIMIT_BYTES = 1024;

const apps = {
  "nothing.js": `console.log("app");\n`,
  "unused.js": `import { openMemory } from "keepsake";\nconsole.log("app");\n`,
  // The module is needed for something else, so that it cannot be left out as a whole.
  "beside.js": `import { MemoryError, openMemory } from "keepsake";\nconsole.log("app", MemoryError.name);\n`,
};
const folder = await project("unused", apps);
const names = Object.keys(apps);

const bundlers = {
  esbuild: () =>
    tool(
      "esbuild/bin/esbuild",
      ["--bundle", "--format=esm", "--minify", "--outdir=esbuild", ...names],
      folder,
    ),
  Rollup: async () => {
    const options = ["--plugin", "node-resolve={browser:true}", "--dir", "Rollup", "--failAfterWarnings"];
    for (const name of names) await tool("rollup/dist/bin/rollup", [name, ...options], folder);
  },
  webpack: () => run(process.execPath, ["webpack.mjs", ...names], folder),
};

export function unused() {
  for (const [bundler, build] of Object.entries(bundlers)) {
    test(`${bundler} leaves out what is imported and not used`, async (t) => {
      await build();
      const sizes = await Promise.all(
        names.map(async (name) => (await readFile(join(folder, bundler, name))).length),
      );
      const [nothing, alone, beside] = sizes;
      t.diagnostic(
        `${bundler}: openMemory unused +${alone - nothing} bytes, beside MemoryError +${beside - nothing} bytes`,
      );
      assert.ok(alone - nothing < LIMIT_BYTES);
      assert.ok(beside - nothing < LIMIT_BYTES);
    });
  }
}
