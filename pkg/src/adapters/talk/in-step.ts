// Synchronises a session with messages stored elsewhere, so that search, context and compression see them.

import type { MemoryError } from "../../base/errors.js";
import type { Session } from "../../memory/session.js";
import type { MessageInput } from "../../wire/messages.js";
import { fitted } from "./fitted.js";
import { canonical, hashOf } from "./hash.js";

const MOST_TRIES = 20;
/** The maximum back-off (ms) after conflicts; it grows with each attempt. */
const PAUSE = 5;
const MARK = "mark";

/** A message for the session, with an id. */
export type Wanted = MessageInput & { id: string };

/** The messages that a session should have, and their version. */
export interface Source {
  /** Changes with every change of the source; `undefined` if the source is empty. */
  version(): Promise<string | undefined>;
  /** The messages, in order. */
  messages(): Promise<Wanted[]>;
}

/** A session that is synchronised with a source. */
export class Talk {
  readonly #session: Session;
  readonly #source: Source;
  readonly #onError: (error: unknown) => void;
  #last = Promise.resolve();
  /** A queued run, which has not started: it will see all changes so far. */
  #next: Promise<void> | undefined;

  constructor(session: Session, source: Source, onError: (error: unknown) => void) {
    this.#session = session;
    this.#source = source;
    this.#onError = onError;
  }

  /** Synchronises the session. Called after each change of the source. Never rejects: the change itself has succeeded. */
  inStep(): Promise<void> {
    if (!this.#next) {
      const next = this.#last.then(() => {
        this.#next = undefined;
        return inStep(this.#session, this.#source).catch(this.#onError);
      });
      this.#next = next;
      this.#last = next;
    }
    return this.#next;
  }
}

/**
 * Appends new messages. If one was changed or deleted, the session is rewritten. If the source changes during this, it runs
 * again, so that the session ends with the last version.
 */
async function inStep(session: Session, source: Source): Promise<void> {
  for (let tries = 1; ; tries++) {
    const version = await source.version();
    const messages = marked(await source.messages());
    const { messages: end, total } = await session.messages({ limit: 1 });
    const last = end.at(-1)?.metadata?.[MARK];
    // A mark covers all messages up to it: if the last mark matches, all match.
    const goesOn = total === 0 || (last !== undefined && last === messages[total - 1]?.metadata?.[MARK]);
    try {
      if (!goesOn) await session.delete({ keepEntries: true });
      const fresh = messages.slice(goesOn ? total : 0);
      if (fresh.length > 0) await session.append(fresh);
      if (tries >= MOST_TRIES || (await source.version()) === version) return;
    } catch (error) {
      // Another tab does the same. Compared by code, because a page may load this library, and its error class, twice.
      const again = (error as MemoryError).code === "already-exists" && tries < MOST_TRIES;
      if (!again) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * tries * PAUSE));
    }
  }
}

/** The messages, truncated to fit, each with a mark: a hash of it and of all messages before it. */
function marked(messages: readonly Wanted[]): Wanted[] {
  let mark = "";
  return messages.map((message) => {
    const kept = fitted(message);
    mark = hashOf(canonical([mark, message.id, kept.role, kept.content]));
    return { ...kept, id: message.id, metadata: { ...message.metadata, [MARK]: mark } };
  });
}
