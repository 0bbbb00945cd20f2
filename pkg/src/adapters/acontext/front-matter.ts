// Parses the front matter of a SKILL.md: the subset of YAML that names, descriptions and metadata use. Unlike YAML, an
// unquoted value may contain `: `, as many descriptions do.

import { refused } from "../../base/errors.js";

/** The strings of a front matter, and those of `metadata`, one level down. Values of other types stay uninterpreted. */
export interface FrontMatter {
  fields: Map<string, string>;
  metadata: Map<string, string>;
  /** The text after the front matter. */
  body: string;
}

/** Parses the front matter of a SKILL.md. */
export function frontMatterOf(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end = lines.indexOf("---", 1);
  if (lines[0]?.trimEnd() !== "---" || end < 0) {
    throw refused("SKILL.md", "must begin with front matter between two lines of ---");
  }
  const body = lines.slice(end + 1).join("\n");
  const fields = new Map<string, string>();
  let metadata = new Map<string, string>();
  for (const { key, value, below } of entries(lines.slice(1, end))) {
    if (fields.has(key)) throw refused(key, "must not be repeated in the front matter");
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
  /** The indented or empty lines below. */
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
      if (key === undefined) throw refused("SKILL.md", "must have front matter of the form `field: value`");
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

/** The string of a value: plain, quoted, or a block. */
function scalar(key: string, value: string, below: string[]): string {
  const block = value.match(/^([|>])(\d?)([+-]?)(\d?)\s*(#.*)?$/);
  if (block) return blockOf(below, block[1] === ">", block[3] ?? "");
  const joined = [value, ...below.map((line) => line.trim())].join("\n").trim();
  if (value.startsWith('"')) return quoted(key, folded(joined));
  if (value.startsWith("'")) {
    const inner = folded(joined).match(/^'((?:[^']|'')*)'\s*(#.*)?$/)?.[1];
    if (inner === undefined) throw refused(key, "has an unclosed quote in the front matter");
    return inner.replaceAll("''", "'");
  }
  return folded(joined.replace(/(^|\s)#.*$/gm, "")).trim();
}

function quoted(key: string, text: string): string {
  const [, inner] = text.match(/^("(?:[^"\\]|\\.)*")\s*(#.*)?$/s) ?? [];
  if (inner === undefined) throw refused(key, "has an unclosed quote in the front matter");
  try {
    return JSON.parse(inner.replaceAll("\t", "\\t")) as string;
  } catch {
    throw refused(key, "has an unknown escape sequence in the front matter");
  }
}

/** Joins consecutive lines with a space; empty lines become line breaks. */
function folded(text: string): string {
  return text.replace(/\n+/g, (breaks) => (breaks.length === 1 ? " " : breaks.slice(1)));
}

function blockOf(below: string[], folds: boolean, chomp: string): string {
  const text = undented(below).join("\n");
  const content = text.trimEnd();
  const end = "\n".repeat(text.slice(content.length).split("\n").length - 1);
  // A block with further indented lines is not folded.
  const shown = folds && !/\n[ \t]/.test(content) ? folded(content) : content;
  if (chomp === "-" || content === "") return shown;
  return chomp === "+" ? `${shown}\n${end}` : `${shown}\n`;
}
