// Runs tests of the crate in this page, as the runner of wasm-bindgen would. Loaded in pages with an element `output`.

const GLUE = "/target/rust-door/page.js";
const MODULE = "/target/rust-door/page_bg.wasm";

/** What the wasm module calls around each poll of a test. */
globalThis.__wbg_test_invoke = (poll) => poll();

/** The exported tests of a module that is not started. */
export async function testNames() {
  const module = await WebAssembly.compileStreaming(fetch(MODULE));
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  return names.filter((name) => name.startsWith("__wbgt_"));
}

/** Runs one test, which finds the texts of the scenarios in `scenarios`. Answers whether it passed, and its output. */
export async function runTest(name, scenarios) {
  const texts = scenarios.map(async (path) => (await fetch(path)).text());
  globalThis.scenarios = await Promise.all(texts);
  const page = await import(GLUE);
  const wasm = await page.default({ module_or_path: MODULE });
  const context = new page.WasmBindgenTestContext(false);
  const output = document.getElementById("output");
  output.textContent = "";
  const passed = await context.run([wasm[name]]);
  return { passed, output: output.textContent };
}
