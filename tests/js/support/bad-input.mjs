// What a user on a bad day passes in, and what has to become of it: a typed error that names the field, or plain data.

/** Input, and the error's code and field. Each is tried on a memory with one entry, which must stay the only one. */
export const refused = [
  ["empty content", (m) => m.add(""), "invalid-input", "content"],
  ["content of spaces", (m) => m.add(" \n\t "), "invalid-input", "content"],
  ["no content", (m) => m.add(undefined), "invalid-input", "content"],
  ["content that is a number", (m) => m.add(7), "invalid-input", "content"],
  ["F28 a lone surrogate in the content", (m) => m.add("a\uD800b"), "invalid-input", "content"],
  ["F28 a lone surrogate in an id", (m) => m.add("x", { id: "\uD800" }), "invalid-input", "id"],
  ["F28 a lone surrogate in a wanted id", (m) => m.get("\uDC00"), "invalid-input", "id"],
  [
    "F28 a lone surrogate in a key",
    (m) => m.add("x", { metadata: { "\uD800": 1 } }),
    "invalid-input",
    "metadata",
  ],
  ["S8 an empty id", (m) => m.add("x", { id: "" }), "invalid-input", "id"],
  ["S8 an id of 10 MB", (m) => m.add("x", { id: "i".repeat(10_000_000) }), "too-large", "id"],
  ["S8 to get an id of 10 MB", (m) => m.get("i".repeat(10_000_000)), "too-large", "id"],
  ["NaN", (m) => m.add("x", { importance: Number.NaN }), "invalid-input", "importance"],
  [
    "NaN in metadata",
    (m) => m.add("x", { metadata: { a: [1, Number.NaN] } }),
    "invalid-input",
    "metadata.a[1]",
  ],
  ["infinity", (m) => m.list({ limit: Number.POSITIVE_INFINITY }), "invalid-input", "limit"],
  ["importance above 1", (m) => m.add("x", { importance: 1.01 }), "invalid-input", "importance"],
  ["importance as text", (m) => m.add("x", { importance: "high" }), "invalid-input", "importance"],
  ["an unknown field", (m) => m.add("x", { contnet: "typo" }), "invalid-input", "contnet"],
  ["an unknown option", (m) => m.list({ offset: 3 }), "invalid-input", "offset"],
  ["D36 an unknown namespace", (m) => m.add("x", { namespace: "mid-term" }), "invalid-input", "namespace"],
  ["a negative limit", (m) => m.list({ limit: -1 }), "invalid-input", "limit"],
  ["a broken limit", (m) => m.list({ limit: 1.5 }), "invalid-input", "limit"],
  ["tags that are a text", (m) => m.add("x", { tags: "a,b" }), "invalid-input", "tags"],
  ["a tag that is a number", (m) => m.add("x", { tags: ["a", 2] }), "invalid-input", "tags[1]"],
  ["a thousand tags", (m) => m.add("x", { tags: Array(1000).fill("t") }), "too-large", "tags"],
  ["metadata that is a list", (m) => m.add("x", { metadata: [1] }), "invalid-input", "metadata"],
  [
    "metadata with a function",
    (m) => m.add("x", { metadata: { f: () => 1 } }),
    "invalid-input",
    "metadata.f",
  ],
  ["metadata with a bigint", (m) => m.add("x", { metadata: { n: 1n } }), "invalid-input", "metadata.n"],
  ["metadata with a date", (m) => m.add("x", { metadata: { d: new Date() } }), "invalid-input", "metadata.d"],
  [
    "metadata with a hole",
    (m) => m.add("x", { metadata: { a: [undefined] } }),
    "invalid-input",
    "metadata.a[0]",
  ],
  [
    "metadata of 1 MB",
    (m) => m.add("x", { metadata: { a: "x".repeat(1_000_000) } }),
    "too-large",
    "metadata",
  ],
  ["metadata that holds itself", (m) => m.add("x", { metadata: circle() }), "invalid-input", undefined],
  [
    "S12 metadata a million levels deep",
    (m) => m.add("x", { metadata: deep(1_000_000) }),
    "invalid-input",
    undefined,
  ],
  ["a source of 1 MB", (m) => m.add("x", { source: "s".repeat(1_000_000) }), "too-large", "source"],
  ["an id that is taken", (m) => m.add("x", { id: "only" }), "already-exists", "id"],
];

/** Metadata that looks dangerous and is data like any other (S7). */
export const plainData = JSON.parse(
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":"x","hasOwnProperty":1,"":null}',
);

/** Ids that look dangerous and are ids like any other (S8). */
export const plainIds = [
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  " ",
  "\u0000",
  "a:b",
  "%_\\",
  "../..",
  "👩‍🚀",
];

function circle() {
  const circle = {};
  circle.self = circle;
  return circle;
}

function deep(levels) {
  let value = 1;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

/**
 * Tries everything on a new memory of `open` and answers what went wrong, as texts; an empty list is good.
 */
export async function tryAll(open, MemoryError) {
  const wrong = [];
  const memory = await open();
  await memory.add("the only one", { id: "only" });
  for (const [name, act, code, field] of refused) {
    try {
      await act(memory);
      wrong.push(`${name}: was taken`);
    } catch (error) {
      if (!(error instanceof MemoryError)) wrong.push(`${name}: threw ${error}`);
      else if (error.code !== code || (field !== undefined && error.field !== field)) {
        wrong.push(
          `${name}: ${error.code} of ${error.field} (${error.message}), and not ${code} of ${field}`,
        );
      }
    }
  }
  const left = (await memory.list()).map(({ id }) => id);
  if (left.join() !== "only") wrong.push(`something was stored: ${left}`);
  for (const id of plainIds) {
    await memory.add("x", { id, metadata: plainData });
    const found = await memory.get(id);
    if (JSON.stringify(sorted(found?.metadata)) !== JSON.stringify(sorted(plainData))) {
      wrong.push(`id ${JSON.stringify(id)} came back with ${JSON.stringify(found?.metadata)}`);
    }
  }
  if ({}.polluted !== undefined) wrong.push("Object.prototype was polluted");
  await memory.close();
  return wrong;
}

function sorted(object) {
  return Object.entries(object ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}
