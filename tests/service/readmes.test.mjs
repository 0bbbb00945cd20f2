// The commands of examples/wasmtime and examples/spin, as a reader types them. What is left out is what builds for minutes, and
// what this machine may not have: wasmtime's own command, and Spin. Where there is no `spin`, one stands in its place that reads the
// same arguments and the same manifest, and runs the component in wasmtime.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, sep } from "node:path";
import { test } from "node:test";
import { runCommands } from "../js/support/commands.mjs";
import { blocks, pageText, root } from "../js/support/pages.mjs";
import { REDIS_SERVER, redis, WASMTIME } from "./support/server.mjs";

const { SPIN = "spin" } = process.env;
const hasSpin = spawnSync(SPIN, ["--version"]).status === 0;

/** Where commands look for programs: first in these folders and in those of the programs that the tests were given. */
function pathWith(...folders) {
  const given = [REDIS_SERVER, SPIN]
    .filter((program) => program.includes(sep))
    .map((program) => dirname(program));
  return [...folders, ...given, process.env.PATH].join(delimiter);
}

/** A repository that has only what was built, and the manifest for Spin. */
async function repository(t) {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-readme-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "target/release"), { recursive: true });
  await symlink(join(root, "target/component"), join(folder, "target/component"));
  await symlink(WASMTIME, join(folder, "target/release/keepsake-wasmtime"));
  await mkdir(join(folder, "examples/spin"), { recursive: true });
  await copyFile(join(root, "examples/spin/spin.toml"), join(folder, "examples/spin/spin.toml"));
  return folder;
}

/** The commands of an example's README that run. The others are this many. */
async function commandsOf(name, notRun) {
  const page = `examples/${name}/README.md`;
  const commands = blocks(page, await pageText(page)).filter(({ language }) => language === "sh");
  const runs = commands.filter((block) => block.runs);
  assert.equal(commands.length - runs.length, notRun, `blocks of ${page} that are not run`);
  return runs;
}

function isTaken(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

test("the commands of examples/wasmtime run as its README says", async (t) => {
  if (await isTaken(6379)) return t.skip("a Redis of somebody else runs here, and must not be written to");
  // Two blocks: cargo builds for minutes, and `wasmtime` is not installed.
  const commands = await commandsOf("wasmtime", 2);
  // The host of the tests is not optimised, and compiles the component twice.
  const limitMs = 300_000;
  await runCommands(commands, { cwd: await repository(t), env: { PATH: pathWith() }, limitMs });
});

test("the commands of examples/spin run as its README says", async (t) => {
  // Three blocks: cargo builds for minutes, and the settings, which spin.test.mjs tries on Spin.
  const commands = await commandsOf("spin", 3);
  const folder = await repository(t);
  const cwd = join(folder, "examples/spin");
  if (hasSpin) return runCommands(commands, { cwd, env: { PATH: pathWith() } });

  const store = await redis();
  try {
    const bin = join(folder, "bin");
    await mkdir(bin);
    const standIn = join(root, "tests/service/support/spin.mjs");
    await writeFile(join(bin, "spin"), `#!/bin/sh\nexec '${process.execPath}' '${standIn}' "$@"\n`);
    await chmod(join(bin, "spin"), 0o755);
    const env = { PATH: pathWith(bin), STORE_PORT: String(store.port) };
    await runCommands(commands, { cwd, env });
  } finally {
    await store.end();
  }
});
