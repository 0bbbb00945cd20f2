// What the pages of `langgraph.test.mjs` do: graphs of LangGraph, and its own validation of savers.

import { Annotation, START, StateGraph } from "@langchain/langgraph/web";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { openMemory } from "keepsake";
import { KeepsakeSaver, KeepsakeStore } from "keepsake/langgraph";
import { runSuite } from "./suite.mjs";

export { KeepsakeSaver, KeepsakeStore };

/** Savers that are wrong in one thing each, to see that it would be noticed. */
const SAVERS = {
  right: KeepsakeSaver,
  forgetful: class extends KeepsakeSaver {
    async putWrites() {}
  },
  deaf: class extends KeepsakeSaver {
    async deleteThread() {}
  },
};

/** How LangGraph's own validation goes, with every saver on a database of its own. */
export async function validated(which) {
  const Saver = SAVERS[which];
  const memories = new WeakMap();
  let made = 0;
  const initializer = {
    checkpointerName: "KeepsakeSaver",
    async createCheckpointer() {
      const name = `validation-${which}-${made++}`;
      const memory = await openMemory({ name, user: "u-1", storage: "indexeddb" });
      const saver = new Saver(memory);
      memories.set(saver, memory);
      return saver;
    },
    destroyCheckpointer: (saver) => memories.get(saver).close(),
  };
  const result = await runSuite(() => {
    validate(initializer);
    deltaChannelHistoryTests(initializer);
  });
  return { ...result, made };
}

/** The nodes that ran in this page, in order. */
export const ran = [];

/** One node, then two at once of which `slow` takes as long as `wait` says, then one more. */
export function graphOf(memory, wait) {
  const State = Annotation.Root({
    steps: Annotation({ reducer: (before, after) => before.concat(after), default: () => [] }),
  });
  const node = (name, before) => async () => {
    ran.push(name);
    await before?.();
    return { steps: [name] };
  };
  return new StateGraph(State)
    .addNode("first", node("first"))
    .addNode("quick", node("quick"))
    .addNode("slow", node("slow", wait))
    .addNode("last", node("last"))
    .addEdge(START, "first")
    .addEdge("first", "quick")
    .addEdge("first", "slow")
    .addEdge(["quick", "slow"], "last")
    .compile({ checkpointer: new KeepsakeSaver(memory) });
}

export const thread = (thread_id) => ({ configurable: { thread_id }, durability: "sync" });
