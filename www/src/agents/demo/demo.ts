// The demo agent: rules around the memory, no model. All its knowledge was told by the user.

import { isLanguage } from "../../text/language.js";
import type { Agent, Turn } from "../agent.js";
import { Answer } from "./answer.js";
import { forget, keep, noteStatement } from "./keep.js";
import { aboutUser, recall } from "./recall.js";
import { beginSkill, goOn, underWay } from "./skills.js";
import { found, means, taught, WORDS, wantedLanguage } from "./understand.js";
import { undo } from "./undo.js";
import type { Words } from "./words.js";

/** The fields of the profile that the demo agent uses. */
export interface Person {
  name?: string;
  style?: { language?: string; length?: string };
}

/** A turn with the user's preferences. */
export interface DemoTurn extends Turn {
  says: Words["says"];
  person: Person;
  /** The maximum number of memories in an answer. */
  most: number;
}

/** Answers by rules. */
export const demoAgent: Agent = async function* (turn) {
  await untilLater(turn);
  const person = await wishes(turn, await turn.memory.profile.getProfile<Person>());
  const wanted = person.style?.language;
  const { says } = WORDS[isLanguage(wanted) ? wanted : turn.language];
  const most = person.style?.length === "short" ? 1 : person.style?.length === "long" ? 5 : 3;
  const answer = new Answer();
  await respond({ ...turn, says, person, most }, answer);
  yield { references: answer.references };
  yield { text: answer.text };
};

/** The most attempts to see the clock move on: it may have been set back. */
const TICKS = 200;

/** Waits for a millisecond after the message, by which `undo` tells the writes of this turn from earlier ones. */
async function untilLater({ session, message }: Turn): Promise<void> {
  const said = await session.message(message);
  if (!said) return;
  const at = Date.parse(said.at);
  for (let tick = 0; tick < TICKS && Date.now() <= at; tick++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Follows preferences that the user states. */
async function wishes({ memory, text, session, message }: Turn, person: Person): Promise<Person> {
  // A question about a name is no introduction.
  const asks = means(text, "question");
  const [name, language] = asks ? [] : [found(text, "name"), wantedLanguage(text)];
  const length = asks ? undefined : means(text, "short") ? "short" : means(text, "long") ? "long" : undefined;
  if (!name && !language && !length) return person;
  const style = { ...(language ? { language } : {}), ...(length ? { length } : {}) };
  const changes = { ...(name ? { name } : {}), ...(language || length ? { style } : {}) };
  const { name: oldName = null, style: old = {} } = person;
  const oldStyle = {
    ...(language ? { language: old.language ?? null } : {}),
    ...(length ? { length: old.length ?? null } : {}),
  };
  const before = { ...(name ? { name: oldName } : {}), ...(language || length ? { style: oldStyle } : {}) };
  const metadata = { message, before };
  return memory.profile.updateProfile<Person>(changes, { source: `session ${session.id}`, metadata });
}

async function respond(turn: DemoTurn, answer: Answer): Promise<void> {
  const { text, says, person, memory } = turn;
  if (means(text, "undo")) return undo(turn, answer);
  const skill = taught(text);
  const walk = await underWay(turn);
  if (walk && (await goOn(turn, walk, answer))) return;
  if (means(text, "help")) return answer.say(says.help);
  if (means(text, "about")) return aboutUser(turn, answer);
  if (skill) {
    const { id } = await memory.procedural.addSkill({
      use_when: skill.purpose,
      tool_sops: skill.steps.map((action) => ({ tool: "you", action })),
    });
    return answer.cite(says.learnedSkill(skill.purpose, skill.steps.length), {
      ref: id,
      kind: "skill",
      text: skill.purpose,
    });
  }
  const toForget = found(text, "forget");
  if (toForget) return forget(turn, toForget, answer);
  const toKeep = means(text, "question") ? undefined : found(text, "remember");
  if (toKeep) return keep(turn, toKeep, answer);
  if (means(text, "how") && (await beginSkill(turn, answer))) return;
  if (means(text, "question")) {
    if (await recall(turn, answer)) return;
    return answer.say(means(text, "how") ? `${says.unknown}\n${says.noSkill}` : says.unknown);
  }
  if (means(text, "greeting") && [...text].length < 24) {
    return answer.say(says.hello(person.name, await memory.count()));
  }
  return noteStatement(turn, answer);
}
