// Stands for a model: it knows nothing but the messages that it gets. Put a call of yours here; without a network that is a model
// on this device.

/** Answers a question with the first line that shares a word with it. */
export async function reply(messages: readonly { role: string; content: unknown }[]): Promise<string> {
  const said = messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => String(content).split("\n"));
  const question = said.pop() ?? "";
  if (!question.endsWith("?")) return "Noted.";
  const asked = wordsOf(question);
  const known = said
    .map((line) => line.replace(/^> user said: /, ""))
    .find((line) => !/[?]$|^>|^</.test(line) && wordsOf(line).some((word) => asked.includes(word)));
  return known ? `You told me: ${known}` : "You have not told me.";
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
}
