/**
 * Skills in the formats of Acontext: folders with a SKILL.md, and blocks of a space.
 *
 * @module keepsake/acontext
 */

import { fromBase64, toBase64 } from "../../base/bytes.js";
import { MemoryError, optionsIn, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Folder } from "../../memory/files/folder/folder.js";
import type { Memory } from "../../memory/memory.js";

import type { Skill } from "../../wire/procedural.js";
import { type AcontextBlock, addBlock, blockOf, type NewAcontextBlock } from "./blocks.js";
import { isName, type SkillFile, sameSop, skillFileOf, skillText, sopOf } from "./skill-file.js";
import { textOf } from "./text-of.js";

export type { AcontextBlock, NewAcontextBlock } from "./blocks.js";

/** Options of `acontextSkills`. */
export interface AcontextOptions {
  /** The folder of the memory's files that contains the folders of skills. Default: `"skills"`. */
  folder?: string | undefined;
}

/** A file of a skill. */
export interface AcontextFile {
  /** Its path within the skill's folder: `"SKILL.md"`, `"scripts/run.py"`. */
  path: string;
  /** Its content. */
  bytes: Uint8Array;
}

/** A skill in a list, as in Acontext's catalogue. */
export interface AcontextSkill {
  /** Its name, which is also the name of its folder. */
  name: string;
  /** When to use it. */
  description: string;
  /** The id of the skill in `memory.procedural`. */
  id: string;
}

/** The result of an import. */
export interface AcontextImport {
  /** The imported skills. */
  skills: Skill[];
  /** The folders without a valid skill, which were skipped. */
  problems: { path: string; error: MemoryError }[];
}

/** Binary files, by the name of the skill and their path. */
const BYTES = "acontext/files";
/** The maximum size of a value. */
const MOST_BYTES = 6_000_000;

/** The skills of a memory, in the formats of Acontext. */
export class AcontextSkills {
  readonly #memory: Memory;
  readonly #root: string;

  /** @internal Use `acontextSkills`. */
  constructor(memory: Memory, options: AcontextOptions) {
    known(options, "folder");
    const { folder = "skills" } = optionsIn(options);
    if (typeof folder !== "string" || folder === "") throw refused("folder", "must be the path of a folder");
    this.#memory = memory;
    this.#root = folder;
  }

  /** All skills with name and description. */
  async list(): Promise<AcontextSkill[]> {
    const all = await this.#all();
    return all.map(({ name, skill }) => ({ name, description: skill.use_when, id: skill.id }));
  }

