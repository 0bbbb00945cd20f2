// The sessions: their list, the open one, and the current turn. The library stores them.

import { type Memory, MemoryError, type Message, type SessionInfo } from "keepsake";
import { type Agent, AgentFailure, type FailureReason, type Reference } from "../agents/agent.js";
import { chosenAgent } from "../agents/agents.js";
import { prefer, preferences } from "../shell/preferences.js";
import { rarely } from "../shell/rarely.js";
import { Store } from "../shell/store.js";
import { paced } from "./pace.js";

/** A pending reply. */
export interface Reply {
  text: string;
  references: Reference[];
}

/** An error to show. */
export type Problem =
  | { of: "agent"; reason: FailureReason; detail: string }
  | { of: "memory"; code: string; detail: string };

/** The state of the chat. */
export interface Talk {
  /** All sessions, most recently used first; `undefined` before they are read. */
  sessions: SessionInfo[] | undefined;
  /** The id of the open session, which may have no message yet. */
  current: string;
  /** Its loaded messages, oldest first. */
  messages: Message[];
  /** Whether there are older messages. */
  more: boolean;
  /** Whether its messages are loaded. */
  loaded: boolean;
  /** The pending reply, if there is one. */
  reply: Reply | undefined;
  /** The last error. */
  problem: Problem | undefined;
}

const PAGE = 40;

/** The length of a title made from the first message. */
const TITLE = 48;

/** The sessions of the app. */
export class Conversation {
  readonly store: Store<Talk>;
  /** Settles with the memory: messages sent before wait. */
  readonly #memory: Promise<Memory>;
  #stop: AbortController | undefined;
  #refreshing = false;
  #again = false;

  constructor(memory: Promise<Memory>) {
    this.#memory = memory;
    this.store = new Store<Talk>({
      sessions: undefined,
      current: preferences.value.session ?? crypto.randomUUID(),
      messages: [],
      more: false,
      loaded: preferences.value.session === undefined,
      reply: undefined,
      problem: undefined,
    });
  }

  /** Reads the sessions, and follows changes of this tab and of others. */
  async follow(): Promise<void> {
    const memory = await this.#memory;
    memory.on(
      "change",
      rarely(() => this.refresh()),
    );
    await this.refresh();
  }

  /** Reads the list and the newest messages again. Concurrent calls are coalesced. */
  async refresh(): Promise<void> {
    this.#again = true;
    if (this.#refreshing) return;
    this.#refreshing = true;
    try {
      while (this.#again) {
        this.#again = false;
        await this.#read();
      }
    } catch (error) {
      this.failed(error);
    } finally {
      this.#refreshing = false;
    }
  }

  async #read(): Promise<void> {
    const memory = await this.#memory;
    const { current } = this.store.value;
    const sessions = await memory.sessions();
    const began = sessions.some(({ id }) => id === current);
    const page = began ? await memory.session(current).messages({ limit: PAGE }) : undefined;
    // Another session may have been opened in between; it is read by its own call.
    if (this.store.value.current !== current) return this.store.set({ sessions });
    if (!page) return this.store.set({ sessions, messages: [], more: false, loaded: true });
    const known = this.store.value.messages;
    const first = page.messages[0];
    // Loaded older pages stay, if the two parts overlap.
    const meets = first ? known.findIndex(({ id }) => id === first.id) : -1;
    const older = meets > 0 ? known.slice(0, meets) : [];
    const more = older.length > 0 ? this.store.value.more : page.more;
    this.store.set({ sessions, messages: [...older, ...page.messages], more, loaded: true });
  }

  /** Reads a page of older messages. */
  async older(): Promise<void> {
    const memory = await this.#memory;
    const { current, messages, more } = this.store.value;
    const [first] = messages;
    if (!more || !first) return;
    try {
      const page = await memory.session(current).messages({ limit: PAGE, before: first.id });
      const now = this.store.value;
      if (now.current !== current || now.messages[0]?.id !== first.id) return;
      this.store.set({ messages: [...page.messages, ...now.messages], more: page.more });
    } catch (error) {
      this.failed(error);
    }
  }

  /** Opens a session. */
  async open(id: string): Promise<void> {
    if (id === this.store.value.current) return;
    this.stop();
    this.store.set({ current: id, messages: [], more: false, loaded: false, problem: undefined });
    prefer({ session: id });
    await this.refresh();
  }

