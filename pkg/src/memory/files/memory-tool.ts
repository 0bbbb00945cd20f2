// Anthropic's memory tool (`memory_20250818`), backed by the files of a memory.

import { MemoryError, optionsIn, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { MemoryToolAnswer } from "../../wire/files.js";
import type { FileCalls } from "./calls.js";
import { partsOf } from "./folder/names.js";

/** A memory tool command from the model. */
export type MemoryToolCommand = {
  [C in keyof MemoryToolInputs]: { command: C } & MemoryToolInputs[C];
}[keyof MemoryToolInputs];

/** The input of each memory tool command. */
export interface MemoryToolInputs {
  /** Lists a folder, or shows a file or a range of its lines. */
  view: {
    path: string;
    /** The first and the last line; -1 is the end of the file. Default: the whole file. */
    view_range?: number[] | null | undefined;
  };
  /** Creates a file. */
  create: { path: string; file_text: string };
  /** Replaces a string that occurs exactly once in the file. */
  str_replace: { path: string; old_str: string; new_str: string };
  /** Inserts text after a line; 0 inserts at the beginning. */
  insert: { path: string; insert_line: number; insert_text: string };
  /** Deletes a file, or a folder with its contents. */
  delete: { path: string };
  /** Renames or moves a file or a folder. */
  rename: { old_path: string; new_path: string };
}

/** Options of the memory tool. */
export interface MemoryToolOptions {
  /** The folder that the model sees as `/memories`. Default: all files. */
  root?: string | undefined;
  /**
   * Files and folders that the model may write although they are hidden, not documents, or files that other programs act
   * on; as in `ToolScope`. Default: none.
   */
  writable?: readonly string[] | undefined;
}

/** The error thrown by memory tool handlers. Its message is written for the model. */
export class MemoryToolError extends Error {
  /** Always `"MemoryToolError"`. */
  override readonly name = "MemoryToolError";
}

/**
 * The memory tool handlers, in the form that `betaMemoryTool` of Anthropic's SDK expects. Each returns the text for the
 * model, and rejects with a `MemoryToolError` for a mistake of the model.
 */
export interface MemoryTool {
  /** Lists a folder, or shows a file or a range of its lines. */
  view(input: MemoryToolInputs["view"]): Promise<string>;
  /** Creates a file. */
  create(input: MemoryToolInputs["create"]): Promise<string>;
  /** Replaces a string that occurs exactly once in the file. */
  str_replace(input: MemoryToolInputs["str_replace"]): Promise<string>;
  /** Inserts text after a line; 0 inserts at the beginning. */
  insert(input: MemoryToolInputs["insert"]): Promise<string>;
  /** Deletes a file, or a folder with its contents. */
  delete(input: MemoryToolInputs["delete"]): Promise<string>;
  /** Renames or moves a file or a folder. */
  rename(input: MemoryToolInputs["rename"]): Promise<string>;
  /** Runs a command from a model's tool call. Rejects only if the memory itself fails. */
  run(command: MemoryToolCommand): Promise<MemoryToolAnswer>;
}

function checkWritable(writable: readonly string[]): void {
  if (!Array.isArray(writable)) throw refused("writable", "must be an array of paths");
  for (const [at, path] of writable.entries()) if (path !== "/") partsOf(path, `writable[${at}]`);
}

/** The memory tool on the files behind these calls. */
export function memoryToolOf(calls: FileCalls, options: MemoryToolOptions): MemoryTool {
  known(options, "root writable");
  const { root, writable } = optionsIn(options);
  // Validated here: in a call, the error would be reported to the model, which cannot correct it.
  if (root) partsOf(root, "root");
  if (writable !== undefined) checkWritable(writable);
  const run = async (command: { command: keyof MemoryToolInputs }): Promise<MemoryToolAnswer> => {
    try {
      const args = { root, writable, command };
      // The verb both reads and writes; a view needs no change notification.
      if (command?.command === "view") return await calls.ask("memoryTool", args);
      return await calls.write("memoryTool", args);
    } catch (error) {
      const wrong = error instanceof MemoryError && ["invalid-input", "too-large"].includes(error.code);
      if (!wrong) throw error;
      return { text: error.message, isError: true };
    }
  };
  const handler =
    <C extends keyof MemoryToolInputs>(command: C) =>
    async (input: MemoryToolInputs[C]): Promise<string> => {
      const { text, isError } = await run({ ...input, command });
      if (isError) throw new MemoryToolError(text);
      return text;
    };
  return {
    view: handler("view"),
    create: handler("create"),
    str_replace: handler("str_replace"),
    insert: handler("insert"),
    delete: handler("delete"),
    rename: handler("rename"),
    run,
  };
}
