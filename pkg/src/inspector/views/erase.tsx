// Erasing: a list of what will be erased, a word to type, and then kind by kind.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { type AnyMemory, useInside } from "../inside.js";
import { Confirm } from "../parts/confirm.js";
import { type Task, TaskLine, type Work } from "../parts/task.js";
import type { Counts } from "./counts.js";

const KINDS = ["entries", "sessions", "profile", "skills", "graph", "files"] as const;
type Kind = (typeof KINDS)[number];

/** How many entities are deleted at a time. */
const BATCH = 100;

interface EraseProps {
  task: Task;
  /** Whether this or another task is running. */
  isBusy: boolean;
  counts: Counts;
}

export function EraseCard({ task, isBusy, counts }: EraseProps): VNode {
  const { say, number, memory } = useInside();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<Kind>>(new Set(KINDS));
  const sizes: { readonly [kind in Kind]: number } = {
    entries: counts.entries,
    sessions: counts.sessions.length,
    profile: counts.profile,
    skills: counts.skills.length,
    graph: counts.entities.length,
    files: counts.files.length,
  };
  const toggle = (kind: Kind) => {
    const next = new Set(chosen);
    if (!next.delete(kind)) next.add(kind);
    setChosen(next);
  };
  const erase = () => {
    setOpen(false);
    task.start(say("erasing"), async (work) => {
      await eraseAll(memory, counts, chosen, work);
      return say("erased");
    });
  };
  return (
    <section class="card erase">
      <h2>{say("erase")}</h2>
      {!isOpen ? (
        <>
          <p class="dim">{say("eraseWhy")}</p>
          <button type="button" class="danger" disabled={isBusy} onClick={() => setOpen(true)}>
            {say("eraseChoose")}
          </button>
        </>
      ) : (
        <Confirm
          name={say("eraseNow")}
          word={say("eraseWord")}
          // What is past is in no count, and goes with the entries.
          disabled={chosen.size === 0 || isBusy}
          onConfirm={erase}
          onBack={() => setOpen(false)}
        >
          <fieldset>
            <legend>{say("eraseWhat")}</legend>
            {KINDS.map((kind) => (
              <label key={kind} class="check">
                <input type="checkbox" checked={chosen.has(kind)} onChange={() => toggle(kind)} />
                {say(kind === "graph" ? "entities" : kind)} <b class="figure">{number(sizes[kind])}</b>
                {kind === "sessions" && (
                  <span class="dim">{say("eraseMessages", { n: counts.messages })}</span>
                )}
              </label>
            ))}
          </fieldset>
          <p class="dim">{say("eraseStays")}</p>
        </Confirm>
      )}
      <TaskLine task={task} />
    </section>
  );
}

/** One item after the other: after a cancellation, deleted items stay deleted. */
async function eraseAll(
  memory: AnyMemory,
  counts: Counts,
  chosen: ReadonlySet<Kind>,
  { signal, progress }: Work,
): Promise<void> {
  const steps: (() => Promise<unknown>)[] = [];
  const when = (kind: Kind, ...more: (() => Promise<unknown>)[]) => {
    if (chosen.has(kind)) steps.push(...more);
  };
  const keepEntries = !chosen.has("entries");
  when("sessions", ...counts.sessions.map((id) => () => memory.session(id).delete({ keepEntries })));
  when("entries", async () => {
    // One commit, and nearly all of its time is after the last progress that it reports.
    progress({ done: steps.length });
    await memory.clear(undefined, { signal });
  });
  const gone = Object.fromEntries(counts.fields.map((name) => [name, null]));
  when("profile", () => memory.profile.update(gone));
  when("skills", ...counts.skills.map((id) => () => memory.procedural.delete(id)));
  for (let at = 0; at < counts.entities.length; at += BATCH) {
    const entities = counts.entities.slice(at, at + BATCH);
    when("graph", () => memory.semantic.graph.delete({ entities }));
  }
  when("files", ...counts.files.map((path) => () => memory.files.delete(path)));
  for (const [done, step] of steps.entries()) {
    signal.throwIfAborted();
    progress({ done, total: steps.length });
    await step();
  }
}
