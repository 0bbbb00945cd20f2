// Sample experience: orders, some of them sent without a stock check. The library learns from them to check first.

import type { Memory } from "keepsake";
import type { Sample } from "./person.js";

/** Each run of the task: its tools in order, with `!` before a failed one. */
const RUNS: readonly (readonly string[])[] = [
  ["check_stock", "book_courier", "send_invoice"],
  ["!book_courier"],
  ["check_stock", "book_courier", "send_invoice"],
  ["check_stock", "book_courier", "send_invoice"],
  ["!book_courier"],
  ["check_stock", "book_courier", "send_invoice"],
  ["!book_courier", "check_stock", "book_courier", "send_invoice"],
  ["check_stock", "book_courier", "send_invoice"],
];

/** Logs the runs as steps of a session; they are deleted with it. */
export async function logExperience(memory: Memory, { task, outOfStock, long }: Sample): Promise<void> {
  for (const [at, run] of RUNS.entries()) {
    for (const [number, step] of run.entries()) {
      const failed = step.startsWith("!");
      await memory.experience.logStep({
        taskType: task,
        toolName: step.replace("!", ""),
        input: { order: 41 + at, baguettes: 60 },
        ...(failed ? { error: outOfStock, errorType: "out_of_stock" } : { output: { ok: true } }),
        latencyMs: 120 + number * 45 + at * 10,
        cost: 1,
        traceId: `sample-run-${at + 1}`,
        session: long.id,
      });
    }
  }
}
