// The file of word meanings, and the app's own reranker, from the question to the hits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemory } from "keepsake";
import { loadMeaning } from "keepsake/meaning";

const SAID = [
  ["Ben", "Good morning! Did you sleep well?"],
  ["Ann", "Not really, the neighbours were loud again."],
  ["Ben", "Last weekend I played tennis with my brother."],
  ["Ann", "Nice! I stayed in and cleaned the kitchen."],
  ["Ben", "My cousin is staying with us until Friday."],
  ["Ann", "We should order a pizza when she comes."],
  ["Ben", "I have to leave for the office now."],
  ["Ann", "I bought a violin and practise every evening."],
  ["Ben", "See you tomorrow then."],
];

async function opened(options = {}) {
  const memory = await openMemory({
    user: "ann",
    storage: "memory",
    now: () => 1_790_000_000_000,
    ...options,
  });
  // A session each: what is found must be found for its own words.
  for (const [at, [speaker, content]] of SAID.entries()) {
    await memory.add(content, { id: `turn-${at}`, session: `s-${at}`, speaker, namespace: "long-term" });
  }
  return memory;
}

const found = async (memory, query, options) =>
  (await memory.search(query, options)).map(({ summary }) => summary);

const CLASSES = [
  ["Which sports are there?", "tennis"],
  ["Which musical instruments are there?", "violin"],
  ["What food was there?", "pizza"],
];

test("a question for a class finds its member with the file, and not without", async () => {
  const [without, withFile] = [await opened(), await opened({ meaning: await loadMeaning() })];
  for (const [question, member] of CLASSES) {
    assert.ok(
      !(await found(without, question)).some((text) => text.includes(member)),
      `without: ${question}`,
    );
    assert.match((await found(withFile, question))[0] ?? "", new RegExp(member), `with: ${question}`);
  }
  await without.close();
  await withFile.close();
});

test("receipts label the share of words that are alike, and add up to the bit", async () => {
  const memory = await opened({ meaning: await loadMeaning() });
  for (const [question] of CLASSES) {
    const hits = await memory.search(question, { explain: true });
    assert.ok(hits[0].receipt.some(({ label, term }) => label === "alike" && term));
    for (const { receipt, score } of hits) {
      assert.equal(
        receipt.reduce((sum, { value }) => sum + value, 0),
        score,
      );
      assert.ok(score > 0 && score <= 1);
    }
  }
  await memory.close();
});

test("questions that are not English, and the formula, are answered as without the file", async () => {
  const [without, withFile] = [await opened(), await opened({ meaning: await loadMeaning() })];
  for (const query of [
    "Где они катались на лыжах?",
    "Wohin fuhren sie zum Skilaufen?",
    "我们去哪里滑雪",
    "Chúng ta đi trượt tuyết ở đâu?",
  ]) {
    assert.deepEqual(
      await withFile.search(query, { explain: true }),
      await without.search(query, { explain: true }),
    );
  }
  const formula = { ranking: "formula", minScore: 0 };
  const scores = async (memory) => (await memory.search("Which sports?", formula)).map(({ id }) => id);
  assert.deepEqual(await scores(withFile), await scores(without));
  await without.close();
  await withFile.close();
});

test("a file of another version, a damaged one and what is no file are refused by name", async () => {
  const file = await loadMeaning();
  const newer = Uint8Array.from(file);
  newer[3] = "9".charCodeAt(0);
  const refused = (meaning, message) =>
    assert.rejects(openMemory({ user: "ann", storage: "memory", meaning }), {
      code: "invalid-input",
      field: "meaning",
      message,
    });
  await refused(newer, /another version/);
  await refused(file.subarray(0, file.length - 1), /damaged/);
  await refused(Uint8Array.from([...file, 0]), /damaged/);
  await refused(new Uint8Array(8), /must be the bytes/);
  await refused("meaning-en.bin", /must be the bytes/);
  await assert.rejects(loadMeaning("/nowhere/meaning-en.bin"), { code: "unavailable", field: "meaning" });
  assert.deepEqual(
    await loadMeaning(file.buffer.slice(file.byteOffset, file.byteOffset + file.length)),
    Uint8Array.from(file),
  );
});

