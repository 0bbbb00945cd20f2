// LangGraph's checkpoints on a memory: LangGraph's own validation, and its own graphs.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import { Annotation, Command, END, interrupt, Send, START, StateGraph } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import { jsonl, openMemory } from "keepsake";
import { KeepsakeSaver } from "keepsake/langgraph";
import { startVitest } from "vitest/node";
import { z } from "zod";
import { memoryOf } from "./support/talk.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const SPECS = 726;
const NAME = "langgraph.checkpoints";

async function folderOf(t) {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-langgraph-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

const opener = (path) => () => openMemory({ user: "u-1", storage: jsonl(path) });

/** How LangGraph's own validation went: how many specs passed, and the names of those that did not. */
async function validated(env) {
  const vitest = await startVitest("test", [], {
    root,
    config: false,
    globals: true,
    watch: false,
    include: [join(root, "tests/js/support/langgraph-validation.mjs")],
    reporters: [{}],
    env,
  });
  const modules = vitest.state.getTestModules();
  const specs = modules.flatMap((module) => [...module.children.allTests()]);
  const errors = modules.flatMap((module) => module.errors().map(({ message }) => message));
  await vitest.close();
  // Vitest says there how it went; here the assertions do.
  process.exitCode = undefined;
  const passed = specs.filter((spec) => spec.result().state === "passed");
  const others = specs.filter((spec) => spec.result().state !== "passed").map(({ fullName }) => fullName);
  return { passed: passed.length, others: [...errors, ...others] };
}

test("LangGraph's own validation of savers passes, all of it", async (t) => {
  assert.deepEqual(await validated({}), { passed: SPECS, others: [] });
  const folder = await folderOf(t);
  assert.deepEqual(await validated({ KEEPSAKE_STORAGE: folder }), { passed: SPECS, others: [] });
});

test("LangGraph's own validation would notice a saver that forgets", async () => {
  const { passed, others } = await validated({ KEEPSAKE_SAVER: "forgetful" });
  assert.equal(passed + others.length, SPECS);
  assert.ok(others.some((name) => name.includes("should store writes to the checkpoint")));
});

const State = Annotation.Root({
  steps: Annotation({ reducer: (before, after) => before.concat(after), default: () => [] }),
  large: Annotation(),
});

/** A graph of three nodes in a row; `ran` is told of each that runs. */
function inARow(checkpointer, ran, middle = () => ({ steps: ["two"] })) {
  const node = (name, update) => async (state) => {
    ran.push(name);
    return update(state);
  };
  return new StateGraph(State)
    .addNode(
      "one",
      node("one", () => ({ steps: ["one"] })),
    )
    .addNode("two", node("two", middle))
    .addNode(
      "three",
      node("three", () => ({ steps: ["three"] })),
    )
    .addEdge(START, "one")
    .addEdge("one", "two")
    .addEdge("two", "three")
    .addEdge("three", END)
    .compile({ checkpointer });
}

const thread = (thread_id) => ({ configurable: { thread_id } });

test("B38 a graph that fails goes on after a reload where it was; what ran before does not run again", async (t) => {
  const open = opener(join(await folderOf(t), "memory.jsonl"));
  const first = await open();
  const ran = [];
  const failing = inARow(new KeepsakeSaver(first), ran, () => {
    throw new Error("no network");
  });
  await assert.rejects(failing.invoke({ steps: ["go"], large: "x" }, thread("t-1")), /no network/);
  assert.deepEqual(ran, ["one", "two"]);
  await first.close();

  const second = await open();
  const again = [];
  const graph = inARow(new KeepsakeSaver(second), again);
  const { steps } = await graph.invoke(null, thread("t-1"));
  assert.deepEqual(again, ["two", "three"]);
  assert.deepEqual(steps, ["go", "one", "two", "three"]);
  const history = [];
  for await (const { next, values } of graph.getStateHistory(thread("t-1")))
    history.push([next[0], values.steps?.length]);
  assert.deepEqual(history, [
    [undefined, 4],
    ["three", 3],
    ["two", 2],
    ["one", 1],
    ["__start__", 0],
  ]);
  await second.close();
});

test("an interrupt is answered after a reload, and what parallel nodes wrote meanwhile is kept", async (t) => {
  const open = opener(join(await folderOf(t), "memory.jsonl"));
  const graphOf = (memory, ran) => {
    const node = (name, update) => (state) => {
      ran.push(name);
      return update(state);
    };
    return new StateGraph(State)
      .addNode(
        "quick",
        node("quick", () => ({ steps: ["quick"] })),
      )
      .addNode(
        "asks",
        node("asks", () => ({ steps: [interrupt("Which?")] })),
      )
      .addNode(
        "sent",
        node("sent", ({ n }) => ({ steps: [`sent ${n}`] })),
      )
      .addConditionalEdges(START, () => [
        "quick",
        "asks",
        new Send("sent", { n: 1 }),
        new Send("sent", { n: 2 }),
      ])
      .compile({ checkpointer: new KeepsakeSaver(memory) });
  };
  const first = await open();
  const ran = [];
  const stopped = await graphOf(first, ran).invoke({ steps: [] }, thread("t-1"));
  assert.equal(stopped.__interrupt__[0].value, "Which?");
  assert.deepEqual(ran.sort(), ["asks", "quick", "sent", "sent"]);
  await first.close();

  const second = await open();
  const again = [];
  const { steps } = await graphOf(second, again).invoke(new Command({ resume: "this" }), thread("t-1"));
  assert.deepEqual(again, ["asks"]);
  assert.deepEqual(steps.sort(), ["quick", "sent 1", "sent 2", "this"]);
  await second.close();
});

test("branches of a thread keep their own values, though their versions have the same numbers", async () => {
  const memory = await memoryOf();
  const graph = inARow(new KeepsakeSaver(memory), []);
  await graph.invoke({ steps: ["go"], large: "first" }, thread("t-1"));
  const states = [];
  for await (const state of graph.getStateHistory(thread("t-1"))) states.push(state);
  const beforeTwo = states.find(({ next }) => next[0] === "two");
  const branch = await graph.updateState(beforeTwo.config, { steps: ["forked"], large: "second" });
  await graph.invoke(null, branch);
  const newest = (await graph.getState(thread("t-1"))).values;
  assert.deepEqual(newest, { steps: ["go", "one", "forked", "two", "three"], large: "second" });
  const trunk = await graph.getState(states[0].config);
  assert.deepEqual(trunk.values, { steps: ["go", "one", "two", "three"], large: "first" });
  // A copy of the very first checkpoint has no parent to inherit from.
  const copy = await graph.updateState(states.at(-1).config, null, "__copy__");
  const input = states.at(-1);
  const copied = await graph.getState(copy);
  assert.deepEqual([copied.next, copied.values], [input.next, input.values]);
  const rerun = await graph.invoke(null, copy);
  assert.deepEqual(rerun.steps, ["go", "one", "two", "three"]);
});

test("every durability that LangGraph has ends in the same state", async () => {
  const memory = await memoryOf();
  const graph = inARow(new KeepsakeSaver(memory), []);
  for (const durability of ["sync", "async", "exit"]) {
    const config = { ...thread(durability), durability };
    await graph.invoke({ steps: ["go"] }, config);
    await graph.invoke({ steps: ["again"] }, config);
    const { values } = await graph.getState(thread(durability));
    assert.deepEqual(values.steps, ["go", "one", "two", "three", "again", "one", "two", "three"], durability);
  }
});

test("a value is written once, however many checkpoints have it", async () => {
  const memory = await memoryOf();
  await inARow(new KeepsakeSaver(memory), []).invoke({ steps: [], large: "x".repeat(5000) }, thread("t-1"));
  let times = 0;
  for await (const [, kept] of memory.collection(NAME).entries({ prefix: "value/" })) {
    if (JSON.stringify(kept).includes("x".repeat(5000))) times += 1;
  }
  assert.equal(times, 1 + 1, "with the input, and with the state that it became");
});

test("an agent with tools talks on after a reload", async (t) => {
  const open = opener(join(await folderOf(t), "memory.jsonl"));
  const weather = tool(({ city }) => `Sunny in ${city}`, {
    name: "weather",
    description: "The weather of a city",
    schema: z.object({ city: z.string() }),
  });
  const turn = async (model, text) => {
    const memory = await open();
    const agent = createReactAgent({
      llm: model,
      tools: [weather],
      checkpointSaver: new KeepsakeSaver(memory),
    });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: text }] }, thread("t-1"));
    await memory.close();
    return messages.map((message) => [message.type, message.text]);
  };
  await turn(
    fakeModel()
      .respondWithTools([{ name: "weather", args: { city: "Hanoi" }, id: "c-1" }])
      .respond(new AIMessage("It is sunny.")),
    "Weather in Hanoi?",
  );
  const model = fakeModel().respond(new AIMessage("Hanoi."));
  const said = await turn(model, "Which city was it?");
  assert.deepEqual(
    said.map(([type]) => type),
    ["human", "ai", "tool", "ai", "human", "ai"],
  );
  assert.deepEqual(said[2], ["tool", "Sunny in Hanoi"]);
  assert.deepEqual(model.calls[0].messages[1].tool_calls[0].args, { city: "Hanoi" });
});

