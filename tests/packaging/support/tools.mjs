// Tools that only some tests need: installed in target/ once for each lock file, and run to their end.

import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

const LIMIT_MS = 180_000;

/** What the tools see of the world: nothing that makes them colour what they print or report home. */
export const env = {
  ...process.env,
  NO_COLOR: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  DENO_NO_UPDATE_CHECK: "1",
};
// It would win over NO_COLOR, and addresses are read from what servers print.
delete env.FORCE_COLOR;

/** Runs `make` in a new folder `to`, unless it was last made from the same `lock`. */
export async function installOnce(to, lock, make) {
  // Written last: an installation that broke off is not taken for one.
  const stamp = join(to, "installed-from.json");
  if ((await readFile(stamp, "utf8").catch(() => "")) === lock) return;
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  await make();
  await writeFile(stamp, lock);
}

/** Installs in `to` what the lock file in `from` names. */
export async function install(from, to) {
  await installOnce(to, await readFile(join(from, "package-lock.json"), "utf8"), async () => {
    for (const name of ["package.json", "package-lock.json", ".npmrc"]) {
      await copyFile(join(from, name), join(to, name));
    }
    // Without their scripts: those only move binaries that are there already.
    await run("npm", ["ci", "--ignore-scripts", "--prefer-offline"], to);
  });
}

/** Runs a program to its end and answers what it wrote to standard output. A failure tells everything it said. */
export function run(program, args, cwd) {
  return new Promise((resolve, reject) => {
    const options = { cwd, env, timeout: LIMIT_MS, maxBuffer: 1 << 26 };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const end = error.killed ? `was not done after ${LIMIT_MS / 1000} s` : `ended with ${error.code}`;
      reject(new Error(`${basename(program)} ${args.join(" ")} ${end}\n${stdout}${stderr}`));
    });
    // Some wait for what may come from there.
    child.stdin.end();
  });
}
