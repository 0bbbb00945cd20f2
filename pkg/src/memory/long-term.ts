// Long-term memory for an agent loop: retrieval before reasoning, recording after the reply, and the agent's tools.

import type { Background } from "../base/background.js";
import { MemoryError, optionsIn, refused } from "../base/errors.js";
import type { Listed } from "../base/listed.js";
import { known } from "../base/options.js";
import type { RecordedEntry } from "../wire/long-term.js";
import { type Message, type MessageInput, textOf } from "../wire/messages.js";
import type { Json, Trust } from "../wire/types.js";
import type { Core } from "./core.js";
import { LONG_TERM_OPTIONS } from "./option-checks.js";
import { checkSaid } from "./said.js";
import { recordingLane } from "./session.js";
import { type Understand, understoodIn } from "./understand.js";

/**
 * The control mode. `STATIC_CONTROL`: the loop retrieves before each turn and records after it. `AGENT_CONTROL`: the
 * agent does both through tools. `BOTH`: both.
 */
export type LongTermMode = Listed<"STATIC_CONTROL" | "AGENT_CONTROL" | "BOTH">;

/**
 * The app's own long-term memory, such as mem0. The three modes use it instead of this memory's entries.
 *
 * @example
 * const mem0: LongTermMemory = {
 *   record: (messages) => client.add(messages, { userId, agentId }),
 *   retrieve: async (message) => (await client.search(textOf(message), { userId })).map(({ memory }) => memory).join("\n"),
 * };
 */
export interface LongTermMemory {
  /** Stores memories from messages of the user and the assistant. The return value is awaited and ignored. */
  record(messages: MessageInput[]): unknown;
  /** Returns the memories relevant to a message, one per line; an empty string if there are none. */
  retrieve(message: MessageInput): string | Promise<string>;
}

/** Options of long-term memory. */
export interface LongTermOptions {
  /** The control mode. Default: `"BOTH"`. */
  mode?: LongTermMode | undefined;
  /**
   * The agent that records and retrieves. Its recordings belong to it, and it retrieves its own memories and those of no
   * agent. Default: none; recordings are for all agents, and all memories are retrieved.
   */
  agent?: string | undefined;
  /** The session that the recorded messages come from. Default: none. */
  session?: string | undefined;
  /**
   * Selects the memories to record from the messages, one string per memory, usually with the app's model. Default:
   * sentences with lasting facts, extracted without a model.
   */
  recordFilter?: ((messages: MessageInput[]) => string[] | Promise<string[]>) | undefined;
  /**
   * Finds the facts in a message, usually with the app's model, instead of the library's rules: called for each message
   * of the user and the assistant. If it throws, answers nonsense or takes longer than `understandTimeout`, the rules
   * judge the message and `onError` is called. Not with `recordFilter` or `store`. Default: the rules.
   */
  understand?: Understand | undefined;
  /** The maximum duration of `understand`, in milliseconds. Default: 30,000. */
  understandTimeout?: number | undefined;
  /** The maximum number of retrieved memories. Ignored with a `store`. Default: 5. */
  limit?: number | undefined;
  /** Only memories with at least this level of trust. Ignored with a `store`. Default: all. */
  minTrust?: Trust | undefined;
  /** The app's own long-term memory, which then records and retrieves. Default: this memory. */
  store?: LongTermMemory | undefined;
  /**
   * Called when retrieval in `beforeReasoning`, recording in `afterReply` or `understand` fails. Default: a warning on the
   * console.
   */
  onError?: ((error: unknown) => void) | undefined;
}

/** A tool for an agent. */
export interface LongTermTool {
  /** The tool name. */
  name: "record_to_memory" | "retrieve_from_memory";
  /** The description for the model. */
  description: string;
  /** The JSON schema of the arguments. */
  inputSchema: { [key: string]: Json };
  /** Runs the tool and returns the text for the model. */
  call(args: { [key: string]: Json }): Promise<string>;
}

/** The core calls that long-term memory needs. */
export type LongTermCalls = Pick<Core, "ask" | "remember">;

/** Names of messages that quote memories. They are not the user's own words and are not recorded. */
const QUOTED: (string | undefined)[] = ["long_term_memory", "conversation_summary"];

/** Stands for a message of low trust, whose content is not recorded. */
const OUTSIDE: MessageInput = { role: "tool", content: "-" };

const TEXTS = { type: "array", items: { type: "string" } };

