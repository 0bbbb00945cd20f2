// Markdown files of agents and people, in the memory and in real folders.

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

/** Options of `writeSession`. */
export interface SessionFilesOptions {
  /** The folder of `contexts/` and `knowledge/`, for example `.airsspec`. Default: the root of the tree. */
  folder?: string | undefined;
}

/**
 * One user's file tree. Paths are separated by `/`, for example `agents/planner/memory/context.md`; a file has at most
 * 900,000 bytes. Files are stored byte for byte, with their previous versions.
 */
export class MemoryFiles {
  /** The shared files of a team of agents. */
  readonly team: TeamFiles;
  readonly #calls: FileCalls;
  readonly #core: Core;

  /** @internal Use `memory.files`. */
  constructor(core: Core, closed: AbortSignal) {
    this.#core = core;
    this.#calls = new FileCalls(core, closed);
    this.team = new TeamFiles(this.#calls);
  }

  /** Returns a file, or `null` if there is none. */
  async read(path: string): Promise<MemoryFile | null> {
    return this.#calls.ask("file", { path });
  }

  /** Returns the files below a folder, sorted by path. Default: all files. */
  async list(folder?: string): Promise<MemoryFileInfo[]> {
    const files = await this.#calls.ask("files", { folder });
    // The record file identifies the memory to synced folders; it is internal.
    return files.filter(({ path }) => path !== RECORD);
  }

  /** Writes a file, replacing its previous text, and returns it. Rejects with `conflict` if `expect` does not match. */
  async write(path: string, text: string, options: ExpectOptions = {}): Promise<MemoryFile> {
    return this.#calls.write("writeFile", { ...options, path, text });
  }

  /** Appends text to a file, starting on a new line, and returns the file. */
  async append(path: string, text: string, options: ExpectOptions = {}): Promise<MemoryFile> {
    return this.#calls.write("appendFile", { ...options, path, text });
  }

  /**
   * Merges an edited copy of a file that started as `base` (three-way merge). Changes made here meanwhile stay. Where both
   * sides changed the same place, the file keeps both versions between conflict markers, and `conflicts` lists them.
   * Default for `base`: empty, meaning unknown.
   */
  async merge(path: string, text: string, base = ""): Promise<MergedFile> {
    return this.#calls.write("mergeFile", { path, text, base });
  }

  /** Moves a file and its history to a path where no file exists yet. Returns the file. */
  async move(from: string, to: string, options: ExpectOptions = {}): Promise<MemoryFile> {
    return this.#calls.write("moveFile", { ...options, from, to });
  }

  /** Deletes a file and its history permanently. Returns `true` if the file existed. */
  async delete(path: string, options: ExpectOptions = {}): Promise<boolean> {
    return this.#calls.write("deleteFile", { ...options, path });
  }

  /** Returns the previous versions of a file, oldest first. At most 100 versions are kept. */
  async history(path: string): Promise<MemoryFile[]> {
    return this.#calls.ask("fileHistory", { path });
  }

  /** Parses a file in the documented format of its path. Pass `text` to parse unsaved text. Default: the stored file. */
  async parse(path: string, text?: string): Promise<MemoryDocument | null> {
    return this.#calls.ask("parseFile", { path, text });
  }

  /** Updates parts of a context or session file; all other bytes stay. Creates a missing file from its template. */
  async update(path: string, changes: DocumentChanges, options: ExpectOptions = {}): Promise<MemoryFile> {
    return this.#calls.write("updateFile", { ...options, path, changes });
  }

  /**
   * Replaces the text below a heading, named in either language; all other bytes stay. A missing documented section is
   * created in its place; the call rejects for any other missing section.
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
   * Returns the lines that differ between two strings, with up to two lines of context.
   *
   * @example
   * const [before] = await memory.files.history(path);
   * const lines = await memory.files.diff(before?.text ?? "", file.text);
   */
  async diff(before: string, after: string): Promise<DiffLine[]> {
    return this.#calls.ask("diff", { before, after });
  }

  /** Returns the warnings for a file, in line order. Pass `text` to lint unsaved text. Default: the stored file. */
  async lint(path: string, text?: string): Promise<FileWarning[]> {
    return this.#calls.ask("lintFile", { path, text });
  }

  /** Appends entries to a `decisions.md` or a `learnings.md`. */
  async record(path: string, entries: readonly (DecisionInput | LearningInput)[]): Promise<MemoryFile> {
    return this.#calls.write("recordNotes", { path, entries });
  }

  /** Loads an agent's context and its ten newest decisions. Missing files count as empty. */
  async activate(agent: string): Promise<ActiveAgent> {
    return activated(this.#calls, agent);
  }

  /** Loads a team member: like `activate`, with the team's context and decisions and the member's pending handoffs. */
  async activateMember(agent: string): Promise<ActiveMember> {
    return activatedMember(this.#calls, agent);
  }

  /** Returns the handlers of Anthropic's memory tool. Default for `root`: all files. */
  memoryTool(options: MemoryToolOptions = {}): MemoryTool {
    return memoryToolOf(this.#calls, options);
  }

  /**
   * Syncs the memory and a folder in both directions. A change on one side is copied to the other, changes on both sides
   * are merged, and a file deleted on one side and unchanged on the other is deleted there. The last common state is
   * stored in the folder, in `.keepsake.json`. A file that cannot be synced stays unchanged and is listed in `skipped`.
   */
  async sync(folder: Folder, options: FolderOptions = {}): Promise<FolderSync> {
    return this.#inStep(folder, "both", options);
  }

  /** Imports new and changed files from a folder. The folder is not changed, and no file is deleted. */
  async importFrom(folder: Folder, options: FolderOptions = {}): Promise<FolderSync> {
    return this.#inStep(folder, "into-memory", options);
  }

  /**
   * Exports the files to a folder and deletes none. A file changed in the folder since the last sync is not overwritten
   * and is listed in `skipped`.
   */
  async exportTo(
    folder: Folder,
    options: Omit<FolderOptions, "onConflict" | "sources"> = {},
  ): Promise<FolderSync> {
    return this.#inStep(folder, "into-folder", options);
  }

  /**
   * Writes a session to the tree and returns the files: `contexts/agent/{session}.jsonl` has a line in the documented
   * format for each message or action, and the histories become `knowledge/library/history-001.md` and so on, numbered
   * across all sessions. A session larger than a file continues in `{session}.002.jsonl`. There is no automatic update:
   * call it again after new messages. Default for `folder`: the root of the tree.
   */
  async writeSession(session: string, options: SessionFilesOptions = {}): Promise<MemoryFile[]> {
    return this.#calls.write("writeSession", { ...options, session });
  }

  /**
   * Updates the search index from the documents below `sources/` and `.airsspec/sources/`: ingests new and changed
   * documents under their paths, split into passages, and removes deleted ones. `sync` with `sources: true` does this too.
   */
  async ingestSources(
    options: {
      /** Cancels the update between two documents; the call rejects with its reason. Default: none. */
      signal?: AbortSignal | undefined;
    } = {},
  ): Promise<SourceChanges> {
    known(options, "signal");
    return this.#core.remember("ingestSources", {}, { signal: optionsIn(options).signal });
  }

  /** @internal Asks the core which names may be synced, and how file systems compare them. */
  async judge(names: string[]): Promise<JudgedName[]> {
    return this.#calls.ask("fileNames", { names });
  }

  /** @internal Calls a tool that writes to files. */
  async callTool(asked: Args<"callTool">): Promise<ToolResult> {
    return this.#calls.write("callTool", asked);
  }

  /**
   * @internal Calls `listener` after each file change made by this handle. Returns an unsubscribe function. Apps use
   * `memory.on`, which reports all changes.
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
