// A worker that hosts memories of the build that can be told to trap.

import { Engine, indexedDb, server } from "/target/web-testing/inner.js";
import { instantiate } from "/target/web-testing/keepsake.js";

const loading = WebAssembly.compileStreaming(fetch("/target/web-testing/keepsake.wasm"));
const random = (length) => crypto.getRandomValues(new Uint8Array(length));

server(async ({ open, name }) => {
  const options = { open, adapter: indexedDb(name), now: Date.now, random };
  return { engine: await Engine.open({ instantiate, module: await loading }, options), persistent: true };
})();
