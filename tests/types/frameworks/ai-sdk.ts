// A memory for the AI SDK, with the SDK's own types.

import type { LanguageModelV4, LanguageModelV4Middleware } from "@ai-sdk/provider";
import { useChat } from "@ai-sdk/react";
import {
  type ChatTransport,
  generateText,
  isStepCount,
  ToolLoopAgent,
  type ToolSet,
  type UIMessage,
  wrapLanguageModel,
} from "ai";
import type { Memory } from "keepsake";
import {
  type ChatInfo,
  ChatStore,
  MemoryChatTransport,
  type MemoryMiddlewareOptions,
  memoryMiddleware,
  memoryTools,
} from "keepsake/ai-sdk";

type Mine = UIMessage<{ tokens: number }, { chart: { points: number[] } }>;

export async function run(memory: Memory, plain: LanguageModelV4): Promise<string> {
  const options: MemoryMiddlewareOptions = {
    session: "s-1",
    mode: "STATIC_CONTROL",
    budget: 500,
    include: ["memory", "document"],
    append: false,
    agent: "helper",
    limit: 3,
    recordFilter: async (messages) => messages.map(({ role }) => role),
    onError: (error: unknown) => console.warn(error),
  };
  const middleware = memoryMiddleware(memory, options);
  const standard: LanguageModelV4Middleware = middleware;
  const model = wrapLanguageModel({ model: plain, middleware: standard });
  const tools: ToolSet = await memoryTools(memory, {
    only: ["memory_add"],
    readOnly: false,
    agent: "helper",
  });
  const { text } = await generateText({ model, tools, stopWhen: isStepCount(5), prompt: "Hello" });
  await middleware.idle();
  // @ts-expect-error: no such mode
  memoryMiddleware(memory, { mode: "FLY" });
  // @ts-expect-error: a number of tokens
  memoryMiddleware(memory, { budget: "500" });
  // @ts-expect-error: no such kind
  memoryMiddleware(memory, { include: ["gossip"] });
  // @ts-expect-error: no such tool
  await memoryTools(memory, { only: ["fly"] });
  return text;
}

export function useKept(transport: ChatTransport<Mine>, messages: Mine[]): Mine[] {
  return useChat<Mine>({ id: "c-1", messages, transport }).messages;
}

export async function keep(memory: Memory, model: LanguageModelV4): Promise<ChatInfo[]> {
  const chats = new ChatStore<Mine>(memory, { talk: false, agent: "helper" });
  const messages: Mine[] = await chats.load("c-1");
  const tokens: number | undefined = messages[0]?.metadata?.tokens;
  await chats.save("c-1", messages, { remove: ["m-1"], replace: tokens === 7 });
  // @ts-expect-error: messages have parts
  await chats.save("c-1", [{ id: "m-1", role: "user", content: "Hello" }]);
  const there: boolean = await chats.delete("c-1");

  const tools = await memoryTools(memory);
  const transport = new MemoryChatTransport<Mine>(memory, {
    model,
    tools,
    chats,
    settings: { instructions: "Be kind.", stopWhen: isStepCount(3), temperature: there ? 0 : 1 },
    remember: { budget: 100 },
    stream: { sendReasoning: false, messageMetadata: () => ({ tokens: 7 }) },
  });
  const standard: ChatTransport<Mine> = transport;
  await standard.reconnectToStream({ chatId: "c-1" });
  await transport.idle();
  const agent = new ToolLoopAgent({ model, tools });
  new MemoryChatTransport(memory, {
    answer: ({ messages, abortSignal }) => agent.stream({ prompt: messages, abortSignal }),
    tools,
  });
  // @ts-expect-error: the messages are the transport's business
  new MemoryChatTransport(memory, { model, settings: { messages: [] } });
  // @ts-expect-error: the session is the chat's
  new MemoryChatTransport(memory, { model, remember: { session: "s-1" } });
  // @ts-expect-error: a memory is needed
  new ChatStore({});
  return chats.list();
}
