// Files of Markdown: their texts, versions, conflicts and differences.

/** A file without its text. */
export interface MemoryFileInfo {
  /** Where it is: `agents/planner/memory/context.md`. */
  path: string;
  /** The SHA-256 of its text, in hex. Whoever has it knows what they change. */
  hash: string;
  /** How often it has been written: 1 at first. */
  version: number;
  /** When it was last written, in ISO 8601. */
  updatedAt: string;
  /** How many bytes its text has in UTF-8. */
  size: number;
}

/** A file. */
export interface MemoryFile extends MemoryFileInfo {
  /** What it says, byte for byte as it was written. */
  text: string;
}

/** A section that was changed on both sides. Both versions are in the file, between marks. */
export interface SectionConflict {
  /** The title of the section. */
  section: string;
  /** The line where the section begins, counted from 1. */
  line: number;
}

/** A line of a difference. */
export interface DiffLine {
  /** Whether both texts have it, only the one before, or only the one after. */
  mark: "same" | "removed" | "added";
  /** The line, without its end. */
  text: string;
}

/** What became of a merge. */
export interface MergedFile {
  /** The file as it is now. */
  file: MemoryFile;
  /** What a person has to decide. Empty if nothing. */
  conflicts: SectionConflict[];
}

/** Something about a file that could be better. */
export interface FileWarning {
  /** What kind of thing it is, in a word: `vague`, `undated`, `no-code`, `duplicate-heading` … */
  rule: string;
  /** The line, counted from 1. */
  line: number;
  /** What is wrong, and what to do about it. */
  message: string;
}

/** What a command of the memory tool is answered. */
export interface MemoryToolAnswer {
  /** For the model. */
  text: string;
  /** Whether the text says what the model did wrong. */
  isError: boolean;
}
