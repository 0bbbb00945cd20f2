// Explicit writes and the text they are given: secrets in it are replaced or refused if the caller asks for it, and
// binary data is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryError, MemoryStorage } from "keepsake";
import { memoryOf } from "./support/talk.mjs";

const KEY = "sk-proj-Ab12Cd34Ef56Gh78Ij90";

test("secrets of an added text are kept, replaced by their kind or refused, as the caller says", async () => {
  const storage = new MemoryStorage();
  const memory = await memoryOf({ storage: storage.connect() });
  const text = `Mật khẩu wifi là caphesua. Khóa API là ${KEY}`;
  const kept = await memory.add(text);
  assert.equal(kept.summary, text);
  assert.equal(kept.secrets, undefined);
  const redacted = await memory.add(text, { secrets: "redact" });
  const expected = "Mật khẩu wifi là [secret: password]. Khóa API là [secret: api key]";
  assert.equal(redacted.summary, expected);
  assert.deepEqual(redacted.secrets, ["password", "api key"]);
  await assert.rejects(memory.add(text, { secrets: "refuse" }), (error) => {
    assert.ok(error instanceof MemoryError);
    assert.deepEqual([error.code, error.field], ["invalid-input", "content"]);
    assert.match(error.message, /password, api key.*redact/);
    assert.doesNotMatch(error.message, /sk-proj|caphesua/);
    return true;
  });
  await assert.rejects(memory.add(text, { secrets: "hide" }), { code: "invalid-input", field: "secrets" });
  assert.equal(await memory.count(), 2);
  await memory.close();
  const again = await memoryOf({ storage: storage.connect() });
  assert.deepEqual((await again.get(redacted.id)).secrets, ["password", "api key"]);
  await again.close();
});

test("an update follows the same rules", async () => {
  const memory = await memoryOf();
  const { id } = await memory.add("The gate");
  const content = "Mein WLAN-Passwort ist Sommerregen";
  await assert.rejects(memory.update(id, { content, secrets: "refuse" }), { field: "content" });
  const changed = await memory.update(id, { content, secrets: "redact" });
  assert.deepEqual(
    [changed.summary, changed.secrets],
    ["Mein WLAN-Passwort ist [secret: password]", ["password"]],
  );
  await memory.close();
});

test("a retried write under an idempotency key names the kinds again", async () => {
  const memory = await memoryOf();
  const add = () => memory.add(`The deploy key is ${KEY}`, { secrets: "redact" }, { idempotencyKey: "once" });
  const [first, second] = [await add(), await add()];
  assert.deepEqual(second, first);
  assert.deepEqual(second.secrets, ["api key"]);
  assert.equal(await memory.count(), 1);
  await memory.close();
});

test("an embedder gets the text without its secrets, and a summary by the app holds none", async () => {
  const asked = [];
  const embedder = async (texts) => {
    asked.push(...texts);
    return texts.map((text) => [1, text.length]);
  };
  const summarizeEntry = async (content) => `In short: ${content.split(" ").at(-1)}`;
  const config = { namespaces: { "short-term": { maxSummaryChars: 40 } } };
  for (const options of [{ embedder }, { embedder, summarizeEntry, config }]) {
    const memory = await memoryOf(options);
    const { id, summary } = await memory.add(`The deploy key is ${KEY}`, { secrets: "redact" });
    await memory.update(id, { content: `The new deploy key is ${KEY}`, secrets: "redact" });
    assert.ok(!summary.includes(KEY) && summary.includes("[secret: api key]"), summary);
    assert.equal(await memory.embedAll(), 0);
    await memory.close();
  }
  assert.equal(asked.length, 4);
  for (const text of asked) assert.match(text, /deploy key is \[secret: api key\]$/);
});

test("what a model adds by its tool holds no secret, and the model is told", async () => {
  const asked = [];
  const embedder = async (texts) => {
    asked.push(...texts);
    return texts.map((text) => [1, text.length]);
  };
  const memory = await memoryOf({ embedder });
  const args = { content: "Mật khẩu wifi là caphesua" };
  for (const given of [args, JSON.stringify(args)]) {
    const { text, isError } = await memory.call("memory_add", given);
    assert.ok(!isError);
    assert.match(text, /Secrets were left out: password/);
    assert.doesNotMatch(text, /caphesua/);
  }
  assert.equal((await memory.list())[0].summary, "Mật khẩu wifi là [secret: password]");
  for (const text of asked) assert.doesNotMatch(text, /caphesua/);
  await memory.close();
});

test("binary data is refused in plain words, and a data URL is text", async () => {
  const memory = await memoryOf();
  const { id } = await memory.add("The gate opens at nine");
  const refused = { code: "invalid-input", field: "content", message: /binary data/ };
  for (const binary of ["PK\u0003\u0004", "a\0b", "\ufffd\ufffdJFIF"]) {
    await assert.rejects(memory.add(binary), refused);
    await assert.rejects(memory.update(id, { content: binary }), refused);
    const recorded = memory.longTerm().record([{ role: "user", content: binary }]);
    await assert.rejects(recorded, { ...refused, field: "messages[0].content" });
    const { isError, text } = await memory.call("memory_add", { content: binary });
    assert.ok(isError);
    assert.match(text, /`content`.*binary data/);
  }
  await memory.add("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ");
  assert.equal(await memory.count(), 2);
  await memory.close();
});
