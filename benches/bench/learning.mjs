// Runs in the page: what it costs to learn from experience, and whether the right things are learned. The memory is in
// this page's memory: what counts is the thinking, not the storage.

import { timed } from "./measure.mjs";

const RUNS = 500;
const TOOLS = Array.from({ length: 12 }, (_, n) => `tool_${n}`);

/** What the agent does when it knows what it does. They share tools, and even beginnings. */
const PROCEDURES = [
  [0, 1, 2, 3],
  [0, 4, 5],
  [6, 7, 1, 8, 9],
  [10, 3, 11, 2],
  [5, 9, 6, 0, 10, 7],
].map((places) => places.map((place) => TOOLS[place]));

/** Numbers from 0 up to 1; the same every time (mulberry32). */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The tools of a run, and how it ends: a procedure with up to two other steps in it, or now and then none at all. */
function run(next) {
  const pick = () => TOOLS[Math.floor(next() * TOOLS.length)];
  if (next() < 0.1) return { tools: Array.from({ length: 5 }, pick), failed: next() < 0.5 };
  const tools = [...PROCEDURES[Math.floor(next() * PROCEDURES.length)]];
  for (let noise = Math.floor(next() * 3); noise > 0; noise -= 1) {
    tools.splice(Math.floor(next() * (tools.length + 1)), 0, pick());
  }
  const failed = next() < 0.2;
  return { tools: failed ? tools.slice(0, 1 + Math.floor(next() * tools.length)) : tools, failed };
}

/** Learns from 500 runs in a memory of its own; answers how long that took, and what was found. */
export async function learn() {
  const { openMemory } = await import("keepsake");
  const memory = await openMemory({ name: "learning", user: "u-1", storage: "memory" });
  const next = numbers(7);
  for (let trace = 0; trace < RUNS; trace += 1) {
    const { tools, failed } = run(next);
    const step = (toolName, at) => ({
      taskType: "work",
      toolName,
      traceId: `run-${trace}`,
      ...(failed && at === tools.length - 1 ? { error: `${toolName} gave up` } : {}),
    });
    await Promise.all(tools.map((tool, at) => memory.experience.logStep(step(tool, at))));
  }
  let lessons;
  const time = await timed(async () => {
    lessons = await memory.learn();
  });
  await memory.close();
  const learned = lessons.skills.map((skill) => skill.tool_sops.map(({ tool }) => tool).join(" "));
  const planted = PROCEDURES.map((tools) => tools.join(" "));
  return {
    runs: RUNS,
    time,
    found: planted.filter((tools) => learned.includes(tools)).length,
    planted: planted.length,
    others: learned.filter((tools) => !planted.includes(tools)).length,
  };
}
