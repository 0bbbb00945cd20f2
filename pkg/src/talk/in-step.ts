// A session that says what is kept elsewhere exactly: so that search, context and compression see the talk.

import { MemoryError } from "../errors.js";
import type { MessageInput } from "../messages.js";
import type { Session } from "../session.js";
import { fitted } from "./fitted.js";
import { canonical, hashOf } from "./hash.js";

const MOST_TRIES = 20;
const MARK = "mark";

/** A message that a session is to have: with an id of its own. */
export type Wanted = MessageInput & { id: string };

/**
 * Brings a session in step with the messages that it is to have. New ones are appended; if one has changed or gone, the
 * session is written anew. What is wanted is asked again if somebody else was quicker.
 */
export async function inStep(session: Session, wanted: () => Promise<Wanted[]>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const messages = marked(await wanted());
    const { messages: end, total } = await session.messages({ limit: 1 });
    const last = end.at(-1);
    // A mark stands for everything up to it: if the last one is right, all are.
    const goesOn = total === 0 || (last && last.metadata?.[MARK] === messages[total - 1]?.metadata?.[MARK]);
    try {
      if (!goesOn) await session.delete({ keepEntries: true });
      const fresh = messages.slice(goesOn ? total : 0);
      if (fresh.length > 0) await session.append(fresh);
      return;
    } catch (error) {
      // Another tab does the same.
      const again = error instanceof MemoryError && error.code === "already-exists" && tries < MOST_TRIES;
      if (!again) throw error;
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
