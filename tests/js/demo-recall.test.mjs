// Answers of the demo agent: the origin of what it quotes, and relations as sentences, in each language.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemory } from "keepsake";
import { say } from "./support/demo-agent.mjs";

const LANGUAGES = {
  en: { ask: "When does the shop open?", origin: "from a file", doubt: "not certain", quoted: /“[^”]+”/ },
  vi: { ask: "Tiệm mở lúc mấy giờ?", origin: "từ một tệp", doubt: "chưa chắc", quoted: /“[^”]+”/ },
  ja: { ask: "店は何時に開きますか？", origin: "ファイルより", doubt: "不確か", quoted: /「[^」]+」/ },
};
const PASSAGES = {
  en: "# House rules\n\nThe shop opens at seven.",
  vi: "# Nội quy\n\nTiệm mở lúc bảy giờ.",
  ja: "# 決まり\n\n店は7時に開く。",
};
const RUMOURS = {
  en: ["A new market may open next summer.", "When does the new market open?"],
  vi: ["Nam dị ứng với mè.", "Nam dị ứng với gì?"],
  ja: ["来年の夏に新しい市場ができるかもしれない。", "新しい市場はいつできますか？"],
};

for (const [language, { ask, origin, doubt, quoted }] of Object.entries(LANGUAGES)) {
  test(`a passage is from a file, and only a doubtful memory is not certain (${language})`, async () => {
    const memory = await openMemory({ user: "u-1", storage: "memory" });
    await memory.ingest(PASSAGES[language], { source: "house-rules.md" });
    const passage = await say(memory, "s", ask, language);
    assert.match(passage, quoted);
    assert.ok(passage.includes("house-rules.md") && passage.includes(origin), passage);
    assert.ok(!passage.includes(doubt), passage);
    const [rumour, question] = RUMOURS[language];
    await memory.add(rumour, { namespace: "long-term", trust: "low" });
    const answer = await say(memory, "s-2", question, language);
    const line = answer.split("\n").find((one) => one.includes(rumour));
    assert.ok(line?.includes(doubt) && !line.includes(origin), answer);
    await memory.close();
  });
}

test("a relation is a whole sentence in Japanese", async () => {
  const memory = await openMemory({ user: "u-1", storage: "memory" });
  await memory.semantic.graph.add({
    entities: [
      { name: "ノア", type: "人" },
      { name: "マイ", type: "人" },
    ],
    relations: [{ from: "ノア", to: "マイ", type: "息子" }],
  });
  const answer = await say(memory, "s", "ノアは誰ですか？", "ja");
  assert.ok(answer.includes("ノアはマイの息子です。"), answer);
  await memory.close();
});
