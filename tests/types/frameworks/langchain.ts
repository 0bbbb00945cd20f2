// LangChain's interfaces on a memory, with LangChain's own types.

import type { BaseListChatMessageHistory } from "@langchain/core/chat_history";
import type { BaseMessage } from "@langchain/core/messages";
import type { BaseRetriever } from "@langchain/core/retrievers";
import type { BaseStore } from "@langchain/core/stores";
import type { Memory } from "keepsake";
import {
  type ChatHistoryOptions,
  KeepsakeChatMessageHistory,
  KeepsakeKeyValueStore,
  KeepsakeRetriever,
  type RetrieverOptions,
} from "keepsake/langchain";

export async function use(memory: Memory): Promise<void> {
  const options: ChatHistoryOptions = { sessionId: "s-1", agent: "helper", compression: false };
  const history: BaseListChatMessageHistory = new KeepsakeChatMessageHistory(memory, options);
  await history.addUserMessage("Hello");
  const context: BaseMessage[] = await new KeepsakeChatMessageHistory(memory, options).getContext({
    budget: 500,
  });
  // @ts-expect-error: a session is needed
  new KeepsakeChatMessageHistory(memory, {});
  // @ts-expect-error: a memory is needed
  new KeepsakeChatMessageHistory({}, options);

  const bytes: BaseStore<string, Uint8Array> = new KeepsakeKeyValueStore(memory);
  await bytes.mset([["a", new Uint8Array()]]);
  const counts: BaseStore<string, number> = new KeepsakeKeyValueStore<number>(memory, { name: "counts" });
  const [count]: (number | undefined)[] = await counts.mget(["a"]);
  // @ts-expect-error: a date is no JSON
  new KeepsakeKeyValueStore<Date>(memory);
  // @ts-expect-error: a name is a text
  new KeepsakeKeyValueStore(memory, { name: 1 });

  const how: RetrieverOptions = { search: { tags: ["tea"], limit: 3 }, tags: ["mine"] };
  const retriever: BaseRetriever = new KeepsakeRetriever(memory, how);
  const [document] = await new KeepsakeRetriever(memory).invoke("tea");
  const score: number | undefined = document?.metadata.score;
  // @ts-expect-error: no such way to order
  new KeepsakeRetriever(memory, { recall: { ranking: "worst" } });
  console.log(context, count, score, (await retriever.invoke("tea"))[0]?.pageContent);
}
