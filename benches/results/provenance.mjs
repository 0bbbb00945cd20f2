// Where figures come from: the code, the modules, the data, the versions and the machine.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const git = (...given) => execFileSync("git", given, { cwd: ROOT, encoding: "utf8" }).trim();
const sha256 = async (file) =>
  createHash("sha256")
    .update(await readFile(file))
    .digest("hex");

export async function provenance({ wasm, data, systems, browser }) {
  const [{ model }] = cpus();
  return {
    date: new Date().toISOString(),
    commit: git("rev-parse", "HEAD"),
    clean: git("status", "--porcelain") === "",
    release: await isRelease(wasm),
    modules: Object.fromEntries(
      await Promise.all(wasm.map(async (file) => [basename(file), await sha256(file)])),
    ),
    data: data === undefined ? {} : await hashes(data),
    versions: {
      node: process.version,
      browser,
      ...Object.fromEntries(systems.flatMap(({ package: name }) => (name ? [[name, version(name)]] : []))),
    },
    machine: { cpu: model.trim(), cpus: cpus().length, memory: totalmem(), load: loadavg()[0] },
  };
}

/** Brotli at half its effort: a second instead of ten, and at most a fifth larger. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const LARGER = 1.3;

/** A quick build is about twice as large as its budget, and slower: its figures mean nothing. */
export async function isRelease(wasm) {
  const budgets = JSON.parse(await readFile(join(ROOT, "budgets.json"), "utf8"));
  const full = wasm.find((file) => basename(file) === "keepsake.wasm");
  return brotliCompressSync(await readFile(full), FAST).length <= LARGER * budgets["full wasm"].brotli;
}

function version(name) {
  const folders = ["benches/results/node_modules", "node_modules"].map((folder) => join(ROOT, folder, name));
  const found = folders.find((folder) => existsSync(folder));
  return JSON.parse(readFileSync(join(found, "package.json"), "utf8")).version;
}

/** Every file below the folder, by its path from there. */
async function hashes(folder) {
  const items = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = items.filter((item) => item.isFile()).map((item) => join(item.parentPath, item.name));
  const pairs = files.sort().map(async (file) => [relative(folder, file), await sha256(file)]);
  return Object.fromEntries(await Promise.all(pairs));
}
