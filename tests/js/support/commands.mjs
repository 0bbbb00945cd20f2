// Runs the commands of a page as a reader types them: its `sh` blocks in order, in one shell and one folder.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertPrinted } from "./pages.mjs";

const LIMIT_MS = 120_000;

/** The environment of the tests without npm's registry, a user's name, the keys of a provider and the words of the test runner. */
const outside = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_config_registry|KEEPSAKE_USER|NODE_TEST_CONTEXT|(OPENAI|ANTHROPIC)_.*)$/.test(name),
  ),
);

/**
 * Runs a script in one shell, and ends what it has started. `meanwhile` runs after a script that succeeded, while what it has
 * started with `&` still runs.
 */
export async function shell(script, { cwd, env, limitMs = LIMIT_MS, meanwhile = async () => {} }) {
  const child = spawn("bash", ["-c", script], {
    cwd,
    env: { ...outside, NO_COLOR: "1", CURL_HOME: cwd, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) {
    child[stream].setEncoding("utf8").on("data", (data) => (said[stream] += data));
  }
  const end = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {}
  };
  const late = setTimeout(() => {
    said.stderr += `not done after ${limitMs / 1000} s\n`;
    end();
  }, limitMs);
  const closed = new Promise((resolve) => child.on("close", resolve));
  const code = await new Promise((resolve) => {
    child.on("exit", (status, signal) => resolve(status ?? signal));
  });
  clearTimeout(late);
  try {
    if (code === 0) await meanwhile();
  } finally {
    end();
    await closed;
  }
  return { code, ...said };
}

/**
 * Runs blocks of commands in one shell, and compares what each has printed with the `text` block after it. `options` are those of
 * `shell`, and `serves`: the last command is a server, which a reader leaves running, and `meanwhile` begins when it was started.
 */
export async function runCommands(blocks, { serves = false, ...options }) {
  await Promise.all(portsOf(blocks).map(assertFree));
  // A server that was started with `&` may not listen yet.
  const curl = `retry = 1000\nretry-delay = 1\nretry-connrefused\nretry-max-time = ${LIMIT_MS / 1000}\n`;
  await writeFile(join(options.cwd, ".curlrc"), curl);
  // Each block has a file for its output: a server that was started with `&` prints among later blocks otherwise.
  const folder = await mkdtemp(join(tmpdir(), "keepsake-printed-"));
  const file = (at) => join(folder, `${at}.txt`);
  const printed = (at) => readFile(file(at), "utf8").catch(() => undefined);
  try {
    const script = blocks.map(
      ({ code }, at) => `{\n${code}${serves && at === blocks.length - 1 ? " &" : ""}\n} > '${file(at)}'`,
    );
    const { code, stderr } = await shell(["set -e", ...script].join("\n"), options);
    for (const [at, { place, prints }] of blocks.entries()) {
      const [shown, next] = [await printed(at), await printed(at + 1)];
      const isLast = next === undefined;
      assert.ok(code === 0 || !isLast, `${place} failed with ${code}\n${shown}${stderr}`);
      if (prints !== undefined) assertPrinted(place, shown, prints);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The ports of this machine that commands name. */
function portsOf(blocks) {
  const named = blocks.flatMap(({ code }) => [...code.matchAll(/\b(?:localhost|127\.0\.0\.1):(\d+)/g)]);
  return [...new Set(named.map(([, port]) => port))];
}

/** Otherwise a server of somebody else would answer the commands. */
async function assertFree(port) {
  const isRefused = ({ cause }) => cause?.code === "ECONNREFUSED";
  await assert.rejects(fetch(`http://localhost:${port}`), isRefused, `port ${port} is taken`);
}
