// How long a first visit to the demo takes, and what it loads: `node benches/first-load.mjs [--runs N]`. A new profile each
// time, on loopback, once as fast as this machine is and once with the processor slowed four times. Figures, no verdict.

import { parseArgs } from "node:util";
import { launch } from "../tests/e2e/support/browser.mjs";
import { openDemo } from "../tests/e2e/support/demo-page.mjs";
import { requestsOf } from "../tests/e2e/support/first-load.mjs";
import { serve } from "../www/serve.mjs";
import { median } from "./bench/measure.mjs";

const { values } = parseArgs({ options: { runs: { type: "string", default: "5" } } });

async function visit(browser, url, slower) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en" });
  try {
    const blank = await context.newPage();
    const tools = await context.newCDPSession(blank);
    await tools.send("Emulation.setCPUThrottlingRate", { rate: slower });
    await blank.goto(url);
    await blank.locator("html[data-settled=yes]").waitFor({ state: "attached", timeout: 60_000 });
    return await blank.evaluate(() => {
      const [paint] = performance.getEntriesByName("first-contentful-paint");
      const [ready] = performance.getEntriesByName("interactive");
      return { paint: paint?.startTime ?? Number.NaN, ready: ready.startTime };
    });
  } finally {
    await context.close();
  }
}

const [server, browser] = [await serve(), await launch()];
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en" });
  const { first, later } = await requestsOf(await openDemo(context, server.url, []));
  await context.close();
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
  console.log(`until it can be used: ${kilobytes(first.bytes)} with brotli in ${first.files.length} files`);
  console.log(`by itself after that: ${kilobytes(later.bytes)} with brotli in ${later.files.length} files`);
  for (const slower of [1, 4]) {
    const visits = [];
    for (let run = 0; run < Number(values.runs); run++) visits.push(await visit(browser, server.url, slower));
    const of = (name) => median(visits.map((visit) => visit[name])).toFixed(0);
    console.log(
      `processor ${slower}× slower: first paint ${of("paint")} ms, usable ${of("ready")} ms (median)`,
    );
  }
} finally {
  await browser.close();
  await server.close();
}
