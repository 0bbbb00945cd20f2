// Runs an example as its README says: its folder is copied to an empty place, and the commands are typed in one shell.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { runCommands } from "../js/support/commands.mjs";
import { blocks, pageText, root } from "../js/support/pages.mjs";
import { startRegistry } from "../js/support/registry.mjs";

const run = promisify(execFile);

/** An example that installs or builds a framework takes longer than a page of documentation. */
const LIMIT_MS = 300_000;

/**
 * A test that runs the README of `examples/NAME`: every `sh` block, in one shell and a copy of the folder, against the `text`
 * block after it. `npm install` gets this package as it is packed.
 *
 * @param {string} name The folder's name.
 * @param {object} [options]
 * @param {Record<string, string>} [options.env] What the commands see beside the environment of the tests.
 * @param {number} [options.notRun] How many of the blocks are marked `no-run`. Default 0.
 * @param {boolean} [options.serves] Whether the last command is a server, which runs until it is stopped. Default `false`.
 * @param {(place: { folder: string, env: Record<string, string> }) => Promise<void>} [options.meanwhile] Runs after the last
 *   command, while what the README has started with `&` still runs.
 */
export function testExample(name, { env = {}, notRun = 0, serves = false, meanwhile = async () => {} } = {}) {
  test(`the commands of examples/${name} run as its README says`, async (t) => {
    const registry = await startRegistry({ others: true });
    t.after(() => registry.close());
    const folder = await mkdtemp(join(tmpdir(), `keepsake-${name}-`));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await copy(join("examples", name), folder);

    const page = `examples/${name}/README.md`;
    const commands = blocks(page, await pageText(page)).filter(({ language }) => language === "sh");
    const runs = commands.filter((block) => block.runs);
    assert.ok(runs.length > 0, `${page} has commands`);
    assert.equal(commands.length - runs.length, notRun, `blocks of ${page} that are not run`);
    const all = { ...registry.env, ...env };
    await runCommands(runs, {
      cwd: folder,
      env: all,
      limitMs: LIMIT_MS,
      serves,
      meanwhile: () => meanwhile({ folder, env: all }),
    });
    if (existsSync(join(folder, "package.json"))) await assertInstalled(registry, folder);
  });
}

/** Copies what git knows of a folder, or would know, and nothing that a build has left there. */
async function copy(from, to) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", from];
  const { stdout } = await run("git", args, { cwd: root });
  for (const path of stdout.split("\0").filter((path) => path !== "")) {
    await cp(join(root, path), join(to, relative(from, path)));
  }
}

/** What an example has installed as its dependency is the archive that was packed. */
async function assertInstalled({ integrity }, folder) {
  const json = async (file) => JSON.parse(await readFile(join(folder, file), "utf8"));
  const { dependencies = {} } = await json("package.json");
  if (dependencies.keepsake === undefined) return;
  const { packages } = await json("package-lock.json");
  assert.equal(packages["node_modules/keepsake"].integrity, integrity);
}

/** Waits until a server listens that the commands have started. */
export async function listening(url) {
  await run("curl", ["--silent", "--output", "/dev/null", "--retry", "20", "--retry-connrefused", url]);
}
