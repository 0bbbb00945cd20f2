// Skills in a real browser: a ZIP with folders goes into IndexedDB and comes out again, byte for byte.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

test("a ZIP of skills comes out as it went in, in another tab", async () => {
  const [one, other] = [await browser.tabWith("skills"), await browser.tabWith("skills")];
  const put = await one.evaluate(async () => {
    const { acontextSkills } = await import("/pkg/dist/adapters/acontext/skills.js");
    const zip = globalThis.keepsake.zipFolder();
    const text = "---\nname: kỹ-năng\ndescription: Use for PDFs\n---\n# PDFs\n";
    await zip.write("kỹ-năng/SKILL.md", new TextEncoder().encode(text));
    await zip.write(
      "kỹ-năng/logo.bin",
      Uint8Array.from({ length: 256 }, (_, at) => at),
    );
    const { skills, problems } = await acontextSkills(globalThis.memory).importFrom(zip);
    return { ids: skills.map(({ id }) => id), problems: problems.length, text };
  });
  assert.deepEqual(put.ids, ["kỹ-năng"]);
  assert.equal(put.problems, 0);
  const got = await other.evaluate(async () => {
    const { acontextSkills } = await import("/pkg/dist/adapters/acontext/skills.js");
    const zip = globalThis.keepsake.zipFolder();
    await acontextSkills(globalThis.memory).exportTo(zip);
    const text = new TextDecoder().decode(await zip.read("kỹ-năng/SKILL.md"));
    const [found] = await globalThis.memory.procedural.searchSkills(null, "PDFs");
    return { text, bytes: [...(await zip.read("kỹ-năng/logo.bin"))], found: found?.id };
  });
  assert.equal(got.text, put.text);
  assert.deepEqual(got.bytes, [...Array(256).keys()]);
  assert.equal(got.found, "kỹ-năng");
});
