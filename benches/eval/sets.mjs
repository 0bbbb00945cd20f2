// Reads a folder of retrieval data: LoCoMo conversations, and passages with questions in SQuAD's format.
//
// A set is `{ name, categories, memories }`; a memory is `{ user, entries, questions }`; an entry is what `add` takes,
// with its content; a question is `{ query, gold, category }`, where `gold` holds the ids of the entries to find.

import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";

const LAYOUT = "locomo/*.json, jsquad/*.json, xquad/xquad.*.json";

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);

/** Something about the data or the command line that the user can put right. */
export class DataError extends Error {}

/** All the sets of a folder. Parts of the layout may be missing, but not all of them. */
export async function readSets(folder) {
  await readdir(folder).catch((cause) => {
    throw new DataError(`could not read the folder ${folder} (${cause.code})`);
  });
  const sets = [];
  const locomo = await jsonFiles(join(folder, "locomo"));
  if (locomo.length > 0) sets.push(await locomoSet(locomo));
  const jsquad = await jsonFiles(join(folder, "jsquad"));
  if (jsquad.length > 0) sets.push(await passageSet("jsquad", jsquad));
  const xquad = await jsonFiles(join(folder, "xquad"));
  for (const file of xquad.filter((name) => basename(name).startsWith("xquad."))) {
    sets.push(await passageSet(basename(file, ".json"), [file]));
  }
  if (sets.length === 0) throw new DataError(`nothing to measure in ${folder}: looked for ${LAYOUT}`);
  return sets;
}

/** The JSON files of a folder in the order of their names; none if there is no such folder. */
async function jsonFiles(folder) {
  const names = await readdir(folder).catch((cause) => {
    if (cause.code === "ENOENT") return [];
    throw new DataError(`could not read the folder ${folder} (${cause.code})`);
  });
  const files = names.filter((name) => name.endsWith(".json")).sort();
  return files.map((name) => join(folder, name));
}

/** What `read` makes of a file; whatever goes wrong names the file. */
async function parse(file, format, read) {
  const text = await readFile(file, "utf8").catch((cause) => {
    throw new DataError(`could not read ${file} (${cause.code})`);
  });
  try {
    return read(JSON.parse(text));
  } catch (cause) {
    throw new DataError(`${file} is not in ${format}'s format: ${cause.message}`);
  }
}

function list(value, what) {
  if (!Array.isArray(value)) throw new Error(`${what} must be a list`);
  return value;
}

async function locomoSet(files) {
  const memories = [];
  for (const file of files)
    memories.push(...(await parse(file, "LoCoMo", (all) => list(all, "conversations").map(conversation))));
  const categories = { 1: [1], 2: [2], 3: [3], 4: [4], 5: [5], "1-4": [1, 2, 3, 4], "1-5": [1, 2, 3, 4, 5] };
  return { name: "locomo", categories, memories };
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

async function passageSet(name, files) {
  const memories = [];
  for (const file of files) {
    memories.push(await parse(file, "SQuAD", (json) => passages(basename(file, ".json"), json)));
  }
  return { name, categories: { all: ["all"] }, memories };
}

/** One entry for each distinct passage; a question is to find its own. */
function passages(user, { data }) {
  const ids = new Map();
  const questions = [];
  const paragraphs = list(data, "`data`").flatMap(({ paragraphs }) => paragraphs);
  for (const { context, qas } of paragraphs) {
    if (!ids.has(context)) ids.set(context, `p${ids.size}`);
    const gold = new Set([ids.get(context)]);
    questions.push(...qas.map(({ question }) => ({ query: question, gold, category: "all" })));
  }
  return { user, entries: Array.from(ids, ([content, id]) => ({ content, id })), questions };
}
