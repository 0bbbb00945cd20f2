// The names that users of AgentScope know: lists of messages, components, and sessions that save them.

import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MemoryStorage, openMemory } from "keepsake";
import {
  AutoContextConfig,
  AutoContextMemory,
  estimateTokens,
  fromJSON,
  InMemoryMemory,
  JsonSession,
  keepsakeSession,
  SessionManager,
  toJSON,
} from "keepsake/agentscope";
import { memoryOf, talk, texts, toolPair } from "./support/talk.mjs";

const HELLO = { role: "USER", content: [{ type: "text", text: "Hello" }] };
const HELP = { role: "ASSISTANT", content: [{ type: "text", text: "Hello! How can I help?" }] };

/** A component of an app. */
class ReActAgent {
  interrupted = false;
  saveState() {
    return { memory: "InMemoryMemory", interrupted: this.interrupted };
  }
  loadState({ interrupted }) {
    this.interrupted = interrupted;
  }
}

test("E1 E2 a list of messages: added in order, read only, deleted by place, cleared", () => {
  const memory = new InMemoryMemory();
  for (const message of [HELLO, HELP, { role: "user", content: "Bye" }]) memory.addMessage(message);
  const list = memory.getMessages();
  assert.deepEqual(texts(list), ["Hello", "Hello! How can I help?", "Bye"]);
  assert.equal(list[0].role, "user", "X4 lower case inside");
  assert.throws(() => list.push(HELLO), TypeError);
  memory.deleteMessage(1);
  assert.deepEqual(texts(memory.getMessages()), ["Hello", "Bye"]);
  assert.equal(list.length, 3, "a list that was read stays what it was");
  for (const index of [-1, 2, 99, Number.NaN, 0.5]) memory.deleteMessage(index);
  assert.equal(memory.getMessages().length, 2, "E4 out of range is no error");
  memory.clear();
  assert.deepEqual(memory.getMessages(), []);
});

test("E3 E4 E20 its state has the documented form, and loading it clears first", () => {
  const memory = new InMemoryMemory();
  assert.deepEqual(memory.saveState(), { messages: [] }, "an empty list is saved as well");
  memory.addMessage({ role: "user", content: "Hello" });
  memory.addMessage(HELP);
  assert.deepEqual(memory.saveState(), { messages: [HELLO, HELP] });
  const other = new InMemoryMemory();
  other.addMessage({ role: "user", content: "old" });
  other.loadState(JSON.parse(JSON.stringify(memory.saveState())));
  assert.deepEqual(other.saveState(), memory.saveState());
  other.loadState({ messages: [] });
  assert.deepEqual(other.getMessages(), []);
});

test("E10 a tool call is two messages, and both come back", () => {
  const memory = new InMemoryMemory();
  for (const message of toolPair("call_001")) memory.addMessage(message);
  const { messages } = memory.saveState();
  assert.deepEqual(messages, toolPair("call_001"));
});

test("what is no message and no state is refused by name", () => {
  const memory = new InMemoryMemory();
  memory.addMessage(HELLO);
  assert.throws(() => memory.addMessage({ role: "robot", content: "x" }), { field: "role" });
  assert.throws(() => memory.addMessage({ role: "user" }), { field: "content" });
  assert.throws(() => memory.loadState({}), { code: "invalid-input", field: "messages" });
  assert.throws(() => memory.loadState({ messages: [7] }), { field: "messages[0]" });
  assert.equal(memory.getMessages().length, 1);
});

test("E18 E19 E20 components are saved together, in the documented JSON, and loaded after a restart", async () => {
  const storage = new MemoryStorage();
  const open = () =>
    openMemory({ user: "u-1", storage: storage.connect(), now: () => Date.UTC(2024, 0, 15) });
  const [agent, memory] = [new ReActAgent(), new InMemoryMemory()];
  const keep = keepsakeSession(await open());
  const manager = SessionManager.forSessionId("user123")
    .withSession(keep)
    .addComponent(agent)
    .addComponent(memory);
  assert.equal(await manager.loadIfExists(), false, "nothing to load is no error");
  memory.addMessage(HELLO);
  memory.addMessage(HELP);
  await manager.saveSession();
  assert.deepEqual(JSON.parse(toJSON(await keep.load("user123"))), {
    sessionId: "user123",
    components: {
      ReActAgent: { memory: "InMemoryMemory", interrupted: false },
      InMemoryMemory: { messages: [HELLO, HELP] },
    },
    timestamp: "2024-01-15T00:00:00.000Z",
  });
  const again = new InMemoryMemory();
  const stranger = { getComponentName: () => "Stranger", saveState: () => ({}), loadState: assert.fail };
  const later = SessionManager.forSessionId("user123")
    .withSession(keepsakeSession(await open()))
    .addComponent(again)
    .addComponent(stranger);
  assert.equal(await later.loadIfExists(), true);
  assert.deepEqual(texts(again.getMessages()), ["Hello", "Hello! How can I help?"]);
});

