// Tools for models: definitions in each provider's format, and validated calls.

import { MemoryError } from "../base/errors.js";
import { isWellFormed } from "../base/json.js";
import type { Listed } from "../base/listed.js";
import { known } from "../base/options.js";
import type { ToolName } from "../wire/tool-names.js";
import type { ToolResult } from "../wire/tools.js";
import type { Json } from "../wire/types.js";
import type { Core } from "./core.js";
import type { MemoryFiles } from "./files/files.js";

/** The JSON schema of a tool's arguments. */
export interface ToolSchema {
  /** Always an object; Gemini writes types in capitals. */
  type: "object" | "OBJECT";
  /** The arguments by name. */
  properties: { [name: string]: Json };
  /** The names of the required arguments. */
  required: string[];
  /** No other arguments are allowed. Gemini has no such field. */
  additionalProperties?: false;
}

/** A tool definition in each provider's format. */
export interface ToolForms {
  /** OpenAI Chat Completions. */
  openai: {
    type: "function";
    function: { name: ToolName; description: string; parameters: ToolSchema; strict?: boolean };
  };
  /** OpenAI Responses. */
  "openai-responses": {
    type: "function";
    name: ToolName;
    description: string;
    parameters: ToolSchema;
    strict: boolean;
  };
  /** Anthropic Messages. */
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
  /** Gemini function declarations. */
  gemini: { name: ToolName; description: string; parameters: ToolSchema };
}

/** The name of a format of `memory.tools`. */
export type ToolFormat = Listed<{ [F in keyof ToolForms]: F }[keyof ToolForms]>;

/** The tools available to a model. Pass the same scope to `tools` and to `call`. */
export interface ToolScope {
  /** Only these tools. Default: all. */
  only?: readonly ToolName[] | undefined;
  /** Only read-only tools; calls to all others are refused. Default: `false`. */
  readOnly?: boolean | undefined;
  /**
   * The agent that the model acts as. It records for this agent, and gets this agent's memories and those of no agent.
   * Default: tools that need an agent have an argument for it.
   */
  agent?: string | undefined;
  /**
   * Files and folders that the model may write regardless of their names, as paths of the tree: `["scripts",
   * "package.json"]`; `"/"` allows all. `.git`, `node_modules` and names that a file system treats as aliases are never
   * written. Default: none; the model can write documents (`.md`, `.txt`, `.json` …), but no hidden files, programs, or
   * files that other programs act on (`.env`, `.vscode/`, `package.json`, `run.sh`).
   */
  writable?: readonly string[] | undefined;
  /**
   * The id of the session in which the model calls. Once it holds content of low trust, such as a tool result, entries
   * that the model records are of low trust too, and the model cannot change the profile. Default: unknown.
   */
  session?: string | undefined;
}

/** Options of `memory.tools`. */
export interface ToolOptions extends ToolScope {
  /** Whether OpenAI enforces the schema. Default: `false`. */
  strict?: boolean | undefined;
}

/** Read-only tools, former ones too: other tabs need no notification. */
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

/** Tools that write files: folder syncs are notified, and nothing needs an embedding. */
const FILING: readonly string[] = [
  "write_memory_file",
  "update_memory_section",
  "record_decision",
  "record_learning",
  "hand_over",
];

/** Parses the arguments of a call: an object, or a JSON string of one; `{}` otherwise. The core validates them. */
function given(args: unknown): { [name: string]: unknown } {
  try {
    const read: unknown = typeof args === "string" ? JSON.parse(args) : args;
    return typeof read === "object" ? { ...read } : {};
  } catch {
    return {};
  }
}

/** Whether the error is caused by a tool name or arguments that the model got wrong. */
function isModelsMistake(error: unknown): error is MemoryError {
  return (
    error instanceof MemoryError &&
    error.code === "invalid-input" &&
    /^(name$|args\b)/.test(error.field ?? "")
  );
}

/** Calls a tool. A mistake of the model resolves to a result with `isError`. */
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
    // The field name itself may be malformed; then it is left out.
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
  known(scope, "only readOnly agent writable session");
  const { only, readOnly, agent, writable, session } = scope;
  const asked = { name, args, only, readOnly, agent, writable, session };
  if (READING.includes(name)) {
    return core.askAbout("callTool", asked, () => core.calls.ask("toolQuery", { name, args }));
  }
  if (FILING.includes(name)) return files.callTool(asked);
  const { content, namespace } = name === "memory_add" ? given(args) : {};
  return core.remember("callTool", { ...asked, summary: await core.summaryOf(content, namespace) });
}
