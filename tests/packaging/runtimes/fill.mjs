import { jsonl, openMemory } from "keepsake";

const memory = await openMemory({ user: "u-42", storage: jsonl("from.jsonl") });
await memory.add("Deploy keys rotate on Mondays");
await memory.close();
