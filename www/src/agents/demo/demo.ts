// The demo agent: rules around the memory, no model. All its knowledge was told by the user.

import { isLanguage } from "../../text/language.js";
import type { Agent, Turn } from "../agent.js";
import { Answer } from "./answer.js";
import { forget, keep, noteStatement } from "./keep.js";
import { aboutUser, recall } from "./recall.js";
import { beginSkill, goOn, underWay } from "./skills.js";
import { found, means, taught, WORDS, wantedLanguage } from "./understand.js";
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
  const person = await wishes(turn, await turn.memory.profile.getProfile<Person>());
  const wanted = person.style?.language;
  const { says } = WORDS[isLanguage(wanted) ? wanted : turn.language];
  const most = person.style?.length === "short" ? 1 : person.style?.length === "long" ? 5 : 3;
  const answer = new Answer();
  await respond({ ...turn, says, person, most }, answer);
  yield { references: answer.references };
  yield { text: answer.text };
};

/** Follows preferences that the user states. */
async function wishes({ memory, text, session }: Turn, person: Person): Promise<Person> {
  // A question about a name is no introduction.
  const asks = means(text, "question");
  const [name, language] = asks ? [] : [found(text, "name"), wantedLanguage(text)];
  const length = asks ? undefined : means(text, "short") ? "short" : means(text, "long") ? "long" : undefined;
  if (!name && !language && !length) return person;
  const style = { ...(language ? { language } : {}), ...(length ? { length } : {}) };
  const changes = { ...(name ? { name } : {}), ...(language || length ? { style } : {}) };
  return memory.profile.updateProfile<Person>(changes, { source: `session ${session.id}` });
}

async function respond(turn: DemoTurn, answer: Answer): Promise<void> {
  const { text, says, person, memory } = turn;
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
