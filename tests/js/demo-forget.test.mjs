// Forgetting in the demo agent: it says what it did, in the profile too, and in a language that it has no words for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemory } from "keepsake";
import { say } from "./support/demo-agent.mjs";

const NAMES = {
  en: {
    told: "My name is Marta.",
    requests: ["Forget my name", "please forget that my name is Marta"],
    done: /forgotten/,
  },
  vi: { told: "Tôi tên là Marta.", requests: ["Quên tên tôi", "Hãy quên tên của tôi"], done: /quên/ },
  ja: { told: "私の名前はマルタです。", requests: ["私の名前を忘れて"], done: /忘れました/ },
};

for (const [language, { told, requests, done }] of Object.entries(NAMES)) {
  test(`a name is forgotten in the profile, too (${language})`, async () => {
    for (const request of requests) {
      const memory = await openMemory({ user: "u-1", storage: "memory" });
      await say(memory, "s", told, language);
      assert.ok((await memory.profile.get()).name, told);
      assert.match(await say(memory, "s", request, language), done, request);
      assert.equal((await memory.profile.get()).name, undefined, request);
      assert.equal(await memory.count(), 0, request);
      await memory.close();
    }
  });
}

test("what the library forgets at the user's request is not called nothing", async () => {
  const memory = await openMemory({ user: "u-1", storage: "memory" });
  await say(memory, "s", "Meine Frau heißt Petra.", "en");
  assert.equal(await memory.count(), 1);
  assert.match(await say(memory, "s", "Vergiss meine Frau.", "en"), /forgotten/);
  assert.equal(await memory.count(), 0);
  await memory.close();
});
