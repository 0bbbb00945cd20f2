// The messages of a conversation. However many there are, only those that are seen are on the page.

import type { Message } from "keepsake";
import { useCallback, useLayoutEffect, useMemo } from "preact/hooks";
import { useApp, useTexts } from "../shell/context.js";
import { Icon } from "../shell/icons.js";
import { useStore } from "../shell/store.js";
import { MessageRow, ReplyRow } from "./message.js";
import { useWindow } from "./window.js";

const COMING = "coming";

/** The messages, and the reply that is coming. */
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
  // Whoever says something wants to see it, and the reply.
  useLayoutEffect(() => {
    if (coming) toEnd();
  }, [coming]);
  return (
    <div class="log-frame">
      <div
        class="log"
        ref={scroller}
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        tabIndex={0}
        aria-label={chat.log}
        // While a reply comes, or older messages are looked at, what is drawn is no news.
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
