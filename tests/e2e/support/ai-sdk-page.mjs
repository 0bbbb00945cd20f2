// A chat for the tests of keepsake/ai-sdk: `useChat` on a memory in IndexedDB, and a model that follows a script.

import { useChat } from "@ai-sdk/react";
import { openMemory } from "keepsake";
import { MemoryChatTransport, memoryTools } from "keepsake/ai-sdk";
import { createElement as h, StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { call, scriptedModel } from "../../js/support/ai-sdk-model.mjs";

/** What a model says to a question, and whether it was told of what it asks for. */
function reply(prompt) {
  const { content } = prompt.findLast(({ role }) => role === "user");
  const question = content.at(-1).text;
  const data = content.length > 1 ? content[0].text : "";
  if (/remember/.test(question) && prompt.at(-1).role === "user")
    return [call("memory_add", { content: question })];
  if (/allergic/.test(data)) return "No peanuts for you.";
  return `You said: ${question}`;
}

export async function start(name, chatId = "c-1") {
  const memory = await openMemory({ name, user: "u-1", storage: "indexeddb" });
  const model = scriptedModel(...Array.from({ length: 50 }, () => reply));
  const transport = new MemoryChatTransport(memory, {
    model,
    tools: await memoryTools(memory),
    settings: { stopWhen: ({ steps }) => steps.length > 2 },
  });
  Object.assign(globalThis, { memory, transport, model });
  const place = document.body.appendChild(document.createElement("main"));
  createRoot(place).render(h(StrictMode, null, h(Loaded, { transport, chatId })));
}

/** Loads the messages, then shows the chat. */
function Loaded({ transport, chatId }) {
  const [messages, setMessages] = useState();
  useEffect(() => {
    let gone = false;
    transport.chats.load(chatId).then((loaded) => gone || setMessages(loaded));
    return () => {
      gone = true;
    };
  }, [transport, chatId]);
  return messages ? h(Talk, { transport, chatId, messages }) : h("p", null, "loading");
}

function Talk({ transport, chatId, messages: initial }) {
  const { messages, sendMessage, regenerate, setMessages, status, error } = useChat({
    id: chatId,
    transport,
    messages: initial,
  });
  globalThis.chat = { sendMessage, regenerate, setMessages };
  const line = ({ id, role, parts }) =>
    h(
      "li",
      { key: id },
      `${role}: ${parts.map(({ text, state, type }) => text ?? (state ? type : "")).join("")}`,
    );
  return h(
    "section",
    null,
    h("p", { id: "status" }, error ? `${status}: ${error.message}` : status),
    h("ol", { id: "chat" }, messages.map(line)),
  );
}
