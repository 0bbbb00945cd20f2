// LoCoMo's own form: conversations of two people in dated sessions of turns.

import { array, parse } from "./data.mjs";

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);

const CATEGORIES = {
  1: [1],
  2: [2],
  3: [3],
  4: [4],
  5: [5],
  "1-4": [1, 2, 3, 4],
  "1-5": [1, 2, 3, 4, 5],
};

/** All conversations of all files as one set. */
export async function locomoSet(files) {
  const memories = [];
  for (const file of files) {
    const read = (all) => array(all, "the file").map(conversation);
    memories.push(...(await parse(file, "LoCoMo's format", read)));
  }
  return { name: "locomo", categories: CATEGORIES, whole: "1-4", chat: "people", memories };
}

/** One entry a turn. Evidence that names no turn is skipped, and so is a question that has no other. */
function conversation({ sample_id, conversation: sessions, qa }) {
  const names = Object.keys(sessions).filter((name) => /^session_\d+$/.test(name));
  names.sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)));
  const entries = names.flatMap((session) => {
    const at = moment(sessions[`${session}_date_time`]);
    return sessions[session].map((turn) => ({
      content: `${turn.speaker}: ${turn.text}${turn.blip_caption ? ` [${turn.blip_caption}]` : ""}`,
      id: turn.dia_id,
      session,
      speaker: turn.speaker,
      at,
    }));
  });
  const ids = new Set(entries.map(({ id }) => id));
  const questions = qa.map(({ question, evidence = [], category }) => {
    return { query: question, gold: new Set(evidence.filter((id) => ids.has(id))), category };
  });
  return { user: String(sample_id), entries, questions: questions.filter(({ gold }) => gold.size > 0) };
}

/** `1:56 pm on 8 May, 2023` as ISO 8601. */
function moment(text) {
  const match = /^(\d+):(\d+) ([ap])m on (\d+) (\w+),? (\d+)$/i.exec(text?.trim() ?? "");
  const month = MONTHS.indexOf(match?.[5].toLowerCase());
  if (month < 0) throw new Error(`not a session's date: ${text}`);
  const hours = (Number(match[1]) % 12) + (match[3].toLowerCase() === "p" ? 12 : 0);
  return new Date(Date.UTC(Number(match[6]), month, Number(match[4]), hours, Number(match[2]))).toISOString();
}
