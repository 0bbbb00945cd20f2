// Names and punctuation in scripts other than Latin: from a sentence in a conversation to the answer of a search.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemory } from "keepsake";

const open = (user) => openMemory({ name: "any-script", user, storage: "memory" });

const ASKED = [
  ["Greek", "Ο σκύλος μου λέγεται Ρεξ.", "Πώς λέγεται ο σκύλος μου;"],
  ["Greek with its own mark", "Ο σκύλος μου λέγεται Ρεξ.", "Πώς λέγεται ο σκύλος μου\u037e"],
  ["Armenian", "Իմ շան անունը Ռեքս է։", "Ի՞նչ է իմ շան անունը"],
  ["Amharic", "የውሻዬ ስም ሬክስ ነው።", "የውሻዬ ስም ማን ነው፧"],
  ["Arabic", "اسم كلبي ريكس.", "ما اسم كلبي؟"],
  ["Japanese", "私の犬の名前はポチです。", "私の犬の名前は何？"],
  ["Japanese in quotation marks", "私の犬の名前はポチです。", "「私の犬の名前は何？」"],
  ["Japanese with a full stop", "私の犬の名前はポチです。", "私の犬の名前は何ですか。"],
  ["Thai", "หมาของฉันชื่อโบโบ้", "หมาของฉันชื่ออะไร"],
  ["Hindi", "मेरे कुत्ते का नाम रेक्स है।", "मेरे कुत्ते का नाम क्या है?"],
  ["Korean", "내 강아지 이름은 초코예요.", "내 강아지 이름은 뭐예요？"],
];

for (const [language, told, asked] of ASKED) {
  test(`${language}: the message that asks is no answer`, async () => {
    const memory = await open(`asks ${language}`);
    const session = memory.session("chat");
    await session.append({ role: "user", content: told });
    await session.append({ role: "user", content: asked });
    const hits = await memory.queryMemory(asked);
    assert.equal(hits[0]?.text, told);
    assert.ok(!hits.some((hit) => hit.text === asked), JSON.stringify(hits.map((hit) => hit.text)));
    await memory.close();
  });
}

const NAMED = [
  ["Japanese", "田中", "鈴木", "京都の旅行は楽しかった", "田中さんの旅行はどうだった？"],
  ["Chinese", "王小明", "李华", "这次旅行很开心", "小明的旅行怎么样？"],
  ["Korean", "김민수", "박지은", "부산 여행은 즐거웠어요", "민수는 여행이 어땠어요?"],
  ["Thai", "สมชาย", "มาลี", "การเดินทางสนุกมาก", "การเดินทางของสมชายเป็นอย่างไร"],
  ["Arabic", "محمد", "خالد", "كانت الرحلة ممتعة", "كيف كانت الرحلة لمحمد؟"],
  ["Hindi", "राहुल", "अमित", "यात्रा बहुत अच्छी थी", "राहुल की यात्रा कैसी थी?"],
];

for (const [language, speaker, other, said, asked] of NAMED) {
  test(`${language}: the speaker that a question names comes first`, async () => {
    const memory = await open(`named ${language}`);
    // The other one speaks last, so that neither order nor age helps.
    await memory.session("a").append({ role: "user", name: speaker, content: said });
    await memory.session("b").append({ role: "user", name: other, content: said });
    const hits = await memory.queryMemory(asked);
    assert.equal(hits[0]?.speaker, speaker, JSON.stringify(hits));
    await memory.close();
  });
}

test("Korean: the day that a question names is preferred", async () => {
  const memory = await open("day");
  await memory.add("공원에서 점심을 먹었다", { at: "2023-05-07T12:00:00Z", id: "may" });
  await memory.add("공원에서 점심을 먹었다", { at: "2023-11-20T12:00:00Z", id: "november" });
  for (const [asked, id] of [
    ["2023년 5월 7일에 어디서 점심을 먹었어?", "may"],
    ["11월에 어디서 점심을 먹었어?", "november"],
  ]) {
    const [hit] = await memory.search(asked);
    assert.equal(hit?.id, id, asked);
  }
  await memory.close();
});
