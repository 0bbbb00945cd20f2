// Times in milliseconds, and what is made of many of them.

export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The middle of the times, the middle half of them, and what 95 of 100 stay under. */
export function spread(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  return { n: times.length, p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95) };
}

export const median = (times) => spread(times).p50;

/** Asks every question twice, the first time to warm up; also how many of 100 answers are among the hits. */
export async function ask(search, questions) {
  for (const { text } of questions) await search(text);
  const times = [];
  let found = 0;
  for (const { text, answer, answers = [answer] } of questions) {
    const started = performance.now();
    const hits = await search(text);
    times.push(performance.now() - started);
    found += answers.filter((one) => hits.includes(one)).length / answers.length;
  }
  return { ...spread(times), r5: (100 * found) / questions.length };
}
