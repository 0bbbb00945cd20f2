// Converts between skills and SKILL.md files.

import { refused } from "../../base/errors.js";

import type { Skill, ToolStep } from "../../wire/procedural.js";
import { frontMatterOf } from "./front-matter.js";

/** The content of a skill. */
export interface Sop {
  id: string;
  kind: "sop" | "guard";
  taskType?: string | undefined;
  use_when: string;
  tool_sops: ToolStep[];
  preferences?: string | undefined;
}

/** A parsed SKILL.md. */
export interface SkillFile {
  name: string;
  description: string;
  sop: Sop;
}

/** The field of the front matter with a complete skill of this library, as JSON. */
const WHOLE = "keepsake-sop";
/** The maximum length of a description in this format. */
const DESCRIPTION = 1024;
/** The maximum length of a field of a skill. */
const MOST_BYTES = 16 * 1024;

/** The content of a skill, without its counters and times. */
export function sopOf({ id, kind, taskType, use_when, tool_sops, preferences }: Skill | Sop): Sop {
  const steps = tool_sops.map(({ tool, action }) => (action === undefined ? { tool } : { tool, action }));
  return {
    id,
    kind,
    ...(taskType !== undefined && { taskType }),
    use_when,
    tool_sops: steps,
    ...(preferences !== undefined && { preferences }),
  };
}

/** Whether two skills have the same content. */
export function sameSop(one: Skill | Sop, other: Skill | Sop): boolean {
  return JSON.stringify(sopOf(one)) === JSON.stringify(sopOf(other));
}

/** A quoted string. JSON strings are valid YAML, except for characters that YAML treats as line breaks. */
function quoted(text: string): string {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text).replace(/[\u0085\u2028\u2029\uFEFF]/g, escaped);
}

/** The SKILL.md of a skill. */
export function skillText(name: string, skill: Skill | Sop): string {
  const sop = sopOf(skill);
  const description = [...sop.use_when].slice(0, DESCRIPTION).join("");
  return [
    "---",
    `name: ${quoted(name)}`,
    `description: ${quoted(description)}`,
    "metadata:",
    `  ${WHOLE}: ${quoted(JSON.stringify(sop))}`,
    "---",
    bodyOf(sop),
  ].join("\n");
}

function bodyOf({ kind, use_when, tool_sops, preferences }: Sop): string {
  const line = (text: string) => text.replace(/\s+/g, " ").trim();
  const steps = tool_sops.map(
    ({ tool, action }, at) => `${at + 1}. \`${line(tool)}\`${action ? `: ${line(action)}` : ""}`,
  );
  const parts = [kind === "guard" ? "# To heed" : "# How it is done", line(use_when)];
  if (steps.length > 0) parts.push("## Steps", steps.join("\n"));
  if (preferences !== undefined) parts.push("## Preferences", preferences);
  return `\n${parts.join("\n\n")}\n`;
}

/** Reads a SKILL.md. */
export function skillFileOf(text: string): SkillFile {
  const { fields, metadata, body } = frontMatterOf(text);
  const name = fields.get("name") ?? "";
  const description = fields.get("description") ?? "";
  if (!isName(name)) {
    throw refused("name", "must be 1 to 64 letters and digits, with - _ . or spaces between them");
  }
  if (description.trim() === "") throw refused("description", "must say when to use the skill");
  const whole = wholeOf(metadata.get(WHOLE));
  // A person may have edited the readable part since it was written.
  const untouched = whole && bodyOf(whole) === body && whole.use_when.startsWith(description);
  if (untouched) return { name, description, sop: whole };
  const { id = name, kind = "sop", taskType } = whole ?? {};
  const { steps, rest } = readable(body, whole !== undefined);
  const preferences = cut(rest.trim());
  const sop = { id, kind, taskType, use_when: description, tool_sops: steps };
  return { name, description, sop: sopOf(preferences === "" ? sop : { ...sop, preferences }) };
}

/** Whether it is a valid name of a skill, and of a folder on any system. */
export function isName(name: string): boolean {
  return /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_. -]{0,62}[\p{L}\p{M}\p{N}_-])?$/u.test(name);
}

/** The complete skill in the front matter; `undefined` if there is none. */
function wholeOf(text: string | undefined): Sop | undefined {
  if (text === undefined) return undefined;
  let sop: Partial<Sop> | null;
  try {
    sop = JSON.parse(text) as Partial<Sop> | null;
  } catch {
    return undefined;
  }
  const isText = (value: unknown) => typeof value === "string";
  const isSteps = Array.isArray(sop?.tool_sops) && sop.tool_sops.every((step) => isText(step?.tool));
  if (!isText(sop?.id) || !isText(sop?.use_when) || !isSteps) return undefined;
  return sopOf({ kind: "sop", ...sop } as Sop);
}

/** The steps of a body, and the rest of it: the whole body, unless this library wrote it. */
function readable(body: string, own: boolean): { steps: ToolStep[]; rest: string } {
  const [, after = ""] = body.match(/^##[ \t]+Steps[ \t]*\n(.*)/ms) ?? [];
  const [section = ""] = after.split(/^##?[ \t]/m);
  const lines = section.matchAll(/^\s*(?:\d+[.)]|[-*])\s+`([^`\n]+)`(?:\s*[:—–-]\s*(.+))?$/gm);
  const steps = Array.from(lines, ([, tool, action]) => ({
    tool: tool as string,
    ...(action !== undefined && { action: action.trim() }),
  }));
  if (!own) return { steps, rest: body };
  return { steps, rest: body.match(/^##[ \t]+Preferences[ \t]*\n(.*)$/ms)?.[1] ?? "" };
}

/** Truncates to the maximum length of a field. */
function cut(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MOST_BYTES) return text;
  // Without an incomplete character at the end.
  return new TextDecoder().decode(bytes.subarray(0, MOST_BYTES - 3), { stream: true });
}
