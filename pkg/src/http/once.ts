// Writes that are done once, however often they are asked for: what a client needs that never got its answer.

import type { MemoryError } from "../errors.js";
import type { Memory } from "../memory.js";
import { type Message, type MessageInput, textOf } from "../messages.js";
import type { Session } from "../session.js";
import type { MemoryDraft, MemoryEntry } from "../types.js";
import { Refusal } from "./failures.js";

/** A collection of the API's own, which clients do not see. */
export const RESERVED = "keepsake/";

const ANSWERS = `${RESERVED}answers`;
const DAY = 24 * 60 * 60 * 1000;
/** How many old answers go at a time. */
const SWEEP = 100;
/** How many keys of writes without a kept answer are remembered. */
const REMEMBERED = 1000;

/** What was answered to a write. */
interface Answer {
  at: number;
  print: string;
  body: unknown;
}

type Answers = Memory["collection"] extends (name: string) => infer C ? C : never;

/**
 * Adds an entry. Its id follows from the key, so that the entry itself tells that it was added: there is no moment in which
 * the one is stored and the other is not.
 */
export async function addOnce(
  memory: Memory,
  content: string,
  draft: MemoryDraft,
  key: string,
): Promise<MemoryEntry> {
  const id = draft.id ?? (await idOf(key));
  try {
    return await memory.add(content, { ...draft, id });
  } catch (error) {
    const found = exists(error) && (await memory.get(id));
    if (!found) throw error;
    const { content: kept, ...entry } = found;
    if (found.truncated ? content.startsWith(kept) : content === kept) return entry;
    throw draft.id === undefined ? mismatch() : error;
  }
}

/** Appends messages, whose ids follow from the key in the same way. They are stored together: one is there, or none. */
export async function appendOnce(
  talk: Session,
  messages: readonly MessageInput[],
  key: string,
): Promise<Message[]> {
  const id = await idOf(key);
  const named = messages.map((message, at) =>
    typeof message === "object" && message !== null
      ? { ...message, id: message.id ?? `${id}-${at}` }
      : message,
  );
  try {
    return await talk.append(named);
  } catch (error) {
    if (!exists(error)) throw error;
    const found = await Promise.all(named.map((message) => talk.message(message.id)));
    const same = (message: MessageInput, at: number) => {
      const kept = found[at];
      return kept && kept.role === message.role.toLowerCase() && textOf(kept) === textOf(message);
    };
    if (named.every(same)) return found as Message[];
    throw messages.some((message) => message.id === undefined) ? mismatch() : error;
  }
}

/** Writes that are done once under a key. A second one at the same time waits for the first. */
export class Once {
  readonly #memory: Memory;
  readonly #running = new Map<string, Promise<Answer>>();
  readonly #prints = new Map<string, string>();
  #kept = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /**
   * What `write` answers, or has answered to the same request under the same key. An answer is kept for a day if `keeps` is
   * set; otherwise `write` finds by itself what it has written before, and only the request is remembered.
   */
  async run(key: string, request: string, keeps: boolean, write: () => Promise<unknown>): Promise<unknown> {
    const [name, print] = [await hash(key), await hash(request)];
    let running = this.#running.get(name);
    if (!running) {
      running = this.#answer(name, print, keeps, write).finally(() => this.#running.delete(name));
      this.#running.set(name, running);
    }
    const answer = await running;
    if (answer.print !== print) throw mismatch();
    return answer.body;
  }

  async #answer(name: string, print: string, keeps: boolean, write: () => Promise<unknown>): Promise<Answer> {
    const answers: Answers = this.#memory.collection(ANSWERS);
    if ((this.#prints.get(name) ?? print) !== print) throw mismatch();
    const kept = (await answers.get(`k/${name}`)) as unknown as Answer | undefined;
    if (kept) return kept;
    const answer: Answer = { at: Date.now(), print, body: (await write()) ?? null };
    if (!keeps) {
      if (this.#prints.size > REMEMBERED) this.#prints.clear();
      this.#prints.set(name, print);
      return answer;
    }
    // Under its time as well, by which it is found when it is old: of one length until the year 2286.
    const changes = [
      { key: `k/${name}`, value: { ...answer } as never },
      { key: `t/${answer.at}/${name}`, value: null },
    ];
    // What was written is written: a failure to note it is no failure of the write.
    await answers.write(changes).catch(() => {});
    if (++this.#kept % SWEEP === 0) await sweep(this.#memory).catch(() => {});
    return answer;
  }
}

/** Takes away answers that are older than a day. */
export async function sweep(memory: Memory): Promise<void> {
  const answers: Answers = memory.collection(ANSWERS);
  const until = `t/${Date.now() - DAY}`;
  for (;;) {
    const page = await answers.list({ prefix: "t/", limit: SWEEP });
    const old = page.map(({ key }) => key).filter((key) => key < until);
    if (!old[0]) return;
    const gone = old.flatMap((key) => [key, `k/${key.slice(key.lastIndexOf("/") + 1)}`]);
    await answers.write(gone.map((key) => ({ key, delete: true as const })));
  }
}

function exists(error: unknown): boolean {
  return (error as MemoryError | undefined)?.code === "already-exists";
}

function mismatch(): Refusal {
  const message = "`Idempotency-Key` was used for another request";
  return new Refusal(422, "invalid-input", message, "Idempotency-Key");
}

async function idOf(key: string): Promise<string> {
  return (await hash(`id:${key}`)).slice(0, 32);
}

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