/** Long-term memory, in one of three modes. */
export class LongTerm {
  /** The control mode. */
  readonly mode: LongTermMode;
  /** The agent's two tools; empty in `STATIC_CONTROL`. */
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
    const { understand, understandTimeout } = options;
    if (understand !== undefined && typeof understand !== "function")
      throw refused("understand", "must be a function");
    if (understand && (store || options.recordFilter))
      throw refused("understand", "must be omitted when `recordFilter` or `store` is set");
    if (understandTimeout !== undefined && !(understandTimeout > 0))
      throw refused("understandTimeout", "must be a number of milliseconds above 0");
    this.#calls = calls;
    this.#background = background;
    this.#options = options;
    this.tools = this.mode === "STATIC_CONTROL" ? [] : this.#tools();
  }

  /**
   * Records memories from messages of the user and the assistant. Returns an entry per memory: a new entry, an existing
   * entry that says the same, or an existing entry that the memory corrects. With a `store`, returns an empty array.
   */
  async record(messages: readonly MessageInput[]): Promise<RecordedEntry[]> {
    const { recordFilter, session, agent, store } = this.#options;
    const said = recordable(messages).filter(
      ({ role, name }) => /^(user|assistant)$/i.test(role) && !QUOTED.includes(name),
    );
    const texts = await recordFilter?.(said);
    if (store) {
      if (recordFilter && !Array.isArray(texts))
        throw refused("recordFilter", "must return an array of strings");
      const kept = texts ? texts.map(spoken) : said;
      if (kept.length > 0) await store.record(kept);
      return [];
    }
    // Nothing is recorded from messages of low trust, but what the assistant says after them is of low trust too.
    const heard = messages.filter((message) => said.includes(message) || isLow(message));
    const told = heard.map((message) => (said.includes(message) ? message : OUTSIDE));
    if (!recordFilter) checkSaid(told);
    const what = recordFilter
      ? { texts, messages: messages.some(isLow) ? [OUTSIDE] : [] }
      : { messages: told };
    const { understand, understandTimeout = 30_000 } = this.#options;
    const understood = understand
      ? await understoodIn(
          (message) => (message === OUTSIDE ? undefined : understand(message)),
          understandTimeout,
          told,
          (error) => this.#failed(error),
        )
      : [];
    const record = { ...what, session, agent };
    try {
      return await this.#calls.remember("record", { ...record, understood });
    } catch (error) {
      // Facts of the app that the core refuses: nothing was written yet, and the rules judge the messages.
      if (!(error instanceof MemoryError && error.field?.startsWith("understood"))) throw error;
      this.#failed(error);
      return this.#calls.remember("record", record);
    }
  }

  /**
   * Returns the memories relevant to a message as a `<long_term_memory>` block, or an empty string if there are none. With
   * `instructions`, the user's standing instructions come before them in a block of their own, unless there is a `store`;
   * default: `false`.
   */
  async retrieve(
    message: MessageInput | string,
    shown: {
      /** Whether the user's standing instructions come first. Default: `false`. */
      instructions?: boolean | undefined;
    } = {},
  ): Promise<string> {
    const query = typeof message === "string" ? message : textOf(message);
    if (query.trim() === "") return "";
    const { limit, agent, minTrust, store } = this.#options;
    if (!store) return this.#calls.ask("retrieve", { query, limit, agent, minTrust, ...optionsIn(shown) });
    const text = await store.retrieve(typeof message === "string" ? spoken(message) : message);
    if (typeof text !== "string") throw refused("store", "must return a string from `retrieve`");
    if (text.trim() === "") return "";
    // Untrusted text: quoted like this memory's own entries.
    return this.#calls.ask("quoteMemories", { texts: [text] });
  }

  /**
   * Returns the messages with relevant memories and the user's standing instructions inserted before the user's last
   * message. The messages are unchanged in `AGENT_CONTROL`, without a user message, without either, and if retrieval
   * fails, which calls `onError`.
   */
  async beforeReasoning<T extends MessageInput>(messages: readonly T[]): Promise<(T | Recalled)[]> {
    const at = messagesIn(messages).findLastIndex(
      ({ role, name }) => /^user$/i.test(role) && !QUOTED.includes(name),
    );
    const asked = messages[at];
    if (!asked || this.mode === "AGENT_CONTROL") return [...messages];
    const text = await this.retrieve(asked, { instructions: true }).catch((error) => this.#failed(error));
    if (!text) return [...messages];
    const recalled: Recalled = {
      role: "user",
      name: "long_term_memory",
      content: [{ type: "text", text }],
    };
    return [...messages.slice(0, at), recalled, ...messages.slice(at)];
  }

  /** Records the messages in the background; `idle` waits for it. Does nothing in `AGENT_CONTROL`. */
  afterReply(messages: readonly MessageInput[]): void {
    if (this.mode === "AGENT_CONTROL") return;
    // Copied, because the app may change its array right after the call.
    const said = [...recordable(messages)];
    this.#background.run(this.#lane, () => this.record(said)).catch((error) => this.#failed(error));
  }

  /** Resolves when all pending recordings are done. */
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
            throw refused("content", "must be an array of strings");
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

/** The message that quotes memories. */
export type Recalled = Pick<Message, "content"> & {
  /** Always `"user"`: memories have no more authority than the user. */
  role: "user";
  /** Always `"long_term_memory"`. */
  name: "long_term_memory";
};

/** Wraps a string as a user message, the input of a `store`. */
function spoken(content: string): MessageInput {
  return { role: "user", content };
}

/** Whether a message holds content from outside: a tool result, or memories of low trust. */
function isLow({ role, name, content }: MessageInput): boolean {
  const blocks = typeof content === "string" ? [] : content;
  const quoted = QUOTED.includes(name) && textOf({ content }).includes(' trust="low">');
  return quoted || /^tool$/i.test(role) || blocks.some(({ type }) => type === "tool_result");
}

/** Wraps a single value in an array, since a model may pass one string instead. The elements are validated later. */
function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [value ?? ""];
}

function schema(required: string[], properties: { [name: string]: Json }): { [key: string]: Json } {
  return { type: "object", properties, required };
}

/** Returns `messages` if it is an array of objects; throws `invalid-input` otherwise. */
function messagesIn<T extends MessageInput>(messages: readonly T[]): readonly T[] {
  if (!Array.isArray(messages)) throw refused("messages", "must be an array");
  messages.forEach((message, at) => {
    optionsIn(message, `messages[${at}]`);
  });
  return messages;
}

/** The same, and every role is one that a session takes: a message of another role would be ignored. */
function recordable(messages: readonly MessageInput[]): readonly MessageInput[] {
  messagesIn(messages).forEach(({ role }, at) => {
    if (/^(system|user|assistant|tool)$/i.test(role)) return;
    checkSaid(messages);
    throw refused(`messages[${at}].role`, "must be system, user, assistant or tool");
  });
  return messages;
}
