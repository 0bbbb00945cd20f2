// The pages of the site: which files of the repository they are made of, in which section, and under which address.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Pages that another command writes. They are left out of the site while they are missing. */
const GENERATED = /^target\/(reference|doc)\//;

/** All Markdown files of a folder, without those of installed packages, relative to the repository. */
export function markdownIn(folder) {
  const names = readdirSync(join(ROOT, folder), { recursive: true });
  return names
    .filter((name) => name.endsWith(".md") && !/(^|\/)(node_modules|target)\//.test(name))
    .map((name) => join(folder, name))
    .sort();
}

/** The files that a page of the navigation stands for: one, or with `*` all that match and have no entry of their own. */
function filesOf(file, named) {
  if (!file.includes("*")) return [file];
  const pattern = new RegExp(`^${file.replace(/[.]/g, "\\$&").replace("*", "[^/]+")}$`);
  return markdownIn(file.split("/")[0]).filter((name) => pattern.test(name) && !named.has(name));
}

/**
 * The sections with their pages, in the order of the menu. A listed page that is missing is an error. The search
 * multiplies the scores of a page, or of all pages of a section, by its `weight`.
 */
export function readNavigation(file = new URL("navigation.json", import.meta.url)) {
  const sections = JSON.parse(readFileSync(file, "utf8")).map(({ title, pages, ...shared }) => {
    const entries = pages.map((entry) => (typeof entry === "string" ? { page: entry } : entry));
    return { title, pages: entries.map((entry) => ({ ...shared, ...entry })) };
  });
  const named = new Set(sections.flatMap(({ pages }) => pages.map(({ page }) => page)));
  return sections.map(({ title, pages }) => ({
    title,
    pages: pages
      .flatMap(({ page, ...about }) => filesOf(page, named).map((file) => ({ ...about, file })))
      .filter(({ file }) => {
        const exists = existsSync(join(ROOT, file));
        if (!exists && !GENERATED.test(file))
          throw new Error(`navigation.json lists ${file}, which does not exist`);
        return exists;
      }),
  }));
}

/** The address of a page, relative to the site. */
export function addressOf(file) {
  if (GENERATED.test(file)) return file.replace(/^target\/doc\//, "rustdoc/").replace(/^target\//, "");
  return file
    .replace(/^docs\//, "")
    .replace(/README\.md$/, "index.html")
    .replace(/\.(md|json)$/, ".html");
}

/** Whether the site renders this file itself. */
export function isRendered(file) {
  return !GENERATED.test(file);
}
