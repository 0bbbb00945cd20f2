// LangGraph's checkpoints on a memory, call by call: order, races, hostile ids, bytes, and what is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { KeepsakeSaver } from "keepsake/langgraph";
import { interrupted } from "./support/interrupted.mjs";
import { memoryOf } from "./support/talk.mjs";

const NAME = "langgraph.checkpoints";
const METADATA = { source: "loop", step: 0, parents: {} };

const thread = (thread_id) => ({ configurable: { thread_id } });

test("ids are in the order of their letters, whatever their length", async () => {
  const saver = new KeepsakeSaver(await memoryOf());
  const ids = ["1", "10", "100", "2", "a", "a-", "ab", "é"];
  for (const id of ids.toReversed()) {
    await saver.put(
      { configurable: { thread_id: "t", checkpoint_ns: "" } },
      { ...emptyCheckpoint(), id },
      METADATA,
      {},
    );
  }
  const config = { configurable: { thread_id: "t", checkpoint_ns: "" } };
  assert.equal((await saver.getTuple(config)).checkpoint.id, "é");
  const listed = [];
  for await (const { checkpoint } of saver.list(config)) listed.push(checkpoint.id);
  assert.deepEqual(listed, ids.toReversed());
});

test("of two writes of a task the first stays, also when the second has already looked", async () => {
  const memory = await memoryOf();
  const quick = new KeepsakeSaver(memory);
  const config = await quick.put(thread("t"), emptyCheckpoint(), METADATA, {});
  const slow = new KeepsakeSaver(
    interrupted(memory, () =>
      quick.putWrites(
        config,
        [
          ["c", "quick"],
          ["d", "quick"],
        ],
        "task",
      ),
    ),
  );
  await slow.putWrites(
    config,
    [
      ["c", "slow"],
      ["d", "slow"],
      ["e", "slow"],
    ],
    "task",
  );
  const { pendingWrites } = await quick.getTuple(config);
  assert.deepEqual(pendingWrites, [
    ["task", "c", "quick"],
    ["task", "d", "quick"],
    ["task", "e", "slow"],
  ]);
});

test("what a graph changes in place while its checkpoint is being stored is not in the checkpoint", async () => {
  const saver = new KeepsakeSaver(await memoryOf());
  const parent = await saver.put(thread("t"), emptyCheckpoint(), METADATA, {});
  const list = ["before"];
  const checkpoint = { ...emptyCheckpoint(), channel_values: { list }, channel_versions: { list: 1 } };
  const putting = saver.put(parent, checkpoint, METADATA, { list: 1 });
  list.push("after");
  const config = await putting;
  const writing = saver.putWrites(
    config,
    [
      ["a", list],
      ["b", list],
    ],
    "task",
  );
  list.push("later");
  await writing;
  const tuple = await saver.getTuple(config);
  assert.deepEqual(tuple.checkpoint.channel_values, { list: ["before"] });
  assert.deepEqual(
    tuple.pendingWrites.map(([, , value]) => value),
    [
      ["before", "after"],
      ["before", "after"],
    ],
  );
});

