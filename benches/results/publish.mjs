// Publishes a run: docs/results/, and the section of the README between its markers.

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { DataError } from "../eval/data.mjs";
import { expanded, published, written } from "./published.mjs";
import { figuresSection, publishedFiles } from "./report/published-page.mjs";

export const FOLDER = "docs/results";
const JSON_FILE = "results.json";

const BEGIN = "<!-- results -->";
const END = "<!-- /results -->";

/** Writes the published form of these results, and everything that is made of it; `root` is the repository. */
export async function publish(results, root) {
  const text = written(published(results), { host: hostname(), user: userInfo().username });
  // Everything is made before anything is written, so that a refusal leaves the former results whole.
  const files = generated(text, await readFile(join(root, "README.md"), "utf8"));
  await write(root, new Map([...files, [join(FOLDER, JSON_FILE), text]]));
}

/** Writes again what is made of the published results. */
export async function republish(root) {
  const [text, readme] = await Promise.all([publishedText(root), readFile(join(root, "README.md"), "utf8")]);
  await write(root, generated(text, readme));
}

export async function publishedText(root) {
  return readFile(join(root, FOLDER, JSON_FILE), "utf8").catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new DataError(
      `${FOLDER}/${JSON_FILE} is missing: run \`cargo xtask results\`, then \`cargo xtask results --publish\``,
    );
  });
}

/** Each file that is made of the published results, by its path in the repository. */
export function generated(text, readme) {
  const results = expanded(JSON.parse(text));
  const files = [...publishedFiles(results)].map(([name, content]) => [join(FOLDER, name), content]);
  return new Map([...files, ["README.md", withSection(readme, figuresSection(results))]]);
}

async function write(root, files) {
  const folder = join(root, FOLDER);
  await mkdir(folder, { recursive: true });
  // A plot of an earlier run that this one does not have.
  for (const name of await readdir(folder)) {
    if (name.endsWith(".svg") && !files.has(join(FOLDER, name))) await rm(join(folder, name));
  }
  for (const [path, content] of files) await writeFile(join(root, path), content);
}

/** Where the section is: from the end of the first marker to the beginning of the second. */
function between(readme) {
  const [from, to] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  const isOnce = from === readme.lastIndexOf(BEGIN) && to === readme.lastIndexOf(END);
  if (from < 0 || to < from || !isOnce) {
    throw new DataError(`README.md must have \`${BEGIN}\` once, and after it \`${END}\` once`);
  }
  return [from + BEGIN.length, to];
}

export function withSection(readme, section) {
  const [from, to] = between(readme);
  return `${readme.slice(0, from)}\n${section}\n${readme.slice(to)}`;
}

/** The README without the section, with as many lines. */
export function withoutSection(readme) {
  const [from, to] = between(readme);
  return readme.slice(0, from) + readme.slice(from, to).replace(/[^\n]/g, "") + readme.slice(to);
}