test("E20 the documented JSON is read, and what is not it is refused by name", async () => {
  const text = `{"sessionId":"user123","components":{"InMemoryMemory":{"messages":[${JSON.stringify(HELLO)}]},
    "ReActAgent":{"memory":"InMemoryMemory","interrupted":true}},"timestamp":"2024-01-15T10:30:00Z"}`;
  const saved = fromJSON(text);
  assert.deepEqual(JSON.parse(toJSON(saved)), JSON.parse(text));
  const keep = keepsakeSession(await memoryOf());
  await keep.save(saved.sessionId, saved.components);
  const [agent, memory] = [new ReActAgent(), new InMemoryMemory()];
  await SessionManager.forSessionId("user123")
    .withSession(keep)
    .addComponent(agent)
    .addComponent(memory)
    .loadIfExists();
  assert.deepEqual([agent.interrupted, memory.getMessages().length], [true, 1]);
  for (const [bad, field] of [
    ["no", "json"],
    ["[]", "json"],
    ["{}", "sessionId"],
    ['{"sessionId":"s"}', "components"],
    ['{"sessionId":"s","components":{"A":7}}', "components.A"],
  ]) {
    assert.throws(() => fromJSON(bad), { code: "invalid-input", field });
  }
});

test("a manager refuses what would lose something", async () => {
  const manager = SessionManager.forSessionId("s").addComponent(new InMemoryMemory());
  assert.throws(() => manager.addComponent(new InMemoryMemory()), {
    code: "already-exists",
    field: "component",
  });
  const nameless = { saveState: () => ({}), loadState: () => {} };
  assert.throws(() => manager.addComponent(nameless), { code: "invalid-input", field: "component" });
  await assert.rejects(manager.saveSession(), { code: "invalid-input", field: "session" });
  const failing = {
    ...nameless,
    getComponentName: () => "F",
    saveState: async () => Promise.reject(new Error("no")),
  };
  const keep = keepsakeSession(await memoryOf());
  await assert.rejects(manager.withSession(keep).addComponent(failing).saveSession(), /no/);
  assert.equal(await keep.load("s"), null, "all are saved or none");
});

test("E5 the builder has the documented defaults", () => {
  const usual = AutoContextConfig.builder().build();
  assert.deepEqual([usual.msgThreshold, usual.tokenRatio, usual.lastKeep], [30, 0.3, 10]);
  const own = AutoContextConfig.builder().msgThreshold(20).tokenRatio(0.5).lastKeep(5).build();
  assert.deepEqual([own.msgThreshold, own.tokenRatio, own.lastKeep], [20, 0.5, 5]);
});

/** An AutoContextMemory on a new memory. */
async function autoContext(options = {}) {
  const memory = await memoryOf();
  const config = AutoContextConfig.builder().msgThreshold(30).tokenRatio(0.3).lastKeep(10).build();
  return { memory, list: new AutoContextMemory(config, { memory, sessionId: "s", ...options }) };
}

test("E6 E8 AutoContextMemory stays small: a summary, and the last ten untouched", async () => {
  const { list } = await autoContext();
  const said = talk(50, 3);
  for (const message of said) await list.addMessage(message);
  const messages = await list.getMessages();
  assert.ok(messages.length <= 30 && messages.length >= 11, `${messages.length}`);
  assert.deepEqual([messages[0].role, messages[0].name], ["user", "conversation_summary"]);
  assert.deepEqual(
    texts(messages.slice(-10)),
    said.slice(-10).map(({ content }) => content),
  );
  assert.throws(() => messages.push(HELLO), TypeError);
});

