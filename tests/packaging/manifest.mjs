// What package.json promises, seen by the two who check that.

import { test } from "node:test";
import { folder, tarball, tool } from "./support/harness.mjs";

export function manifest() {
  test("publint has nothing to say", async (t) => {
    const report = await tool(
      "publint/src/cli.js",
      ["run", tarball, "--strict", "--level", "suggestion"],
      folder,
    );
    t.diagnostic(report.trim().split("\n").at(-1));
  });

  test("the types of every entry are found, and are those of its script", async () => {
    // ES modules only, by choice. What an import of the .wasm or .bin file gives is the bundler's to say, and so is its type.
    const options = ["--profile", "esm-only", "--exclude-entrypoints", "keepsake.wasm", "meaning-en.bin"];
    await tool("@arethetypeswrong/cli/dist/index.js", [tarball, ...options], folder);
  });
}
