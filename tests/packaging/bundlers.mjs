// The example of docs/start.md through each bundler, loaded twice in Chromium: what is stored is found after a reload.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { test } from "node:test";
import { serveFolder, visitTwice } from "./support/chromium.mjs";
import { app, example, examples, said } from "./support/examples.mjs";
import { modules, project, run, serveWith, tool } from "./support/harness.mjs";

const PAGE = "docs/bundlers.md";
const VITE = "vite/bin/vite.js";
const LOOPBACK = ["--host", "127.0.0.1", "--port", "0"];

async function works(address) {
  assert.deepEqual(await visitTwice(address), [said(1), said(2)]);
}

export function bundlers() {
  test("Vite, built and previewed", async () => {
    const folder = await project("vite", { "app.js": app });
    await tool(VITE, ["build"], folder);
    await works(await serveWith(VITE, ["preview", ...LOOPBACK], folder));
  });

  test("Vite, while one develops", async () => {
    const folder = await project("vite", { "app.js": app });
    await works(await serveWith(VITE, ["dev", ...LOOPBACK], folder));
  });

  test("Vite 7, while one develops", async () => {
    const config = await example(PAGE, "Vite 7 and older", "js no-run");
    const folder = await project("vite", { "app.js": app, "vite.config.js": config });
    await works(await serveWith("vite-7/bin/vite.js", ["dev", ...LOOPBACK], folder));
  });

  test("webpack", async () => {
    const folder = await project("webpack", { "app.js": app });
    await run(process.execPath, ["build.mjs"], folder);
    await works(await serveFolder(folder));
  });

  test("Rollup", async () => {
    const config = await example(PAGE, "Rollup", "js no-run");
    const folder = await project("rollup", { "app.js": app, "rollup.config.js": config });
    await tool("rollup/dist/bin/rollup", ["--config", "--failAfterWarnings"], folder);
    await works(await serveFolder(folder));
  });

  test("S11 esbuild", async () => {
    const memory = await example(PAGE, "esbuild", "js no-run");
    const folder = await project("esbuild", { "app.js": from("./memory.js"), "memory.js": memory });
    const [name, ...args] = (await example(PAGE, "esbuild", "sh no-run")).trim().split(" ");
    await run(join(modules, ".bin", name), args, folder);
    await works(await serveFolder(folder));
  });

  test("Vite copies one module for keepsake/full, and the page fetches it once", async () => {
    const folder = await project("vite", { "app.js": from("keepsake/full") });
    await tool(VITE, ["build"], folder);
    await worksOnOneModule(folder, await serveWith(VITE, ["preview", ...LOOPBACK], folder));
  });

  test("webpack copies one module for keepsake/full, and the page fetches it once", async () => {
    const folder = await project("webpack", { "app.js": from("keepsake/full") });
    await run(process.execPath, ["build.mjs"], folder);
    await worksOnOneModule(folder, await serveFolder(folder));
  });

  test("Rollup copies one module for keepsake/full, and the page fetches it once", async () => {
    const config = await example(PAGE, "Rollup", "js no-run");
    const folder = await project("rollup", { "app.js": from("keepsake/full"), "rollup.config.js": config });
    await tool("rollup/dist/bin/rollup", ["--config", "--failAfterWarnings"], folder);
    await worksOnOneModule(folder, await serveFolder(folder));
  });

  test("S11 no bundler at all", async () => {
    const [, path] = (await example(PAGE, "Without a bundler", "js no-run")).match(/from "(.+)"/);
    const folder = await project("script", { "app.js": from(path) });
    const served = await serveFolder(join(modules, ".."));
    await works(new URL(`${basename(folder)}/`, served).href);
  });
}

/** The example with its memory from elsewhere. */
function from(module) {
  const changed = app.replace(`from "keepsake"`, `from "${module}"`);
  assert.notEqual(changed, app);
  return changed;
}

/** The only module that a build has copied is the full one, and a visit whose app uses a session fetches it once. */
async function worksOnOneModule(folder, address) {
  const isModule = (name) => name.endsWith(".wasm");
  const copies = (await readdir(folder, { recursive: true })).filter(isModule);
  assert.equal(copies.length, 1, copies.join(" "));
  const copy = await readFile(join(folder, copies[0]));
  assert.ok(copy.equals(await readFile(join(modules, "keepsake/wasm/keepsake.wasm"))));
  const requests = [];
  assert.deepEqual(await visitTwice(address, (url) => requests.push(url)), [said(1), said(2)]);
  const fetched = requests.filter(isModule);
  assert.equal(fetched.length, 2, `in two visits: ${fetched.join(" ")}`);
}

/** The two files of the page about workers. */
async function inWorker() {
  const [worker, page] = await examples("docs/workers.md", "Two files", "ts no-run");
  return { "memory.worker.js": worker, "app.js": page };
}

async function worksInWorker(address) {
  const found = "Deploy keys rotate on Mondays true";
  assert.deepEqual(await visitTwice(address), [found, found]);
}

export function bundledWorkers() {
  test("Vite, built and previewed", async () => {
    const folder = await project("vite", await inWorker());
    await tool(VITE, ["build"], folder);
    await worksInWorker(await serveWith(VITE, ["preview", ...LOOPBACK], folder));
  });

  test("Vite, while one develops", async () => {
    const folder = await project("vite", await inWorker());
    await worksInWorker(await serveWith(VITE, ["dev", ...LOOPBACK], folder));
  });

  test("webpack", async () => {
    const folder = await project("webpack", await inWorker());
    await run(process.execPath, ["build.mjs"], folder);
    await worksInWorker(await serveFolder(folder, { trustedTypes: false }));
  });
}
