// The app behind the page: the memory, the sessions, and the state of the screen.

import { type Memory, openMemory } from "keepsake";
import type { InspectorItem } from "keepsake/inspector";
import type { Reference } from "../agents/agent.js";
import { Conversation } from "../chat/conversation.js";
import type { Erasing } from "./erase.js";
import { layoutNow } from "./layout.js";
import { readyForOffline } from "./offline.js";
import { forgetPreferences, loadKeys, preferences } from "./preferences.js";
import { rarely } from "./rarely.js";
import { Store } from "./store.js";

/** The open overlay. */
export type Overlay = "settings" | "shortcuts" | "sessions" | "import" | undefined;

/** The state of the page, without the chat. */
export interface Screen {
  /** The memory, once it is open. */
  memory: Memory | undefined;
  /** The error, if it could not be opened. */
  failed: string | undefined;
  /** The number of entries; `undefined` before the first count. */
  entries: number | undefined;
  /** On a phone: the visible page. */
  page: "chat" | "inspector";
  /** On a tablet and a desktop: whether the inspector is visible. */
  inspector: boolean;
  /** What the inspector should show: an item, or a search where the item is not known. */
  inspect: { item: InspectorItem } | { query: string } | undefined;
  overlay: Overlay;
  /** The step of the tour, from 0; `undefined` outside of it. */
  tour: number | undefined;
  /** Whether a sample is being loaded. */
  sampling: boolean;
  /** Whether the page works offline. */
  offline: "soon" | "ready" | "absent";
  online: boolean;
  /** A notice that concerns more than one call. */
  trouble: "superseded" | "quota" | undefined;
  /** Offers to install the page, where the browser allows it. */
  install: (() => void) | undefined;
}

/** The inspector's item for a reference. A message whose session was not stored with it has none. */
function itemOf({ kind, ref, session }: Reference): InspectorItem | undefined {
  switch (kind) {
    case "profile":
      return { kind };
    case "skill":
    case "entity":
      return { kind, id: ref };
    case "entry":
    case "document":
      return { kind: "entry", id: ref };
    default:
      return session === undefined ? undefined : { kind: "session", id: session, item: ref };
  }
}

/** The install event of some browsers, which TypeScript's library does not declare. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

/** The app of one page. */
export class App {
  readonly screen = new Store<Screen>({
    memory: undefined,
    failed: undefined,
    entries: undefined,
    page: "chat",
    inspector: layoutNow() === "desktop",
    inspect: undefined,
    overlay: undefined,
    tour: undefined,
    sampling: false,
    offline: "soon",
    online: navigator.onLine,
    trouble: undefined,
    install: undefined,
  });
  readonly memory: Promise<Memory>;
  readonly talk: Conversation;

  constructor() {
    this.memory = openMemory({ name: "keepsake-demo", user: "you" });
    this.talk = new Conversation(this.memory);
  }

  /** Opens the memory. Settles when the page is usable, before the rest is loaded. */
  async open(): Promise<void> {
    try {
      const memory = await this.memory;
      this.screen.set({ memory, entries: await memory.count() });
      memory.on(
        "change",
        rarely(() => this.count()),
      );
      memory.on("superseded", () => this.screen.set({ trouble: "superseded" }));
      memory.on("quota", () => this.screen.set({ trouble: "quota" }));
    } catch (error) {
      this.screen.set({ failed: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Loads the rest after the page is usable: the sessions, the service worker, the keys. */
  async settle(): Promise<void> {
    loadKeys();
    addEventListener("online", () => this.screen.set({ online: true }));
    addEventListener("offline", () => this.screen.set({ online: false }));
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      const install = () => {
        this.screen.set({ install: undefined });
        void (event as InstallEvent).prompt();
      };
      this.screen.set({ install });
    });
    // Without a service worker the page works online, and does not claim to work offline.
    const offline = readyForOffline().catch(() => false);
    if (!this.screen.value.failed) await this.talk.follow();
    this.screen.set({ offline: (await offline) ? "ready" : "absent" });
  }

  /** Counts the entries again; the last count stays until then. */
  async count(): Promise<void> {
    const { memory } = this.screen.value;
    // The memory was closed in between, or failed in a way that callers are notified of.
    const entries = await memory?.count().catch(() => undefined);
    if (entries !== undefined) this.screen.set({ entries });
  }

  /** Shows a reference in the inspector. */
  inspect(reference: Reference): void {
    const item = itemOf(reference);
    const inspect = item ? { item } : { query: reference.text };
    this.screen.set({ inspect, page: "inspector", inspector: true });
  }

  /** Shows or hides the inspector, depending on the layout. */
  toggleInspector(): void {
    const { inspector, page } = this.screen.value;
    if (layoutNow() === "phone") {
      this.screen.set({ page: page === "chat" ? "inspector" : "chat" });
    } else {
      this.screen.set({ inspector: !inspector });
    }
  }

  /** Fills the memory with a sample person. */
  async loadSample(): Promise<void> {
    if (this.screen.value.sampling) return;
    this.screen.set({ sampling: true });
    try {
      const { loadSample } = await import("../sample/load.js");
      const opened = await loadSample(await this.memory, preferences.value.language);
      await this.talk.open(opened);
    } catch (error) {
      this.talk.failed(error);
    } finally {
      this.screen.set({ sampling: false });
    }
  }

  /** Erases everything, including data of the page outside the memory. */
  async erase(tell: (progress: Erasing) => void): Promise<void> {
    const { eraseAll } = await import("./erase.js");
    await eraseAll(await this.memory, tell);
    forgetPreferences();
    this.talk.begin();
    await this.talk.refresh();
  }
}
