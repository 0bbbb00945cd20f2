// What adapters promise to fit is compiled against the frameworks' own types.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("the adapters have the types that the frameworks want", async () => {
  const args = ["node_modules/typescript/bin/tsc", "--pretty", "false", "-p", "tests/types/frameworks"];
  const said = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) =>
      resolve(error ? `${stdout}${stderr}${error.code}` : ""),
    );
  });
  assert.equal(said, "");
});
