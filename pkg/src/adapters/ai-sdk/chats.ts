// Persistent chats of the AI SDK: UI messages by the id of their chat, lossless.

import type { UIMessage } from "ai";
import { refused } from "../../base/errors.js";
import { isWellFormed } from "../../base/json.js";
import { known } from "../../base/options.js";
import type { Memory } from "../../memory/memory.js";
import type { MessageInput } from "../../wire/messages.js";
import { canonical, hashOf } from "../talk/hash.js";
import { Talk, type Wanted } from "../talk/in-step.js";
import { headsOf, Rows } from "../talk/rows.js";
import { warn } from "./warn.js";

/** Options of a `ChatStore`. */
export interface ChatStoreOptions {
  /** Whether a chat is also stored as a session of the memory, with the id `talkId`. Default: `true`. */
  talk?: boolean | undefined;
  /** The agent of the sessions. Default: none. */
  agent?: string | undefined;
  /** Called when a session could not be synchronised. The chat is stored anyway. Default: a warning on the console. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Options of `save` for stored messages that are not in the array. */
export interface SaveOptions {
  /** The ids of messages to delete. Default: none. */
  remove?: readonly string[] | undefined;
  /** Whether to delete all others. Default: `false`, so that a tab does not delete messages of another. */
  replace?: boolean | undefined;
}

/** A chat in a list. */
export interface ChatInfo {
  /** Its id. */
  id: string;
  /** The number of its messages. */
  messages: number;
  /** The time of the last write, in ISO 8601. */
  updatedAt: string;
}

/** The state of a chat in this handle. */
interface Kept<UI> {
  rows: Rows<UI>;
  talk: Talk | undefined;
  /** The messages that this handle has loaded or saved, by id, with their hashes. */
  seen: Map<string, string>;
}

const COLLECTION = "ai-sdk/chats";

/**
 * The chats of a memory. Parts of any kind and metadata are kept as JSON keeps them.
 *
 * @example
 * const chats = new ChatStore(memory);
 * const messages = await chats.load("c-1");
 */
export class ChatStore<UI extends UIMessage = UIMessage> {
  readonly #memory: Memory;
  readonly #options: ChatStoreOptions;
  readonly #kept = new Map<string, Kept<UI>>();

  constructor(memory: Memory, options: ChatStoreOptions = {}) {
    known(options, "talk agent onError");
    this.#memory = memory;
    this.#options = options;
  }

  /** The id of the session with the messages of a chat: `memory.session(chats.talkId(id))`. */
  talkId(id: string): string {
    return `ai-sdk/${id}`;
  }

  /** The messages of a chat in order; empty if there is no such chat. */
  async load(id: string): Promise<UI[]> {
    const { rows, seen } = this.#of(id);
    const messages = (await rows.all()).map(({ value }) => value);
    for (const message of messages) seen.set(message.id, hashed(message));
    return messages;
  }

  /**
   * Saves messages: new ones are appended, changed ones replace the stored version. Messages that other tabs have written in
   * between stay.
   */
  async save(id: string, messages: readonly UI[], options: SaveOptions = {}): Promise<void> {
    const { rows, talk, seen } = this.#of(id);
    const given = checked(messages);
    const { remove, replace } = options;
    const here = new Set(given.map((message) => message.id));
    const goes = (message: string) => !here.has(message) && (replace || remove?.includes(message));
    await rows.edit(async () => {
      const stored = await rows.all();
      const places = new Map(stored.map((row) => [row.value.id, row]));
      const set = [];
      const add = [];
      for (const value of given) {
        const place = places.get(value.id);
        // Messages that this tab did not change keep the state that others gave them: changed, or deleted.
        if (!replace && seen.get(value.id) === hashed(value)) continue;
        if (!place) add.push(value);
        else if (hashed(place.value) !== hashed(value)) set.push({ at: place.at, value });
      }
      const gone = stored.filter(({ value }) => goes(value.id));
      return { remove: gone.map(({ at }) => at), set, add, answer: undefined };
    });
    for (const message of [...seen.keys()].filter(goes)) seen.delete(message);
    for (const message of given) seen.set(message.id, hashed(message));
    await talk?.inStep();
  }

