// Dialog: what was said in a session, its summary, and the facts that stand out.

import type { DialogContext } from "../../wire/dialog.js";
import type { Message, MessageInput, RoleInput } from "../../wire/messages.js";
import type { Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";
import type { Session } from "../session.js";

/** The conversations of one user, by their sessions. `memory.session(id)` knows more of each. */
export class DialogMemory {
  readonly #core: Core;
  readonly #session: (id: string) => Session;

  /** @internal Use `memory.dialog`. */
  constructor(core: Core, session: (id: string) => Session) {
    this.#core = core;
    this.#session = session;
  }

  /** The summary, the last turns and the facts of a session. Default: 20 turns. */
  async getContext(sessionId: string, limitTurns?: number): Promise<DialogContext> {
    return this.#core.calls.ask("getContext", { session: sessionId, limitTurns });
  }

  /** Stores what was said. `more` is what else a message has: an id, a name, a time. Default: nothing. */
  async append(
    sessionId: string,
    role: RoleInput,
    content: MessageInput["content"],
    more: Omit<MessageInput, "role" | "content"> = {},
  ): Promise<Message> {
    return this.#session(sessionId).append({ ...more, role, content });
  }

  /** Sums a session up, in place of the summary before. Default: with no data of the app's own. */
  async updateSummary(
    sessionId: string,
    summary: string,
    options: { metadata?: Metadata | undefined } = {},
  ): Promise<void> {
    await this.#core.calls.write("updateSummary", { ...options, session: sessionId, summary });
  }
}
