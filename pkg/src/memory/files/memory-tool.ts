// The memory tool that Anthropic's models know (`memory_20250818`), on the files of a memory.

import { MemoryError, optionsIn, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { MemoryToolAnswer } from "../../wire/files.js";
import type { FileCalls } from "./calls.js";
import { partsOf } from "./folder/names.js";

/** A command of the memory tool, as the model gives it. */
export type MemoryToolCommand = {
  [C in keyof MemoryToolInputs]: { command: C } & MemoryToolInputs[C];
}[keyof MemoryToolInputs];

/** What each command of the memory tool is given. */
export interface MemoryToolInputs {
  /** Lists a folder, or shows a file, or some of its lines. */
  view: { path: string; view_range?: number[] | null | undefined };
  /** Makes a new file. */
  create: { path: string; file_text: string };
  /** Replaces a text that is in the file once. */
  str_replace: { path: string; old_str: string; new_str: string };
  /** Puts a text behind a line; 0 is the beginning. */
  insert: { path: string; insert_line: number; insert_text: string };
  /** Takes away a file, or a folder with all that is in it. */
  delete: { path: string };
  /** Gives a file or a folder another path. */
  rename: { old_path: string; new_path: string };
}

/** Where the memory tool works. */
export interface MemoryToolOptions {
  /** The folder that the model knows as `/memories`. Default: all files. */
  root?: string | undefined;
  /**
   * Files and folders that the model may change although they are hidden, no documents, or files that other programs act
   * on; as in `ToolScope`. Default: none.
   */
  writable?: readonly string[] | undefined;
}

/** What a handler of the memory tool throws: its message is for the model. */
export class MemoryToolError extends Error {
  /** Always `"MemoryToolError"`. */
  override readonly name = "MemoryToolError";
}

/**
 * The handlers of the memory tool, as `betaMemoryTool` of Anthropic's SDK takes them: each answers the text for the
 * model, and throws a `MemoryToolError` for what the model did wrong.
 */
export interface MemoryTool {
  /** Lists a folder, or shows a file, or some of its lines. */
  view(input: MemoryToolInputs["view"]): Promise<string>;
  /** Makes a new file. */
  create(input: MemoryToolInputs["create"]): Promise<string>;
  /** Replaces a text that is in the file once. */
  str_replace(input: MemoryToolInputs["str_replace"]): Promise<string>;
  /** Puts a text behind a line; 0 is the beginning. */
  insert(input: MemoryToolInputs["insert"]): Promise<string>;
  /** Takes away a file, or a folder with all that is in it. */
  delete(input: MemoryToolInputs["delete"]): Promise<string>;
  /** Gives a file or a folder another path. */
  rename(input: MemoryToolInputs["rename"]): Promise<string>;
  /** Runs any of the commands, as a model's tool call has it. Rejects only if the memory itself fails. */
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
  // Here, because later it would look like the model's mistake, who could not put it right.
  if (root) partsOf(root, "root");
  if (writable !== undefined) checkWritable(writable);
  const run = async (command: { command: keyof MemoryToolInputs }): Promise<MemoryToolAnswer> => {
    try {
      const args = { root, writable, command };
      // The same verb reads and writes; nobody needs to hear of a look.
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