test("E8 an offloaded result is still the answer to its call, and is reloaded by its id", async () => {
  const { list } = await autoContext();
  const page = "a long page of words and more ".repeat(1500);
  for (const message of [...toolPair("c-1", page), ...talk(12)]) await list.addMessage(message);
  const messages = await list.getMessages();
  const result = messages.flatMap(({ content }) => content).find(({ type }) => type === "tool_result");
  assert.equal(result.toolUseId, "c-1");
  assert.ok(result.output[0].text.length < 500);
  const shown = messages.find(({ content }) => content.includes(result));
  assert.ok(result.output[0].text.includes(shown.id));
  assert.equal((await list.reload(shown.id)).content[0].output[0].text, page);
});

test("E5 its model writes the summaries", async () => {
  const { list } = await autoContext({ summarize: async () => "what was said" });
  for (const message of talk(40, 3)) await list.addMessage(message);
  assert.ok(texts(await list.getMessages()).some((text) => text.includes("\n> what was said\n")));
});

test("AutoContextMemory deletes by place, clears, and keeps what components saved", async () => {
  const { memory, list } = await autoContext();
  for (const message of talk(3)) await list.addMessage(message);
  await list.deleteMessage(1);
  for (const index of [-1, 2, 99, 0.5, Number.NaN]) await list.deleteMessage(index);
  assert.deepEqual(
    texts(await list.getMessages()).map((text) => text.split(" ")[1]),
    ["0", "2"],
  );
  await memory.session("s").saveComponents({ Other: { kept: true } });
  await list.clear();
  assert.deepEqual(await list.getMessages(), []);
  assert.deepEqual(await list.saveState(), { messages: [] }, "E4 an empty list is still saved");
  assert.deepEqual((await memory.session("s").loadComponents()).components, { Other: { kept: true } });
});

test("E3 E20 the state of an AutoContextMemory goes to another one, and back to itself without a change", async () => {
  const { memory, list } = await autoContext();
  for (const message of talk(40, 3)) await list.addMessage(message);
  const before = await list.getMessages();
  const state = JSON.parse(JSON.stringify(await list.saveState()));
  assert.equal(state.messages.length, 40, "everything that was said");
  assert.equal(state.messages[0].role, "USER");
  await list.loadState(state);
  assert.deepEqual(await list.getMessages(), before);
  const other = await autoContext();
  await other.list.loadState(state);
  assert.deepEqual(texts((await other.list.getMessages()).slice(-9)), texts(before.slice(-9)));
  await other.list.loadState(state);
  assert.equal((await other.memory.session("s").messages()).total, 40, "loading twice is loading once");
  const manager = SessionManager.forSessionId("s").withSession(keepsakeSession(memory)).addComponent(list);
  await manager.saveSession();
  assert.equal(await manager.loadIfExists(), true);
});

/** What a list says, by the numbers of `talk`. */
async function numbers(list) {
  return texts(await list.getMessages()).map((text) => text.split(" ")[1]);
}

test("E19 a state older than the session loses nothing: newer messages, recorded entries and the log stay", async () => {
  const storage = new MemoryStorage();
  const open = () => openMemory({ user: "u-1", storage: storage.connect() });
  const config = AutoContextConfig.builder().build();
  const handle = (memory) => {
    const list = new AutoContextMemory(config, { memory, sessionId: "s" });
    const keep = keepsakeSession(memory);
    return { list, manager: SessionManager.forSessionId("s").withSession(keep).addComponent(list) };
  };
  const first = await open();
  const before = handle(first);
  for (const message of talk(3)) await before.list.addMessage(message);
  await before.manager.saveSession();
  for (const message of talk(2, 1, 3)) await before.list.addMessage(message);
  const [entry] = await first
    .longTerm({ session: "s" })
    .record([{ role: "user", content: "I'm allergic to peanuts." }]);
  // No `saveSession`: the program ends here.
  const second = await open();
  const after = handle(second);
  assert.equal(await after.manager.loadIfExists(), true);
  assert.deepEqual(await numbers(after.list), ["0", "1", "2", "3", "4"]);
  assert.equal((await second.session("s").messages()).total, 5);
  assert.ok(await second.get(entry.id), "what was recorded of the session is still remembered");
  assert.equal(
    (await second.log.export("s")).split("\n").filter(Boolean).length,
    1 + 5,
    "a header, and each",
  );
  assert.equal((await second.log.verify()).ok, true);
});

