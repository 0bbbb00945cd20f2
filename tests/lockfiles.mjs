// Lints the lock files of npm: everything that is installed has a hash, comes from the public registry, and runs no script
// that package.json does not name.
//
// `node tests/lockfiles.mjs` prints what is wrong; `cargo xtask supply` runs it, and so does tests/js/lockfiles.test.mjs.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const REGISTRY = "https://registry.npmjs.org/";
const DEPENDENCIES = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** Every file of this name that git knows. */
function tracked(name) {
  const listed = execFileSync("git", ["ls-files", "-z", "--", name, `**/${name}`], {
    cwd: root,
    encoding: "utf8",
  });
  return listed.split("\0").filter((path) => path !== "");
}

/** A version that does not come from the registry: git, a folder, an archive at some address, a user's repository. */
function isForeign(version) {
  const wanted = version.startsWith("npm:") ? version.replace(/^npm:(@[^/]+\/)?[^/@]+@?/, "") : version;
  return /[:/]/.test(wanted);
}

/** A binary for another system, of which npm installs the one that fits; it may be that the registry was not asked for it. */
function isForOneSystem({ optional, os, cpu, libc }) {
  return optional === true && (os ?? cpu ?? libc) !== undefined;
}

/**
 * What is wrong with a lock file beside its package.json, in sentences; `unhashed` names the optional binaries that have no
 * hash because the registry in use did not have them.
 */
export function lint(lock, manifest) {
  const wrong = [];
  const unhashed = [];
  const workspaces = new Set(manifest.workspaces ?? []);
  if (lock.lockfileVersion !== 3) wrong.push("lockfileVersion must be 3");
  for (const [path, entry] of Object.entries(lock.packages ?? {})) {
    const name = path === "" ? "package.json" : path;
    for (const kind of DEPENDENCIES) {
      for (const [dependency, version] of Object.entries(entry[kind] ?? {})) {
        if (isForeign(version))
          wrong.push(`${name}: ${dependency} comes from ${version}, not from the registry`);
      }
    }
    if (path === "" || workspaces.has(path)) continue;
    if (entry.link === true) {
      if (!workspaces.has(entry.resolved))
        wrong.push(`${name}: a link to ${entry.resolved}, which is no workspace`);
      continue;
    }
    if (entry.resolved !== undefined && !entry.resolved.startsWith(REGISTRY)) {
      wrong.push(`${name}: resolved to ${entry.resolved}, not to the registry`);
    }
    if (entry.integrity === undefined) {
      if (isForOneSystem(entry)) unhashed.push(path);
      else wrong.push(`${name}: has no \`integrity\``);
    } else if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity)) {
      wrong.push(`${name}: \`integrity\` must be one SHA-512`);
    }
    const bare = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (entry.hasInstallScript && manifest.allowScripts?.[bare] === undefined) {
      wrong.push(`${name}: has an install script; name it in \`allowScripts\` of package.json`);
    }
  }
  return { wrong, unhashed };
}

/** Each lock file of the repository with what `lint` says about it. */
export function lintAll() {
  return tracked("package-lock.json").map((file) => {
    const json = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));
    return { file, ...lint(json(file), json(join(dirname(file), "package.json"))) };
  });
}

/** Every package.json that git knows, with the names of what it depends on. */
export function directDependencies() {
  return tracked("package.json").map((file) => {
    const manifest = JSON.parse(readFileSync(join(root, file), "utf8"));
    return { file, names: [...new Set(DEPENDENCIES.flatMap((kind) => Object.keys(manifest[kind] ?? {})))] };
  });
}

/** Every Cargo.toml that git knows, with the crates that it depends on. */
export function directCrates() {
  return tracked("Cargo.toml").map((file) => {
    const names = new Set();
    let table = "";
    for (const line of readFileSync(join(root, file), "utf8").split("\n")) {
      table = /^\[(.*)\]/.exec(line)?.[1] ?? table;
      const isList = /(^|\.)(dev-|build-)?dependencies$/.test(table);
      const [, name] = (isList && /^([\w-]+)(?:\.\w+)?\s*=/.exec(line)) || [];
      if (name !== undefined) names.add(name);
    }
    return { file, names: [...names] };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(join(root, ".git")))
    throw new Error("the lock files are those that git knows: run this in a checkout");
  for (const { file, wrong, unhashed } of lintAll()) {
    for (const problem of wrong) console.error(`${file}: ${problem}`);
    if (wrong.length > 0) process.exitCode = 1;
    else console.log(`${file}: in order; ${unhashed.length} binaries for other systems have no hash`);
  }
}
