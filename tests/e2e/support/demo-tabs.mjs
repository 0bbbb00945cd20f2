// A server, a browser and tabs of the demo, for all tests of a file.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { serve } from "../../../www/serve.mjs";
import { launch } from "./browser.mjs";
import { openDemo } from "./demo-page.mjs";

/** The two screens that most is tried on. */
export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * There from the first to the last test of a file: `tab` opens the demo with a profile of its own, and `complaints` has
 * what pages complained about. A test that expects some takes them out; what is left at the end fails.
 */
export function demoOfThisFile() {
  const shared = {
    complaints: [],
    url: "",
    async tab(options = {}) {
      const usual = { ...DESKTOP, locale: "en", reducedMotion: "reduce" };
      const context = await shared.browser.newContext({ ...usual, ...options });
      return openDemo(context, shared.url, shared.complaints);
    },
  };
  let server;
  before(async () => {
    [server, shared.browser] = [await serve(), await launch()];
    shared.url = server.url;
  });
  after(async () => {
    await shared.browser?.close();
    await server?.close();
    assert.deepEqual(shared.complaints, []);
  });
  return shared;
}
