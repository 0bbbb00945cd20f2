/**
 * A memory for the tool runner of Anthropic's SDK: the memory tool of its models, on the memory's files, and the memory's
 * own tools.
 *
 * @module keepsake/anthropic
 */

import { betaMemoryTool, type MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import { ToolError } from "@anthropic-ai/sdk/lib/tools/ToolError";
import type { BetaMemoryTool20250818, BetaMemoryTool20250818Command } from "@anthropic-ai/sdk/resources/beta";
import { known } from "../../base/options.js";
import type { MemoryToolOptions } from "../../memory/files/memory-tool.js";
import type { Memory } from "../../memory/memory.js";
import type { ToolScope } from "../../memory/tools.js";

/** Options of `memoryTool`. */
export interface AnthropicMemoryToolOptions extends MemoryToolOptions {
  /** Fields that are added to the tool's definition, such as `cache_control`. Default: none. */
  definition?: Omit<BetaMemoryTool20250818, "type" | "name"> | undefined;
}

/**
 * The memory tool (`memory_20250818`) on the files of this memory, for `client.beta.messages.toolRunner`.
 *
 * @example
 * client.beta.messages.toolRunner({ model, max_tokens, messages, tools: [memoryTool(memory)] });
 */
export function memoryTool(
  memory: Memory,
  options: AnthropicMemoryToolOptions = {},
): BetaRunnableTool<BetaMemoryTool20250818Command> {
  known(options, "root writable definition");
  const { definition, ...where } = options;
  const { view, create, str_replace, insert, delete: remove, rename } = memory.files.memoryTool(where);
  const six = { view, create, str_replace, insert, delete: remove, rename } satisfies MemoryToolHandlers;
  // The SDK looks up a handler by the command that the model names; it must not find properties of `Object.prototype`.
  const handlers = Object.assign(Object.create(null), six) as MemoryToolHandlers;
  return betaMemoryTool(handlers, definition);
}

/**
 * The tools of this memory (`memory_add`, `memory_search` …), for `client.beta.messages.toolRunner`. Invalid arguments are
 * reported to the model as an error result.
 *
 * @example
 * const tools = await memoryTools(memory, { agent: "planner" });
 */
export async function memoryTools(
  memory: Memory,
  scope: ToolScope = {},
): Promise<BetaRunnableTool<Record<string, unknown>>[]> {
  const tools = await memory.tools("anthropic", scope);
  return tools.map((tool) => ({
    type: "custom",
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.input_schema, type: "object" },
    parse: (content) => content as Record<string, unknown>,
    run: async (args) => {
      const { text, isError } = await memory.call(tool.name, args, scope);
      if (isError) throw new ToolError(text);
      return text;
    },
  }));
}
