// The messages of a session. Only the visible ones are in the DOM.

import type { Message } from "keepsake";
import { useCallback, useLayoutEffect, useMemo } from "preact/hooks";
import { useApp, useTexts } from "../shell/context.js";
import { Icon } from "../shell/icons.js";
import { useStore } from "../shell/store.js";
import { MessageRow, ReplyRow } from "./message.js";
import { useWindow } from "./window.js";

const COMING = "coming";

/** The messages, and the pending reply. */
export function MessageLog() {
  const app = useApp();
  const { chat } = useTexts();
  const { messages, reply, more } = useStore(app.talk.store);
  const said = useMemo(
    () => messages.filter(({ role }) => role === "user" || role === "assistant"),
    [messages],
  );
  const coming = reply !== undefined;
  const ids = useMemo(() => [...said.map(({ id }) => id), ...(coming ? [COMING] : [])], [said, coming]);
  const onTop = useCallback(() => {
    if (more) void app.talk.older();
  }, [app, more]);
  const { scroller, first, end, before, after, atEnd, toEnd } = useWindow(ids, onTop);
  // After sending, the list scrolls to the message and its reply.
  useLayoutEffect(() => {
    if (coming) toEnd();
  }, [coming]);
  return (
    <div class="log-frame">
      <div
        class="log"
        ref={scroller}
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
        aria-label={chat.log}
        // While a reply is streamed, or older messages are loaded, changes are not announced.
        aria-busy={coming || !atEnd}
      >
        {more && <p class="waiting">{chat.older}</p>}
        <div style={{ height: `${before}px` }} />
        {ids.slice(first, end).map((id, at) => {
          const message: Message | undefined = said[first + at];
          return message ? (
            <MessageRow key={id} message={message} />
          ) : (
            <ReplyRow key={id} reply={reply ?? { text: "", references: [] }} />
          );
        })}
        <div style={{ height: `${after}px` }} />
      </div>
      {!atEnd && (
        <button type="button" class="round to-end" aria-label={chat.latest} onClick={toEnd}>
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}
