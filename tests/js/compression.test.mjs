// Compression in the background: the documented walk-throughs, and summaries of an app that fail in every way.

import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "keepsake";
import { memoryOf, talk, toolPair } from "./support/talk.mjs";

/** Thirty messages of about 85 tokens are over 80 % of this, and fifteen are not. */
const OVER = { contextTokens: 2500 };

/** A session, and what its `onError` was told. */
async function sessionOf(options, id = "s") {
  const errors = [];
  const memory = await memoryOf();
  const chat = memory.session(id, { ...OVER, onError: (error) => errors.push(error), ...options });
  return { memory, chat, errors };
}

/** Waits for something that goes on in the background. */
async function until(happened) {
  while (!happened()) await new Promise((resolve) => setTimeout(resolve, 1));
}

function kinds(view) {
  return view.map(({ kind }) => kind);
}

test("C8 C10 C13 C14 C15 thirty messages over the limit become a history of fifteen and the recent fifteen", async () => {
  const { chat, errors } = await sessionOf({});
  await chat.append(talk(30, 20));
  await chat.idle();
  const view = await chat.view();
  assert.deepEqual(kinds(view), ["history", ...Array(15).fill("message")]);
  assert.deepEqual([view[0].ref, view[0].messages], ["history-001", 15]);
  assert.equal(textOf(view[1].message).split(" ")[1], "15");
  const [history] = await chat.histories();
  assert.deepEqual([history.id, history.messages, history.text], ["history-001", 15, view[0].text]);
  assert.equal((await chat.info()).histories, 1);
  assert.equal((await chat.messages({ limit: 100 })).messages.length, 30, "C25 nothing is gone");
  assert.deepEqual(errors, []);
  await chat.append(talk(15, 20, 30));
  await chat.idle();
  assert.deepEqual(
    (await chat.histories()).map(({ id }) => id),
    ["history-001", "history-002"],
  );
});

test("X8 below the limit, and with `compression: false`, nothing is compressed", async () => {
  for (const options of [{ contextTokens: undefined }, { compression: false }]) {
    const { chat } = await sessionOf(options);
    await chat.append(talk(30, 20));
    await chat.idle();
    assert.deepEqual(kinds(await chat.view()), Array(30).fill("message"));
  }
});

test("C27 settings are taken by their documented names, and nonsense is refused by them", async () => {
  const { chat } = await sessionOf({ compression: false });
  await chat.append(talk(30, 20));
  assert.deepEqual(
    await chat.compress({ type: "tree-reduce", compressionThreshold: 1, contextTokens: 9000 }),
    {
      changed: false,
      items: 30,
    },
  );
  assert.deepEqual(await chat.compress({ type: "tree-reduce", chunkSize: 5 }), {
    changed: true,
    items: 16,
    history: "history-001",
  });
  for (const [settings, field] of [
    [{ type: "zip" }, /^compression$/],
    [{ type: "tree-reduce", chunkSize: 0 }, /chunk_?[sS]ize$/],
    [{ type: "tree-reduce", compressionThreshold: 2 }, /compression_?[tT]hreshold$/],
    [{ type: "progressive", lastKeep: 31 }, /lastKeep$/],
    [{ type: "progressive", chunkSize: 5 }, /chunkSize$/],
  ]) {
    await assert.rejects(chat.compress(settings), (error) => {
      assert.equal(error.code, "invalid-input");
      assert.match(error.field, field);
      return true;
    });
  }
});

test("a way that is not known is refused before anything is said", async () => {
  const memory = await memoryOf();
  assert.throws(() => memory.session("s", { compression: "zip" }), {
    code: "invalid-input",
    field: "compression",
  });
});

