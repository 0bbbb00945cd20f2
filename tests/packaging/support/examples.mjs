// The apps that are built here are those of docs/, word for word.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./harness.mjs";

/** The blocks of code in one language below a heading of a page. */
export async function examples(page, heading, language) {
  const text = await readFile(join(root, page), "utf8");
  const [, section] = text.split(`\n## ${heading}\n`);
  const blocks = section?.split("\n## ")[0].matchAll(/^```(.*?)\n(.*?)^```$/gms) ?? [];
  const found = [...blocks].filter(([, info]) => info === language).map(([, , code]) => code);
  if (found.length === 0) throw new Error(`${page} has no ${language} below "${heading}"`);
  return found;
}

/** The first of them. */
export const example = async (...where) => (await examples(...where))[0];

/** What the small module does not know, so that the full one has to be there as well. */
const MORE = `
const { role } = await memory.session("s").append({ role: "user", content: "hello" });
if (role !== "user") throw new Error(role);
`;

/** The example of docs/start.md, and one call more. It counts each time that it runs on the same storage. */
export const app = (await example("docs/start.md", "In a browser", "ts"))
  .replace("await memory.close();\n", `${MORE}$&`)
  .replace("newest.length", "newest.length * (added.count ?? 1)");

/** What the example says when it has run so many times. */
export const said = (times, persistent = true) =>
  `Deploy keys rotate on Mondays ${times} Deploy keys rotate on Mondays ${persistent}`;
