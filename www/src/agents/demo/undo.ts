// Takes back what the user's last message changed in memory.

import { type Json, type RolledBack, textOf } from "keepsake";
import type { Answer } from "./answer.js";
import type { DemoTurn } from "./demo.js";
import { shortened } from "./recall.js";
import { goBack, walkBefore } from "./skills.js";
import { means } from "./understand.js";

/** The text of a message that was erased by `forget`. */
const FORGOTTEN = "[forgotten]";

/** How many messages are read to find the user's last one. */
const RECENT = 20;

/** The user's last message before this one, and the times between which its turn wrote. */
interface LastTurn {
  id: string;
  text: string;
  since: number;
  until: number;
}

/** Takes back the changes of the last turn. Refuses if that would also take back something else. */
export async function undo(turn: DemoTurn, answer: Answer): Promise<void> {
  const { memory, session, says } = turn;
  const last = await lastTurn(turn);
  if (!last || means(last.text, "undo")) return answer.say(says.nothingToUndo);
  if (last.text === FORGOTTEN || means(last.text, "forget")) return answer.say(says.forgettingIsFinal);
  const { since, text, id } = last;
  const [{ removed, restored }, walk, profile] = await Promise.all([
    memory.rollback({ since, preview: true }),
    walkBefore(turn, since),
    profileBefore(turn, id),
  ]);
  if (removed.length + restored.length === 0 && !walk && !profile) return answer.say(says.nothingToUndo);
  const texts = await ownTexts(turn, last, removed);
  const steps = removed.filter(({ kind }) => kind === "step").length;
  const isOwn = texts && steps <= (walk ? 1 : 0) && (await unchangedSince(turn, last, restored));
  if (!isOwn) return answer.say(says.tooLateToUndo);
  await memory.rollback({ since });
  if (profile) await memory.profile.updateProfile(profile, { source: `session ${session.id}` });
  // The message stays in the conversation, but is no answer any more.
  await session.hide(id);
  answer.say(says.undone(texts.length > 0 ? texts : [shortened(text)]));
  for (const { id } of restored) {
    const entry = await memory.get(id);
    if (entry) answer.cite(says.trueAgain(entry.summary), { ref: id, kind: "entry", text: entry.summary });
  }
  if (walk) await goBack(turn, walk, answer);
}

async function lastTurn({ session, message }: DemoTurn): Promise<LastTurn | undefined> {
  const { messages } = await session.messages({ limit: RECENT, before: message });
  const at = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[at];
  if (!last) return undefined;
  // The reply is stored after everything else of its turn.
  const next = messages[at + 1] ?? (await session.message(message));
  // `demoAgent` writes at least a millisecond after the message. From then on, the session itself is not affected.
  const since = Date.parse(last.at) + 1;
  return { id: last.id, text: textOf(last), since, until: Date.parse(next?.at ?? last.at) };
}

/** The texts of removed entries and skills; `undefined` if not all of them are from this turn. */
async function ownTexts(
  { memory, session }: DemoTurn,
  { until }: LastTurn,
  removed: readonly RolledBack[],
): Promise<string[] | undefined> {
  const texts: string[] = [];
  for (const { kind, id } of removed) {
    if (kind === "entry") {
      const entry = await memory.get(id);
      if (entry?.session !== session.id || Date.parse(entry.updatedAt) > until) return undefined;
      texts.push(entry.summary);
    } else if (kind === "skill") {
      const skill = await memory.procedural.get(id);
      if (!skill || Date.parse(skill.createdAt) > until) return undefined;
      texts.push(skill.use_when);
    } else if (kind !== "step") return undefined;
  }
  return texts;
}

/** Whether nobody has changed these entries after the turn. */
async function unchangedSince(
  { memory }: DemoTurn,
  { until }: LastTurn,
  restored: readonly RolledBack[],
): Promise<boolean> {
  const entries = await Promise.all(restored.map(({ id }) => memory.get(id)));
  return entries.every((entry) => entry && Date.parse(entry.updatedAt) <= until);
}

/** The former values of the fields of the profile that a message changed, which `wishes` stores with each. */
async function profileBefore(
  { memory }: DemoTurn,
  message: string,
): Promise<{ [field: string]: Json } | undefined> {
  const { fields } = await memory.profile.details();
  const changed = fields.find(({ metadata }) => metadata?.message === message);
  const before = changed?.metadata?.before;
  return typeof before === "object" && before !== null && !Array.isArray(before) ? before : undefined;
}