test("E5 E6 E7 E8 fifty messages become fifteen: a summary, references with their calls, and the last ten", async () => {
  const { chat } = await sessionOf({ compression: "progressive", contextTokens: undefined });
  const page = "a long page of words and more ".repeat(1200);
  const turns = Array.from({ length: 12 }, (_, at) => [
    { role: "user", content: `question ${at} ${"about something ".repeat(15)}` },
    ...toolPair(`call-${at}`, at === 2 || at === 6 ? page : "a short answer ".repeat(60)),
    { role: "assistant", content: `answer ${at} ${"that helps ".repeat(40)}` },
  ]);
  const stored = await chat.append([...turns.flat(), ...talk(2)]);
  assert.equal(stored.length, 50);
  await chat.idle();
  const view = await chat.view();
  assert.equal(view.length, 15);
  const count = (wanted) => kinds(view).filter((kind) => kind === wanted).length;
  assert.deepEqual([count("summary"), count("offload"), count("message")], [1, 2, 12]);
  assert.deepEqual(
    view.slice(-10).map(({ ref }) => ref),
    stored.slice(-10).map(({ id }) => id),
    "the last ten are untouched",
  );
  const offload = view.find(({ kind }) => kind === "offload");
  assert.ok(offload.text.length <= 200);
  const whole = await chat.message(offload.ref);
  assert.equal(whole.content[0].output[0].text, page, "offloaded content is reloaded by its id");
});

test("merged neighbours are shown with their text", async () => {
  const { chat } = await sessionOf({ compression: { type: "progressive", msgThreshold: 12, lastKeep: 4 } });
  const said = Array.from({ length: 14 }, (_, at) => ({ role: "user", content: `note ${at}` }));
  await chat.append(said);
  await chat.idle();
  const view = await chat.view();
  const merge = view.find(({ kind }) => kind === "merge");
  assert.ok(merge, `${kinds(view)}`);
  assert.ok(merge.text.includes("note 0") && merge.text.includes("note 5"));
});

test("X5 C11 C12 an app's summaries are asked for in chunks, merged, and shown", async () => {
  const asked = [];
  const summarize = async (messages, { task, maxTokens, texts, signal }) => {
    asked.push({ task, messages: messages.length, texts: texts.length, maxTokens });
    assert.ok(signal instanceof AbortSignal && !signal.aborted);
    return task === "merge" ? "the whole story" : `of ${messages.length}`;
  };
  const { chat, errors } = await sessionOf({ summarize });
  await chat.append(talk(30, 20));
  await chat.idle();
  assert.deepEqual(
    asked.map(({ task, messages }) => [task, messages]),
    [
      ["summarise", 10],
      ["summarise", 5],
      ["merge", 0],
    ],
  );
  assert.deepEqual([asked[2].texts, asked.every(({ maxTokens }) => maxTokens > 0)], [2, true]);
  assert.equal((await chat.view())[0].text, "the whole story");
  assert.deepEqual(errors, []);
});

const failing = {
  throws: async () => {
    throw new Error("no model today");
  },
  "throws at once": () => {
    throw new Error("no model today");
  },
  hangs: () => new Promise(() => {}),
  "answers nothing": async () => undefined,
  "answers a number": async () => 7,
  "answers spaces": async () => " \n ",
  "answers half of a surrogate pair": async () => "a\uD800",
};
for (const [name, summarize] of Object.entries(failing)) {
  test(`X5 a summarize that ${name} loses nothing, and its error is told`, async () => {
    const { chat, errors } = await sessionOf({ summarize, summarizeTimeout: 20 });
    await chat.append(talk(30, 20));
    await chat.idle();
    assert.equal(errors.length, 2, "one a request");
    assert.deepEqual(kinds(await chat.view()), Array(30).fill("message"));
    assert.deepEqual(await chat.histories(), []);
    await chat.append({ role: "user", content: "and on it goes" });
    assert.equal((await chat.messages()).total, 31);
    await chat.idle();
  });
}

test("X5 a summary longer than what it stands for is not taken, and its part stays as it was", async () => {
  const summarize = async (messages) => (messages.length === 5 ? "far too long ".repeat(5000) : "short");
  const { chat, errors } = await sessionOf({ summarize });
  await chat.append(talk(30, 20));
  await chat.idle();
  const view = await chat.view();
  assert.deepEqual([view[0].text, view[0].messages], ["short", 10]);
  assert.deepEqual(kinds(view.slice(1)), Array(20).fill("message"));
  assert.deepEqual(errors, []);
});

