// LangGraph's saver and store on a memory, with LangGraph's own types.

import { Annotation, START, StateGraph } from "@langchain/langgraph";
import type {
  BaseCheckpointSaver,
  BaseStore,
  CheckpointTuple,
  Item,
  SearchItem,
} from "@langchain/langgraph-checkpoint";
import type { Memory } from "keepsake";
import { KeepsakeSaver, KeepsakeStore, type SaverOptions, type StoreOptions } from "keepsake/langgraph";

export async function use(memory: Memory): Promise<void> {
  const options: SaverOptions = { name: "mine" };
  const checkpointer: BaseCheckpointSaver = new KeepsakeSaver(memory, options);
  const tuple: CheckpointTuple | undefined = await checkpointer.getTuple({
    configurable: { thread_id: "t" },
  });
  for await (const { checkpoint } of checkpointer.list({}, { limit: 1, filter: { source: "loop" } })) {
    console.log(checkpoint.id, tuple?.metadata?.step);
  }
  // @ts-expect-error: a memory is needed
  new KeepsakeSaver({});
  // @ts-expect-error: a name is a text
  new KeepsakeSaver(memory, { name: 1 });
  // @ts-expect-error: a serializer reads, too
  new KeepsakeSaver(memory, { serde: { dumpsTyped: async () => ["json", new Uint8Array()] } });

  const how: StoreOptions = { fields: ["title", "chapters[*].text"] };
  const store: BaseStore = new KeepsakeStore(memory, how);
  const item: Item | null = await store.get(["a"], "k");
  const found: SearchItem[] = await store.search(["a"], { query: "tea", filter: { n: { $gt: 1 } } });
  const [read, listed] = await new KeepsakeStore(memory).batch([
    { namespace: ["a"], key: "k" },
    { matchConditions: [], limit: 1, offset: 0 },
  ]);
  // @ts-expect-error: paths are a list
  new KeepsakeStore(memory, { fields: "title" });

  const State = Annotation.Root({ text: Annotation<string> });
  new StateGraph(State)
    .addNode("one", () => ({ text: "x" }))
    .addEdge(START, "one")
    .compile({ checkpointer, store });
  console.log(item?.value, found[0]?.score, read, listed);
}
