// The commands of the README and of docs/, run as a reader types them: those of a page in one shell and one empty folder, with
// the files that the page names, `npm install keepsake` from a registry that has the packed package.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { assertPrinted, blocks, pages, pageText, root } from "./support/pages.mjs";
import { startRegistry } from "./support/registry.mjs";

const LIMIT_MS = 120_000;
const INSTALL = "npm install keepsake";

const registry = await startRegistry();
after(() => registry.close());

const { npm_config_registry: _, KEEPSAKE_USER: __, ...outside } = process.env;
const env = { ...outside, ...registry.env, NO_COLOR: "1" };
const { peerDependencies } = JSON.parse(await readFile(join(root, "pkg/package.json"), "utf8"));

/** Runs a script in one shell, and ends what it has started. */
function shell(script, cwd) {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", script], { cwd, env: { ...env, CURL_HOME: cwd }, detached: true });
    const said = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"]) child[stream].on("data", (data) => (said[stream] += data));
    child.stdin.end();
    const end = () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {}
    };
    const late = setTimeout(end, LIMIT_MS);
    child.on("exit", (code, signal) => {
      clearTimeout(late);
      // What was started with `&` ends with the page.
      end();
      child.on("close", () => resolve({ code: code ?? signal, ...said }));
    });
  });
}

/** A folder with the package and, because they are optional, what its entries for frameworks need. */
const installed = await newFolder();
after(() => rm(installed, { recursive: true, force: true }));
const { code, stderr } = await shell(INSTALL, installed);
assert.equal(code, 0, stderr);
for (const name of Object.keys(peerDependencies)) {
  const to = join(installed, "node_modules", name);
  await mkdir(dirname(to), { recursive: true });
  await symlink(join(root, "node_modules", name), to);
}

function newFolder() {
  return mkdtemp(join(tmpdir(), "keepsake-commands-"));
}

/** A folder with the files that a page names. It is empty otherwise if the page's commands install the package. */
async function folderFor(t, page) {
  const folder = await newFolder();
  t.after(() => rm(folder, { recursive: true, force: true }));
  if (!page.some(({ language, runs, code }) => language === "sh" && runs && code.includes(INSTALL))) {
    await cp(installed, folder, { recursive: true, verbatimSymlinks: true });
  }
  for (const { file, code } of page) if (file !== undefined) await writeFile(join(folder, file), `${code}\n`);
  // A server that was started with `&` may not listen yet.
  await writeFile(join(folder, ".curlrc"), "retry = 20\nretry-connrefused\nretry-max-time = 30\n");
  return folder;
}

async function runAll(t, page, commands) {
  const folder = await folderFor(t, page);
  const mark = (at) => `--- end of command block ${at} ---`;
  const script = commands.map(({ code }, at) => `${code}\necho '${mark(at)}'`).join("\n");
  const { code, stdout, stderr } = await shell(`set -e\n${script}`, folder);
  let rest = stdout;
  for (const [at, { place, prints }] of commands.entries()) {
    const [printed, ...others] = rest.split(`${mark(at)}\n`);
    assert.equal(others.length, 1, `${place} failed with ${code}\n${printed}${stderr}`);
    [rest] = others;
    if (prints !== undefined) assertPrinted(place, printed, prints);
  }
  assert.equal(code, 0, stderr);
}

describe("commands", { concurrency: 2 }, async () => {
  for (const name of await pages()) {
    const page = blocks(name, await pageText(name));
    const commands = page.filter(({ language, runs }) => language === "sh" && runs);
    if (commands.length > 0) test(`the commands of ${name} run`, (t) => runAll(t, page, commands));
  }
});

test("every file that a page names is used by its commands", async () => {
  for (const name of await pages()) {
    const page = blocks(name, await pageText(name));
    const commands = page.filter(({ language }) => language === "sh").map(({ code }) => code);
    for (const { file, place, runs, language } of page) {
      if (file === undefined || !runs || !/^(js|ts)x?$/.test(language)) continue;
      assert.ok(
        commands.some((code) => code.includes(file)),
        `${place}: no command uses ${file}`,
      );
    }
  }
});