test("X5 one request that fails does not cost the others", async () => {
  const summarize = async (messages) => {
    if (messages.length === 10) throw new Error("no");
    return "the newer five";
  };
  const { chat, errors } = await sessionOf({ summarize });
  await chat.append(talk(30, 20));
  await chat.idle();
  const history = (await chat.view()).find(({ kind }) => kind === "history");
  assert.deepEqual([history.text, history.messages, errors.length], ["the newer five", 5, 1]);
});

test("C9 messages are taken while a slow summary is under way, and one compression runs at a time", async () => {
  let running = 0;
  let most = 0;
  let release;
  const slow = new Promise((resolve) => {
    release = resolve;
  });
  const summarize = async (_messages, { task }) => {
    if (task === "summarise") most = Math.max(most, ++running);
    await slow;
    if (task === "summarise") running--;
    return "slow but good";
  };
  const { memory, chat } = await sessionOf({ summarize });
  await chat.append(talk(30, 20));
  await until(() => running > 0);
  const other = memory.session("s", { ...OVER, summarize });
  for (let at = 30; at < 40; at++) await (at % 2 ? chat : other).append(talk(1, 1, at));
  assert.equal((await chat.messages()).total, 40, "nobody waited");
  assert.equal(running, 2, "the two chunks of one run");
  release();
  await Promise.all([chat.idle(), other.idle()]);
  assert.equal(most, 2);
  const view = await chat.view();
  assert.equal(view[0].kind, "history");
  assert.deepEqual(
    view.slice(-10).map(({ message }) => textOf(message).split(" ")[1]),
    Array.from({ length: 10 }, (_, at) => `${30 + at}`),
  );
});

test("E23 a tool's result that the model has not read stays, with its call", async () => {
  const { chat } = await sessionOf({});
  await chat.append([...talk(20, 20), ...toolPair("c-1", "unread ".repeat(400))]);
  await chat.idle();
  const view = await chat.view();
  assert.equal(view[0].kind, "history");
  assert.deepEqual(kinds(view.slice(-2)), ["message", "message"]);
});

test("pinned messages and instructions stay as they are", async () => {
  const { chat } = await sessionOf({});
  await chat.append([
    { role: "system", content: "Be brief." },
    { role: "user", content: "I'm allergic to peanuts.", pinned: true },
    ...talk(30, 20),
  ]);
  await chat.idle();
  const shown = (await chat.view()).flatMap(({ message }) => (message ? [textOf(message)] : []));
  assert.ok(shown.includes("Be brief.") && shown.includes("I'm allergic to peanuts."));
});

test("who waits for a compression does not wait for it to begin, and neither does who asks for one", async () => {
  const { memory, chat } = await sessionOf({});
  const started = performance.now();
  for (let at = 0; at < 100; at++) {
    await chat.append({ role: "user", content: "hello" });
    await (at % 2 ? chat.idle() : chat.compress());
  }
  assert.ok(performance.now() - started < 100 * 20, "a moment each would be two seconds");
  await chat.append({ role: "user", content: "bye" });
  await memory.close();
  await chat.idle();
});

test("a memory that is closed does not wait for a summary, and says nothing of it", async () => {
  let signal;
  const summarize = (_messages, request) => {
    signal = request.signal;
    return new Promise(() => {});
  };
  const { memory, chat, errors } = await sessionOf({ summarize });
  await chat.append(talk(30, 20));
  await until(() => signal);
  await memory.close();
  assert.ok(signal.aborted);
  await chat.idle();
  assert.deepEqual(errors, []);
});

test("a session that is deleted while a summary is under way stays deleted", async () => {
  let release;
  const slow = new Promise((resolve) => {
    release = resolve;
  });
  let asked = false;
  const summarize = () => {
    asked = true;
    return slow.then(() => "a ghost");
  };
  const { chat, errors } = await sessionOf({ summarize });
  await chat.append(talk(30, 20));
  await until(() => asked);
  await chat.delete();
  release();
  await chat.idle();
  assert.equal(await chat.info(), null);
  assert.deepEqual(await chat.histories(), []);
  assert.deepEqual(errors, []);
});

