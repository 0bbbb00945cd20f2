// Where these tests work: a temporary folder with every tool and, as npm would install it, the packed package.
//
// The folder is outside the project: an app must not find by walking up what its own node_modules lacks. The tools are
// installed in target/ once for each lock file, and linked from there.

import { spawn } from "node:child_process";
import { copyFileSync, linkSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { env, install, run } from "./tools.mjs";

export { run };

const here = fileURLToPath(new URL("..", import.meta.url));
export const root = join(here, "../..");
const installed = join(root, "target/packaging");

/** What is to be ended with the tests. */
const servers = new Set();

export const folder = await mkdtemp(join(tmpdir(), "keepsake-packaging-"));
process.once("exit", cleanUp);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

export const modules = join(folder, "node_modules");
await install(here, installed);
link(join(installed, "node_modules"), modules);
// Next looks for the lock file: where it lies an app has its root.
for (const name of ["package.json", "package-lock.json"])
  await copyFile(join(here, name), join(folder, name));
export const tarball = await pack();
await unpack();

/** Ends the servers and deletes the folder. */
export function cleanUp() {
  for (const server of servers) server.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}

/** The same tree of files, in no time; copies where the temporary folder is on another disk. */
function link(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) link(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source, target) {
  try {
    linkSync(source, target);
  } catch (error) {
    if (error.code !== "EXDEV" && error.code !== "EPERM") throw error;
    copyFileSync(source, target);
  }
}

async function pack() {
  const to = ["--pack-destination", folder];
  const name = await run("npm", ["pack", "--silent", "--ignore-scripts", ...to, join(root, "pkg")], root);
  return join(folder, basename(name.trim()));
}

async function unpack() {
  const to = join(modules, "keepsake");
  await mkdir(to);
  await run("tar", ["-xzf", tarball, "-C", to, "--strip-components=1"], folder);
}

/** A new copy of a folder beside this file, with these files in it as well. */
export async function project(name, files = {}) {
  const to = await mkdtemp(join(folder, `${name}-`));
  await cp(join(here, name), to, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(to, file), text);
  return to;
}

/** Runs a script of an installed tool. */
export const tool = (script, args, cwd) => run(process.execPath, [join(modules, script), ...args], cwd);

/** Starts a tool that serves, and answers the address it prints. It is ended with the tests. */
export function serveWith(script, args, cwd) {
  const stdio = ["ignore", "pipe", "pipe"];
  const server = spawn(process.execPath, [join(modules, script), ...args], { cwd, env, stdio });
  servers.add(server);
  let said = "";
  return new Promise((resolve, reject) => {
    const heard = (data) => {
      said += data;
      const [address] = said.match(/http:\/\/127\.0\.0\.1:\d+/) ?? [];
      if (address) resolve(address);
    };
    server.stdout.on("data", heard);
    server.stderr.on("data", heard);
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`${script} ended with ${code}\n${said}`)));
  });
}
