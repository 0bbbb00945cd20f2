// The component as others call it: scenarios through the bindings that jco makes for JavaScript, and through wasmtime for
// Python. Rust's own are in tests/host.

import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { install, installOnce, run } from "../packaging/support/tools.mjs";
import { run as runInJavaScript, started, writeInTurn } from "./jco/run.mjs";
import { typedFailure, typedScenarios } from "./scenarios.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const component = join(root, "target/component/keepsake.component.wasm");
const installed = join(root, "target/bindings");
const scenarios = await typedScenarios();

/** Two writers take so many turns. */
const TURNS = 6;

/** Both see everything, and the storage told them when they were late: without that, one would overwrite the other. */
function checkWriters({ listed, conflicts }) {
  assert.deepEqual(listed, [TURNS, TURNS]);
  assert.ok(conflicts > 0);
}

/** Compares the answers of a run with those of its scenario. */
function compare({ steps, snapshot }, run) {
  const calls = steps.filter((step) => step.call !== undefined);
  assert.ok(calls.length > 0);
  assert.equal(run.answers.length, calls.length);
  for (const [at, { call, args, answer }] of calls.entries()) {
    const { fails } = run.answers[at];
    const seen = fails ? { fails: typedFailure(fails) } : run.answers[at];
    assert.deepEqual(seen, answer, `call ${at}, ${call} ${JSON.stringify(args)}`);
  }
  assert.equal(run.snapshot, snapshot);
}

test("scenarios through the bindings that jco generates", async (t) => {
  const tools = join(installed, "jco");
  await install(join(here, "jco"), tools);
  const [jco, out] = [
    join(tools, "node_modules/@bytecodealliance/jco/dist/jco.js"),
    join(tools, "generated"),
  ];
  await rm(out, { recursive: true, force: true });
  const options = ["--out-dir", out, "--name", "keepsake", "--instantiation", "async", "--quiet"];
  await run(process.execPath, [jco, "transpile", component, ...options], tools);
  const instance = await started(pathToFileURL(join(out, "keepsake.js")).href);
  await t.test("two writers", () => checkWriters(writeInTurn(instance, TURNS)));
  for (const scenario of scenarios) {
    await t.test(scenario.file, async () => compare(scenario, await runInJavaScript(instance, scenario)));
  }
});

test("scenarios through wasmtime for Python", async (t) => {
  const version = await run("python3", ["--version"], root).catch((error) => error);
  if (version instanceof Error && version.message.includes("ENOENT")) {
    return t.skip("there is no python3 on this machine");
  }
  const venv = join(installed, "python");
  const python = join(venv, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  const requirements = join(here, "python/requirements.txt");
  const lock = `${version}${await readFile(requirements, "utf8")}`;
  await installOnce(venv, lock, async () => {
    await run("python3", ["-m", "venv", venv], root);
    const options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:"];
    await run(python, ["-m", "pip", "install", ...options, "-r", requirements], root);
  });
  // -B: no files beside the sources.
  const [script, steps] = [join(here, "python/run.py"), join(installed, "scenarios.json")];
  await writeFile(steps, JSON.stringify(scenarios));
  const printed = await run(python, ["-B", script, component, `${TURNS}`, steps], root);
  const [writers, ...lines] = printed.trim().split("\n");
  assert.equal(lines.length, scenarios.length);
  await t.test("two writers", () => checkWriters(JSON.parse(writers)));
  for (const [at, scenario] of scenarios.entries()) {
    await t.test(scenario.file, () => compare(scenario, JSON.parse(lines[at])));
  }
});
