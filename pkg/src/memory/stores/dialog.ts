// Dialog: the messages of a session, its summary, and its key facts.

import type { DialogContext } from "../../wire/dialog.js";
import type { Message, MessageInput, RoleInput } from "../../wire/messages.js";
import type { Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";
import type { Session } from "../session.js";

/** One user's sessions in the documented dialog interface. `memory.session(id)` offers more. */
export class DialogMemory {
  readonly #core: Core;
  readonly #session: (id: string) => Session;

  /** @internal Use `memory.dialog`. */
  constructor(core: Core, session: (id: string) => Session) {
    this.#core = core;
    this.#session = session;
  }

  /** Returns the summary, the recent turns and the facts of a session. Default for `limitTurns`: 20. */
  async getContext(sessionId: string, limitTurns?: number): Promise<DialogContext> {
    return this.#core.calls.ask("getContext", { session: sessionId, limitTurns });
  }

  /** Appends a message and returns it. `more` has its other fields: an id, a name, a time. Default for `more`: none. */
  async append(
    sessionId: string,
    role: RoleInput,
    content: MessageInput["content"],
    more: Omit<MessageInput, "role" | "content"> = {},
  ): Promise<Message> {
    return this.#session(sessionId).append({ ...more, role, content });
  }

  /** Replaces the summary of a session. Default for `metadata`: none. */
  async updateSummary(
    sessionId: string,
    summary: string,
    options: {
      /** Custom data. Default: none. */
      metadata?: Metadata | undefined;
    } = {},
  ): Promise<void> {
    await this.#core.calls.write("updateSummary", { ...options, session: sessionId, summary });
  }
}
