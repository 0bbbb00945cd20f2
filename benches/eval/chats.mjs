// The neutral form of a chat, `[{ user, entries: [{ id, content, session, speaker, at }], questions: [{ query, gold,
// category }] }]`: one memory for each element. `session`, `speaker` and `at` may be absent.

import { array, parse } from "./data.mjs";

/** Speakers that name a role instead of a person. */
const ROLES = new Set(["user", "assistant", "system", "tool"]);

/** A set of one file; its categories are those of its questions, and `all`. */
export async function chatSet(name, file) {
  const memories = await parse(file, "the neutral chat form", (chats) => {
    return array(chats, "the file").map((chat, at) => memory(chat, `[${at}]`));
  });
  const names = [...new Set(memories.flatMap(({ questions }) => questions.map(({ category }) => category)))];
  const categories = Object.fromEntries(names.sort().map((category) => [category, [category]]));
  return { name, categories: { ...categories, all: names }, whole: "all", chat: kind(memories), memories };
}

/** Whether the speakers are people, or the two roles of a chat with an assistant. */
function kind(memories) {
  const speakers = memories.flatMap(({ entries }) => entries.map(({ speaker }) => speaker));
  return speakers.length > 0 && speakers.every((speaker) => ROLES.has(speaker)) ? "roles" : "people";
}

function memory(chat, at) {
  const { user, entries, questions } = object(chat, at);
  const ids = new Set();
  const read = array(entries, `${at}.entries`).map((one, index) => {
    const place = `${at}.entries[${index}]`;
    const checked = entry(object(one, place), place);
    if (ids.has(checked.id)) throw new Error(`\`${place}.id\` must be unique in its chat`);
    ids.add(checked.id);
    return checked;
  });
  const asked = array(questions, `${at}.questions`).map((one, index) => {
    const place = `${at}.questions[${index}]`;
    return question(object(one, place), ids, place);
  });
  // Recall is undefined for a question that nothing answers.
  return {
    user: text(user, `${at}.user`),
    entries: read,
    questions: asked.filter(({ gold }) => gold.size > 0),
  };
}

function entry({ id, content, session, speaker, at }, place) {
  const read = { id: text(id, `${place}.id`), content: text(content, `${place}.content`) };
  if (session !== undefined) read.session = text(session, `${place}.session`);
  if (speaker !== undefined) read.speaker = text(speaker, `${place}.speaker`);
  if (at !== undefined) {
    if (Number.isNaN(Date.parse(text(at, `${place}.at`)))) {
      throw new Error(`\`${place}.at\` must be a date in ISO 8601`);
    }
    read.at = at;
  }
  return read;
}

function question({ query, gold, category }, ids, place) {
  const wanted = array(gold, `${place}.gold`);
  const unknown = wanted.findIndex((id) => !ids.has(id));
  if (unknown >= 0)
    throw new Error(`\`${place}.gold[${unknown}]\` must be the id of an entry of the same chat`);
  return {
    query: text(query, `${place}.query`),
    gold: new Set(wanted),
    category: text(category, `${place}.category`),
  };
}

function object(value, field) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`\`${field}\` must be an object`);
  }
  return value;
}

function text(value, field) {
  if (typeof value !== "string" || value.trim() === "") {
    throw new Error(`\`${field}\` must be a non-empty string`);
  }
  return value;
}
