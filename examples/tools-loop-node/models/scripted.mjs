// A model that needs no key and no network: it stores what it is told to remember, and looks up what it is asked. It speaks OpenAI's
// format, so the loop runs as it does with a real one.

export const format = "openai";

export async function model(messages) {
  const last = messages.at(-1);
  if (last.role === "tool") return says(answerFrom(last.content));
  const [, fact] = last.content.match(/^Remember that (.*)$/) ?? [];
  if (fact) return calls("memory_add", { content: fact, namespace: "long-term" });
  return calls("memory_search", { query: last.content, scope: "memories" });
}

function answerFrom(result) {
  const found = JSON.parse(result);
  if (!Array.isArray(found)) return "Noted.";
  return found.length > 0 ? `You told me: ${found[0].text}` : "I don't know.";
}

const says = (content) => ({ role: "assistant", content });

const calls = (name, args) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call-1", type: "function", function: { name, arguments: JSON.stringify(args) } }],
});
