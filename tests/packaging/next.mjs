// Next.js with its app router, built for production: memories in client components, by hand and by hooks, and one on the
// server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { visitTwice } from "./support/chromium.mjs";
import { project, serveWith, tool } from "./support/harness.mjs";

const NEXT = "next/dist/bin/next";
const KEYS = "Deploy keys rotate on Mondays";

/** What the server put between two tags, before any script ran. */
async function rendered(address, id) {
  const html = await (await fetch(address)).text();
  const [, text] = html.match(new RegExp(`<p id="${id}">(.*?)</p>`)) ?? [];
  return text?.replaceAll("<!-- -->", "");
}

export function nextJs() {
  test("Next.js, built and started", async (t) => {
    const folder = await project("next");
    await tool(NEXT, ["build"], folder);
    const address = await serveWith(NEXT, ["start", "--hostname", "127.0.0.1", "--port", "0"], folder);

    await t.test("what a client component stored is found after a reload", async () => {
      assert.deepEqual(await visitTwice(address), ["nothing true", `${KEYS} true`]);
      assert.equal(await rendered(address, "browser"), "not yet");
    });

    await t.test("the server renders what its own memory finds", async () => {
      assert.equal(await rendered(address, "server"), "The server knows this for one request false");
    });

    await t.test("the hooks", async () => {
      assert.deepEqual(await visitTwice(`${address}/hooks`), [KEYS, KEYS]);
      assert.equal(await rendered(`${address}/hooks`, "hooks"), "loading");
    });
  });
}
