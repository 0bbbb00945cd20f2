// Passages and questions in SQuAD's form: a question is to find its own passage.

import { basename } from "node:path";
import { array, parse } from "./data.mjs";

/** One memory for each file. */
export async function passageSet(name, files) {
  const memories = [];
  for (const file of files) {
    memories.push(await parse(file, "SQuAD's format", (json) => passages(basename(file, ".json"), json)));
  }
  return { name, categories: { all: ["all"] }, whole: "all", memories };
}

/** One entry for each distinct passage. */
function passages(user, { data }) {
  const ids = new Map();
  const questions = [];
  const paragraphs = array(data, "data").flatMap(({ paragraphs }, at) => {
    return array(paragraphs, `data[${at}].paragraphs`);
  });
  for (const { context, qas } of paragraphs) {
    if (!ids.has(context)) ids.set(context, `p${ids.size}`);
    const gold = new Set([ids.get(context)]);
    questions.push(...array(qas, "qas").map(({ question }) => ({ query: question, gold, category: "all" })));
  }
  return { user, entries: Array.from(ids, ([content, id]) => ({ content, id })), questions };
}
