// The names that users of AgentScope know: lists of messages, components, and sessions that save them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage, openMemory } from "keepsake";
import {
  AutoContextConfig,
  AutoContextMemory,
  fromJSON,
  InMemoryMemory,
  keepsakeSession,
  SessionManager,
  toJSON,
} from "keepsake/agentscope";
import { memoryOf, talk, texts, toolPair } from "./talk.mjs";

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
  assert.equal(messages[0].role, "system");
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
  assert.ok(texts(await list.getMessages()).includes("what was said"));
});

test("AutoContextMemory deletes by place, clears, and keeps what components saved", async () => {
  const { memory, list } = await autoContext();
  for (const message of talk(3)) await list.addMessage(message);
  await list.deleteMessage(1);
  for (const index of [-1, 2, 99]) await list.deleteMessage(index);
  assert.deepEqual(
    texts(await list.getMessages()).map((text) => text.split(" ")[1]),
    ["0", "2"],
  );
  await memory.session("s").saveComponents({ Other: { kept: true } });
  await list.clear();
  assert.deepEqual(await list.getMessages(), []);
  assert.deepEqual((await memory.session("s").loadComponents()).components, { Other: { kept: true } });
});

test("E3 E20 the state of an AutoContextMemory goes to another one, and back to itself without a change", async () => {
  const { memory, list } = await autoContext();
  for (const message of talk(40, 3)) await list.addMessage(message);
  await list.deleteMessage(39);
  const before = await list.getMessages();
  const state = JSON.parse(JSON.stringify(await list.saveState()));
  assert.equal(state.messages.length, 40, "everything that was said");
  assert.equal(state.messages[0].role, "USER");
  await list.loadState(state);
  assert.deepEqual(await list.getMessages(), before);
  await list.addMessage(talk(1)[0]);
  await list.loadState(state);
  assert.equal((await memory.session("s").messages()).total, 40, "what came since is gone");
  const other = await autoContext();
  await other.list.loadState(state);
  assert.deepEqual(texts((await other.list.getMessages()).slice(-9)), texts(before.slice(-9)));
  const manager = SessionManager.forSessionId("s").withSession(keepsakeSession(memory)).addComponent(list);
  await manager.saveSession();
  assert.equal(await manager.loadIfExists(), true);
});
