// What package.json promises, seen by the two who check that, and the pages that are packed with it.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { repository, withLinks } from "../../xtask/src/build/documents.mjs";
import { folder, modules, tarball, tool } from "./support/harness.mjs";

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

  test("every link of the packed README and pages leads to a packed file, or to the repository", async () => {
    const inside = join(modules, "keepsake");
    const pages = ["README.md", ...readdirSync(join(inside, "docs")).map((name) => join("docs", name))];
    assert.ok(pages.length > 30, `${pages.length} pages`);
    const address = await repository();
    let links = 0;
    for (const page of pages) {
      const text = readFileSync(join(inside, page), "utf8");
      withLinks(text, (path) => {
        links += 1;
        const target = path === "" ? page : join(dirname(page), path);
        assert.ok(existsSync(join(inside, target)), `${page}: ${path}`);
        return path;
      });
      // Anything else that was relative has become an address in the repository.
      const [, image] = text.match(/!\[[^\]]*\]\(([^)]*)\)/) ?? [];
      if (image !== undefined) assert.ok(image.startsWith(`${address}/raw/`), `${page}: ${image}`);
    }
    assert.ok(links > 100, `${links} links`);
  });
}
