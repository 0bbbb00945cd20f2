// How far the estimate of tokens is from real tokenizers, by kind of text: writes the table of docs/tokens.md.
//
//     node benches/tokens.mjs
//
// The counts of real tokenizers are in tests/fixtures/tokens.json (`node tests/js/support/tokens-fixture.mjs` makes them).

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openMemory } from "keepsake";

const root = new URL("../", import.meta.url);
const page = new URL("docs/tokens.md", root);
const [BEGIN, END] = ["<!-- made by `node benches/tokens.mjs` -->", "<!-- end -->"];
const FAMILIES = ["o200k", "cl100k"];
const HALVES = ["development", "held-out"];

/** For each kind by how much the estimate differs from the real count: family and half to a fraction. */
export async function differences() {
  const fixture = JSON.parse(await readFile(new URL("tests/fixtures/tokens.json", root), "utf8"));
  const kinds = new Map();
  for (const family of FAMILIES) {
    const memory = await openMemory({ user: "bench", storage: "memory", config: { tokenizer: family } });
    for (const half of HALVES) {
      for (const kind of new Set(fixture.map((text) => text.kind))) {
        const of = fixture.filter((text) => text.kind === kind && text.half === half);
        let [counted, real] = [0, 0];
        for (const text of of) {
          counted += await memory.countTokens(text.text);
          real += text[family];
        }
        const row = kinds.get(kind) ?? {};
        row[`${family} ${half}`] = counted / real - 1;
        kinds.set(kind, row);
      }
    }
    await memory.close();
  }
  return kinds;
}

/** The table as Markdown. */
export async function table() {
  const columns = FAMILIES.flatMap((family) => HALVES.map((half) => `${family} ${half}`));
  const percent = (share) => `${share < 0 ? "−" : "+"}${Math.abs(share * 100).toFixed(0)} %`;
  const names = FAMILIES.flatMap((family) => HALVES.map((half) => `${family}, ${half}`));
  const lines = [`| kind | ${names.join(" | ")} |`, `|---|${columns.map(() => "--:").join("|")}|`];
  for (const [kind, row] of await differences()) {
    lines.push(`| ${kind} | ${columns.map((column) => percent(row[column])).join(" | ")} |`);
  }
  return lines.join("\n");
}

/** The page, with the table as it is made now. */
export async function pageWithTable() {
  const text = await readFile(page, "utf8");
  const [before, rest = ""] = text.split(BEGIN);
  return `${before}${BEGIN}\n\n${await table()}\n\n${END}${rest.split(END)[1] ?? ""}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(page, await pageWithTable());
  console.log(await table());
}