test("C27 what leaves the hot window goes into a history, and the settings of the memory hold", async () => {
  const memory = await memoryOf({ config: { memory: { hot_window_size: 10, chunk_size: 4 } } });
  const asked = [];
  const summarize = async (messages, { task }) => {
    asked.push([task, messages.length]);
    return "in short";
  };
  const chat = memory.session("s", { summarize });
  await chat.append(talk(24));
  await chat.idle();
  const view = await chat.view();
  assert.deepEqual(kinds(view), ["history", ...Array(10).fill("message")]);
  assert.deepEqual(asked, [
    ["summarise", 4],
    ["summarise", 4],
    ["summarise", 4],
    ["summarise", 2],
    ["merge", 0],
  ]);
  const context = await chat.context({ budget: 4000 });
  assert.ok(context.prompt.includes("in short") && context.messages.length === 10);
  assert.deepEqual(context.left, []);
  const low = await memoryOf({ config: { memory: { compressionThreshold: 0.05 } } });
  const soon = low.session("s", { contextTokens: 10_000 });
  await soon.append(talk(30, 20));
  await soon.idle();
  assert.equal((await soon.histories()).length, 1);
});

/** What an app's model is given while some pages of 300,000 characters are compressed. */
async function given(said, options) {
  const asked = [];
  const summarize = async (messages, request) => {
    asked.push({ messages, texts: request.texts, size: JSON.stringify([messages, request.texts]).length });
    return "short";
  };
  const { chat } = await sessionOf({ ...options, summarize });
  await chat.append(said);
  await chat.idle();
  return { asked, view: await chat.view() };
}

const page = `BEGIN ${"a long page of words and more ".repeat(10_000)} END`;

test("E8 X5 an offload sends nothing of the large message to the app's model", async () => {
  const said = [...toolPair("c-1", page), ...talk(40, 3)];
  const { asked, view } = await given(said, { compression: "progressive", contextTokens: undefined });
  assert.ok(asked.length > 0, "older messages are summarised by the model");
  for (const { size, texts } of asked) {
    assert.ok(size < 40_000, `${size}`);
    assert.ok(!texts.join().includes("BEGIN"));
  }
  const offload = view.find(({ kind }) => kind === "offload");
  assert.ok(offload.text.includes("BEGIN") && offload.text.length <= 200);
});

test("X5 of large messages the app's model is given the beginning and the end", async () => {
  const large = [
    { role: "user", content: page },
    ...toolPair("c-1", page),
    { role: "assistant", content: [{ type: "tool_use", id: "c-2", name: "write", input: { page } }] },
    { role: "tool", content: [{ type: "tool_result", toolUseId: "c-2", output: "ok" }] },
    { role: "user", content: [{ type: "file", mediaType: "image/png", data: "A".repeat(400_000) }] },
    { role: "user", content: "A short one." },
  ];
  const { asked } = await given([...large, ...talk(9)], {
    compression: "tree-reduce",
    contextTokens: undefined,
  });
  assert.ok(asked.length > 0);
  let shown = 0;
  for (const { messages, texts, size } of asked) {
    // About 16,000 tokens of four characters and some, as messages and once more as texts.
    assert.ok(size < 2 * 80_000, `${size}`);
    for (const text of texts.filter((text) => text.includes("BEGIN"))) {
      assert.match(text, /BEGIN.*\[… \d+ characters left out …\].*END/s);
      shown++;
    }
    const calls = messages.flatMap(({ content }) => content).filter(({ type }) => type === "tool_use");
    const results = messages.flatMap(({ content }) => content).filter(({ type }) => type === "tool_result");
    assert.deepEqual(
      results.map(({ toolUseId }) => toolUseId),
      calls.map(({ id }) => id),
      "calls and their results are still pairs",
    );
  }
  assert.ok(shown >= 2);
  assert.ok(asked.some(({ texts }) => texts.some((text) => text.endsWith("A short one."))));
});

test("X8 a model with a small window is given no more than half of it", async () => {
  const said = [...Array(10)].map((_, at) => ({ role: at % 2 ? "assistant" : "user", content: page }));
  const { asked } = await given(said, { compression: "tree-reduce", contextTokens: 2000 });
  assert.ok(asked.length > 0);
  for (const { size } of asked) assert.ok(size < 2 * 8000, `${size}`);
});
