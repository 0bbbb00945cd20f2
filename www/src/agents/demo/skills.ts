// Walks through a skill, one step per turn. The library stores the position, so that it survives a reload.

import type { FoundSkill, Skill } from "keepsake";
import type { Answer } from "./answer.js";
import type { DemoTurn } from "./demo.js";
import { means } from "./understand.js";

const FLOW = "demo-skill";

/** A skill below this score is unrelated to a request. */
const LEAST_SCORE = 0.15;

/** The position of a walk. */
type Walk = {
  /** The skill; empty if there is no walk. */
  skill: string;
  /** The number of shown steps. */
  shown: number;
  /** The id of the run. */
  trace: string;
};

const NOWHERE: Walk = { skill: "", shown: 0, trace: "" };

/** The current walk of this session, if there is one. */
export async function underWay({ memory, session }: DemoTurn): Promise<Walk | undefined> {
  const state = await memory.state.getState<Walk>(FLOW, session.id);
  return state?.variables.skill ? state.variables : undefined;
}

/** Starts a walk through the skill that fits the request. Returns whether there is one. */
export async function beginSkill(turn: DemoTurn, answer: Answer): Promise<boolean> {
  const { memory, text, says, most } = turn;
  const found = await memory.procedural.searchSkills(null, text, 3);
  const skill = found.find(({ kind, score }) => kind === "sop" && score >= LEAST_SCORE);
  if (!skill) return false;
  answer.cite(says.skill(skill.use_when), referenceTo(skill));
  if (skill.preferences) answer.say(skill.preferences);
  for (const guard of await guardsOf(turn, skill, found)) {
    answer.cite(says.mind(guard.use_when), referenceTo(guard));
  }
  const walk: Walk = { skill: skill.id, shown: 0, trace: `walk-${crypto.randomUUID()}` };
  // With short answers all steps are shown at once.
  if (most > 1) {
    await showNext(turn, skill, walk, answer);
    return true;
  }
  skill.tool_sops.forEach((step, at) => {
    answer.say(says.step(at + 1, skill.tool_sops.length, wordsOf(step)));
  });
  await memory.procedural.recordUse(skill.id, true);
  return true;
}

/** Continues a walk, if the user says so. Returns whether the turn was about it. */
export async function goOn(turn: DemoTurn, walk: Walk, answer: Answer): Promise<boolean> {
  const { memory, text, says } = turn;
  const skill = await memory.procedural.get(walk.skill);
  if (!skill) {
    await save(turn, NOWHERE);
    return false;
  }
  if (means(text, "failed")) {
    await logged(turn, skill, walk, false);
    await save(turn, NOWHERE);
    answer.cite(says.skillFailed, referenceTo(skill));
    return true;
  }
  if (means(text, "leave")) {
    await save(turn, NOWHERE);
    answer.say(says.skillLeft);
    return true;
  }
  if (!means(text, "next")) return false;
  await logged(turn, skill, walk, true);
  if (walk.shown < skill.tool_sops.length) {
    await showNext(turn, skill, walk, answer);
    return true;
  }
  await save(turn, NOWHERE);
  answer.cite(says.skillDone, referenceTo(skill));
  return true;
}

/** The walk of this session as it was before a time; `undefined` if it has not changed since. */
export async function walkBefore({ memory, session }: DemoTurn, time: number): Promise<Walk | undefined> {
  const versions = await memory.state.versions(FLOW, session.id);
  const earlier = versions.findLast(({ savedAt }) => Date.parse(savedAt) < time);
  if (earlier === versions.at(-1)) return undefined;
  const state = earlier && (await memory.state.getState<Walk>(FLOW, session.id, earlier.version));
  return state?.variables ?? NOWHERE;
}

/** Goes back to an earlier position, and shows its step again. */
export async function goBack(turn: DemoTurn, walk: Walk, answer: Answer): Promise<void> {
  const skill = walk.skill ? await turn.memory.procedural.get(walk.skill) : null;
  if (skill) await showNext(turn, skill, { ...walk, shown: walk.shown - 1 }, answer);
  else await save(turn, NOWHERE);
}

async function showNext(turn: DemoTurn, skill: Skill, walk: Walk, answer: Answer): Promise<void> {
  const step = skill.tool_sops[walk.shown];
  if (!step) return;
  const { says } = turn;
  answer.cite(says.step(walk.shown + 1, skill.tool_sops.length, wordsOf(step)), referenceTo(skill));
  answer.say(says.sayNext);
  await save(turn, { ...walk, shown: walk.shown + 1 });
}

/** Warnings for tasks of the skill's kind. */
async function guardsOf(turn: DemoTurn, skill: FoundSkill, found: FoundSkill[]): Promise<FoundSkill[]> {
  const same = skill.taskType
    ? await turn.memory.procedural.searchSkills(skill.taskType, turn.text, 5)
    : found;
  return same.filter(({ kind, taskType }) => kind === "guard" && taskType === skill.taskType).slice(0, 1);
}

/** Logs the outcome of the last step; after the last one also that of the skill. */
async function logged(turn: DemoTurn, skill: Skill, walk: Walk, success: boolean): Promise<void> {
  const step = skill.tool_sops[walk.shown - 1];
  if (!step) return;
  const last = walk.shown === skill.tool_sops.length;
  await turn.memory.experience.logStep({
    taskType: skill.taskType ?? "walk",
    toolName: step.tool,
    success,
    ...(success ? {} : { error: turn.text }),
    ...(last || !success ? { skillId: skill.id } : {}),
    traceId: walk.trace,
    session: turn.session.id,
  });
}

async function save({ memory, session }: DemoTurn, walk: Walk): Promise<void> {
  await memory.state.saveState<Walk>(FLOW, session.id, walk);
}

function wordsOf({ tool, action }: Skill["tool_sops"][number]): string {
  if (!action) return tool;
  return tool === "you" ? action : `${action} (${tool})`;
}

function referenceTo({ id, use_when }: Skill) {
  return { ref: id, kind: "skill" as const, text: use_when };
}
