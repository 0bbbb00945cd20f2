/**
 * A memory for OpenAI's Agents SDK: persistent sessions, in a page and in Node.
 *
 * @module keepsake/openai-agents
 */

import type {
  AgentInputItem,
  SessionHistoryRewriteArgs,
  SessionHistoryRewriteAwareSession,
  SessionHistoryTransactionArgs,
  SessionHistoryTransactionAwareSession,
} from "@openai/agents-core";
import { MemoryError, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Memory } from "../../memory/memory.js";
import { canonical, hashOf } from "../talk/hash.js";
import { Talk, type Wanted } from "../talk/in-step.js";
import { type Edit, lastOf, mark, Rows } from "../talk/rows.js";
import { areSame, type Packed, pack, talkOf, unpack } from "./items.js";

/** Options of `KeepsakeSession`. */
export interface KeepsakeSessionOptions {
  /** Its id, 1 to 200 bytes. Default: a new one. */
  sessionId?: string | undefined;
  /** Whether the conversation is also stored as a session of the memory, with the id `talkId`. Default: `true`. */
  talk?: boolean | undefined;
  /** The agent of that session. Default: none. */
  agent?: string | undefined;
  /** Called when that session could not be synchronised. The items are stored anyway. Default: a warning on the console. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Completed operations, by id. */
interface Done {
  operation: string;
  transaction: string;
}

const COLLECTION = "openai-agents/sessions";

/**
 * A `Session` for runs of the Agents SDK, in a memory. Items are returned exactly as they were added, several tabs may write
 * at once, and `memory.queryMemory` finds the messages.
 *
 * @example
 * await run(agent, "Hello", { session: new KeepsakeSession(memory, { sessionId: "s-1" }) });
 */
export class KeepsakeSession
  implements SessionHistoryRewriteAwareSession, SessionHistoryTransactionAwareSession
{
  /** The id of the session with the messages: `memory.session(talkId)`. */
  readonly talkId: string;
  readonly #id: string;
  readonly #rows: Rows<Packed>;
  readonly #talk: Talk | undefined;

  constructor(memory: Memory, options: KeepsakeSessionOptions = {}) {
    known(options, "sessionId talk agent onError");
    const { sessionId = mark(), talk = true, agent } = options;
    const { onError = (error) => console.warn("keepsake: openai-agents:", error) } = options;
    this.#id = sessionId;
    this.#rows = new Rows(memory.collection(COLLECTION), sessionId, "sessionId");
    this.talkId = `openai-agents/${sessionId}`;
    const session = memory.session(this.talkId, { agent });
    const source = {
      version: async () => (await this.#rows.head())?.mark,
      messages: () => this.#wanted(),
    };
    this.#talk = talk ? new Talk(session, source, onError) : undefined;
  }

  /** Its id. */
  async getSessionId(): Promise<string> {
    return this.#id;
  }

  /** The items, oldest first; with a limit, the last ones. */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const rows = limit === undefined ? await this.#rows.all() : await lastOf(this.#rows, limit);
    return rows.map(({ value }) => unpack(value));
  }

  /** Adds items at the end, atomically. */
  async addItems(items: AgentInputItem[]): Promise<void> {
    const add = packed(items, "items");
    if (add.length > 0) await this.#edit(async () => ({ add, answer: undefined }));
  }

  /** Removes and returns the last item; `undefined` if there is none. No two callers get the same item. */
  async popItem(): Promise<AgentInputItem | undefined> {
    return this.#edit(async () => {
      const [last] = await lastOf(this.#rows, 1);
      return last ? { remove: [last.at], answer: unpack(last.value) } : { answer: undefined };
    });
  }

  /** Removes all items, and the session of the memory. */
  async clearSession(): Promise<void> {
    await this.#rows.delete();
    await this.#talk?.inStep();
  }

  /** Replaces all items, such as after a compaction. */
  async replaceHistoryWithCompaction(items: AgentInputItem[]): Promise<void> {
    const add = packed(items, "items");
    await this.#edit(async () => {
      const remove = (await this.#rows.all()).map(({ at }) => at);
      return { remove, add, answer: undefined };
    });
  }

  /** Changes calls: the first item with an id is replaced, duplicates are removed. */
  async applyHistoryMutations({ mutations }: SessionHistoryRewriteArgs): Promise<void> {
    const replaced = new Map(
      mutations.map(({ callId, replacement }, at) => [callId, pack(replacement, `mutations[${at}]`)]),
    );
    if (replaced.size === 0) return;
    await this.#edit(async () => {
      const set = [];
      const remove = [];
      const seen = new Set<string>();
      for (const { at, value } of await this.#rows.all()) {
        const { type, callId } = value.item as { type?: string; callId?: string };
        const replacement = type === "function_call" && callId !== undefined && replaced.get(callId);
        if (!replacement) continue;
        if (seen.has(callId)) remove.push(at);
        else if (!areSame([value], [replacement])) set.push({ at, value: replacement });
        seen.add(callId);
      }
      return { set, remove, answer: undefined };
    });
  }

  /**
   * Changes the end of the history, once per operation. Rejects with `conflict`, without changes, if the end is not the
   * expected one, or if another transaction used the same operation id.
   */
  async applyHistoryTransaction({ operationId, transaction }: SessionHistoryTransactionArgs): Promise<void> {
    if (typeof operationId !== "string" || operationId.trim() === "") {
      throw refused("operationId", "must be a non-empty string");
    }
    const isAppend = transaction?.type === "append_items";
    if (!isAppend && transaction?.type !== "replace_suffix") {
      throw refused("transaction.type", "must be append_items or replace_suffix");
    }
    const add = packed(isAppend ? transaction.items : transaction.replacement, "transaction");
    const expected = isAppend ? [] : packed(transaction.expectedSuffix, "transaction.expectedSuffix");
    const done: Done = {
      operation: hashOf(operationId),
      transaction: hashOf(canonical([transaction.type, add, expected])),
    };
    await this.#edit(async () => {
      const before = (await this.#rows.note(done.operation)) as Done | undefined;
      if (before) {
        if (before.transaction === done.transaction) return { answer: undefined };
        throw new MemoryError("conflict", "`operationId` was used for another transaction", {
          field: "operationId",
        });
      }
      const suffix = await lastOf(this.#rows, expected.length);
      if (
        !areSame(
          suffix.map(({ value }) => value),
          expected,
        )
      ) {
        throw new MemoryError("conflict", "the history does not end with `expectedSuffix`", {
          field: "expectedSuffix",
        });
      }
      return { remove: suffix.map(({ at }) => at), add, note: [done.operation, done], answer: undefined };
    });
  }

  async #edit<R>(plan: () => Promise<Edit<Packed, R>>): Promise<R> {
    const answer = await this.#rows.edit(plan);
    await this.#talk?.inStep();
    return answer;
  }

  /** The messages for the session of the memory. */
  async #wanted(): Promise<Wanted[]> {
    return (await this.#rows.all()).flatMap(({ at, value }) => {
      const message = talkOf(value);
      return message ? [{ ...message, id: `item-${at}` }] : [];
    });
  }
}

function packed(items: readonly AgentInputItem[], field: string): Packed[] {
  if (!Array.isArray(items)) throw refused(field, "must be an array of items");
  return items.map((item, at) => pack(item, `${field}[${at}]`));
}
