// Conversations in the forms of providers, out and in, and as lines of a log.

import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "keepsake";
import { memoryOf, toolPair } from "./support/talk.mjs";

const [call, result] = toolPair("c1");
const TALK = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Weather?" },
  { ...call, content: [{ type: "text", text: "I look." }, ...call.content] },
  result,
  { role: "assistant", content: "It is sunny." },
];

const text = (text) => ({ type: "text", text });
const forms = {
  openai: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Weather?" },
    {
      role: "assistant",
      content: "I look.",
      tool_calls: [
        { id: "c1", type: "function", function: { name: "get_weather", arguments: '{"city":"Beijing"}' } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: "Sunny" },
    { role: "assistant", content: "It is sunny." },
  ],
  "openai-responses": [
    { type: "message", role: "system", content: [{ type: "input_text", text: "Be brief." }] },
    { type: "message", role: "user", content: [{ type: "input_text", text: "Weather?" }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
    { type: "function_call", call_id: "c1", name: "get_weather", arguments: '{"city":"Beijing"}' },
    { type: "function_call_output", call_id: "c1", output: "Sunny" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "It is sunny." }] },
  ],
  anthropic: {
    system: "Be brief.",
    messages: [
      { role: "user", content: [text("Weather?")] },
      {
        role: "assistant",
        content: [
          text("I look."),
          { type: "tool_use", id: "c1", name: "get_weather", input: { city: "Beijing" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "Sunny" }] },
      { role: "assistant", content: [text("It is sunny.")] },
    ],
  },
  gemini: {
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [
      { role: "user", parts: [{ text: "Weather?" }] },
      {
        role: "model",
        parts: [
          { text: "I look." },
          { functionCall: { id: "c1", name: "get_weather", args: { city: "Beijing" } } },
        ],
      },
      {
        role: "user",
        parts: [{ functionResponse: { id: "c1", name: "get_weather", response: { output: "Sunny" } } }],
      },
      { role: "model", parts: [{ text: "It is sunny." }] },
    ],
  },
  "ai-sdk": [
    { role: "system", content: "Be brief." },
    { role: "user", content: [text("Weather?")] },
    {
      role: "assistant",
      content: [
        text("I look."),
        { type: "tool-call", toolCallId: "c1", toolName: "get_weather", input: { city: "Beijing" } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "c1",
          toolName: "get_weather",
          output: { type: "text", value: "Sunny" },
        },
      ],
    },
    { role: "assistant", content: [text("It is sunny.")] },
  ],
  "ai-sdk-ui": [
    { id: "m0", role: "system", parts: [text("Be brief.")] },
    { id: "m1", role: "user", parts: [text("Weather?")] },
    {
      id: "m2",
      role: "assistant",
      parts: [
        text("I look."),
        {
          type: "tool-get_weather",
          toolCallId: "c1",
          state: "output-available",
          input: { city: "Beijing" },
          output: "Sunny",
        },
        { type: "step-start" },
        text("It is sunny."),
      ],
    },
  ],
};

for (const [format, wanted] of Object.entries(forms)) {
  test(`E11 ${format}: written as the provider documents it, and read as the same messages`, async () => {
    const memory = await memoryOf();
    const named = TALK.map((message, at) => ({ ...message, id: `m${at}` }));
    const written = await memory.format(format, named);
    assert.deepEqual(written, wanted);
    const chat = memory.session("s");
    const read = await memory.parse(format, JSON.parse(JSON.stringify(written)));
    const again = await chat.append(read);
    const blocks = ({ content }) => (typeof content === "string" ? [text(content)] : content);
    assert.deepEqual(
      again.map(({ role, content }) => [role, content]),
      TALK.map((message) => [message.role.toLowerCase(), blocks(message)]),
    );
  });

  test(`${format}: a result without its call is told as quoted text, a call without a result as interrupted`, async () => {
    const memory = await memoryOf();
    const lost = await memory.session("s").append({ ...result, id: "m-1" });
    assert.equal(lost.content[0].toolUseId, "c1", "it is stored as it came");
    const [told, ...others] = await memory.parse(format, await memory.format(format, [lost]));
    assert.deepEqual([told.role, others.length], ["user", 0]);
    assert.ok(textOf(told).includes("Sunny") && textOf(told).includes("c1"), textOf(told));
    const cut = [{ role: "user", content: "?" }, call, { role: "user", content: "stop" }];
    const roles = (await memory.parse(format, await memory.format(format, cut))).map(({ role }) => role);
    assert.deepEqual(roles, ["user", "assistant", "tool", "user"]);
  });

  test(`${format}: a block that it cannot hold is named in a note`, async () => {
    const memory = await memoryOf();
    const odd = [{ role: "user", content: [{ type: "weather_map", name: "today" }] }];
    assert.ok(JSON.stringify(await memory.format(format, odd)).includes("weather_map"));
  });
}

test("a form that is not known, and a value that is not of the form, are refused by name", async () => {
  const memory = await memoryOf();
  await assert.rejects(memory.format("morse", TALK), { code: "invalid-input", field: "format" });
  await assert.rejects(memory.parse("morse", []), { code: "invalid-input", field: "format" });
  await assert.rejects(memory.parse("openai", [{ role: "robot", content: "x" }]), {
    code: "invalid-input",
    field: "messages[0].role",
  });
  await assert.rejects(memory.parse("openai", 5), { code: "invalid-input", field: "messages" });
  await assert.rejects(memory.format("openai", [{ role: "robot", content: "x" }]), {
    field: "messages[0].role",
  });
});

const LINES = [
  { type: "user", content: "Write it.", ts: "2025-01-02T10:00:00.000Z" },
  { type: "thought", content: "I need a file.", ts: "2025-01-02T10:00:01.000Z" },
  { type: "action", tool: "write_file", params: { path: "a.md" }, ts: "2025-01-02T10:00:02.000Z" },
  { type: "observation", result: { lines: [1, 2] }, ts: "2025-01-02T10:00:03.000Z" },
  { type: "checkpoint", step: 4, ts: "2025-01-02T10:00:04.000Z" },
];

test("C6 the documented lines become messages, and the same lines again", async () => {
  const memory = await memoryOf();
  const messages = await memory.fromLines(LINES);
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["user", "assistant", "assistant", "tool", "system"],
  );
  const stored = await memory.session("s").append(messages);
  assert.deepEqual(await memory.toLines(stored), LINES);
  const named = await memory.toLines(stored, { ids: true });
  assert.deepEqual(
    named.map(({ id }) => id),
    stored.map(({ id }) => id),
  );
  assert.deepEqual(await memory.fromLines(named), stored);
  await assert.rejects(memory.fromLines([{ content: "x" }]), {
    code: "invalid-input",
    field: "lines[0].type",
  });
});