test("E3 a state from elsewhere is shown, and what the session had stays in it", async () => {
  const { memory, list } = await autoContext();
  for (const message of talk(2)) await list.addMessage(message);
  const byHand = { messages: [HELLO, HELP] };
  for (let time = 0; time < 2; time++) {
    await list.loadState(structuredClone(byHand));
    assert.deepEqual(texts(await list.getMessages()), ["Hello", "Hello! How can I help?"]);
    assert.equal(
      (await memory.session("s").messages()).total,
      4,
      "nothing is gone, and nothing is there twice",
    );
  }
  await list.addMessage({ role: "user", content: "And then?" });
  await list.loadState(byHand);
  assert.deepEqual(texts(await list.getMessages()), ["Hello", "Hello! How can I help?", "And then?"]);
  const { messages } = await list.saveState();
  await list.loadState({ messages: messages.reverse() });
  assert.deepEqual(texts(await list.getMessages()), ["And then?", "Hello! How can I help?", "Hello"]);
  assert.equal((await memory.session("s").messages()).total, 8, "in another order they are other messages");
});

test("a list that was cleared is filled again from a state, and stays cleared without one", async () => {
  const { memory, list } = await autoContext();
  for (const message of talk(3)) await list.addMessage(message);
  const state = await list.saveState();
  await list.clear();
  const again = new AutoContextMemory(AutoContextConfig.builder().build(), { memory, sessionId: "s" });
  assert.deepEqual(await again.getMessages(), []);
  await again.loadState(await again.saveState());
  assert.deepEqual(await again.getMessages(), [], "the state of an empty list");
  await again.addMessage({ role: "user", content: "message 3" });
  assert.deepEqual(await numbers(again), ["3"]);
  await again.loadState(state);
  assert.deepEqual(await numbers(again), ["0", "1", "2", "3"]);
});

test("clear leaves long-term memory, the session and its log alone", async () => {
  const { memory, list } = await autoContext();
  for (const message of talk(3)) await list.addMessage(message);
  const longTerm = memory.longTerm({ session: "s" });
  const [entry] = await longTerm.record([{ role: "user", content: "I'm allergic to peanuts." }]);
  await list.clear();
  assert.deepEqual(await list.getMessages(), []);
  assert.ok(await memory.get(entry.id));
  assert.equal((await memory.session("s").messages()).total, 3);
  assert.equal(
    (await memory.log.export("s")).split("\n").filter(Boolean).length,
    1 + 3,
    "a header, and each",
  );
  assert.deepEqual((await memory.session("s").context({ include: ["turn", "summary"] })).messages, []);
});

for (const [language, secret] of Object.entries({
  English: "My password is swordfish.",
  Vietnamese: "Mật khẩu của tôi là cá kiếm.",
  Japanese: "私のパスワードはメカジキです。",
})) {
  test(`E1 a deleted message stays deleted: ${language}`, async () => {
    const storage = new MemoryStorage();
    const open = () => openMemory({ user: "u-1", storage: storage.connect() });
    const asked = [];
    const summarize = async (messages, { texts: told }) => {
      asked.push(JSON.stringify([messages, told]));
      return "what was said";
    };
    const config = AutoContextConfig.builder().build();
    const first = await open();
    const list = new AutoContextMemory(config, { memory: first, sessionId: "s", summarize });
    await list.addMessage({ role: "user", content: secret });
    for (const message of talk(5)) await list.addMessage(message);
    const stale = await list.saveState();
    await list.deleteMessage(0);
    const isClean = async (memory, where) => {
      const auto = new AutoContextMemory(config, { memory, sessionId: "s", summarize });
      const chat = memory.session("s");
      const seen = JSON.stringify([
        await auto.getMessages(),
        await chat.view(),
        await chat.context({ query: secret }),
        await memory.session("another").context({ query: secret }),
        await memory.dialog.getContext("s"),
        await memory.queryMemory(secret),
        await auto.saveState(),
      ]);
      assert.ok(!seen.includes(secret), `${where}: ${seen}`);
    };
    await isClean(first, "at once");
    const second = await open();
    await isClean(second, "on another handle");
    for (const message of talk(40, 3, 6)) await list.addMessage(message);
    await list.session.idle();
    assert.ok(asked.length > 0 && !asked.join().includes(secret), "no summary is asked for with it");
    await isClean(first, "after a compression");
    await new AutoContextMemory(config, { memory: second, sessionId: "s" }).loadState(stale);
    await isClean(second, "after a state from before");
    const fork = await second.session("s").fork({ at: (await list.getMessages()).at(-1).id, to: "f" });
    assert.ok(!JSON.stringify(await fork.view()).includes(secret), "in a fork");
    const kept = [];
    for await (const message of second.session("s").all()) kept.push(...texts([message]));
    assert.equal(kept[0], secret, "the session keeps it");
    assert.ok((await second.log.export("s")).includes(secret), "and so does the log");
    assert.equal((await second.log.verify()).ok, true);
  });
}

