// The packed package as others will use it: one small project for each bundler, framework and runtime.
//
// All in one process: the tools are installed once, and the package is packed once, as these modules are loaded.

import { after, describe } from "node:test";
import { bundledWorkers, bundlers } from "./bundlers.mjs";
import { manifest } from "./manifest.mjs";
import { nextJs } from "./next.mjs";
import { runtimes } from "./runtimes.mjs";
import { closeAll } from "./support/chromium.mjs";
import { cleanUp } from "./support/harness.mjs";
import { types } from "./types.mjs";
import { unused } from "./unused.mjs";

describe("package.json", manifest);
describe("types", types);
describe("runtimes", runtimes);
describe("an import that is not used", unused);
describe("bundlers", bundlers);
describe("bundlers, with the memory in a worker", bundledWorkers);
describe("frameworks", nextJs);

after(async () => {
  await closeAll();
  cleanUp();
});
