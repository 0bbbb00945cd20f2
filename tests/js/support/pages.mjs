// The pages of the documentation, the README and docs/, and their blocks of code.
//
// A block of TypeScript or JavaScript is an example. One that begins with a comment that is a file's name, `// chat.mjs`, is
// that file, for the commands of its page. A block of `text` is what the block before it prints, and so is a comment after
// `console.log` that begins like a value; in both, `…` stands for anything. `no-run` after the language marks what is not run: tests/js/docs.test.mjs lists these, with the reasons.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The paths of all pages. */
export async function pages() {
  const names = await readdir(join(root, "docs"), { recursive: true });
  // The reference has packages of its own, once it was written.
  const inDocs = names.filter((name) => name.endsWith(".md") && !name.includes("node_modules")).sort();
  return ["README.md", ...inDocs.map((name) => join("docs", name))];
}

/** The text of a page. */
export const pageText = (page) => readFile(join(root, page), "utf8");

/** The blocks of a page in order, each with what it prints if the page shows it. */
export function blocks(page, text) {
  const found = [];
  let open;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const [, mark, info] = line.match(/^\s*(`{3,}|~{3,})(.*)$/) ?? [];
    if (open === undefined) {
      if (mark === undefined || (mark[0] === "`" && info.includes("`"))) continue;
      open = { mark, info: info.trim(), at, lines: [] };
    } else if (mark?.startsWith(open.mark) && info.trim() === "") {
      const block = blockOf(page, open);
      if (block.language === "text") {
        const before = found.at(-1);
        assert.ok(
          before && before.prints === undefined,
          `${block.place}: a \`text\` block follows what prints it`,
        );
        before.prints = block.code;
      } else found.push(block);
      open = undefined;
    } else {
      open.lines.push(line);
    }
  }
  assert.ok(open === undefined, `${page}:${open?.at + 1}: this block has no end`);
  return found;
}

function blockOf(page, { info, at, lines }) {
  const place = `${page}:${at + 1}`;
  // Rust has its own words after commas.
  const [language = "", ...words] = info.split(/[\s,]+/);
  if (language !== "rust") {
    assert.deepEqual(
      words.filter((word) => word !== "no-run"),
      [],
      `${place}: only \`no-run\` may follow \`${language}\``,
    );
  }
  const [, file] = lines[0]?.match(/^\/\/ ([\w.-]+\.\w+)$/) ?? [];
  return {
    page,
    place,
    at,
    language,
    file,
    code: lines.join("\n"),
    runs: !words.includes("no-run"),
    prints: undefined,
  };
}

/** Throws unless a program printed what comments after its `console.log` say. */
export function assertCommented(place, printed, code) {
  const plain = (text) => text.replaceAll('"', "'").replace(/\s+/g, " ").trim();
  const real = plain(printed);
  for (const [, comment] of code.matchAll(/^.*console\.log\(.*\);? \/\/ (.*)$/gm)) {
    if (!/^(["'`[{\d]|(true|false|null|undefined)\b)/.test(comment)) continue;
    const fits = new RegExp(plain(comment).split("…").map(escaped).join(".*"), "u").test(real);
    if (!fits) assert.equal(printed, comment, `${place} prints something else than its comment`);
  }
}

/** Throws unless a program printed what its page shows, where `…` stands for anything. */
export function assertPrinted(place, printed, shown) {
  const lines = (text) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => line.trimEnd());
  const [real, wanted] = [lines(printed), lines(shown)];
  const fits = (line, pattern) =>
    new RegExp(`^${pattern.split("…").map(escaped).join(".*")}$`, "u").test(line);
  const same = real.length === wanted.length && wanted.every((pattern, at) => fits(real[at], pattern));
  if (!same) assert.equal(real.join("\n"), wanted.join("\n"), `${place} prints something else`);
}

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
