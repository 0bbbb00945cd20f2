// The components that the tests of the React hooks put on a page. They note every frame that is rendered.

import { useEntries, useMemory, useSearch, useSession } from "keepsake/react";
import { createElement as h, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";

/** What each component was given, in order. */
export const frames = [];

export function App({ options, session = "s-1", query = "", search, list }) {
  const { status, memory, error } = useMemory(options);
  frames.push({ of: "memory", user: options?.user, status, code: error?.code });
  globalThis.memory = memory;
  return h(
    "main",
    null,
    h("p", { id: "status" }, error ? `${status}: ${error.code}` : status),
    h(Chat, { memory, user: options?.user, id: session }),
    h(Found, { memory, user: options?.user, query, search }),
    h(Kept, { memory, user: options?.user, list }),
    h(Other, { options }),
  );
}

/** A component elsewhere on the page that wants the same memory. */
function Other({ options }) {
  const { memory } = useMemory(options && { ...options });
  return h("p", { id: "same" }, String(memory !== undefined && memory === globalThis.memory));
}

function Chat({ memory, user, id }) {
  const { status, messages, total, more, error } = useSession(memory, id, { compression: false, limit: 3 });
  const texts = messages.map(({ content }) => content[0].text);
  frames.push({ of: "chat", user, id, status, texts, total, more, code: error?.code });
  return h("ol", { id: "chat", "data-status": status }, ...texts.map((text) => h("li", null, text)));
}

function Found({ memory, user, query, search }) {
  const { status, hits, error } = useSearch(memory, query, search);
  const texts = hits.map(({ summary }) => summary);
  frames.push({ of: "hits", user, query, status, texts, code: error?.code });
  return h("ul", { id: "hits", "data-status": status }, ...texts.map((text) => h("li", null, text)));
}

function Kept({ memory, user, list }) {
  const { status, entries, error } = useEntries(memory, list);
  const texts = entries.map(({ summary }) => summary);
  frames.push({ of: "entries", user, status, texts, code: error?.code });
  return h("ul", { id: "entries", "data-status": status }, ...texts.map((text) => h("li", null, text)));
}

const place = () =>
  document.querySelector("#root") ?? document.body.appendChild(document.createElement("div"));

let root;

/** Shows the app with these properties, on a new root if there is none. */
export function show(props, { strict = true, html } = {}) {
  const element = h(strict ? StrictMode : "div", null, h(App, props));
  if (root) return root.render(element);
  const into = place();
  into.id = "root";
  if (html === undefined) {
    root = createRoot(into);
    root.render(element);
  } else {
    into.innerHTML = html;
    root = hydrateRoot(into, element);
  }
}

export function hide() {
  root.unmount();
  root = undefined;
}