test("an embedder and the file work together", async () => {
  const axis = (text) => (/loud|noise/i.test(text) ? [1, 0] : [0, 1]);
  const embedder = async (texts) => texts.map(axis);
  const memory = await opened({ meaning: await loadMeaning(), embedder });
  assert.match((await found(memory, "Was there any noise?"))[0], /loud/);
  const [hit] = await memory.search("Which sports are there?", { explain: true });
  const labels = hit.receipt.map(({ label }) => label);
  assert.ok(labels.includes("alike") && labels.includes("meaning"), labels.join());
  await memory.close();
});

test("rerank orders the best hits; the same order changes nothing", async () => {
  const plain = await opened();
  const query = "Who bought a pizza, cleaned the kitchen, left the office, or has a brother?";
  const before = await plain.search(query, { limit: 4, explain: true });
  assert.ok(before.length > 1);
  const seen = [];
  const same = await opened({
    rerank: async (asked, hits) => {
      seen.push([asked, hits.length]);
      return hits.map(({ id }) => id);
    },
  });
  assert.deepEqual(
    (await same.search(query, { limit: 4, explain: true })).map(({ id, score, receipt }) => [
      id,
      score,
      receipt,
    ]),
    before.map(({ id, score, receipt }) => [id, score, receipt]),
  );
  assert.ok(seen[0][0] === query && seen[0][1] >= before.length);
  const all = (await plain.search(query, { limit: 50 })).map(({ id }) => id);
  const turned = await opened({ rerank: (_, hits) => hits.map((_, at) => at) });
  assert.deepEqual(
    (await turned.search(query, { limit: 50 })).map(({ id }) => id),
    all.toReversed(),
  );
  assert.deepEqual(
    (await turned.search(query, { limit: 2 })).map(({ id }) => id),
    all.toReversed().slice(0, 2),
  );
  const recalled = (await turned.queryMemory(query, { limit: 3 })).map(({ ref }) => ref);
  assert.deepEqual(
    recalled,
    (await plain.queryMemory(query, { limit: 50 }))
      .map(({ ref }) => ref)
      .toReversed()
      .slice(0, 3),
  );
  const two = await opened({ rerank: (_, hits) => hits.map((_, at) => at), rerankTop: 2 });
  assert.deepEqual(
    (await two.search(query, { limit: 50 })).map(({ id }) => id),
    [all[1], all[0], ...all.slice(2)],
  );
  assert.deepEqual(
    await turned.search(query, { ranking: "formula" }),
    await plain.search(query, { ranking: "formula" }),
  );
  for (const memory of [plain, same, turned, two]) await memory.close();
});

test("what rerank must not answer is refused", async () => {
  const answers = [
    undefined,
    [],
    ["turn-0"],
    (hits) => hits.map(() => Number.NaN),
    (hits) => hits.map(() => "turn-0"),
    (hits) => hits.map(() => "nobody"),
    (hits) => [...hits.map(({ id }) => id), "turn-0"],
    () => {
      throw new Error("the model is away");
    },
  ];
  for (const answer of answers) {
    const memory = await opened({
      rerank: async (_, hits) => (typeof answer === "function" ? answer(hits) : answer),
    });
    await assert.rejects(memory.search("Ben tennis pizza"), { code: "invalid-input", field: "rerank" });
    assert.deepEqual(await memory.search("zzz"), [], "nothing to order");
    await memory.close();
  }
  await assert.rejects(openMemory({ user: "ann", storage: "memory", rerank: 7 }), { field: "rerank" });
  await assert.rejects(openMemory({ user: "ann", storage: "memory", rerankTop: 0 }), { field: "rerankTop" });
});
