// Writes tests/fixtures/tokens.json: texts of many kinds with the number of tokens that real tokenizers make of them.
//
//     node tests/js/support/tokens-fixture.mjs
//
// Code is read from the project as it is when this runs, and stored with its count, so that the test does not move when
// the code does.

import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import { texts } from "../../../benches/tokens/texts.mjs";

const counted = (await texts()).map(({ kind, half, text }) => ({
  kind,
  half,
  o200k: o200k.encode(text).length,
  cl100k: cl100k.encode(text).length,
  text,
}));
const path = fileURLToPath(new URL("../../fixtures/tokens.json", import.meta.url));
await writeFile(path, `${JSON.stringify(counted, null, 1)}\n`);
