// The component as others call it: scenarios through the bindings that jco makes for JavaScript, and through wasmtime for
// Python. Rust's own are in tests/host.

import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { install, installOnce, run } from "../packaging/tools.mjs";
import { run as runInJavaScript, writeInTurn } from "./jco/run.mjs";

/** Those that need no other interface than `memory`. */
const FILES = ["entries.json", "summaries.json", "lifecycle.json", "search.json", "vectors.json"];

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const component = join(root, "target/component/keepsake.component.wasm");
const installed = join(root, "target/bindings");

const fileOf = (name) => join(root, "tests/scenarios", name);
const scenarios = await Promise.all(
  FILES.map(async (name) => JSON.parse(await readFile(fileOf(name), "utf8"))),
);

/** Two writers take so many turns. */
const TURNS = 6;

/** Both see everything, and the storage told them when they were late: without that, one would overwrite the other. */
function checkWriters({ listed, conflicts }) {
  assert.deepEqual(listed, [TURNS, TURNS]);
  assert.ok(conflicts > 0);
}

/** Holds what a run gave against what its scenario says. */
function compare(scenario, { answers, snapshot }) {
  const calls = scenario.steps.filter((step) => step.call !== undefined);
  assert.ok(calls.length > 0);
  assert.equal(answers.length, calls.length);
  for (const [at, step] of calls.entries()) {
    const wanted = "gives" in step ? { gives: step.gives } : { fails: step.fails };
    assert.deepEqual(answers[at], wanted, `call ${at}, ${step.call}`);
  }
  assert.equal(snapshot, scenario.snapshot);
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
  const generated = pathToFileURL(join(out, "keepsake.js")).href;
  await t.test("two writers", async () => checkWriters(await writeInTurn(generated, TURNS)));
  for (const [at, scenario] of scenarios.entries()) {
    await t.test(FILES[at], async () => compare(scenario, await runInJavaScript(generated, scenario)));
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
  const script = ["-B", join(here, "python/run.py"), component, `${TURNS}`];
  const [writers, ...lines] = (await run(python, [...script, ...FILES.map(fileOf)], root)).trim().split("\n");
  assert.equal(lines.length, scenarios.length);
  await t.test("two writers", () => checkWriters(JSON.parse(writers)));
  for (const [at, scenario] of scenarios.entries()) {
    await t.test(FILES[at], () => compare(scenario, JSON.parse(lines[at])));
  }
});
