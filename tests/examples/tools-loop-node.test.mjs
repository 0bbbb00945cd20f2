// The loop with each model: the scripted one, and the SDKs of OpenAI and Anthropic against servers that speak their APIs.

import assert from "node:assert/strict";
import { after } from "node:test";
import { anthropicServer, openaiServer } from "./model-servers.mjs";
import { testExample } from "./support.mjs";

const openai = await openaiServer([
  { call: "memory_add", args: { content: "Ann is allergic to peanuts", namespace: "long-term" } },
  { text: "Noted." },
]);
const anthropic = await anthropicServer([
  { call: "memory_search", args: { query: "Ann eat allergic" } },
  { text: "Peanuts." },
]);
after(() => Promise.all([openai.close(), anthropic.close()]));

testExample("tools-loop-node", {
  env: {
    OPENAI_API_KEY: "a key of the test",
    OPENAI_BASE_URL: openai.url,
    ANTHROPIC_API_KEY: "a key of the test",
    ANTHROPIC_BASE_URL: anthropic.url,
  },
  async meanwhile() {
    const [asked, withResult] = openai.requests;
    assert.deepEqual(
      asked.tools.map((tool) => tool.function.name),
      ["memory_add", "memory_search"],
    );
    assert.equal(asked.messages.at(-1).content, "Remember that Ann is allergic to peanuts");
    assert.match(withResult.messages.at(-1).content, /"success":true/);
    assert.equal(openai.requests.length, 2);

    const [question, found] = anthropic.requests;
    assert.deepEqual(
      question.tools.map(({ name }) => name),
      ["memory_add", "memory_search"],
    );
    // What another model has stored is found, by the tool.
    const [result] = found.messages.at(-1).content;
    assert.equal(result.type, "tool_result");
    assert.match(JSON.stringify(result.content), /Ann is allergic to peanuts/);
    assert.equal(anthropic.requests.length, 2);
  },
});