test("a subgraph has checkpoints of its own, and all go with the thread", async () => {
  const memory = await memoryOf();
  const inner = new StateGraph(State)
    .addNode("asks", () => ({ steps: [interrupt("Inside?")] }))
    .addEdge(START, "asks")
    .compile();
  const checkpointer = new KeepsakeSaver(memory);
  const graph = new StateGraph(State)
    .addNode("inner", inner)
    .addEdge(START, "inner")
    .compile({ checkpointer });
  await graph.invoke({ steps: [] }, thread("t-1"));
  const namespaces = new Set();
  for await (const { config } of checkpointer.list(thread("t-1")))
    namespaces.add(config.configurable.checkpoint_ns);
  assert.equal(namespaces.size, 2);
  const { steps } = await graph.invoke(new Command({ resume: "yes" }), thread("t-1"));
  assert.deepEqual(steps, ["yes"]);
  await checkpointer.deleteThread("t-1");
  assert.deepEqual(await memory.collection(NAME).list(), []);
});

test("two instances write checkpoints at once and lose nothing; of two writes of a task the first stays", async (t) => {
  const open = opener(join(await folderOf(t), "memory.jsonl"));
  const memories = [await open(), await open()];
  const savers = memories.map((memory) => new KeepsakeSaver(memory));
  await Promise.all(
    savers.flatMap((saver, which) =>
      Array.from({ length: 5 }, (_, n) =>
        inARow(saver, []).invoke({ steps: ["go"] }, thread(`${which}-${n}`)),
      ),
    ),
  );
  for (const saver of savers) {
    for (const id of ["0-0", "0-4", "1-0", "1-4"]) {
      const { checkpoint } = await saver.getTuple(thread(id));
      assert.deepEqual(checkpoint.channel_values.steps, ["go", "one", "two", "three"]);
    }
  }
  const config = await savers[0].put(
    thread("w"),
    emptyCheckpoint(),
    { source: "loop", step: 0, parents: {} },
    {},
  );
  const write = (saver, value) =>
    saver.putWrites(
      config,
      [
        ["c", value],
        ["__error__", value],
      ],
      "task",
    );
  await Promise.all([write(savers[0], "a"), write(savers[1], "b")]);
  const [one, two] = await Promise.all(savers.map((saver) => saver.getTuple(config)));
  assert.deepEqual(one.pendingWrites, two.pendingWrites);
  const kept = one.pendingWrites.find(([, channel]) => channel === "c")[2];
  await write(savers[1], "c");
  const after = (await savers[0].getTuple(config)).pendingWrites;
  assert.deepEqual(after, [
    ["task", "__error__", "c"],
    ["task", "c", kept],
  ]);
  await savers[0].deleteThread("0-0");
  const rest = await memories[1].collection(NAME).list({ limit: 10_000 });
  assert.equal(
    rest.some(({ key }) => key.includes("/0-0/")),
    false,
  );
  assert.ok(await savers[1].getTuple(thread("0-1")));
  await Promise.all(memories.map((memory) => memory.close()));
});
