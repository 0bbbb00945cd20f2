// The Worker in Cloudflare's local runtime, and bundled as it would be deployed.

import assert from "node:assert/strict";
import { shell } from "../js/support/commands.mjs";
import { testExample } from "./support.mjs";

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
