// Whether the newer of two statements comes first: `node benches/updates.mjs FILE`, with conversations in the form
// `[{ user, entries: [{ id, content, session, speaker, at }], questions: [{ query, gold, category }] }]`. Only questions
// about updates and contradictions count, with and without `onlyAnswers` of `queryMemory`.

import { readFile } from "node:fs/promises";
import { openMemory } from "keepsake";

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: node benches/updates.mjs FILE");
  process.exit(2);
}
const LIMIT = 10;
const rows = {};
for (const { user, entries, questions } of JSON.parse(await readFile(file, "utf8"))) {
  const memory = await openMemory({ user, storage: "memory" });
  for (const session of new Set(entries.map(({ session }) => session))) {
    const said = entries.filter((entry) => entry.session === session);
    await memory
      .session(session)
      .append(said.map(({ id, speaker, content, at }) => ({ id, role: speaker, content, at })));
  }
  const time = (id) => entries.findIndex((entry) => entry.id === id);
  for (const { query, gold, category } of questions) {
    if (!/update|contradiction/.test(category)) continue;
    for (const onlyAnswers of [false, true]) {
      const hits = await memory.queryMemory(query, { limit: LIMIT, onlyAnswers });
      const found = hits.map(({ ref }) => ref).filter((ref) => gold.includes(ref));
      rows[`${category}${onlyAnswers ? ", answers" : ""}`] ??= {
        questions: 0,
        found: 0,
        both: 0,
        newerFirst: 0,
      };
      const row = rows[`${category}${onlyAnswers ? ", answers" : ""}`];
      row.questions += 1;
      row.found += Number(found.length > 0);
      row.both += Number(found.length > 1);
      row.newerFirst += Number(found.length > 1 && found.every((id) => time(id) <= time(found[0])));
    }
  }
  await memory.close();
}
console.table(rows);