  /** Deletes a chat, with its session and the memories recorded from it. Returns whether it existed. */
  async delete(id: string): Promise<boolean> {
    const { rows, talk, seen } = this.#of(id);
    const there = await rows.delete();
    seen.clear();
    await this.#memory.session(this.talkId(id)).delete();
    // Another tab may write it at the same time.
    await talk?.inStep();
    return there;
  }

  /** All chats, most recently used first. */
  async list(): Promise<ChatInfo[]> {
    const chats: ChatInfo[] = [];
    for await (const [id, { count, updatedAt }] of headsOf(this.#memory.collection(COLLECTION))) {
      chats.push({ id, messages: count, updatedAt });
    }
    return chats.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  }

  /** @internal The ids of messages that this handle has seen in a chat and that were deleted since. */
  dropped(id: string, messages: readonly UI[]): string[] {
    const here = new Set(messages.map((message) => message.id));
    return [...this.#of(id).seen.keys()].filter((seen) => !here.has(seen));
  }

  #of(id: string): Kept<UI> {
    let kept = this.#kept.get(id);
    if (!kept) {
      const rows = new Rows<UI>(this.#memory.collection(COLLECTION), id, "id");
      const source = {
        version: async () => (await rows.head())?.mark,
        messages: async () => {
          const messages = (await rows.all()).map(({ at, value }) => this.#talkOf(value, at));
          return (await Promise.all(messages)).flat();
        },
      };
      const { talk = true, agent, onError = warn } = this.#options;
      const session = this.#memory.session(this.talkId(id), { agent });
      kept = { rows, talk: talk ? new Talk(session, source, onError) : undefined, seen: new Map() };
      this.#kept.set(id, kept);
    }
    return kept;
  }

  /** The messages of a session for one UI message: tool calls and their results are separate messages. */
  async #talkOf(message: UI, at: number): Promise<Wanted[]> {
    const { role, parts } = message;
    const words = parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
    const plain: MessageInput[] = words ? [{ role, content: words }] : [];
    const said = await this.#memory.parse("ai-sdk-ui", [{ role, parts }]).catch(() => plain);
    return said.map(({ role, content }, part) => ({
      id: `message-${at}${part > 0 ? `.${part}` : ""}`,
      role,
      content,
      metadata: { message: message.id.slice(0, 256) },
    }));
  }
}

function hashed(message: UIMessage): string {
  return hashOf(canonical(message));
}

/** The messages as plain JSON, as after a transfer over HTTP. */
function checked<UI extends UIMessage>(messages: readonly UI[]): UI[] {
  if (!Array.isArray(messages)) throw refused("messages", "must be an array");
  const ids = new Set<string>();
  return messages.map((message: UI, at) => {
    const { id, role, parts } = message ?? {};
    if (typeof id !== "string" || id === "") throw refused(`messages[${at}].id`, "must not be empty");
    if (ids.has(id)) throw refused(`messages[${at}].id`, "must be unique");
    if (!["system", "user", "assistant"].includes(role)) {
      throw refused(`messages[${at}].role`, "must be system, user or assistant");
    }
    if (!Array.isArray(parts)) throw refused(`messages[${at}].parts`, "must be an array");
    ids.add(id);
    return json(message, `messages[${at}]`);
  });
}

function json<T>(value: T, field: string): T {
  let text: string;
  try {
    text = JSON.stringify(value, (_, part: unknown) =>
      // A model may stop within a surrogate pair; a lone surrogate cannot be stored.
      typeof part === "string" && !isWellFormed(part) ? part.replace(/\p{Surrogate}/gu, "\ufffd") : part,
    );
  } catch {
    throw refused(field, "must be JSON");
  }
  return JSON.parse(text) as T;
}
