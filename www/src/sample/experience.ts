// What was tried: orders that went out, some without a look at the stock. The library learns from them what to do first.

import type { Memory } from "keepsake";

/** Each run of the task: its tools in order; a `!` before one that failed. */
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

const TASK = "wholesale_order";

/** Writes the runs down, as steps of a session: they go with it. */
export async function logExperience(memory: Memory, session: string, error: string): Promise<void> {
  for (const [at, run] of RUNS.entries()) {
    for (const [number, step] of run.entries()) {
      const failed = step.startsWith("!");
      await memory.experience.logStep({
        taskType: TASK,
        toolName: step.replace("!", ""),
        input: { order: 41 + at, baguettes: 60 },
        ...(failed ? { error, errorType: "out_of_stock" } : { output: { ok: true } }),
        latencyMs: 120 + number * 45 + at * 10,
        cost: 1,
        traceId: `sample-run-${at + 1}`,
        session,
      });
    }
  }
}
