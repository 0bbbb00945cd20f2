// Learning from experience in bounded steps: skills from successes, guards from failures.

import type { Background } from "../../base/background.js";
import { MemoryError, optionsIn } from "../../base/errors.js";
import { known } from "../../base/options.js";
import { answerOf } from "../../base/patience.js";
import type { Trace } from "../../wire/experience.js";
import type { Learned, LearnStep } from "../../wire/learning.js";
import type { Core } from "../core.js";
import type { SkillInput } from "../stores/procedural.js";

/** The request of a skill extraction. */
export interface ExtractRequest {
  /** The task type of the traces. */
  taskType: string;
  /** Aborted after `extractTimeout`, when learning is aborted, or when the memory is closed. */
  signal: AbortSignal;
}

/**
 * Extracts skills from traces, usually with the app's model. Returns `null` if there is nothing to learn. If it rejects
 * or times out, the traces are retried on the next run.
 */
export type ExtractSkill = (
  traces: Trace[],
  request: ExtractRequest,
) => Promise<SkillInput | SkillInput[] | null | undefined>;

/** Options of `learn`. */
export interface LearnOptions {
  /** Only traces with this task type. Default: all. */
  taskType?: string | undefined;
  /**
   * The number of successful traces with the same tools that make a skill; 1 turns each trace into a skill. Default:
   * enough to be statistically significant, at least 3. Ignored with `extractSkill`.
   */
  minSupport?: number | undefined;
  /** The share of matching traces for which a skill must hold, from 0 to 1. Default: 0.6. Ignored with `extractSkill`. */
  minConfidence?: number | undefined;
  /** Extracts the skills. Default: extraction without a model. */
  extractSkill?: ExtractSkill | undefined;
  /** The timeout of `extractSkill`, in milliseconds. Default: 60,000. */
  extractTimeout?: number | undefined;
  /** Aborts after the current step and rejects with its reason. Skills learned until then stay. Default: none. */
  signal?: AbortSignal | undefined;
  /** Called after each step with the results so far. Default: none. */
  onProgress?: ((learned: Learned) => void) | undefined;
}

const TIMEOUT = 60_000;

/** Learns until no traces are left. Runs are serialised. */
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
    // `more` covers all task types, but only one was requested.
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

/** Yields to the event loop between steps. */
function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