test("list goes from the newest to the oldest over all threads, by metadata and before another", async () => {
  const saver = new KeepsakeSaver(await memoryOf());
  const ids = Array.from({ length: 12 }, () => uuid6(0));
  for (const [at, id] of ids.entries()) {
    const config = { configurable: { thread_id: `t-${at % 3}`, checkpoint_ns: at % 2 ? "child" : "" } };
    const metadata = { source: "loop", step: at, parents: { "": `${at % 4}` } };
    await saver.put(config, { ...emptyCheckpoint(), id }, metadata, {});
  }
  const listed = async (configurable, options) => {
    const found = [];
    for await (const { checkpoint } of saver.list({ configurable }, options))
      found.push(ids.indexOf(checkpoint.id));
    return found;
  };
  assert.deepEqual(await listed({}), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  assert.deepEqual(await listed({ thread_id: "t-1" }), [10, 7, 4, 1]);
  assert.deepEqual(await listed({ checkpoint_ns: "child" }, { limit: 2 }), [11, 9]);
  const place = { thread_id: "t-1", checkpoint_ns: "" };
  assert.deepEqual(await listed(place), [10, 4]);
  assert.deepEqual(await listed(place, { before: { configurable: { checkpoint_id: ids[10] } } }), [4]);
  assert.deepEqual(
    await listed({}, { filter: { parents: { "": "3" } } }),
    [11, 7, 3],
    "also what is no plain value",
  );
  assert.deepEqual(await listed({ ...place, checkpoint_id: ids[4] }), [4]);
  assert.deepEqual(await listed({}, { limit: 0 }), []);
});

const HOSTILE = [
  "__proto__",
  "constructor",
  "a/b",
  "a",
  "a/",
  "~1",
  "~",
  "việt 🌱",
  "\u0000",
  "value/",
  "x".repeat(200),
];

test("hostile ids and channels are ids and channels like others", async () => {
  const memory = await memoryOf();
  const saver = new KeepsakeSaver(memory);
  const values = JSON.parse('{"__proto__": [1], "constructor": [2], "a/b": [3], "": [4]}');
  const versions = Object.fromEntries(Object.keys(values).map((name) => [name, 1]));
  for (const name of HOSTILE) {
    const config = { configurable: { thread_id: name, checkpoint_ns: name } };
    const checkpoint = { ...emptyCheckpoint(), id: name, channel_values: values, channel_versions: versions };
    const put = await saver.put(config, checkpoint, METADATA, versions);
    await saver.putWrites(put, [[name, name]], name);
  }
  for (const name of HOSTILE) {
    const config = { configurable: { thread_id: name, checkpoint_ns: name } };
    const tuple = await saver.getTuple(config);
    assert.deepEqual(Object.entries(tuple.checkpoint.channel_values), Object.entries(values), name);
    assert.deepEqual(tuple.pendingWrites, [[name, name, name]]);
    assert.deepEqual(tuple.config.configurable, {
      thread_id: name,
      checkpoint_ns: name,
      checkpoint_id: name,
    });
  }
  for (const [at, name] of HOSTILE.entries()) {
    await saver.deleteThread(name);
    const left = HOSTILE.slice(at + 1).map((thread_id) =>
      saver.getTuple({ configurable: { thread_id, checkpoint_ns: thread_id } }),
    );
    assert.ok((await Promise.all(left)).every(Boolean), `only ${name} went`);
  }
  assert.deepEqual(await memory.collection(NAME).list(), []);
});

test("bytes, what no UTF-8 is, and what a serializer of one's own writes come back", async () => {
  const memory = await memoryOf();
  const turned = (bytes) => Uint8Array.from(bytes, (byte) => byte ^ 0xff);
  const plain = new KeepsakeSaver(memory).serde;
  const serde = {
    dumpsTyped: async (value) => {
      const [type, bytes] = await plain.dumpsTyped(value);
      return [`secret ${type}`, turned(bytes)];
    },
    loadsTyped: (type, bytes) => plain.loadsTyped(type.slice(7), turned(bytes)),
  };
  const values = {
    bytes: new Uint8Array([255, 0, 254]),
    set: new Set([1]),
    text: "a text",
    bom: new Uint8Array([0xef, 0xbb, 0xbf, 65]),
    undef: undefined,
  };
  const versions = { bytes: 1, set: 1, text: 1, bom: 1, undef: 1 };
  const checkpoint = { ...emptyCheckpoint(), channel_values: values, channel_versions: versions };
  for (const [name, options] of Object.entries({ plain: {}, secret: { serde } })) {
    const saver = new KeepsakeSaver(memory, { name, ...options });
    const config = await saver.put(thread("t"), checkpoint, METADATA, versions);
    const tuple = await saver.getTuple(config);
    assert.deepEqual(tuple.checkpoint, checkpoint);
    assert.deepEqual(tuple.metadata, METADATA);
  }
  const kept = await memory.collection("secret").list();
  assert.equal(JSON.stringify(kept).includes("source"), false);
});

test("wrong configs, values that are too large and a closed memory are refused by name", async () => {
  const memory = await memoryOf();
  const saver = new KeepsakeSaver(memory);
  const checkpoint = emptyCheckpoint();
  const put = (configurable, ...rest) =>
    saver.put({ configurable }, rest[0] ?? checkpoint, METADATA, rest[1] ?? {});
  const wrong = { code: "invalid-input" };
  for (const thread_id of [undefined, null, "", 1, {}, ["t"]]) {
    await assert.rejects(put({ thread_id }), { ...wrong, field: "configurable.thread_id" });
    await assert.rejects(saver.deleteThread(thread_id), { ...wrong, field: "threadId" });
  }
  await assert.rejects(put({ thread_id: "t", checkpoint_ns: 1 }), { field: "configurable.checkpoint_ns" });
  await assert.rejects(put({ thread_id: "t" }, { ...checkpoint, id: "" }), { field: "checkpoint.id" });
  await assert.rejects(put({ thread_id: "x".repeat(2000) }), { code: "too-large" });
  const config = { configurable: { thread_id: "t", checkpoint_id: "c" } };
  await assert.rejects(saver.putWrites(config, [["c", 1]], ""), { ...wrong, field: "taskId" });
  await assert.rejects(saver.putWrites(config, "c", "task"), { ...wrong, field: "writes" });
  await assert.rejects(saver.putWrites(config, [null], "task"), { ...wrong, field: "writes" });
  await assert.rejects(saver.putWrites(thread("t"), [], "task"), { field: "configurable.checkpoint_id" });
  const large = {
    ...checkpoint,
    channel_values: { a: "small", b: "x".repeat(9_000_000) },
    channel_versions: { a: 1, b: 1 },
  };
  await assert.rejects(put({ thread_id: "t" }, large, { a: 1, b: 1 }), { code: "too-large" });
  assert.deepEqual(await memory.collection(NAME).list(), [], "nothing half written");
  assert.equal(await saver.getTuple(thread("nobody")), undefined);
  await saver.deleteThread("nobody");
  await memory.close();
  await assert.rejects(put({ thread_id: "t" }), { code: "closed" });
  await assert.rejects(saver.getTuple(thread("t")), { code: "closed" });
  await assert.rejects(saver.list({}).next(), { code: "closed" });
});