test("E10 a tool's call and its result are deleted together", async () => {
  for (const half of [1, 2]) {
    const { memory, list } = await autoContext();
    for (const message of [talk(1)[0], ...toolPair("c-1"), ...talk(2, 1, 1)]) await list.addMessage(message);
    await list.deleteMessage(half);
    assert.deepEqual(await numbers(list), ["0", "1", "2"]);
    const { messages, left } = await memory.session("s").context();
    assert.deepEqual([messages.length, left], [3, []]);
  }
});

test("a message that a summary tells of is deleted from the summary", async () => {
  const secret = "The meeting is in Hanoi on Friday at the lake.";
  const { memory, list } = await autoContext();
  const [{ id }] = await list.session.append([{ role: "user", content: secret }, ...talk(39, 3)]);
  const whole = JSON.stringify(await list.getMessages());
  assert.ok(whole.includes("Hanoi"), "the summary has it");
  await list.session.hide(id);
  const messages = await list.getMessages();
  assert.ok(!JSON.stringify(messages).includes("Hanoi"));
  assert.ok(messages.length <= 30, "what the summary stood for is summarised again");
  assert.equal((await memory.session("s").messages()).total, 40);
});

test("a summary that is deleted takes with it what it stands for", async () => {
  const { memory, list } = await autoContext();
  for (const message of talk(40, 3)) await list.addMessage(message);
  const [summary, ...rest] = await list.getMessages();
  assert.match(summary.id, /^summary-/);
  await list.deleteMessage(0);
  assert.deepEqual(await list.getMessages(), rest);
  assert.equal((await memory.session("s").hidden()).length, 40 - rest.length);
  assert.equal((await list.saveState()).messages.length, rest.length);
});

test("a numbered history that tells of a deleted message is gone, and the next has a number of its own", async () => {
  const storage = new MemoryStorage();
  const memory = await openMemory({ user: "u-1", storage: storage.connect() });
  const other = await openMemory({ user: "u-1", storage: storage.connect() });
  const chat = memory.session("s", { contextTokens: 2500 });
  const secret = "The meeting is in Hanoi on Friday at the lake.";
  const [{ id }] = await chat.append([{ role: "user", content: secret }, ...talk(29, 20)]);
  await chat.idle();
  assert.match((await chat.histories())[0].text, /Hanoi/);
  assert.equal((await other.queryMemory("Hanoi")).length > 0, true);
  assert.equal(await chat.hide(id), 1);
  await chat.idle();
  const histories = await chat.histories();
  assert.deepEqual(
    histories.map((history) => history.id),
    ["history-002"],
  );
  assert.doesNotMatch(JSON.stringify([histories, await chat.view()]), /Hanoi/);
  assert.doesNotMatch(JSON.stringify(await memory.queryMemory("Hanoi")), /Hanoi/);
  assert.doesNotMatch(JSON.stringify(await other.queryMemory("Hanoi")), /Hanoi/);
  assert.equal((await other.session("s").messages()).total, 30, "the session is not taken for erased");
  assert.ok((await other.queryMemory("message 20")).length > 0, "and what was not deleted is still found");
  assert.equal((await memory.log.verify()).ok, true);
});

test("what is hidden by a name that means nothing is refused", async () => {
  const { list } = await autoContext();
  await assert.rejects(list.session.hide("m-1"), { code: "not-found" });
  await list.addMessage(talk(1)[0]);
  await assert.rejects(list.session.hide("m-1"), { code: "not-found" });
  await assert.rejects(list.session.hide([""]), { code: "invalid-input", field: "refs[0]" });
  assert.equal(await list.session.hide([]), 0);
  const [{ id }] = await list.getMessages();
  assert.deepEqual([await list.session.hide(id), await list.session.hide(id)], [1, 0]);
  assert.equal(await list.session.clearView(), 0);
});

