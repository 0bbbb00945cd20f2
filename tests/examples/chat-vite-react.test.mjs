// The chat in a browser: a fact outlives a reload, and a conversation that does not have it answers from the memory.

import assert from "node:assert/strict";
import { launch } from "../e2e/support/browser.mjs";
import { listening, testExample } from "./support.mjs";

const ADDRESS = "http://localhost:4180/";

testExample("chat-vite-react", {
  serves: true,
  async meanwhile() {
    const browser = await launch();
    try {
      const page = await browser.newPage();
      const complaints = [];
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      const modules = new Set();
      page.on("request", (request) => {
        const [name] = request.url().match(/[^/]+\.wasm$/) ?? [];
        if (name) modules.add(name);
      });
      await listening(ADDRESS);
      await page.goto(ADDRESS);

      const log = page.getByRole("log").locator("p");
      const facts = page.getByRole("list", { name: "What I remember" }).getByRole("listitem");
      const say = async (text) => {
        const before = await log.count();
        await page.getByLabel("Message").fill(text);
        await page.getByRole("button", { name: "Send" }).click();
        await log.nth(before + 1).waitFor();
        return log.last().textContent();
      };

      assert.equal(await say("What am I allergic to?"), "I don't know yet.");
      assert.equal(await say("I'm allergic to peanuts."), "Noted.");
      await facts.filter({ hasText: "I'm allergic to peanuts." }).waitFor();

      await page.reload();
      await log.nth(3).waitFor();
      await facts.filter({ hasText: "I'm allergic to peanuts." }).waitFor();

      await page.getByRole("button", { name: "New conversation" }).click();
      await log.first().waitFor({ state: "detached" });
      assert.equal(await say("What am I allergic to?"), "You told me: I'm allergic to peanuts.");
      assert.equal(await facts.and(page.locator(".recalled")).count(), 1, "the page shows what it was from");

      await facts.getByRole("button", { name: "Forget" }).click();
      await facts.first().waitFor({ state: "detached" });
      await log.filter({ hasText: "peanuts" }).first().waitFor({ state: "detached" });
      await page.getByRole("button", { name: "New conversation" }).click();
      await log.first().waitFor({ state: "detached" });
      assert.equal(await say("What am I allergic to?"), "I don't know yet.", "nor from what was said");
      assert.equal(modules.size, 1, [...modules].join());
      assert.deepEqual(complaints, []);
    } finally {
      await browser.close();
    }
  },
});
