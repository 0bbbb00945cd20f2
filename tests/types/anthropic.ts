// Tools for Anthropic's tool runner, with the SDK's own types.

import type Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import type { Memory } from "keepsake";
import { type AnthropicMemoryToolOptions, memoryTool, memoryTools } from "keepsake/anthropic";

export async function run(memory: Memory, client: Anthropic): Promise<string> {
  const options: AnthropicMemoryToolOptions = {
    root: "agents/coder",
    definition: { cache_control: { type: "ephemeral" } },
  };
  const tools = [
    memoryTool(memory, options),
    betaMemoryTool(memory.files.memoryTool()),
    ...(await memoryTools(memory, { only: ["memory_add"], readOnly: true, agent: "coder" })),
  ];
  const message: Anthropic.Beta.BetaMessage = await client.beta.messages.toolRunner({
    model: "claude-sonnet-5",
    max_tokens: 1000,
    messages: [{ role: "user", content: "Hello" }],
    tools,
  });
  // @ts-expect-error: no such tool
  await memoryTools(memory, { only: ["fly"] });
  // @ts-expect-error: a memory is needed
  memoryTool({});
  // @ts-expect-error: the folder is a text
  memoryTool(memory, { root: 7 });
  // @ts-expect-error: the name of the tool is the SDK's
  memoryTool(memory, { definition: { name: "other" } });
  return message.id;
}
