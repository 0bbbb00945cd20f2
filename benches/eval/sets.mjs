// Reads a folder of retrieval data: `locomo/`, `jsquad/` and `xquad/` in their own forms, every other folder as chats in
// the neutral form.
//
// A set is `{ name, categories, whole, chat, memories }`: `whole` is the category that stands for the set, `chat` is
// absent for passages and says of chats whether the speakers are `people` or `roles`. A memory is `{ user, entries,
// questions }`; an entry is what `add` takes, with its content; a question is `{ query, gold, category }`, where `gold`
// holds the ids of the entries to find.

import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { chatSet } from "./chats.mjs";
import { DataError, jsonFiles } from "./data.mjs";
import { locomoSet } from "./locomo.mjs";
import { passageSet } from "./passages.mjs";

const LAYOUT = "locomo/*.json, jsquad/*.json, xquad/xquad.*.json, and chats as */*.json";

/** Folders whose files have a form of their own. */
const OWN_FORM = {
  locomo: async (files) => [await locomoSet(files)],
  jsquad: async (files) => [await passageSet("jsquad", files)],
  xquad: async (files) => {
    const languages = files.filter((file) => basename(file).startsWith("xquad."));
    return Promise.all(languages.map((file) => passageSet(basename(file, ".json"), [file])));
  },
};

/**
 * The sets of a folder. `wanted` chooses one by its name, or several by the part of their names before `/` or `.`:
 * `beam`, `xquad`.
 */
export async function readSets(folder, wanted) {
  const parts = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw new DataError(`could not read the folder ${folder} (${cause.code})`);
  });
  const sets = [];
  for (const name of parts
    .filter((part) => !part.isFile())
    .map(({ name }) => name)
    .sort()) {
    const files = await jsonFiles(join(folder, name));
    if (files.length > 0) sets.push(...(await (OWN_FORM[name] ?? chatSets(name))(files)));
  }
  if (sets.length === 0) throw new DataError(`nothing to measure in ${folder}: looked for ${LAYOUT}`);
  const empty = sets.find(({ memories }) => memories.every(({ questions }) => questions.length === 0));
  if (empty)
    throw new DataError(`the set \`${empty.name}\` in ${folder} has no question with something to find`);
  if (wanted === undefined) return sets;
  const chosen = sets.filter(({ name }) => name === wanted || name.split(/[/.]/)[0] === wanted);
  if (chosen.length > 0) return chosen;
  throw new DataError(`no set \`${wanted}\` in ${folder}: it has ${sets.map(({ name }) => name).join(", ")}`);
}

const chatSets = (folder) => (files) => {
  return Promise.all(files.map((file) => chatSet(`${folder}/${basename(file, ".json")}`, file)));
};
