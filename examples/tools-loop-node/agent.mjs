// An agent on the command line: `node agent.mjs [--model openai|anthropic] "What you say"`. The model calls the tools of the memory
// until it has an answer. The file memory.jsonl outlives the program.

import { parseArgs } from "node:util";
import { jsonl, openMemory } from "keepsake";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string", default: "scripted" } },
});
const { format, model } = await import(`./models/${values.model}.mjs`);

const memory = await openMemory({ user: "ann", storage: jsonl("memory.jsonl") });
const only = ["memory_add", "memory_search"];
const tools = await memory.tools(format, { only });

// Each run is a conversation of its own: what the agent knows of earlier ones, it knows from the memory.
const chat = memory.session(`chat-${Date.now()}`);

async function answer(question) {
  await chat.append({ role: "user", content: question });
  for (let step = 0; step < 10; step++) {
    const system = `You help one person, briefly.\n\n${await memory.guidance()}`;
    const { messages } = await chat.context({ system, budget: 8000, format });
    const [reply] = await memory.parse(format, [await model(messages, tools)]);
    await chat.append(reply);
    const calls = reply.content.filter(({ type }) => type === "tool_use");
    if (calls.length === 0) return reply.content.map(({ text = "" }) => text).join("");
    for (const { id: toolUseId, name, input } of calls) {
      console.error(`${name} ${JSON.stringify(input)}`);
      // A call that the model got wrong has a result as well: it says what to correct.
      const { text: output, isError } = await memory.call(name, input, { only, session: chat.id });
      await chat.append({ role: "tool", content: [{ type: "tool_result", toolUseId, output, isError }] });
    }
  }
  return "I could not finish this.";
}

console.log(await answer(positionals.join(" ")));
await memory.close();
