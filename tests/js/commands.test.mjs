// The commands of the README and of docs/, run as a reader types them: those of a page in one shell and one empty folder, with
// the files that the page names, and packages from a registry in which `keepsake` is the packed package.

import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { runCommands, shell } from "./support/commands.mjs";
import { blocks, pages, pageText, root } from "./support/pages.mjs";
import { startRegistry } from "./support/registry.mjs";

const INSTALL = "npm install keepsake";

const registry = await startRegistry({ others: true });
after(() => registry.close());
const env = { ...registry.env, WRANGLER_SEND_METRICS: "false" };

const { peerDependencies } = JSON.parse(await readFile(join(root, "pkg/package.json"), "utf8"));

/** A folder with the package and, because they are optional, what its entries for frameworks need. */
const installed = await newFolder();
after(() => rm(installed, { recursive: true, force: true }));
const { code, stderr } = await shell(INSTALL, { cwd: installed, env });
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
  return folder;
}

describe("commands", { concurrency: 2 }, async () => {
  for (const name of await pages()) {
    const page = blocks(name, await pageText(name));
    const commands = page.filter(({ language, runs }) => language === "sh" && runs);
    if (commands.length > 0)
      test(`the commands of ${name} run`, async (t) => {
        await runCommands(commands, { cwd: await folderFor(t, page), env });
      });
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
