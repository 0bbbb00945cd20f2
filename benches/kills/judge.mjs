// Holds what a host has stored after a kill against what it had acknowledged.

/**
 * `state` is the value of each thing after all acknowledged operations, `count` that of the shared counter, and `pending`
 * the operations without an answer: each of them must be there as a whole or not at all. Answers with the faults by kind,
 * as sentences.
 */
export function judged({ state, count, pending }, view) {
  const faults = { lost: [], half: [], twice: [], unexpected: [], unfound: view.unfound, problems: [] };
  const there = new Map();
  for (const [name, value] of view.things) {
    if (there.has(name)) faults.twice.push(name);
    there.set(name, value);
  }
  const open = new Set();
  for (const { verb, changes } of pending) {
    const names = Object.keys(changes);
    for (const name of names) open.add(name);
    const isBefore = names.every((name) => there.get(name) === state.get(name));
    const isAfter = names.every((name) => (there.get(name) ?? null) === changes[name]);
    if (!isBefore && !isAfter)
      faults.half.push(`${verb}: ${names.map((name) => show(name, there)).join(", ")}`);
  }
  for (const [name, value] of state) {
    if (open.has(name) || there.get(name) === value) continue;
    const kind = isRepeated(value, there.get(name)) ? "twice" : "lost";
    faults[kind].push(`${show(name, there)}, and not ${short(value)}`);
  }
  for (const name of there.keys())
    if (!open.has(name) && !state.has(name)) faults.unexpected.push(show(name, there));
  const counted = view.count ?? 0;
  const perhaps = pending.filter(({ verb }) => verb === "count").length;
  if (counted < count) faults.lost.push(`the counter is ${counted}, and not ${count}`);
  if (counted > count + perhaps) faults.twice.push(`the counter is ${counted}, and not ${count}`);
  for (const { kind, name, problem } of view.problems) faults.problems.push(`${kind} ${name}: ${problem}`);
  return faults;
}

/** Whether an entry has the right content, with a later version: its last update was made again. */
function isRepeated(value, found) {
  const [expected, actual] = [value, found].map((text) => /^v(\d+) (.*)$/s.exec(text ?? ""));
  return expected !== null && actual?.[2] === expected[2] && Number(actual[1]) > Number(expected[1]);
}

function show(name, there) {
  return `${name} is ${there.has(name) ? short(there.get(name)) : "not there"}`;
}

function short(value) {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}
