// Learning from experience: skills out of what went well, guards out of what went wrong, in bounded steps.

import type { Background } from "../../base/background.js";
import { MemoryError, optionsIn } from "../../base/errors.js";
import { known } from "../../base/options.js";
import { answerOf } from "../../base/patience.js";
import type { Trace } from "../../wire/experience.js";
import type { Learned, LearnStep } from "../../wire/learning.js";
import type { Core } from "../core.js";
import type { SkillInput } from "../stores/procedural.js";

/** What a skill is to be made of. */
export interface ExtractRequest {
  /** The kind of task of the traces. */
  taskType: string;
  /** Aborted when nobody waits any longer. */
  signal: AbortSignal;
}

/**
 * Makes skills of traces, with a model of the app's, usually; `null` if there is nothing to learn from them. If it
 * rejects or is late, nothing is lost: the traces are there the next time.
 */
export type ExtractSkill = (
  traces: Trace[],
  request: ExtractRequest,
) => Promise<SkillInput | SkillInput[] | null | undefined>;

/** How to learn. */
export interface LearnOptions {
  /** Only from this kind of task. Default: from all. */
  taskType?: string | undefined;
  /**
   * How many traces have to show a skill: so many good runs with the same tools are one, and 1 takes each run as it is.
   * Default: enough to rule out chance, at least 3. Not for `extractSkill`.
   */
  minSupport?: number | undefined;
  /** In which part of the traces that it fits it has to hold, from 0 to 1. Default: what suits most. Not for `extractSkill`. */
  minConfidence?: number | undefined;
  /** Makes the skills. Default: they are found without a model. */
  extractSkill?: ExtractSkill | undefined;
  /** How many milliseconds `extractSkill` may take. Default: 60,000. */
  extractTimeout?: number | undefined;
  /** Stops after the step under way, and rejects with its reason. What was learned stays. Default: none. */
  signal?: AbortSignal | undefined;
  /** Called after each step with what was learned so far. Default: nothing. */
  onProgress?: ((learned: Learned) => void) | undefined;
}

const TIMEOUT = 60_000;

/** Learns until there is nothing more to learn from. Two of these never run at once. */
export function learn(core: Core, background: Background, options: LearnOptions): Promise<Learned> {
  known(options, "taskType minSupport minConfidence extractSkill extractTimeout signal onProgress");
  return background.run("learn", async () => {
    const { signal, onProgress } = optionsIn(options);
    let learned: Learned = { traces: 0, skills: [], guards: [], demoted: [] };
    for (;;) {
      signal?.throwIfAborted();
      if (background.stopped.aborted) throw new MemoryError("closed", "the memory was closed");
      const step = await stepOf(core, background, options);
      if (!step) return learned;
      learned = added(learned, step);
      onProgress?.(learned);
      if (!step.more) return learned;
      await breath();
    }
  });
}

async function stepOf(core: Core, background: Background, options: LearnOptions): Promise<LearnStep | null> {
  const { taskType, minSupport, minConfidence, extractSkill } = options;
  if (!extractSkill) {
    const step = await core.write("learn", { taskType, minSupport, minConfidence });
    // What there is to learn of other kinds of tasks was not asked for.
    return { ...step, more: step.more && taskType === undefined };
  }
  const found = await core.calls.ask("learnTraces", { taskType });
  if (!found) return null;
  const extracted = await answerOf(
    (signal) => extractSkill(found.traces, { taskType: found.taskType, signal }),
    {
      name: "extractSkill",
      timeout: options.extractTimeout ?? TIMEOUT,
      stopped: background.stopped,
      signal: options.signal,
    },
  );
  const skills = Array.isArray(extracted) ? extracted : extracted ? [extracted] : [];
  const applied = await core.write("learnApply", {
    taskType: found.taskType,
    upTo: found.upTo,
    traces: found.traces.map(({ id }) => id),
    skills,
  });
  return {
    traces: found.traces.length,
    skills: applied.skills.filter(({ kind }) => kind === "sop"),
    guards: applied.skills.filter(({ kind }) => kind === "guard"),
    demoted: [],
    more: true,
  };
}

function added(learned: Learned, step: LearnStep): Learned {
  return {
    traces: learned.traces + step.traces,
    skills: [...learned.skills, ...step.skills],
    guards: [...learned.guards, ...step.guards],
    demoted: [...learned.demoted, ...step.demoted],
  };
}

/** Lets everything else go first. */
function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
