// A session that says what is kept elsewhere exactly: so that search, context and compression see the talk.

import type { MemoryError } from "../../base/errors.js";
import type { Session } from "../../memory/session.js";
import type { MessageInput } from "../../wire/messages.js";
import { fitted } from "./fitted.js";
import { canonical, hashOf } from "./hash.js";

const MOST_TRIES = 20;
/** How many milliseconds those who are in each other's way wait, at most, longer each time. */
const PAUSE = 5;
const MARK = "mark";

/** A message that a session is to have: with an id of its own. */
export type Wanted = MessageInput & { id: string };

/** What a session is to say, and what that was made of. */
export interface Source {
  /** Another word after each change; `undefined` if there is nothing. */
  version(): Promise<string | undefined>;
  /** The messages, in their order. */
  messages(): Promise<Wanted[]>;
}

/** A session that is kept in step with a source. */
export class Talk {
  readonly #session: Session;
  readonly #source: Source;
  readonly #onError: (error: unknown) => void;
  #last = Promise.resolve();
  /** A look that has not begun yet: it will see all changes so far. */
  #next: Promise<void> | undefined;

  constructor(session: Session, source: Source, onError: (error: unknown) => void) {
    this.#session = session;
    this.#source = source;
    this.#onError = onError;
  }

  /** Brings the session in step. Whoever changes the source calls it. Never rejects: what was changed is changed. */
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
 * New messages are appended; if one has changed or gone, the session is written anew. If somebody changes the source
 * meanwhile, it looks again, so that the last word is about the last version.
 */
async function inStep(session: Session, source: Source): Promise<void> {
  for (let tries = 1; ; tries++) {
    const version = await source.version();
    const messages = marked(await source.messages());
    const { messages: end, total } = await session.messages({ limit: 1 });
    const last = end.at(-1)?.metadata?.[MARK];
    // A mark stands for everything up to it: if the last one is right, all are.
    const goesOn = total === 0 || (last !== undefined && last === messages[total - 1]?.metadata?.[MARK]);
    try {
      if (!goesOn) await session.delete({ keepEntries: true });
      const fresh = messages.slice(goesOn ? total : 0);
      if (fresh.length > 0) await session.append(fresh);
      if (tries >= MOST_TRIES || (await source.version()) === version) return;
    } catch (error) {
      // Another tab does the same. By the code, because a page may have this library twice, and with it its errors.
      const again = (error as MemoryError).code === "already-exists" && tries < MOST_TRIES;
      if (!again) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * tries * PAUSE));
    }
  }
}

/** The messages as there is room for them, each with a mark by which it is known again, and all before it. */
function marked(messages: readonly Wanted[]): Wanted[] {
  let mark = "";
  return messages.map((message) => {
    const kept = fitted(message);
    mark = hashOf(canonical([mark, message.id, kept.role, kept.content]));
    return { ...kept, id: message.id, metadata: { ...message.metadata, [MARK]: mark } };
  });
}
