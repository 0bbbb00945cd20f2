// The conversations: which there are, the one that is open, and the turn under way. The library keeps them all.

import { type Memory, MemoryError, type Message, type SessionInfo } from "keepsake";
import { type Agent, AgentFailure, type FailureReason, type Reference } from "../agents/agent.js";
import { chosenAgent } from "../agents/agents.js";
import { prefer, preferences } from "../shell/preferences.js";
import { rarely } from "../shell/rarely.js";
import { Store } from "../shell/store.js";
import { paced } from "./pace.js";

/** A reply that is still coming. */
export interface Reply {
  text: string;
  references: Reference[];
}

/** Something that went wrong, for the user to see. */
export type Problem =
  | { of: "agent"; reason: FailureReason; detail: string }
  | { of: "memory"; code: string; detail: string };

/** What the chat shows. */
export interface Talk {
  /** All conversations, the last used first; `undefined` before they were read. */
  sessions: SessionInfo[] | undefined;
  /** The id of the one that is open. It may not have begun yet. */
  current: string;
  /** Its messages that were read, oldest first. */
  messages: Message[];
  /** Whether there are older ones. */
  more: boolean;
  /** Whether its messages were read. */
  loaded: boolean;
  /** The reply that is coming, if one is. */
  reply: Reply | undefined;
  /** What went wrong last. */
  problem: Problem | undefined;
}

const PAGE = 40;

/** How long a title is that is made of what was said first. */
const TITLE = 48;

/** The app's conversations. */
export class Conversation {
  readonly store: Store<Talk>;
  /** Settles with the memory: what is sent before it is open waits. */
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

  /** Reads what there is, and follows what this tab and others write. */
  async follow(): Promise<void> {
    const memory = await this.#memory;
    memory.on(
      "change",
      rarely(() => this.refresh()),
    );
    await this.refresh();
  }

  /** Reads the list and the newest messages again. Several wishes to do so become one. */
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
    // Another conversation may have been opened meanwhile: its own reading is under way.
    if (this.store.value.current !== current) return this.store.set({ sessions });
    if (!page) return this.store.set({ sessions, messages: [], more: false, loaded: true });
    const known = this.store.value.messages;
    const first = page.messages[0];
    // What was read of older pages stays, as long as the two parts meet.
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

  /** Opens a conversation. */
  async open(id: string): Promise<void> {
    if (id === this.store.value.current) return;
    this.stop();
    this.store.set({ current: id, messages: [], more: false, loaded: false, problem: undefined });
    prefer({ session: id });
    await this.refresh();
  }

  /** Opens one that has not begun. */
  begin(): void {
    this.stop();
    const fresh = { messages: [], more: false, loaded: true, problem: undefined };
    this.store.set({ current: crypto.randomUUID(), ...fresh });
    prefer({ session: undefined });
  }

  /** Calls a conversation something. */
  async rename(id: string, title: string): Promise<void> {
    await this.#do(async (memory) => void (await memory.session(id).setTitle(title)));
  }

  /** Takes a conversation away for good. What was remembered of it stays, unless the user says otherwise. */
  async remove(id: string, keepEntries: boolean): Promise<void> {
    if (id === this.store.value.current) this.begin();
    await this.#do(async (memory) => void (await memory.session(id).delete({ keepEntries })));
  }

  /** A new conversation with everything up to a message, and opens it. */
  async fork(at: string, title: string): Promise<void> {
    await this.#do(async (memory) => {
      const to = crypto.randomUUID();
      await memory.session(this.store.value.current).fork({ at, to });
      await memory.session(to).setTitle(title);
      await this.open(to);
    });
  }

  /** Stops the reply that is coming. What came of it stays. */
  stop(): void {
    this.#stop?.abort();
  }

  /** The problem was seen. */
  dismiss(): void {
    this.store.set({ problem: undefined });
  }

  /** Says something and lets the agent answer. Answers whether what was said is kept. */
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

  /** Shows the reply as it comes, and keeps what came, also of one that was stopped or cut off. */
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
      // Before the reply that was coming is taken away: otherwise the page would be without it for a moment.
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

  /** Shows the user what went wrong. */
  failed(error: unknown): void {
    this.store.set({ problem: problemOf(error) });
  }
}

/** What the user is told of an error. */
export function problemOf(error: unknown): Problem {
  if (error instanceof AgentFailure) return { of: "agent", reason: error.reason, detail: error.detail };
  if (error instanceof MemoryError) return { of: "memory", code: error.code, detail: error.message };
  console.error(error);
  return { of: "memory", code: "unknown", detail: error instanceof Error ? error.message : "" };
}

/** A title out of what was said first. */
function titleOf(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  const letters = [...line];
  return letters.length <= TITLE ? line : `${letters.slice(0, TITLE - 1).join("")}…`;
}