test("E5 a config that makes no sense is refused by name when it is built", () => {
  const build = (name, value) => () => AutoContextConfig.builder()[name](value).build();
  for (const [name, value] of [
    ["msgThreshold", 0],
    ["msgThreshold", 2.5],
    ["msgThreshold", "many"],
    ["msgThreshold", 5],
    ["tokenRatio", 0],
    ["tokenRatio", 1.5],
    ["tokenRatio", Number.NaN],
    ["lastKeep", -1],
    ["lastKeep", 31],
    ["maxToken", 0],
    ["maxToken", Number.POSITIVE_INFINITY],
  ]) {
    // With fewer messages than are left untouched, it is the latter that are too many.
    const field = value === 5 ? "lastKeep" : name;
    assert.throws(build(name, value), { code: "invalid-input", field }, `${name} ${value}`);
  }
  assert.equal(AutoContextConfig.builder().msgThreshold(5).lastKeep(0).build().lastKeep, 0);
});

test("settings of a session that make no sense are refused when it is opened", async () => {
  const memory = await memoryOf();
  for (const [compression, field] of [
    [{ type: "progressive", lastKeep: 31 }, "lastKeep"],
    [{ type: "progressive", preview: 9999 }, "preview"],
    [{ type: "tree-reduce", chunkSize: 0 }, "chunkSize"],
    [{ type: "tree-reduce", compressionThreshold: 2 }, "compressionThreshold"],
    [{ type: "tree-reduce", contextTokens: -1 }, "contextTokens"],
  ]) {
    assert.throws(() => memory.session("s", { compression }), { code: "invalid-input", field });
  }
  assert.throws(() => memory.session("s", { contextTokens: 0.5 }), { field: "contextTokens" });
});

test("E21 tokens of messages are estimated by the documented rule: each text by itself, and only text", () => {
  assert.equal(estimateTokens([]), 0);
  assert.equal(estimateTokens([{ role: "user", content: "seven!!" }, HELLO, HELP]), 1 + 1 + 5);
  assert.equal(
    estimateTokens([
      { role: "user", content: "abc" },
      { role: "user", content: "abc" },
    ]),
    0,
  );
  assert.equal(estimateTokens(toolPair("c-1", "a long answer ".repeat(100))), 0);
  assert.equal(estimateTokens([{ role: "user", content: "日本語です。😀" }]), 2, "UTF-16 units, as in Java");
});

test("E19 E20 JsonSession keeps states in JSON files that a person can read", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "sessions");
  const [agent, memory] = [new ReActAgent(), new InMemoryMemory()];
  const manager = SessionManager.forSessionId("user123")
    .withSession(new JsonSession(path))
    .addComponent(agent)
    .addComponent(memory);
  assert.equal(await manager.loadIfExists(), false);
  memory.addMessage(HELLO);
  memory.addMessage(HELP);
  await manager.saveSession();
  const { timestamp, ...saved } = JSON.parse(await readFile(join(path, "user123.json"), "utf8"));
  assert.deepEqual(saved, {
    sessionId: "user123",
    components: {
      ReActAgent: { memory: "InMemoryMemory", interrupted: false },
      InMemoryMemory: { messages: [HELLO, HELP] },
    },
  });
  assert.match(timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const again = new InMemoryMemory();
  const keep = new JsonSession(path);
  const later = SessionManager.forSessionId("user123").withSession(keep).addComponent(again);
  assert.equal(await later.loadIfExists(), true);
  assert.deepEqual(texts(again.getMessages()), ["Hello", "Hello! How can I help?"]);
  memory.clear();
  await manager.saveSession();
  assert.deepEqual((await keep.load("user123")).components.InMemoryMemory, { messages: [] });

  for (const id of ["../escape", "a/b", "..", "tên*người dùng", "C:\\x"]) {
    await keep.save(id, { A: { id } });
    assert.deepEqual((await keep.load(id)).components, { A: { id } });
  }
  assert.deepEqual(await readdir(folder), ["sessions"], "no name leads out of the folder");
  assert.equal((await readdir(path)).filter((name) => !name.endsWith(".json")).length, 0);
  await writeFile(join(path, "torn.json"), '{"sessionId":"torn"');
  await assert.rejects(keep.load("torn"), { code: "corrupt" });
  await assert.rejects(keep.load(""), { code: "invalid-input", field: "sessionId" });
  await writeFile(join(folder, "file"), "");
  await assert.rejects(new JsonSession(join(folder, "file")).save("s", {}), { code: "storage-failed" });
  assert.throws(() => new JsonSession(""), { code: "invalid-input", field: "path" });
});
