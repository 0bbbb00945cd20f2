// The front matter of a SKILL.md: as much YAML as names, descriptions and metadata are written in.

import { refused } from "../../base/errors.js";

/** The fields of a front matter that are texts, and texts one level down. What is of another shape is left out. */
export interface FrontMatter {
  fields: Map<string, string>;
  metadata: Map<string, string>;
  /** What comes after it. */
  body: string;
}

/** Reads the front matter of a SKILL.md. */
export function frontMatterOf(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end = lines.indexOf("---", 1);
  if (lines[0]?.trimEnd() !== "---" || end < 0) {
    throw refused("SKILL.md", "must begin with a front matter between two lines of ---");
  }
  const body = lines.slice(end + 1).join("\n");
  const fields = new Map<string, string>();
  let metadata = new Map<string, string>();
  for (const { key, value, below } of entries(lines.slice(1, end))) {
    if (fields.has(key)) throw refused(key, "is there twice in the front matter");
    if (key === "metadata" && value === "") {
      const inner = entries(undented(below)).map(({ key, value, below }) => [key, scalar(key, value, below)]);
      metadata = new Map(inner as [string, string][]);
    } else {
      fields.set(key, scalar(key, value, below));
    }
  }
  return { fields, metadata, body };
}

interface Entry {
  key: string;
  value: string;
  /** The lines below that are indented, or empty. */
  below: string[];
}

function entries(lines: string[]): Entry[] {
  const found: Entry[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (/^(\s|$)/.test(line)) last?.below.push(line);
    else if (/^- /.test(line)) last?.below.push(line);
    else if (!line.startsWith("#")) {
      const [, quoted, plain, value = ""] =
        line.match(/^(?:"([^"]*)"|([^\s:#'"][^:]*?))\s*:(?:\s+(.*))?$/s) ?? [];
      const key = quoted ?? plain;
      if (key === undefined)
        throw refused("SKILL.md", "has a front matter that is not made of `field: value`");
      found.push({ key, value: value.trim(), below: [] });
    }
  }
  return found;
}

function undented(lines: string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const least = Math.min(...indents, 80);
  return lines.map((line) => line.slice(least));
}

/** The text of a value: plain, quoted, or a block. */
function scalar(key: string, value: string, below: string[]): string {
  const block = value.match(/^([|>])(\d?)([+-]?)(\d?)\s*(#.*)?$/);
  if (block) return blockOf(below, block[1] === ">", block[3] ?? "");
  const joined = [value, ...below.map((line) => line.trim())].join("\n").trim();
  if (value.startsWith('"')) return quoted(key, folded(joined));
  if (value.startsWith("'")) {
    const inner = folded(joined).match(/^'((?:[^']|'')*)'\s*(#.*)?$/)?.[1];
    if (inner === undefined) throw refused(key, "has a quote in the front matter that does not end");
    return inner.replaceAll("''", "'");
  }
  return folded(joined.replace(/(^|\s)#.*$/gm, "")).trim();
}

function quoted(key: string, text: string): string {
  const [, inner] = text.match(/^("(?:[^"\\]|\\.)*")\s*(#.*)?$/s) ?? [];
  if (inner === undefined) throw refused(key, "has a quote in the front matter that does not end");
  try {
    return JSON.parse(inner.replaceAll("\t", "\\t")) as string;
  } catch {
    throw refused(key, "has a sign after a backslash in the front matter that is not known");
  }
}

/** Lines that follow each other are one; an empty line between them is a break. */
function folded(text: string): string {
  return text.replace(/\n+/g, (breaks) => (breaks.length === 1 ? " " : breaks.slice(1)));
}

function blockOf(below: string[], folds: boolean, chomp: string): string {
  const text = undented(below).join("\n");
  const content = text.trimEnd();
  const end = "\n".repeat(text.slice(content.length).split("\n").length - 1);
  // What is indented further stays as it is written.
  const shown = folds && !/\n[ \t]/.test(content) ? folded(content) : content;
  if (chomp === "-" || content === "") return shown;
  return chomp === "+" ? `${shown}\n${end}` : `${shown}\n`;
}
