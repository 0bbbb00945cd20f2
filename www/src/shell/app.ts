// The app behind the page: the memory, the conversations, and what is open on the screen.

import { type Memory, openMemory } from "keepsake";
import type { InspectorView } from "keepsake/inspector";
import type { Reference } from "../agents/agent.js";
import { Conversation } from "../chat/conversation.js";
import { layoutNow } from "./layout.js";
import { readyForOffline } from "./offline.js";
import { forgetPreferences, loadKeys, preferences } from "./preferences.js";
import { rarely } from "./rarely.js";
import { Store } from "./store.js";

/** What is open over the page. */
export type Overlay = "settings" | "shortcuts" | "sessions" | "import" | undefined;

/** What the page shows beside the chat. */
export interface Screen {
  /** The memory, once it is open. */
  memory: Memory | undefined;
  /** Why it is not. */
  failed: string | undefined;
  /** How many entries there are; `undefined` before they were counted. */
  entries: number | undefined;
  /** On a phone: which of the two pages is seen. */
  page: "chat" | "inspector";
  /** On a tablet and a desktop: whether the inspector is seen. */
  inspector: boolean;
  /** What the inspector is to show, because somebody pointed at it. */
  inspect: { view: InspectorView; query: string } | undefined;
  overlay: Overlay;
  /** The step of the tour, counted from 0; `undefined` outside of it. */
  tour: number | undefined;
  /** Whether a sample is being loaded. */
  sampling: boolean;
  /** Whether the page opens without a network. */
  offline: "soon" | "ready" | "absent";
  online: boolean;
  /** Something that concerns more than one call. */
  trouble: "superseded" | "quota" | undefined;
  /** Asks the user whether to install the page, where the browser lets it. */
  install: (() => void) | undefined;
}

/** Where the inspector shows what a reply rests on; what was said or kept is found by its words, with the reasons. */
const HOMES: { readonly [K in Reference["kind"]]?: InspectorView } = {
  skill: "knowledge",
  entity: "knowledge",
  profile: "knowledge",
  message: "time",
  history: "time",
};

/** The event of browsers that let a page be installed; TypeScript's own library does not know it. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

/** One page's app. */
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

  /** Opens the memory. Settles when the page can be used, before anything is loaded that can wait. */
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

  /** What can wait until the page is there: the conversations, the service worker, the keys. */
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
    // Where the browser refuses a service worker, the page works all the same; it only does not claim more.
    const offline = readyForOffline().catch(() => false);
    if (!this.screen.value.failed) await this.talk.follow();
    this.screen.set({ offline: (await offline) ? "ready" : "absent" });
  }

  /** Counts the entries again; the last answer stays. */
  async count(): Promise<void> {
    const { memory } = this.screen.value;
    // Closed meanwhile, or failing in a way that its callers are told of.
    const entries = await memory?.count().catch(() => undefined);
    if (entries !== undefined) this.screen.set({ entries });
  }

  /** Shows in the inspector what a reply rests on. */
  inspect({ kind, text }: Reference): void {
    const view = HOMES[kind] ?? "search";
    this.screen.set({ inspect: { view, query: text }, page: "inspector", inspector: true });
  }

  /** Shows or hides the inspector, whatever that means on this screen. */
  toggleInspector(): void {
    const { inspector, page } = this.screen.value;
    if (layoutNow() === "phone") {
      this.screen.set({ page: page === "chat" ? "inspector" : "chat" });
    } else {
      this.screen.set({ inspector: !inspector });
    }
  }

  /** Fills the memory with a believable person's. */
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

  /** Takes everything away, with what the page keeps beside the memory. */
  async erase(): Promise<void> {
    const { eraseAll } = await import("./erase.js");
    await eraseAll(await this.memory);
    forgetPreferences();
    this.talk.begin();
    await this.talk.refresh();
  }
}
