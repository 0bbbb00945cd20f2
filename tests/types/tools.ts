// Tools for models: their forms by maker, and what the compiler refuses.

import type { Memory, ToolForms, ToolName, ToolResult } from "keepsake";

/** Only `true` can be passed, and only when the two types are the same, down to `readonly` and `any`. */
declare function same<A, B>(
  verdict: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false,
): void;

export async function tools(memory: Memory): Promise<void> {
  const chat = await memory.tools("openai", { strict: true, only: ["memory_add"] });
  same<ToolForms["openai"][], typeof chat>(true);
  const name: ToolName | undefined = chat[0]?.function.name;
  const anthropic = await memory.tools("anthropic", { agent: "planner", readOnly: true });
  same<ToolForms["anthropic"][], typeof anthropic>(true);
  // @ts-expect-error: no such maker
  await memory.tools("cohere");
  // @ts-expect-error: no such tool
  await memory.tools("mcp", { only: ["memory_fly"] });
  const answer = await memory.call(name ?? "memory_stats", {});
  same<ToolResult, typeof answer>(true);
  // A model may call anything: its mistakes are answers.
  await memory.call("memory_fly", "not even an object", { readOnly: true });
}
