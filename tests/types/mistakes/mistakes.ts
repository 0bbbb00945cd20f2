// Typical mistakes. The comment above each has a part of the compiler's message, which must name the allowed values.

import { type Memory, type Metadata, openMemory, type Session } from "keepsake";
import { mcpServer } from "keepsake/mcp";
import { useMemory, useSearch } from "keepsake/react";
import type { RemoteMemory } from "keepsake/remote";

export async function roles(session: Session, remote: RemoteMemory, memory: Memory): Promise<void> {
  // "ASSISTANT" | "SYSTEM" | "TOOL" | "USER" | "assistant" | "system" | "tool" | "user"
  await session.append({ role: "human", content: "x" });
  // "ASSISTANT" | "SYSTEM" | "TOOL" | "USER" | "assistant" | "system" | "tool" | "user"
  await session.append([{ role: "human", content: "x" }]);
  // "ASSISTANT" | "SYSTEM" | "TOOL" | "USER" | "assistant" | "system" | "tool" | "user"
  await remote.session("s").append({ role: "ai", content: "x" });
  // "ASSISTANT" | "SYSTEM" | "TOOL" | "USER" | "assistant" | "system" | "tool" | "user"
  await memory.dialog.append("s", "human", "x");
  // 'text' does not exist in type 'MessageInput
  await session.append({ role: "user", text: "x" });
  // Did you mean to write 'name'?
  await session.append([{ role: "user", content: "x", nam: "Ann" }]);
}

export async function options(): Promise<void> {
  // Did you mean to write 'storage'?
  await openMemory({ user: "u-1", store: "memory" });
  // "indexeddb" | "memory" | StorageAdapter
  await openMemory({ user: "u-1", storage: "sqlite" });
  // "cl100k" | "claude" | "gemini" | "o200k"
  await openMemory({ user: "u-1", config: { tokenizer: "gpt-4" } });
  // "full" | "small"
  await openMemory({ user: "u-1", core: "tiny" });
  // Property 'user' is missing
  await openMemory({});
}

export async function entries(memory: Memory): Promise<void> {
  // "long-term" | "short-term"
  await memory.add("x", { namespace: "longterm" });
  // "long-term" | "short-term"
  await memory.count("archive");
  // "high" | "low" | "normal"
  await memory.add("x", { trust: "medium" });
  // "best" | "formula"
  await memory.search("x", { ranking: "bm25" });
  // 'topK' does not exist in type 'SearchOptions
  await memory.search("x", { topK: 3 });
  // "both" | "newer" | "older"
  await memory.resolve("c-1", "old");
  // "AGENT_CONTROL" | "BOTH" | "STATIC_CONTROL"
  memory.longTerm({ mode: "AUTO" });
  // "dialog" | "experience" | "procedural" | "profile" | "semantic" | "state"
  await memory.read({ scopes: ["dialogue"] });
  // "change" | "conflict" | "evicted" | "quota" | "superseded"
  memory.on("changed", () => {});
}

export async function formats(memory: Memory, session: Session): Promise<void> {
  // "ai-sdk" | "ai-sdk-ui" | "anthropic" | "gemini" | "openai" | "openai-responses"
  await session.context({ format: "claude" });
  // "ai-sdk" | "ai-sdk-ui" | "anthropic" | "gemini" | "openai" | "openai-responses"
  await memory.format("google", []);
  // "document" | "instruction" | "memory" | "profile" | "skill" | "summary" | "system" | "turn"
  await session.context({ include: ["memories"] });
  // Did you mean to write 'budget'?
  await session.context({ budgett: 3 });
  // "progressive" | "tree-reduce"
  memory.session("s", { compression: "tree" });
}

export async function tools(memory: Memory): Promise<void> {
  // "ai-sdk" | "anthropic" | "gemini" | "mcp" | "openai" | "openai-responses"
  await memory.tools("claude");
  // "memory_search"
  await memory.tools("mcp", { only: ["search"] });
  // "memory_search"
  await memory.tools("mcp", { only: ["query_memory"] });
  // "memory_search"
  mcpServer(memory, { only: ["search"] });
}

export function useHooks(memory: Memory | undefined, notes: Memory<Metadata, "notes"> | undefined): void {
  // error TS2820: Type '"longterm"' is not assignable to type '"long-term" | "short-term" | undefined'
  useSearch(memory, "x", { namespace: "longterm" });
  // "long-term" | "notes" | "short-term"
  useSearch(notes, "x", { namespace: "archive" });
  // Did you mean to write 'storage'?
  useMemory({ user: "u-1", store: "memory" });
}
