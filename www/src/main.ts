// The demo's wiring: opens the memory, answers the controls, and keeps this tab in step with the others.

import { type MemoryEntry, openMemory } from "keepsake";
import { readyForOffline } from "./offline.js";
import { comparable, controls, refuse, showEntries, showProblem, showStatus } from "./view.js";

async function start(): Promise<void> {
  const memory = await openMemory({ name: "keepsake-demo", user: "you" });
  const tabs = new BroadcastChannel("keepsake-demo-page");
  let entries: MemoryEntry[] = [];
  let asked = 0;
  let ready = false;

  const read = async (id: string) => (await memory.get(id))?.content ?? null;
  const show = () => {
    showEntries(entries, comparable(controls.search.value.trim()), read);
    showStatus(entries.length, memory, ready);
  };

  async function refresh(): Promise<void> {
    // Two refreshes may overlap; what the later one finds must stay.
    const mine = ++asked;
    try {
      const found = await memory.list();
      if (mine !== asked) return;
      entries = found;
      show();
    } catch (error) {
      showProblem(error);
    }
  }

  async function add(): Promise<void> {
    const { fields, content, tags, namespace } = controls;
    const labels = tags.value.split(",").map((tag) => tag.trim());
    fields.disabled = true;
    try {
      await memory.add(content.value, {
        tags: labels.filter((tag) => tag !== ""),
        namespace: namespace.value === "long-term" ? "long-term" : "short-term",
      });
      showProblem();
      content.value = "";
      tags.value = "";
      tabs.postMessage("changed");
      await refresh();
    } catch (error) {
      showProblem(error);
    } finally {
      fields.disabled = false;
      content.focus();
    }
  }

  controls.form.addEventListener("submit", (event) => {
    event.preventDefault();
    void add();
  });
  controls.content.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) controls.form.requestSubmit();
  });
  controls.search.addEventListener("input", show);
  tabs.addEventListener("message", (event) => {
    if (event.data === "changed") void refresh();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void refresh();
  });
  addEventListener("online", show);
  addEventListener("offline", show);

  controls.fields.disabled = false;
  await refresh();
  // Where the browser refuses a service worker, the page works all the same; it only does not claim more.
  ready = await readyForOffline().catch(() => false);
  show();
}

start().catch(refuse);
