// Files of Markdown: what agents and people write by hand, in the memory and in real folders.

import { optionsIn } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Args } from "../../engine/calls.js";
import type { MemoryDocument } from "../../wire/documents.js";
import type { JudgedName, SourceChanges } from "../../wire/file-sync.js";
import type { DiffLine, FileWarning, MemoryFile, MemoryFileInfo, MergedFile } from "../../wire/files.js";
import type { ToolResult } from "../../wire/tools.js";
import type { Core } from "../core.js";
import { type ActiveAgent, type ActiveMember, activated, activatedMember } from "./agent.js";
import { FileCalls } from "./calls.js";
import type { DecisionInput, DocumentChanges, LearningInput } from "./drafts.js";
import type { ExpectOptions } from "./file.js";
import type { Folder } from "./folder/folder.js";
import { type MemoryTool, type MemoryToolOptions, memoryToolOf } from "./memory-tool.js";
import type { Direction } from "./sync/plan.js";
import { RECORD } from "./sync/record.js";
import { syncFolder } from "./sync/sync.js";
import type { FolderOptions, FolderSync } from "./sync/types.js";
import { TeamFiles } from "./team.js";

/** Where a conversation is written. */
export interface SessionFilesOptions {
  /** The folder in which `contexts/` and `knowledge/` are: `.airsspec` for one. Default: the root of the tree. */
  folder?: string | undefined;
}

/**
 * One user's tree of files. A path is names with `/` between them, such as `agents/planner/memory/context.md`; a file has
 * at most 900,000 bytes. Files are kept byte for byte, and what they were before is kept as well.
 */
export class MemoryFiles {
  /** What a team of agents shares. */
  readonly team: TeamFiles;
  readonly #calls: FileCalls;
  readonly #core: Core;

