// LangGraph's own validation of checkpoint savers, for vitest: `langgraph.test.mjs` runs it.

import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { jsonl, openMemory } from "keepsake";
import { KeepsakeSaver } from "keepsake/langgraph";

/** One that forgets writes, to see that it would be noticed. */
class Forgetful extends KeepsakeSaver {
  async putWrites() {}
}

const { KEEPSAKE_STORAGE: folder, KEEPSAKE_SAVER: which } = process.env;
const Saver = which === "forgetful" ? Forgetful : KeepsakeSaver;
const memories = new WeakMap();
let made = 0;

const initializer = {
  checkpointerName: "KeepsakeSaver",
  async createCheckpointer() {
    const storage = folder ? jsonl(`${folder}/${made++}.jsonl`) : "memory";
    const memory = await openMemory({ user: "u-1", storage });
    const saver = new Saver(memory);
    memories.set(saver, memory);
    return saver;
  },
  async destroyCheckpointer(saver) {
    await memories.get(saver).close();
  },
};

validate(initializer);
deltaChannelHistoryTests(initializer);
