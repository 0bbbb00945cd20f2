// A graph of two nodes on a memory: `node agent.mjs THREAD "What you say"`. Without a text it goes on where the thread has stopped.

import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { jsonl, openMemory } from "keepsake";
import { KeepsakeSaver, KeepsakeStore } from "keepsake/langgraph";
import { model } from "./model.mjs";

const [thread_id, text] = process.argv.slice(2);
const memory = await openMemory({ user: "ann", storage: jsonl("memory.jsonl") });

/** Keeps what the user wants to have remembered, for all threads. */
async function remember({ messages }, { store }) {
  const [, fact] = messages.at(-1).text.match(/^Remember that (.*)$/) ?? [];
  if (fact) await store.put(["facts"], fact, { text: fact });
  return {};
}

/** Answers with what the store has found by the words of the question. */
async function answer({ messages }, { store }) {
  const found = await store.search(["facts"], { query: messages.at(-1).text, limit: 3 });
  const facts = found.map(({ value }) => `- ${value.text}`).join("\n");
  const system = new SystemMessage(`You help one person, briefly. What you know:\n${facts}`);
  return { messages: [await model.invoke([system, ...messages])] };
}

const graph = new StateGraph(MessagesAnnotation)
  .addNode("remember", remember)
  .addNode("answer", answer)
  .addEdge(START, "remember")
  .addEdge("remember", "answer")
  .compile({ checkpointer: new KeepsakeSaver(memory), store: new KeepsakeStore(memory) });

// Each step is stored before the next one begins.
const options = { configurable: { thread_id }, durability: "sync" };
try {
  const { messages } = await graph.invoke(text && { messages: [new HumanMessage(text)] }, options);
  console.log(`${messages.at(-1).text} (message ${messages.length} of ${thread_id})`);
} catch (error) {
  console.log(`${thread_id} has stopped: ${error.message}`);
}
await memory.close();
