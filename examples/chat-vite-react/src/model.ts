// A script in place of a model, so that the page needs no key and no server. It answers questions from what the memory has put
// into the prompt, and from nothing else. Yours is a call of your server, which has the key:
//
//   const response = await fetch("/api/chat", { method: "POST", body: JSON.stringify({ messages }) });
//   return (await response.json()).reply;

import type { Formats } from "keepsake";

export async function model(messages: Formats["openai"]): Promise<string> {
  const texts = messages.map(({ content }) => (typeof content === "string" ? content : ""));
  if (!texts.at(-1)?.endsWith("?")) return "Noted.";
  const recalled = texts.flatMap((text) => text.match(/^> .*$/gm) ?? []);
  return recalled[0] ? `You told me: ${recalled[0].slice(2)}` : "I don't know yet.";
}
