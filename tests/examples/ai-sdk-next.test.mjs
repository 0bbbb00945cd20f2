// The route of Next.js, built and started, as the README calls it, and its page in a browser.

import assert from "node:assert/strict";
import { launch } from "../e2e/support/browser.mjs";
import { testExample } from "./support.mjs";

testExample("ai-sdk-next", {
  env: { NEXT_TELEMETRY_DISABLED: "1" },
  async meanwhile() {
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto("http://localhost:4182/");
      await page.getByLabel("Message").fill("What am I allergic to?");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("You told me: I am allergic to peanuts.").waitFor();
      assert.equal(await page.getByRole("alert").filter({ hasText: /./ }).count(), 0);
    } finally {
      await browser.close();
    }
  },
});
