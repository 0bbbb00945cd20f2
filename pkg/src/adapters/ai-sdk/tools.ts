// The tools of a memory for the AI SDK.

import { jsonSchema, type ToolSet } from "ai";
import type { Memory } from "../../memory/memory.js";
import type { ToolScope } from "../../memory/tools.js";

/**
 * The tools of this memory (`memory_add`, `memory_search` …), for `generateText`, `streamText` and agents. Invalid arguments
 * are reported to the model as an error of the tool.
 *
 * @example
 * await generateText({ model, tools: await memoryTools(memory), stopWhen: isStepCount(5), prompt });
 */
export async function memoryTools(memory: Memory, scope: ToolScope = {}): Promise<ToolSet> {
  const tools = await memory.tools("ai-sdk", scope);
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      {
        description,
        inputSchema: jsonSchema<Record<string, unknown>>({ ...inputSchema, type: "object" } as object),
        execute: async (args) => {
          const { text, isError } = await memory.call(name, args, scope);
          if (isError) throw new Error(text);
          return text;
        },
      },
    ]),
  );
}
