// Markdown files: their texts, versions, conflicts and diffs.

/** A file without its text. */
export interface MemoryFileInfo {
  /** The path, such as `agents/planner/memory/context.md`. */
  path: string;
  /** The SHA-256 of the text, in hex. Pass it to a write to detect concurrent changes. */
  hash: string;
  /** The number of writes so far, starting at 1. */
  version: number;
  /** The time of the last write, in ISO 8601. */
  updatedAt: string;
  /** The size of the text in bytes, as UTF-8. */
  size: number;
}

/** A file with its text. */
export interface MemoryFile extends MemoryFileInfo {
  /** The text, byte for byte as it was written. */
  text: string;
}

/** A section that was changed on both sides. The file contains both versions between conflict markers. */
export interface SectionConflict {
  /** The title of the section. */
  section: string;
  /** The first line of the section, counted from 1. */
  line: number;
}

/** A line of a diff. */
export interface DiffLine {
  /** Whether the line is in both texts, only in the old one, or only in the new one. */
  mark: "same" | "removed" | "added";
  /** The line without its line ending. */
  text: string;
}

/** The result of a merge. */
export interface MergedFile {
  /** The merged file. */
  file: MemoryFile;
  /** The conflicts to resolve by hand; empty if there are none. */
  conflicts: SectionConflict[];
}

/** A lint warning about a file. */
export interface FileWarning {
  /** The name of the rule: `vague`, `undated`, `no-code`, `duplicate-heading` … */
  rule: string;
  /** The line, counted from 1. */
  line: number;
  /** The problem and how to fix it. */
  message: string;
}

/** The answer to a command of the memory tool. */
export interface MemoryToolAnswer {
  /** The text for the model. */
  text: string;
  /** Whether the text reports a mistake of the model. */
  isError: boolean;
}