  /** @internal Use `memory.files`. */
  constructor(core: Core, closed: AbortSignal) {
    this.#core = core;
    this.#calls = new FileCalls(core, closed);
    this.team = new TeamFiles(this.#calls);
  }

  /** A file; `null` if there is none. */
  async read(path: string): Promise<MemoryFile | null> {
    return this.#calls.ask("file", { path });
  }

  /** The files below a folder, in the order of their paths. Default: all. */
  async list(folder?: string): Promise<MemoryFileInfo[]> {
    const files = await this.#calls.ask("files", { folder });
    // By this one folders know the memory; it is nobody's text.
    return files.filter(({ path }) => path !== RECORD);
  }

  /** Writes a file, in place of what was there. */
  async write(path: string, text: string, options: ExpectOptions = {}): Promise<MemoryFile> {
    return this.#calls.write("writeFile", { ...options, path, text });
  }

  /** Writes behind what is there, on a line of its own. */
  async append(path: string, text: string, options: ExpectOptions = {}): Promise<MemoryFile> {
    return this.#calls.write("appendFile", { ...options, path, text });
  }

  /**
   * Takes in what became of a file elsewhere, where it began as `base`. What was changed here meanwhile stays; where both
   * have changed the same place, both versions are in the file, between marks, and named. Default: `base` is not known.
   */
  async merge(path: string, text: string, base = ""): Promise<MergedFile> {
    return this.#calls.write("mergeFile", { path, text, base });
  }

  /** Gives a file another path, where there is none yet. Its history goes with it. */
  async move(from: string, to: string, options: ExpectOptions = {}): Promise<MemoryFile> {
    return this.#calls.write("moveFile", { ...options, from, to });
  }

  /** Takes a file away for good, with its history. Answers whether it was there. */
  async delete(path: string, options: ExpectOptions = {}): Promise<boolean> {
    return this.#calls.write("deleteFile", { ...options, path });
  }

  /** What a file was before, oldest first: at most 100 versions. */
  async history(path: string): Promise<MemoryFile[]> {
    return this.#calls.ask("fileHistory", { path });
  }

  /** What a file says in the shape that its path calls for; of a `text` that is not there yet, if it is given. */
  async parse(path: string, text?: string): Promise<MemoryDocument | null> {
    return this.#calls.ask("parseFile", { path, text });
  }

  /** Changes parts of a context or a session's file; every other byte stays. One that is missing begins as documented. */
  async update(path: string, changes: DocumentChanges, options: ExpectOptions = {}): Promise<MemoryFile> {
    return this.#calls.write("updateFile", { ...options, path, changes });
  }

  /**
   * Puts another text below a heading, which may be named in either language; every other byte stays. A documented
   * section that is missing is made in its place; any other that is missing is refused.
   */
  async updateSection(
    path: string,
    section: string,
    text: string,
    options: ExpectOptions = {},
  ): Promise<MemoryFile> {
    return this.#calls.write("updateSection", { ...options, path, section, text });
  }

  /**
   * The lines that differ between two texts, with up to two equal ones around them.
   *
   * @example
   * const [before] = await memory.files.history(path);
   * const lines = await memory.files.diff(before?.text ?? "", file.text);
   */
  async diff(before: string, after: string): Promise<DiffLine[]> {
    return this.#calls.ask("diff", { before, after });
  }

  /** What could be better about a file, in the order of its lines; of a `text` that is not there yet, if it is given. */
  async lint(path: string, text?: string): Promise<FileWarning[]> {
    return this.#calls.ask("lintFile", { path, text });
  }

  /** Appends entries to a `decisions.md` or a `learnings.md`. */
  async record(path: string, entries: readonly (DecisionInput | LearningInput)[]): Promise<MemoryFile> {
    return this.#calls.write("recordNotes", { path, entries });
  }

  /** Loads what an agent begins with: its context, and its ten newest decisions. Missing files are empty. */
  async activate(agent: string): Promise<ActiveAgent> {
    return activated(this.#calls, agent);
  }

  /** The same for a member of a team, with the team's context and decisions, and the handoffs that wait for it. */
  async activateMember(agent: string): Promise<ActiveMember> {
    return activatedMember(this.#calls, agent);
  }

  /** The handlers of the memory tool that Anthropic's models know. Default: on all files. */
  memoryTool(options: MemoryToolOptions = {}): MemoryTool {
    return memoryToolOf(this.#calls, options);
  }

  /**
   * Brings the memory and a folder into step, both ways. What was changed on one side is changed on the other, what both
   * have changed is merged, and what was deleted on one side and not changed on the other is deleted there. What both had
   * is remembered in the folder, in `.keepsake.json`. A file that cannot be taken stays as it is and is named.
   */
  async sync(folder: Folder, options: FolderOptions = {}): Promise<FolderSync> {
    return this.#inStep(folder, "both", options);
  }

  /** Takes in what is new in a folder, which stays as it is. Nothing is deleted. */
  async importFrom(folder: Folder, options: FolderOptions = {}): Promise<FolderSync> {
    return this.#inStep(folder, "into-memory", options);
  }

  /** Writes the files into a folder. What was changed there since the last time stays, and is named. Nothing is deleted. */
  async exportTo(
    folder: Folder,
    options: Omit<FolderOptions, "onConflict" | "sources"> = {},
  ): Promise<FolderSync> {
    return this.#inStep(folder, "into-folder", options);
  }

  /**
   * Writes a conversation into the tree: `contexts/agent/{session}.jsonl`, a line in one of the documented shapes for
   * each thing that was said or done, and its histories as `knowledge/library/history-001.md` and so on, numbered across
   * all conversations. What goes beyond the size of a file goes on in `{session}.002.jsonl`. Nothing is written by itself:
   * call it again for what was said since. Default: at the root of the tree.
   */
  async writeSession(session: string, options: SessionFilesOptions = {}): Promise<MemoryFile[]> {
    return this.#calls.write("writeSession", { ...options, session });
  }

  /**
   * Brings what searches find into step with the documents below `sources/` and `.airsspec/sources/`: what is new or was
   * changed is taken in under its path, in passages, and what is gone is forgotten. `sync` with `sources: true` does it
   * as well.
   */
  async ingestSources(options: { signal?: AbortSignal | undefined } = {}): Promise<SourceChanges> {
    known(options, "signal");
    return this.#core.remember("ingestSources", {}, { signal: optionsIn(options).signal });
  }

  /** @internal What the core says of names that a sync is about. */
  async judge(names: string[]): Promise<JudgedName[]> {
    return this.#calls.ask("fileNames", { names });
  }

  /** @internal A tool that writes to files. */
  async callTool(asked: Args<"callTool">): Promise<ToolResult> {
    return this.#calls.write("callTool", asked);
  }

  /**
   * @internal Calls `listener` after each change to a file that was made here, until the answer is called. Apps listen to
   * the memory itself, which tells of everything.
   */
  onChange(listener: () => void): () => void {
    return this.#calls.onChange(listener);
  }

  async #inStep(folder: Folder, direction: Direction, options: FolderOptions): Promise<FolderSync> {
    const { sources, signal } = optionsIn(options);
    const done = await syncFolder(this, folder, direction, options);
    return sources ? { ...done, ingested: await this.ingestSources({ signal }) } : done;
  }

  /** @internal Aborted when the memory is closed. */
  get closed(): AbortSignal {
    return this.#calls.closed;
  }
}
