// Long-term memory beside an agent's loop: what is found before it thinks, what is kept after it spoke, and its tools.

import type { Background } from "../base/background.js";
import { MemoryError, optionsIn, refused } from "../base/errors.js";
import { known } from "../base/options.js";
import type { RecordedEntry } from "../wire/long-term.js";
import { type Message, type MessageInput, textOf } from "../wire/messages.js";
import type { Json } from "../wire/types.js";
import type { Core } from "./core.js";
import { recordingLane } from "./session.js";

/**
 * Who is in control. `STATIC_CONTROL`: the loop retrieves before each turn and records after it. `AGENT_CONTROL`: the
 * agent does both, by tools. `BOTH`: both.
 */
export type LongTermMode = "STATIC_CONTROL" | "AGENT_CONTROL" | "BOTH";

/**
 * Long-term memory of the app's own, such as mem0's: what the three modes go to in place of this memory's entries.
 *
 * @example
 * const mem0: LongTermMemory = {
 *   record: (messages) => client.add(messages, { userId, agentId }),
 *   retrieve: async (message) => (await client.search(textOf(message), { userId })).map(({ memory }) => memory).join("\n"),
 * };
 */
export interface LongTermMemory {
  /** Keeps what is worth keeping of messages of the user and the assistant. Its answer is waited for and not used. */
  record(messages: MessageInput[]): unknown;
  /** The memories relevant to a message, one per line; empty if there are none. */
  retrieve(message: MessageInput): string | Promise<string>;
}

/** How long-term memory is used. */
export interface LongTermOptions {
  /** Who is in control. Default: `"BOTH"`. */
  mode?: LongTermMode | undefined;
  /**
   * The agent whose memory it is: what it records is its own, and it is told its own and what belongs to no agent.
   * Default: none; what is recorded is for all agents, and everything is told.
   */
  agent?: string | undefined;
  /** The session that what is recorded comes from. Default: none. */
  session?: string | undefined;
  /**
   * Decides what of the messages is kept, one text a memory: with a model of the app's, usually. Default: sentences that
   * say something lasting, found without a model.
   */
  recordFilter?: ((messages: MessageInput[]) => string[] | Promise<string[]>) | undefined;
  /** How many memories are retrieved at most. Default: 5. A `store` decides for itself. */
  limit?: number | undefined;
  /** Long-term memory of the app's own, which then records and retrieves. Default: this memory. */
  store?: LongTermMemory | undefined;
  /** Called when retrieving or recording beside a reply fails. Default: a warning on the console. */
  onError?: ((error: unknown) => void) | undefined;
}

/** A tool for an agent. */
export interface LongTermTool {
  /** Its name. */
  name: "record_to_memory" | "retrieve_from_memory";
  /** What it is for, in the model's words. */
  description: string;
  /** The JSON schema of its arguments. */
  inputSchema: { [key: string]: Json };
  /** Does it, and answers what to tell the model. */
  call(args: { [key: string]: Json }): Promise<string>;
}

/** Calls that long-term memory makes. */
export type LongTermCalls = Pick<Core, "ask" | "remember">;

/** Messages of these names quote what is remembered. The user did not say them just now. */
const QUOTED: (string | undefined)[] = ["long_term_memory", "conversation_summary"];

/** @internal The names of the options. */
export const LONG_TERM_OPTIONS = "mode agent session recordFilter limit onError store";

const TEXTS = { type: "array", items: { type: "string" } };

/** Long-term memory, in one of three modes. */
export class LongTerm {
  /** Who is in control. */
  readonly mode: LongTermMode;
  /** The two tools for the agent; none in `STATIC_CONTROL`. */
  readonly tools: LongTermTool[];
  readonly #calls: LongTermCalls;
  readonly #background: Background;
  readonly #options: LongTermOptions;

  /** @internal Use `memory.longTerm`. */
  constructor(calls: LongTermCalls, background: Background, options: LongTermOptions) {
    known(options, LONG_TERM_OPTIONS);
    this.mode = optionsIn(options).mode ?? "BOTH";
    if (!["STATIC_CONTROL", "AGENT_CONTROL", "BOTH"].includes(this.mode)) {
      throw new MemoryError("invalid-input", "`mode` must be STATIC_CONTROL, AGENT_CONTROL or BOTH", {
        field: "mode",
      });
    }
    const { store } = options;
    if (store !== undefined && (typeof store?.record !== "function" || typeof store?.retrieve !== "function"))
      throw refused("store", "must have the functions `record` and `retrieve`");
    this.#calls = calls;
    this.#background = background;
    this.#options = options;
    this.tools = this.mode === "STATIC_CONTROL" ? [] : this.#tools();
  }