  /** Opens a new session. */
  begin(): void {
    this.stop();
    const fresh = { messages: [], more: false, loaded: true, problem: undefined };
    this.store.set({ current: crypto.randomUUID(), ...fresh });
    prefer({ session: undefined });
  }

  /** Renames a session. */
  async rename(id: string, title: string): Promise<void> {
    await this.#do(async (memory) => void (await memory.session(id).setTitle(title)));
  }

  /** Deletes a session permanently. Its memories stay, unless the user decides otherwise. */
  async remove(id: string, keepEntries: boolean): Promise<void> {
    if (id === this.store.value.current) this.begin();
    await this.#do(async (memory) => void (await memory.session(id).delete({ keepEntries })));
  }

  /** Forks the session at a message, and opens the fork. */
  async fork(at: string, title: string): Promise<void> {
    await this.#do(async (memory) => {
      const to = crypto.randomUUID();
      await memory.session(this.store.value.current).fork({ at, to });
      await memory.session(to).setTitle(title);
      await this.open(to);
    });
  }

  /** Stops the pending reply. Its text so far stays. */
  stop(): void {
    this.#stop?.abort();
  }

  /** Dismisses the error. */
  dismiss(): void {
    this.store.set({ problem: undefined });
  }

  /** Sends a message and lets the agent answer. Returns whether the message is stored. */
  async send(text: string): Promise<boolean> {
    if (this.store.value.reply) return false;
    this.store.set({ reply: { text: "", references: [] }, problem: undefined });
    const { current } = this.store.value;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    let said = false;
    try {
      const memory = await this.#memory;
      const session = memory.session(current);
      const message = await session.append({ role: "user", content: text });
      said = true;
      prefer({ session: current });
      const info = await session.info();
      if (info && info.title === undefined) await session.setTitle(titleOf(text));
      const agent = await chosenAgent();
      const { language } = preferences.value;
      await this.#answer(agent, { memory, session, text, message: message.id, language, signal });
    } catch (error) {
      this.failed(error);
    } finally {
      this.#stop = undefined;
      this.store.set({ reply: undefined });
    }
    return said;
  }

  /** Streams the reply, and stores it, also if it was stopped or cut off. */
  async #answer(agent: Agent, turn: Parameters<Agent>[0]): Promise<void> {
    const reply: Reply = { text: "", references: [] };
    let failure: unknown;
    try {
      for await (const piece of paced(agent(turn), turn.signal)) {
        if ("text" in piece) reply.text += piece.text;
        else reply.references = piece.references;
        this.store.set({ reply: { ...reply } });
      }
    } catch (error) {
      failure = error;
    }
    if (reply.text !== "") {
      const { references } = reply;
      const metadata = {
        agent: preferences.value.agent,
        references: references.map(({ ref, kind, text }) => ({ ref, kind, text: text.slice(0, 160) })),
        ...(turn.signal.aborted ? { stopped: true } : {}),
        ...(failure && !turn.signal.aborted ? { cut: true } : {}),
      };
      await turn.session.append({ role: "assistant", content: reply.text, metadata });
      // Before the pending reply is removed: otherwise it would disappear for a moment.
      await this.refresh();
    }
    if (failure && !turn.signal.aborted) throw failure;
  }

  async #do(work: (memory: Memory) => Promise<void>): Promise<void> {
    try {
      await work(await this.#memory);
    } catch (error) {
      this.failed(error);
    }
    await this.refresh();
  }

  /** Shows an error. */
  failed(error: unknown): void {
    this.store.set({ problem: problemOf(error) });
  }
}

/** An error in the user's terms. */
export function problemOf(error: unknown): Problem {
  if (error instanceof AgentFailure) return { of: "agent", reason: error.reason, detail: error.detail };
  if (error instanceof MemoryError) return { of: "memory", code: error.code, detail: error.message };
  console.error(error);
  return { of: "memory", code: "unknown", detail: error instanceof Error ? error.message : "" };
}

/** A title from the first message. */
function titleOf(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  const letters = [...line];
  return letters.length <= TITLE ? line : `${letters.slice(0, TITLE - 1).join("")}…`;
}
