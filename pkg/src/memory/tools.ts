// Tools for models: schemas in the form that each maker wants, and calls that are checked against them.

import { MemoryError } from "../base/errors.js";
import { isWellFormed } from "../base/json.js";
import { known } from "../base/options.js";
import type { ToolResult } from "../wire/tools.js";
import type { Json } from "../wire/types.js";
import type { Core } from "./core.js";
import type { MemoryFiles } from "./files/files.js";

/** The tools that a model can be given. */
export type ToolName =
  | "memory_add"
  | "memory_search"
  | "memory_get"
  | "memory_stats"
  | "memory_delete"
  | "query_memory"
  | "record_to_memory"
  | "retrieve_from_memory"
  | "update_profile"
  | "list_memory_files"
  | "read_memory_file"
  | "write_memory_file"
  | "update_memory_section"
  | "record_decision"
  | "record_learning"
  | "search_learnings"
  | "search_knowledge"
  | "hand_over";

/** A JSON schema of arguments. */
export interface ToolSchema {
  /** Always an object; Gemini writes its types in capitals. */
  type: "object" | "OBJECT";
  /** The arguments by name. */
  properties: { [name: string]: Json };
  /** Those that have to be there. */
  required: string[];
  /** Nothing else may be there. Gemini has no such field. */
  additionalProperties?: false;
}

/** A tool in the form that each maker wants. */
export interface ToolForms {
  /** OpenAI's chat completions. */
  openai: {
    type: "function";
    function: { name: ToolName; description: string; parameters: ToolSchema; strict?: boolean };
  };
  /** OpenAI's responses. */
  "openai-responses": {
    type: "function";
    name: ToolName;
    description: string;
    parameters: ToolSchema;
    strict: boolean;
  };
  /** Anthropic's messages. */
  anthropic: { name: ToolName; description: string; input_schema: ToolSchema };
  /** The Model Context Protocol. */
  mcp: {
    name: ToolName;
    title: string;
    description: string;
    inputSchema: ToolSchema;
    annotations: {
      title: string;
      readOnlyHint: boolean;
      destructiveHint: boolean;
      idempotentHint: boolean;
      openWorldHint: false;
    };
  };
  /** The AI SDK: `tool({ description, inputSchema: jsonSchema(inputSchema), execute })`. */
  "ai-sdk": { name: ToolName; description: string; inputSchema: ToolSchema };
  /** Gemini's function declarations. */
  gemini: { name: ToolName; description: string; parameters: ToolSchema };
}

/** Which tools a model has. The same are to be said to `tools` and to `call`. */
export interface ToolScope {
  /** Only these. Default: all. */
  only?: readonly ToolName[] | undefined;
  /** Only those that change nothing; all others are refused. Default: `false`. */
  readOnly?: boolean | undefined;
  /**
   * The agent that the model is: it records for itself, and is told its own memories and those of no agent. Default: the
   * model is asked, by tools that need to know.
   */
  agent?: string | undefined;
  /**
   * Files and folders that the model may write whatever they are called, as paths of the tree: `["scripts",
   * "package.json"]`; `"/"` is everything. `.git`, `node_modules` and names that a disk takes for others are never
   * written. Default: none, so that the model writes documents (`.md`, `.txt`, `.json` …), and no hidden files, programs
   * or files that other programs act on (`.env`, `.vscode/`, `package.json`, `run.sh`).
   */
  writable?: readonly string[] | undefined;
}

/** How tools are shown. */
export interface ToolOptions extends ToolScope {
  /** Whether OpenAI is to hold the model to the schema. Default: `false`. */
  strict?: boolean | undefined;
}

/** Tools that change nothing: other tabs need not hear of them. */
const READING: readonly string[] = [
  "memory_search",
  "memory_get",
  "memory_stats",
  "query_memory",
  "retrieve_from_memory",
  "list_memory_files",
  "read_memory_file",
  "search_learnings",
  "search_knowledge",
];

/** Tools that write to files: whoever keeps a folder in step hears of them, and no embedder has anything to see. */
const FILING: readonly string[] = [
  "write_memory_file",
  "update_memory_section",
  "record_decision",
  "record_learning",
  "hand_over",
];

/** The arguments of a call as an object, where they are one or its JSON text. What they must be is for the core to say. */
function given(args: unknown): { [name: string]: unknown } {
  try {
    const read: unknown = typeof args === "string" ? JSON.parse(args) : args;
    return typeof read === "object" ? { ...read } : {};
  } catch {
    return {};
  }
}

/** Whether an error is about what the model said, which was no data that can be passed on. */
function isModelsMistake(error: unknown): error is MemoryError {
  return (
    error instanceof MemoryError &&
    error.code === "invalid-input" &&
    /^(name$|args\b)/.test(error.field ?? "")
  );
}

/** Calls a tool. What the model gets wrong is answered. */
export async function callTool(
  core: Core,
  files: MemoryFiles,
  name: string,
  args: unknown,
  scope: ToolScope,
): Promise<ToolResult> {
  try {
    return await call(core, files, name, args, scope);
  } catch (error) {
    if (!isModelsMistake(error)) throw error;
    // A field's name is left out where it may be the very text that is wrong.
    const field = error.field?.startsWith("args.") && isWellFormed(error.field) ? error.field.slice(5) : "";
    const reason = error.message.replace(/^`[^`]*` /, "");
    const subject = field ? `\`${field}\`` : "its name or an argument";
    const text = `The tool was not called: ${subject} ${reason}. Correct it and call it again.`;
    return { text, isError: true };
  }
}

async function call(
  core: Core,
  files: MemoryFiles,
  name: string,
  args: unknown,
  scope: ToolScope,
): Promise<ToolResult> {
  known(scope, "only readOnly agent writable");
  const { only, readOnly, agent, writable } = scope;
  const asked = { name, args, only, readOnly, agent, writable };
  if (READING.includes(name)) {
    return core.askAbout("callTool", asked, () => core.calls.ask("toolQuery", { name, args }));
  }
  if (FILING.includes(name)) return files.callTool(asked);
  const { content, namespace } = name === "memory_add" ? given(args) : {};
  return core.remember("callTool", { ...asked, summary: await core.summaryOf(content, namespace) });
}
