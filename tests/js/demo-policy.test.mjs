// The policy of the demo: in the page itself, so that it holds on any host, and in the header of its own server.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { serve } from "../../www/serve.mjs";

const config = fileURLToPath(new URL("../../www/vite.config.ts", import.meta.url));

test("S9 S11 finding 7: the built page brings its policy, and its server forbids to frame it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-policy-"));
  try {
    await writeFile(join(folder, "index.html"), "<!doctype html>");
    const server = await serve({ folder });
    const header = (await fetch(server.url)).headers.get("Content-Security-Policy");
    await server.close();
    assert.match(header, /(^|; )frame-ancestors 'none'(;|$)/);

    await build({ configFile: config, logLevel: "error", build: { outDir: folder, emptyOutDir: true } });
    const page = await readFile(join(folder, "index.html"), "utf8");
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page);
    assert.ok(policy, page);
    const said = policy[1].replaceAll("&#39;", "'");
    // A page cannot forbid its own framing in this way; all else is the same.
    assert.equal(said, header.replace("; frame-ancestors 'none'", ""));
    assert.match(
      said,
      /default-src 'none'.*script-src 'self' 'wasm-unsafe-eval'.*require-trusted-types-for 'script'/,
    );
    assert.ok(
      policy.index < page.indexOf("<script") && policy.index < page.indexOf("<link"),
      "before what it is about",
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
