// Remembering and forgetting.

import type { MemoryEntry } from "keepsake";
import type { Answer } from "./answer.js";
import type { DemoTurn } from "./demo.js";
import { hitsOf } from "./hits.js";
import { found, means, wantedLanguage } from "./understand.js";

/** The minimum score for a deletion. */
const SAME_SCORE = 0.3;

/** Stores a text literally, because the user asked for it. */
export async function keep({ memory, session, says }: DemoTurn, text: string, answer: Answer): Promise<void> {
  const entry = await memory.add(text, {
    namespace: "long-term",
    importance: 0.8,
    source: "chat",
    session: session.id,
    speaker: "user",
    trust: "high",
  });
  answer.say(says.kept);
  answer.cite(`“${entry.summary}”`, referenceTo(entry));
}

/** Stores the lasting facts of a statement; the library selects the sentences. */
export async function noteStatement(turn: DemoTurn, answer: Answer): Promise<void> {
  const { memory, session, says, text } = turn;
  confirmWishes(turn, answer);
  const longTerm = memory.longTerm({ mode: "STATIC_CONTROL", session: session.id });
  const recorded = await longTerm.record([{ role: "user", content: text }]);
  const entries = recorded.filter(({ outcome }) => outcome !== "same");
  if (entries.length > 0) {
    answer.say(says.kept);
    for (const entry of entries) answer.cite(`“${entry.summary}”`, referenceTo(entry));
  }
  const own = new Set(entries.map(({ id }) => id));
  const hits = await hitsOf(memory, text, turn.most + own.size);
  const others = hits.filter(({ id }) => !own.has(id)).slice(0, turn.most);
  const known = others.find(({ summary }) => summary.trim() === text.trim());
  if (known && entries.length === 0) {
    answer.say(says.knownAlready);
    return answer.cite(`“${known.summary}”`, { ref: known.id, kind: "entry", text: known.summary });
  }
  if (answer.empty) answer.say(says.nothingLasting);
  if (others.length === 0 || turn.most === 1) return;
  answer.say(says.remindsMe);
  for (const { id, summary } of others)
    answer.cite(`“${summary}”`, { ref: id, kind: "entry", text: summary });
}

/** Confirms recognised preferences, which are already in the profile. */
function confirmWishes({ text, says, person }: DemoTurn, answer: Answer): void {
  const profile = (ref: string, value: string) => ({
    ref,
    kind: "profile" as const,
    text: `${ref}: ${value}`,
  });
  const name = found(text, "name");
  if (name && person.name) answer.cite(says.willCall(person.name), profile("name", person.name));
  const language = wantedLanguage(text);
  if (language) answer.cite(says.willSpeak, profile("style.language", language));
  if (means(text, "short")) answer.cite(says.willBeShort, profile("style.length", "short"));
  else if (means(text, "long")) answer.cite(says.willBeLong, profile("style.length", "long"));
}

/** Deletes the best match, with its history. */
export async function forget({ memory, says }: DemoTurn, text: string, answer: Answer): Promise<void> {
  const [hit] = await hitsOf(memory, text, 1, SAME_SCORE);
  if (!hit || !(await memory.delete(hit.id))) return answer.say(says.nothingToForget);
  answer.say(`${says.forgot} “${hit.summary}”`);
}

function referenceTo({ id, summary }: MemoryEntry) {
  return { ref: id, kind: "entry" as const, text: summary };
}
