// Undo in the demo agent: what the last message changed is taken back, and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemory } from "keepsake";
import { say } from "./support/demo-agent.mjs";
import { MOVES } from "./support/dialogues.mjs";

/** Requests to undo, and the beginnings of the answers. */
const LANGUAGES = {
  en: {
    requests: ["undo", "Undo that.", "take that back", "please undo it", "Take it back, please"],
    undone: /^I took back “/,
    nothing: /^There is nothing to undo/,
    final: /forgetting is final/,
    secret: ["Remember that my PIN is 4471", "forget my PIN"],
  },
  vi: {
    requests: ["hoàn tác", "Hoàn tác đi", "bỏ cái vừa rồi", "Bỏ câu vừa rồi đi.", "rút lại"],
    undone: /^Tôi đã bỏ “/,
    nothing: /^Không có gì để hoàn tác/,
    final: /quên hẳn/,
    secret: ["Nhớ rằng mã PIN của tôi là 4471", "quên mã PIN của tôi"],
  },
  ja: {
    requests: ["元に戻して", "取り消して", "取り消してください。", "それを取り消して", "今のは元に戻してね"],
    undone: /を取り消しました。/,
    nothing: /^取り消すことはありません/,
    final: /^取り消せません/,
    secret: ["毎週月曜にジムに通っていますと覚えて", "ジムの話は忘れて"],
  },
};

/** A test with a memory, and a function that says a text in its session. */
function talk(name, language, run) {
  test(name, async () => {
    const memory = await openMemory({ user: "u-1", storage: "memory" });
    try {
      await run(memory, (text, session = "s") => say(memory, session, text, language));
    } finally {
      await memory.close();
    }
  });
}

for (const [language, { requests, undone, nothing, final, secret }] of Object.entries(LANGUAGES)) {
  const [before, moved, question, from, to] = MOVES[language];

  talk(`a move is taken back, however that is asked for (${language})`, language, async (memory, tell) => {
    await tell(before);
    const [{ id }] = await memory.list();
    for (const request of requests) {
      await tell(moved);
      assert.equal((await memory.list({ includePast: true })).length, 2, request);
      const answer = await tell(request);
      assert.match(answer, undone, request);
      assert.ok(answer.includes(moved) && answer.includes(before), answer);
      const [entry, ...others] = await memory.list({ includePast: true });
      assert.deepEqual([entry.id, entry.validUntil, others], [id, undefined, []], request);
      const now = await tell(question);
      assert.ok(now.includes(from) && !now.includes(to), `${request}: ${now}`);
    }
  });

  talk(
    `the first message of a session is taken back, and the session stays (${language})`,
    language,
    async (memory, tell) => {
      await tell(before);
      assert.match(await tell(requests[0]), undone);
      assert.deepEqual(await memory.list({ includePast: true }), []);
      const { messages } = await memory.session("s").messages();
      assert.equal(messages.length, 4);
      const answer = await tell(question);
      assert.ok(!answer.includes(from), `a message that was taken back is not repeated: ${answer}`);
    },
  );

  talk(`without a change there is nothing to undo (${language})`, language, async (memory, tell) => {
    assert.match(await tell(requests[0]), nothing);
    await tell(before);
    await tell(moved);
    await tell(question);
    assert.match(await tell(requests[0]), nothing, "after a question");
    await tell(moved);
    assert.match(await tell(requests[0]), nothing, "what was known already");
    assert.match(await tell(requests[1]), nothing, "after an undo");
    const now = await tell(question);
    assert.ok(now.includes(to) && !now.includes(from), now);
    assert.equal((await memory.list({ includePast: true })).length, 2);
  });

  talk(`what was forgotten stays forgotten (${language})`, language, async (memory, tell) => {
    const [remember, forget] = secret;
    await tell(remember);
    assert.equal(await memory.count(), 1);
    await tell(forget);
    assert.equal(await memory.count(), 0);
    assert.match(await tell(requests[0]), final);
    assert.deepEqual(await memory.list({ includePast: true }), []);
  });
}

talk("a name and wishes about answers are taken back", "en", async (memory, tell) => {
  await tell("My name is Linh");
  await tell("Keep your answers short");
  assert.match(await tell("Call me Lulu, and answer in Vietnamese"), /Lulu/);
  await tell("hoàn tác");
  const profile = { name: "Linh", style: { length: "short" } };
  assert.deepEqual(await memory.profile.getProfile(), profile);
  await tell("More detail");
  assert.match(await tell("undo"), /^I took back “More detail”\.$/);
  assert.deepEqual(await memory.profile.getProfile(), profile);
});

talk("a skill is taken back, and so is a step of it", "en", async (memory, tell) => {
  await tell("how to make tea: boil water; steep; pour");
  await tell("how do I make tea?");
  assert.match(await tell("next"), /Step 2 of 3: steep/);
  const answer = await tell("undo");
  assert.match(answer, /^I took back “next”\.\nStep 1 of 3: boil water/);
  assert.equal((await memory.experience.stats()).steps, 0);
  assert.match(await tell("next"), /Step 2 of 3: steep/);
  await tell("stop");
  await tell("how to make soup: chop; boil");
  assert.match(await tell("undo"), /^I took back “make soup”\.$/);
  assert.deepEqual(
    (await memory.procedural.list()).map(({ use_when }) => use_when),
    ["make tea"],
  );
});

talk("what changed elsewhere is not taken back along with it", "en", async (memory, tell) => {
  const refused = /^I cannot undo that any more/;
  await tell("I live in Hanoi");
  await tell("My dog is called Rex", "other");
  assert.match(await tell("undo"), refused, "another session");
  await tell("I'm allergic to nuts");
  const [{ id }] = await memory.list();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await memory.update(id, { importance: 1 });
  assert.match(await tell("undo"), refused, "an edit of the entry");
  await tell("I love jazz");
  await new Promise((resolve) => setTimeout(resolve, 5));
  await memory.update(id, { importance: 0.5 });
  assert.match(await tell("undo"), refused, "an edit of another entry");
  assert.equal(await memory.count(), 4);
  assert.equal((await memory.get(id)).importance, 0.5);
});
