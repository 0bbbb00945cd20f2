// Remembering and forgetting.

import type { MemoryEntry } from "keepsake";
import type { Answer } from "./answer.js";
import type { DemoTurn } from "./demo.js";
import { found, means, wantedLanguage } from "./understand.js";

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
  answer.cite(says.quoted(entry.summary), referenceTo(entry));
}

/** Stores the lasting facts of a statement; the library selects the sentences, and what they replace. */
export async function noteStatement(turn: DemoTurn, answer: Answer): Promise<void> {
  const { memory, session, says, text } = turn;
  confirmWishes(turn, answer);
  const longTerm = memory.longTerm({ mode: "STATIC_CONTROL", session: session.id });
  const before = await memory.count();
  const recorded = await longTerm.record([{ role: "user", content: text }]);
  // A request to forget in a language that the demo has no words for: the library has obeyed it.
  if (recorded.length === 0 && (await memory.count()) < before) return answer.say(says.forgot);
  const known = recorded.filter(({ outcome }) => outcome === "same");
  const entries = recorded.filter(({ outcome }) => outcome !== "same");
  if (known.length > 0) answer.say(says.knownAlready);
  for (const entry of known) answer.cite(says.quoted(entry.summary), referenceTo(entry));
  if (entries.length > 0) answer.say(says.kept);
  for (const entry of entries) {
    answer.cite(says.quoted(entry.summary), referenceTo(entry));
    for (const id of entry.replaced ?? []) {
      const old = await memory.get(id);
      if (old) answer.say(says.before(old.summary));
    }
  }
  if (answer.empty) answer.say(says.nothingLasting);
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

/** Erases what the user means, with its history and the messages that said it. */
export async function forget(turn: DemoTurn, text: string, answer: Answer): Promise<void> {
  const { memory, says, person } = turn;
  const { entries, messages } = await memory.forget({ query: text, messages: true });
  const isName = person.name !== undefined && means(text, "ownName");
  if (isName) await memory.profile.update({ name: null });
  if (entries.length === 0 && messages === 0 && !isName) return answer.say(says.nothingToForget);
  answer.say(says.forgot);
  if (messages > 0) answer.say(says.clearedMessages(messages));
}

function referenceTo({ id, summary }: MemoryEntry) {
  return { ref: id, kind: "entry" as const, text: summary };
}
