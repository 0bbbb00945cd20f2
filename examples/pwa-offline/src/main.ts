// The page: a conversation, what the browser promises, and whether there is a network.

import { type Message, openMemory, textOf } from "keepsake/full";
import { reply } from "./model.js";
import { keepForOffline } from "./offline.js";
import { askForSafety, safetyOf } from "./safety.js";

/** An element of index.html. */
function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`no ${type.name} with the id ${id}`);
  return found;
}

const list = byId("messages", HTMLOListElement);
const input = byId("text", HTMLInputElement);
const notice = byId("notice", HTMLParagraphElement);
const network = byId("network", HTMLParagraphElement);

const memory = await openMemory({ name: "pocket-notes", user: "me" });
const [newest] = await memory.sessions();
let chat = memory.session(newest?.id ?? crypto.randomUUID());

async function say(text: string): Promise<void> {
  await chat.append({ role: "user", content: text });
  const { messages } = await chat.context({ budget: 4000, format: "openai" });
  await chat.append({ role: "assistant", content: await reply(messages) });
}

async function drawMessages(): Promise<void> {
  const { messages } = await chat.messages({ limit: 100 });
  list.replaceChildren(...messages.map(itemOf));
  byId("empty", HTMLParagraphElement).hidden = messages.length > 0;
}

function itemOf(message: Message): HTMLLIElement {
  const item = document.createElement("li");
  item.className = message.role;
  item.textContent = textOf(message);
  return item;
}

async function drawSafety(): Promise<void> {
  const { text, ask } = await safetyOf(memory);
  byId("safety", HTMLParagraphElement).textContent = text;
  byId("protect", HTMLButtonElement).hidden = !ask;
}

let whileOnline = "online";

function drawNetwork(): void {
  network.textContent = navigator.onLine ? whileOnline : "offline";
}

byId("form", HTMLFormElement).addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = input.value.trim();
  if (text === "") return;
  input.value = "";
  notice.textContent = "";
  try {
    await say(text);
  } catch (error) {
    input.value = text;
    notice.textContent = `Not stored: ${error instanceof Error ? error.message : error}`;
  }
});

byId("new", HTMLButtonElement).addEventListener("click", async () => {
  chat = memory.session(crypto.randomUUID());
  await drawMessages();
  input.focus();
});

byId("protect", HTMLButtonElement).addEventListener("click", async () => {
  notice.textContent = (await askForSafety()) ? "" : "The browser refused. Install this page, and ask again.";
  await drawSafety();
});

// Also for writes of another tab.
memory.on("change", () => void drawMessages());
memory.on("quota", () => {
  notice.textContent = "There is no room left. Delete something, or free disk space.";
});
memory.on("superseded", () => {
  notice.textContent = "A newer version of this app is open. Please reload.";
});
addEventListener("online", drawNetwork);
addEventListener("offline", drawNetwork);

drawNetwork();
await drawMessages();
await drawSafety();
// Vite's development server has files without hashes, which must not be kept.
if (import.meta.env.PROD) {
  // Loads the language pack of English, which would otherwise be loaded with the first message.
  await memory.queryMemory("What did I say?", { onlyAnswers: true });
  whileOnline = await keepForOffline().then(
    () => "works offline",
    () => "needs a network",
  );
  drawNetwork();
}
