// The Worker in Cloudflare's local runtime, and bundled as it would be deployed.

import assert from "node:assert/strict";
import { before } from "node:test";
import { shell } from "../js/support/commands.mjs";
import { testExample } from "./support.mjs";

// Wrangler would take another port, and the commands of the README would ask whatever has this one.
before(() =>
  assert.rejects(fetch("http://localhost:8787"), ({ cause }) => cause.code === "ECONNREFUSED", "port 8787 is taken"),
);

testExample("cloudflare-worker", {
  env: { WRANGLER_SEND_METRICS: "false" },
  // To deploy it needs an account: everything before the upload is done here.
  notRun: 1,
  meanwhile: async ({ folder, env }) => {
    const { code, stdout, stderr } = await shell("npm run deploy -- --dry-run", { cwd: folder, env });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /env\.MEMORY \(MemoryObject\)/);
  },
});
