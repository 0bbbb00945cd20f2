// Finds an answer: memories and documents first, then the graph, then messages of any session.

import type { Json, Recall } from "keepsake";
import type { Answer } from "./answer.js";
import type { DemoTurn } from "./demo.js";
import { means } from "./understand.js";

/** A message below this score is unrelated: the agent can only repeat it. */
const SAID_SCORE = 0.3;

/** The library's tag for passages of documents. */
const PASSAGE = "source";

/** Answers from the memory. Returns whether anything was found. */
export async function recall(turn: DemoTurn, answer: Answer): Promise<boolean> {
  const { memory, text, says, most, person } = turn;
  const all = await memory.queryMemory(text, { limit: 24, onlyAnswers: true });
  const near = all.filter(({ kind }) => kind === "entry").slice(0, most);
  const relations = await relationsOf(turn, near.map(({ text }) => text).join("\n"));
  if (near.length === 0 && relations.length === 0) return saidBefore(turn, all, answer);
  answer.say(says.found(person.name));
  for (const { ref: id, text: summary, at, source } of near) {
    const entry = await memory.get(id);
    const kind = entry?.source === undefined || entry.source === "chat" ? "entry" : "document";
    const origin = source && source !== "chat" ? `${source}, ` : "";
    // Every passage has low trust, whatever it says: its origin tells more than a doubt.
    const isPassage = entry?.tags.includes(PASSAGE) ?? false;
    const remark = isPassage ? says.fromFile : entry?.trust === "low" ? says.notCertain : "";
    const details = `${origin}${dayOf(turn, at)}${remark && `, ${remark}`}`;
    answer.cite(`${says.quoted(unmarked(summary))} (${details})`, {
      ref: id,
      kind,
      text: unmarked(summary),
    });
  }
  for (const { from, type, to } of relations) {
    answer.cite(says.related(from, type, to), {
      ref: from,
      kind: "entity",
      text: `${from} — ${type} — ${to}`,
    });
  }
  return true;
}

/** Relations of the entities that the question names. */
async function relationsOf({ memory, text, most }: DemoTurn, known: string) {
  const asked = text.toLocaleLowerCase();
  const { relations } = await memory.semantic.graph.search(text, { steps: 1, limit: 5 });
  const named = relations.filter(({ from, to }) =>
    [from, to].some((name) => asked.includes(name.toLocaleLowerCase())),
  );
  // Facts of the memories above are not repeated.
  return named.filter(({ from, to }) => !(known.includes(from) && known.includes(to))).slice(0, most);
}

/** Messages of earlier sessions; the question itself, and other questions, are no answer. */
async function saidBefore(turn: DemoTurn, all: Recall[], answer: Answer): Promise<boolean> {
  const { says, message, most } = turn;
  const fit = all.filter(
    ({ ref, kind, score, text: said, speaker }) =>
      kind !== "entry" &&
      score >= SAID_SCORE &&
      ref !== message &&
      speaker !== "assistant" &&
      !means(said, "question") &&
      !means(said, "forget"),
  );
  if (fit.length === 0) return false;
  answer.say(says.saidBefore);
  for (const { ref, kind, text: said, at, session } of fit.slice(0, most)) {
    const as = kind === "history" ? "history" : "message";
    answer.cite(`${says.quoted(shortened(said))} (${dayOf(turn, at)})`, {
      ref,
      kind: as,
      text: said,
      session,
    });
  }
  return true;
}

/** The most statements in an answer about the user. */
const STATEMENTS = 12;

/** Everything known about the user in sentences: the profile, statements, standing instructions, and counts. */
export async function aboutUser({ memory, says }: DemoTurn, answer: Answer): Promise<void> {
  const profile = await memory.profile.getProfile();
  const fields = [...flat(profile)];
  const told = (await memory.list({ namespace: "long-term", limit: 200 })).filter(
    ({ speaker, source }) => speaker === "user" && (source === undefined || source === "chat"),
  );
  answer.say(fields.length + told.length > 0 ? says.aboutYou : says.nothingAboutYou);
  for (const [path, value] of fields) {
    answer.cite(says.field(path, value), {
      ref: path,
      kind: "profile",
      text: `${path.split(".").at(-1)}: ${value}`,
    });
  }
  for (const { id, summary, tags } of told.slice(0, STATEMENTS)) {
    const sentence = tags.includes("instruction") ? says.askedMe(summary) : says.toldMe(summary);
    answer.cite(sentence, { ref: id, kind: "entry", text: summary });
  }
  const [entries, sessions, skills] = await Promise.all([
    memory.count(),
    memory.sessions(),
    memory.procedural.list(),
  ]);
  answer.say(says.counts(entries, sessions.length, skills.length));
}

/** The values of a profile with their paths. */
function* flat(value: Json | undefined, path: string[] = []): Generator<[string, string]> {
  if (Array.isArray(value)) yield [path.join("."), value.map((item) => textOfValue(item)).join(", ")];
  else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* flat(inner, [...path, name]);
  } else if (value !== undefined) yield [path.join("."), textOfValue(value)];
}

function textOfValue(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The text of a passage without the marks of its headings: an answer is plain text. */
function unmarked(text: string): string {
  const titled = text.replace(/^#{1,6}\s+(.+)\n+/gm, "$1: ");
  return titled
    .replace(/(^|\s)#{1,6}(?=\s)/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/** The day of an event, in the language of the page. Always with its year: an answer is stored, and read years later. */
function dayOf({ language }: DemoTurn, at: string): string {
  return new Date(at).toLocaleDateString(language, { day: "numeric", month: "short", year: "numeric" });
}

/** The beginning of a long text. */
export function shortened(text: string): string {
  const letters = [...text];
  return letters.length <= 160 ? text : `${letters.slice(0, 159).join("")}…`;
}
