// Copies the README and the pages of docs/ into the package. There a relative link to another of them works as it is, in
// node_modules too; a link to anything else becomes the address of the file in the repository.

import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The address of the repository, which only package.json names: everything else is compared with it. */
export async function repository() {
  const manifest = JSON.parse(await readFile(join(root, "pkg/package.json"), "utf8"));
  return manifest.repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}

/** The paths of the packed pages. Decisions, results and pictures are left out: they are larger than all the pages. */
export async function packedPages() {
  const names = await readdir(join(root, "docs"));
  const pages = names.filter((name) => name.endsWith(".md")).sort();
  return ["README.md", ...pages.map((name) => `docs/${name}`)];
}

/**
 * A page with each link outside of its blocks of code replaced by what `change` returns for it. Links to other sites are
 * left as they are.
 */
export function withLinks(text, change) {
  const block = /^[ \t]*(`{3,})[^`\n]*\n[\s\S]*?^[ \t]*\1`*[ \t]*$/gm;
  const prose = (part) =>
    part.replace(/\]\(([^)\s#]*)(#[^)\s]*)?\)/g, (link, path, heading = "") =>
      /^[a-z]+:/.test(path) ? link : `](${change(path, heading)})`,
    );
  let end = 0;
  let changed = "";
  for (const { 0: code, index } of text.matchAll(block)) {
    changed += prose(text.slice(end, index)) + code;
    end = index + code.length;
  }
  return changed + prose(text.slice(end));
}

/** A page with its links as they are in the package. */
export function packed(page, text, pages, address) {
  return withLinks(text, (path, heading) => {
    const target = posix.join(posix.dirname(page), path);
    if (path === "" || pages.includes(target)) return `${path}${heading}`;
    const form = /\.(webp|png|svg)$/.test(target) ? "raw" : "blob";
    return `${address}/${form}/HEAD/${target}${heading}`;
  });
}

async function copy() {
  const [pages, address] = [await packedPages(), await repository()];
  await rm(join(root, "pkg/docs"), { recursive: true, force: true });
  for (const page of pages) {
    const to = join(root, "pkg", page);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, packed(page, await readFile(join(root, page), "utf8"), pages, address));
  }
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) {
    await copyFile(join(root, name), join(root, "pkg", name));
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) await copy();
