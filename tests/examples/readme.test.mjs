// The table of all examples names every folder.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pageText, root } from "../js/support/pages.mjs";

test("every example has a line in examples/README.md", async () => {
  const entries = await readdir(join(root, "examples"), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const text = await pageText("examples/README.md");
  const missing = folders.filter((name) => !text.includes(`| [${name}](${name}/README.md) |`));
  assert.deepEqual(missing, []);
});
