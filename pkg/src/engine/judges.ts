// The verbs that judge texts, by name: `calls.ts` needs them at once, `packs.ts` is loaded at the first of them.

import type { Verbs } from "../wire/verbs.js";

const JUDGES = [
  "record",
  "recordToMemory",
  "retrieve",
  "retrieveFromMemory",
  "queryMemory",
  "context",
  "forget",
  "conflicts",
  "resolve",
  "add",
  "addMany",
  "update",
  "memoryAdd",
] as const satisfies readonly (keyof Verbs)[];

/** A verb that judges texts. */
export type Judge = (typeof JUDGES)[number];

/** Verbs that judge texts only with this option. */
const ONLY_WITH: Readonly<Record<string, string>> = {
  queryMemory: "onlyAnswers",
  add: "secrets",
  addMany: "secrets",
  update: "secrets",
  memoryAdd: "secrets",
};

/** The verb, if this call of it judges texts. */
export function judgeOf(verb: string, args: object): Judge | undefined {
  const option = ONLY_WITH[verb];
  const drafts: unknown = Reflect.get(args, "drafts");
  const asked: unknown[] = Array.isArray(drafts) ? drafts : [args];
  if (option !== undefined && !asked.some((one) => Reflect.get(Object(one), option))) return undefined;
  return JUDGES.find((judge) => judge === verb);
}

export type JudgeOf = typeof judgeOf;

/** Whether a call may judge texts: these two hold the name of another verb, or of a tool. */
export function mayJudge(verb: string, args: object): boolean {
  return verb === "callTool" || verb === "candidates" || judgeOf(verb, args) !== undefined;
}