  /**
   * Keeps what is worth keeping of what the user and the assistant said. Answers an entry for each text: a new one, the one
   * that says the same already, or the one that is corrected by it. With a `store` it answers none.
   */
  async record(messages: readonly MessageInput[]): Promise<RecordedEntry[]> {
    const { recordFilter, session, agent, store } = this.#options;
    const said = messagesIn(messages).filter(
      ({ role, name }) => /^(user|assistant)$/i.test(role) && !QUOTED.includes(name),
    );
    const texts = await recordFilter?.(said);
    if (store) {
      if (recordFilter && !Array.isArray(texts)) throw refused("recordFilter", "must answer a list of texts");
      const kept = texts ? texts.map(spoken) : said;
      if (kept.length > 0) await store.record(kept);
      return [];
    }
    const what = recordFilter ? { texts } : { messages: said };
    return this.#calls.remember("record", { ...what, session, agent });
  }

  /** What is remembered about a message, as a `<long_term_memory>` block; empty if that is nothing. */
  async retrieve(message: MessageInput | string): Promise<string> {
    const query = typeof message === "string" ? message : textOf(message);
    if (query.trim() === "") return "";
    const { limit, agent, store } = this.#options;
    if (!store) return this.#calls.ask("retrieve", { query, limit, agent });
    const text = await store.retrieve(typeof message === "string" ? spoken(message) : message);
    if (typeof text !== "string") throw refused("store", "must retrieve a text");
    if (text.trim() === "") return "";
    // Words of others: quoted as this memory's own are, whatever they say.
    return this.#calls.ask("quoteMemories", { texts: [text] });
  }

  /**
   * The messages with what is remembered about the user's last one in front of that. They stay as they are in
   * `AGENT_CONTROL`, if there is nothing to ask for or to tell, and if retrieving fails, which `onError` is told.
   */
  async beforeReasoning<T extends MessageInput>(messages: readonly T[]): Promise<(T | Recalled)[]> {
    const at = messagesIn(messages).findLastIndex(
      ({ role, name }) => /^user$/i.test(role) && !QUOTED.includes(name),
    );
    const asked = messages[at];
    if (!asked || this.mode === "AGENT_CONTROL") return [...messages];
    const text = await this.retrieve(asked).catch((error) => this.#failed(error));
    if (!text) return [...messages];
    const recalled: Recalled = {
      role: "user",
      name: "long_term_memory",
      content: [{ type: "text", text }],
    };
    return [...messages.slice(0, at), recalled, ...messages.slice(at)];
  }

  /** Records without keeping the reply waiting; `idle` waits for it. Nothing in `AGENT_CONTROL`. */
  afterReply(messages: readonly MessageInput[]): void {
    if (this.mode === "AGENT_CONTROL") return;
    // The list is the app's, which may go on with it at once.
    const said = [...messagesIn(messages)];
    this.#background.run(this.#lane, () => this.record(said)).catch((error) => this.#failed(error));
  }

  /** Resolves when everything is recorded. */
  async idle(): Promise<void> {
    await this.#background.idle(this.#lane);
  }

  get #lane(): string {
    return recordingLane(this.#options.session);
  }

  #tools(): LongTermTool[] {
    return [
      {
        name: "record_to_memory",
        description: "Record important info to long-term memory",
        inputSchema: schema(["content"], {
          thinking: { type: "string", description: "Why it is worth remembering" },
          content: {
            ...TEXTS,
            description: "What to remember, each a sentence that can be understood alone",
          },
        }),
        call: async ({ content }) => {
          const texts = list(content);
          const { session, agent, store } = this.#options;
          if (!store) return this.#calls.remember("recordToMemory", { content: texts, session, agent });
          const said = texts.filter((text) => typeof text !== "string" || text.trim() !== "");
          if (said.length === 0) return "No content provided to record";
          if (!said.every((text) => typeof text === "string"))
            throw refused("content", "must be a list of texts");
          await store.record(said.map(spoken));
          return "Successfully recorded to long-term memory";
        },
      },
      {
        name: "retrieve_from_memory",
        description: "Retrieve info from long-term memory",
        inputSchema: schema(["keywords"], {
          keywords: {
            ...TEXTS,
            description: "Short and specific words to look for, such as names and topics",
          },
        }),
        call: async ({ keywords }) =>
          (await this.retrieve(list(keywords).join(" "))) || "No relevant memories found",
      },
    ];
  }

  #failed(error: unknown): void {
    const { onError = (error) => console.warn("keepsake: long-term memory:", error) } = this.#options;
    onError(error);
  }
}

/** The message that quotes what is remembered. */
export type Recalled = Pick<Message, "content"> & {
  /** Never an instruction of the app: what is remembered has no more authority than the user. */
  role: "user";
  /** Always the same. */
  name: "long_term_memory";
};

/** A text as the user's message, which is what a store of the app's own takes. */
function spoken(content: string): MessageInput {
  return { role: "user", content };
}

/** Texts of a model, which may give one where a list is wanted. What is no text is refused where all input is checked. */
function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [value ?? ""];
}

function schema(required: string[], properties: { [name: string]: Json }): { [key: string]: Json } {
  return { type: "object", properties, required };
}

/** The messages, if that is what they are. */
function messagesIn<T extends MessageInput>(messages: readonly T[]): readonly T[] {
  if (!Array.isArray(messages)) throw refused("messages", "must be an array");
  messages.forEach((message, at) => {
    optionsIn(message, `messages[${at}]`);
  });
  return messages;
}
