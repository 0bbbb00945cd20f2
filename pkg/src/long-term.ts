// Long-term memory beside an agent's loop: what is found before it thinks, what is kept after it spoke, and its tools.

import type { Background } from "./background.js";
import { MemoryError, optionsIn, refused } from "./errors.js";
import { type Message, type MessageInput, textOf } from "./messages.js";
import { recordingLane } from "./session.js";
import type { Json, MemoryEntry } from "./types.js";

/**
 * Who is in control. `STATIC_CONTROL`: the loop retrieves before each turn and records after it. `AGENT_CONTROL`: the
 * agent does both, by tools. `BOTH`: both.
 */
export type LongTermMode = "STATIC_CONTROL" | "AGENT_CONTROL" | "BOTH";

/** How long-term memory is used. */
export interface LongTermOptions {
  /** Who is in control. Default: `"BOTH"`. */
  mode?: LongTermMode | undefined;
  /** Only for this agent. Default: for all of the user's. */
  agent?: string | undefined;
  /** The session that what is recorded comes from. Default: none. */
  session?: string | undefined;
  /**
   * Decides what of the messages is kept, one text a memory: with a model of the app's, usually. Default: sentences that
   * say something lasting, found without a model.
   */
  recordFilter?: ((messages: MessageInput[]) => string[] | Promise<string[]>) | undefined;
  /** How many memories are retrieved at most. Default: 5. */
  limit?: number | undefined;
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
export interface LongTermCalls {
  ask<T>(verb: string, args: Record<string, unknown>): Promise<T>;
  /** A write of entries, which are given embeddings if there is an embedder. */
  remember<T>(verb: string, args: Record<string, unknown>): Promise<T>;
}

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
    this.mode = optionsIn(options).mode ?? "BOTH";
    if (!["STATIC_CONTROL", "AGENT_CONTROL", "BOTH"].includes(this.mode)) {
      throw new MemoryError("invalid-input", "`mode` must be STATIC_CONTROL, AGENT_CONTROL or BOTH", {
        field: "mode",
      });
    }
    this.#calls = calls;
    this.#background = background;
    this.#options = options;
    this.tools = this.mode === "STATIC_CONTROL" ? [] : this.#tools();
  }

  /** Keeps what is worth keeping of what the user and the assistant said, and is not known yet. */
  async record(messages: readonly MessageInput[]): Promise<MemoryEntry[]> {
    const { recordFilter, session, agent } = this.#options;
    const said = messagesIn(messages).filter(({ role }) => /^(user|assistant)$/i.test(role));
    if (!recordFilter) return this.#calls.remember("record", { messages: said, session, agent });
    const texts = await recordFilter(said);
    return this.#calls.remember("record", { texts, session, agent });
  }

  /** What is remembered about a message, as a `<long_term_memory>` block; empty if that is nothing. */
  async retrieve(message: MessageInput | string): Promise<string> {
    const query = typeof message === "string" ? message : textOf(message);
    if (query.trim() === "") return "";
    const { limit, agent } = this.#options;
    return this.#calls.ask("retrieve", { query, limit, agent });
  }

  /**
   * The messages with what is remembered about the user's last one in front of that. They stay as they are in
   * `AGENT_CONTROL`, if there is nothing to ask for or to tell, and if retrieving fails, which `onError` is told.
   */
  async beforeReasoning<T extends MessageInput>(messages: readonly T[]): Promise<(T | Recalled)[]> {
    const at = messagesIn(messages).findLastIndex(({ role }) => /^user$/i.test(role));
    const asked = messages[at];
    if (!asked || this.mode === "AGENT_CONTROL") return [...messages];
    const text = await this.retrieve(asked).catch((error) => this.#failed(error));
    if (!text) return [...messages];
    const recalled: Recalled = {
      role: "system",
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
          if (texts.every((text) => text === "")) return "No content provided to record";
          const { session, agent } = this.#options;
          await this.#calls.remember("record", { texts, session, agent });
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

/** The message that tells an agent what is remembered. */
export type Recalled = Pick<Message, "content"> & {
  /** Always an instruction of the app. */
  role: "system";
  /** Always the same. */
  name: "long_term_memory";
};

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