  /** The files of a skill, SKILL.md first; `null` if there is no skill with this name. */
  async get(name: string): Promise<AcontextFile[] | null> {
    const found = (await this.#all()).find((one) => one.name === name);
    return found ? this.#files(found) : null;
  }

  /** Stores a skill from the files of its folder. A skill with the same name is replaced. */
  async add(files: readonly AcontextFile[]): Promise<Skill> {
    const { file, others } = read(files);
    return this.#keep(file, others);
  }

  /** Deletes a skill with its files. Returns whether it existed. */
  async delete(name: string): Promise<boolean> {
    const found = (await this.#all()).find((one) => one.name === name);
    if (!found) return false;
    for (const { path } of await this.#kept(name)) await this.#memory.files.delete(path);
    await this.#memory.collection<string>(BYTES).write([{ prefix: `${name}/`, delete: true }]);
    return this.#memory.procedural.delete(found.skill.id);
  }

  /**
   * Imports every folder that has a SKILL.md, from a directory or a ZIP. An unchanged skill gets no new version. An invalid
   * skill does not stop the others.
   */
  async importFrom(folder: Folder): Promise<AcontextImport> {
    const paths: string[] = [];
    for await (const path of await folder.list()) paths.push(path);
    const roots = rootsOf(paths);
    const answer: AcontextImport = { skills: [], problems: [] };
    for (const root of roots) {
      const within = paths.filter((path) => path.startsWith(root));
      try {
        const files: AcontextFile[] = [];
        for (const path of within) {
          files.push({ path: path.slice(root.length), bytes: await folder.read(path, MOST_BYTES) });
        }
        answer.skills.push(await this.add(files));
      } catch (error) {
        const own = error instanceof MemoryError && ["invalid-input", "too-large"].includes(error.code);
        if (!own) throw error;
        answer.problems.push({ path: root.slice(0, -1), error });
      }
    }
    return answer;
  }

  /** Exports skills, one folder each, and replaces existing folders. Default: all skills. Returns their names. */
  async exportTo(
    folder: Folder,
    options: {
      /** The names of the skills. Default: all. */
      only?: readonly string[] | undefined;
    } = {},
  ): Promise<string[]> {
    const { only } = options;
    const wanted = (await this.#all()).filter(({ name }) => only?.includes(name) ?? true);
    const missing = only?.find((name) => !wanted.some((one) => one.name === name));
    if (missing !== undefined)
      throw new MemoryError("not-found", "no skill with this name", { field: "only" });
    const there: string[] = [];
    for await (const path of await folder.list()) there.push(path);
    for (const one of wanted) {
      const files = await this.#files(one);
      for (const { path, bytes } of files) await folder.write(`${one.name}/${path}`, bytes);
      const fresh = new Set(files.map(({ path }) => `${one.name}/${path}`));
      const old = there.filter((path) => path.startsWith(`${one.name}/`) && !fresh.has(path));
      for (const path of old) await folder.remove(path);
    }
    return wanted.map(({ name }) => name);
  }

  /** Stores the skill of a block. Fields that a skill does not have are returned by `toBlocks`. */
  async addBlock(block: AcontextBlock): Promise<Skill> {
    return addBlock(this.#memory, block);
  }

  /** All skills as blocks that Acontext's client can create. Guards are left out. */
  async toBlocks(): Promise<NewAcontextBlock[]> {
    const skills = await this.#memory.procedural.list();
    const sops = skills.filter(({ kind }) => kind === "sop");
    return Promise.all(sops.map((skill) => blockOf(this.#memory, skill)));
  }

  /** All skills with their names, and with the original SKILL.md if the skill is unchanged. */
  async #all(): Promise<Known[]> {
    const files = new Map<string, { file: SkillFile; text: string; updatedAt: string }>();
    for (const { path } of await this.#memory.files.list(this.#root)) {
      const [name, last, ...more] = path.slice(this.#root.length + 1).split("/");
      if (!name || !last || more.length > 0 || !isSkillFile(last)) continue;
      const kept = await this.#memory.files.read(path);
      const file = kept && readable(kept.text);
      if (kept && file) files.set(file.sop.id, { file: { ...file, name }, ...kept });
    }
    const names = new Set(Array.from(files.values(), ({ file }) => file.name));
    return (await this.#memory.procedural.list()).map((skill) => {
      const kept = files.get(skill.id);
      const name = kept?.file.name ?? unique(slug(skill), names);
      names.add(name);
      const holds = kept && (sameSop(kept.file.sop, skill) || kept.updatedAt > skill.updatedAt);
      return { name, skill, text: holds ? kept.text : undefined };
    });
  }

  async #files({ name, skill, text }: Known): Promise<AcontextFile[]> {
    const encoder = new TextEncoder();
    const files: AcontextFile[] = [
      { path: "SKILL.md", bytes: encoder.encode(text ?? skillText(name, skill)) },
    ];
    for (const { path, relative } of await this.#kept(name)) {
      const file = isSkillFile(relative) ? null : await this.#memory.files.read(path);
      if (file) files.push({ path: relative, bytes: encoder.encode(file.text) });
    }
    for await (const [key, value] of this.#memory.collection<string>(BYTES).entries({ prefix: `${name}/` })) {
      files.push({ path: key.slice(name.length + 1), bytes: fromBase64(value) });
    }
    return files;
  }

  async #kept(name: string): Promise<{ path: string; relative: string }[]> {
    const folder = `${this.#root}/${name}`;
    const files = await this.#memory.files.list(folder);
    return files.map(({ path }) => ({ path, relative: path.slice(folder.length + 1) }));
  }

  async #keep(file: SkillFile & { text: string }, others: AcontextFile[]): Promise<Skill> {
    const { name, sop } = file;
    const folder = `${this.#root}/${name}`;
    const texts = new Map([[`${folder}/SKILL.md`, file.text]]);
    const values: { key: string; value: string }[] = [];
    for (const { path, bytes } of others) {
      const text = textOf(bytes);
      if (text !== undefined) texts.set(`${folder}/${path}`, text);
      else values.push({ key: `${name}/${path}`, value: toBase64(bytes) });
    }
    const before = await this.#kept(name);
    const bytes = this.#memory.collection<string>(BYTES);
    // Reading validates the paths: an invalid one is refused before anything is written.
    const there = new Map<string, string | undefined>();
    for (const path of texts.keys()) there.set(path, (await this.#memory.files.read(path))?.text);
    await bytes.getMany(values.map(({ key }) => key));
    const known = await this.#memory.procedural.get(sop.id);
    const skill = known && sameSop(known, sop) ? known : await this.#memory.procedural.addSkill(sopOf(sop));
    for (const [path, text] of texts) {
      if (there.get(path) !== text) await this.#memory.files.write(path, text);
    }
    for (const { path } of before) if (!texts.has(path)) await this.#memory.files.delete(path);
    await bytes.write([{ prefix: `${name}/`, delete: true }, ...values]);
    return skill;
  }
}

interface Known {
  name: string;
  skill: Skill;
  text: string | undefined;
}

/**
 * The skills of this memory, in the formats of Acontext.
 *
 * @example
 * const skills = acontextSkills(memory);
 * await skills.importFrom(nodeFolder("./skills"));
 */
export function acontextSkills(memory: Memory, options: AcontextOptions = {}): AcontextSkills {
  return new AcontextSkills(memory, options);
}

const isSkillFile = (name: string): boolean => /^skill\.md$/i.test(name);

/** The folders that have a SKILL.md and are not inside another such folder, each with a trailing slash. */
function rootsOf(paths: string[]): string[] {
  const all = paths.filter((path) => isSkillFile(path.slice(path.lastIndexOf("/") + 1)));
  const folders = [...new Set(all.map((path) => path.slice(0, path.lastIndexOf("/") + 1)))];
  return folders.filter((folder) => !folders.some((other) => other !== folder && folder.startsWith(other)));
}

/** Validates the files of one skill. */
function read(files: readonly AcontextFile[]): {
  file: SkillFile & { text: string };
  others: AcontextFile[];
} {
  if (!Array.isArray(files)) throw refused("files", "must be an array of files");
  const others: AcontextFile[] = [];
  let main: string | undefined;
  for (const [at, { path, bytes }] of (files as AcontextFile[]).map((file) => Object(file)).entries()) {
    if (typeof path !== "string" || path === "") throw refused(`files[${at}].path`, "must be a path");
    if (!(bytes instanceof Uint8Array)) throw refused(`files[${at}].bytes`, "must be a Uint8Array");
    if (bytes.length > MOST_BYTES) {
      throw new MemoryError(
        "too-large",
        `\`files[${at}].bytes\` is too large: ${bytes.length}, and the limit is ${MOST_BYTES}`,
        {
          field: `files[${at}].bytes`,
        },
      );
    }
    if (!isSkillFile(path)) others.push({ path, bytes });
    else if (main !== undefined) throw refused("files", "must have one SKILL.md");
    else {
      main = textOf(bytes);
      if (main === undefined) throw refused("SKILL.md", "must be valid UTF-8");
    }
  }
  if (main === undefined) throw refused("files", "must have a SKILL.md");
  const parts = others.find(({ path }) =>
    path.split("/").some((part) => part === "" || /^\.{1,2}$/.test(part)),
  );
  if (parts) throw refused("files", "must have paths within their folder");
  return { file: { ...skillFileOf(main), text: main }, others };
}

function readable(text: string): SkillFile | undefined {
  try {
    return skillFileOf(text);
  } catch {
    return undefined;
  }
}

/** Derives a name from the words of a skill. */
function slug({ id, use_when }: Skill): string {
  const words = (text: string) =>
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu)
      ?.join("-")
      .slice(0, 56) ?? "";
  const name = [words(use_when), words(id)].map((text) => text.replace(/[-\p{Cs}]+$/u, "")).find(isName);
  return name ?? "skill";
}

function unique(name: string, taken: Set<string>): string {
  let [free, count] = [name, 1];
  while (taken.has(free)) {
    count += 1;
    free = `${name}-${count}`;
  }
  return free;
}
