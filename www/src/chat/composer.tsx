// The message field. It works before the memory is open: a message sent then waits for it.

import { useEffect, useRef } from "preact/hooks";
import { useApp, useTexts } from "../shell/context.js";
import { Icon } from "../shell/icons.js";
import { useStore } from "../shell/store.js";

/** The field, and the button to send or stop. */
export function Composer() {
  const app = useApp();
  const { chat } = useTexts();
  const { reply, current } = useStore(app.talk.store);
  const field = useRef<HTMLTextAreaElement>(null);
  const answering = reply !== undefined;

  // A draft belongs to one session.
  useEffect(() => {
    if (field.current) field.current.value = "";
  }, [current]);

  const send = async () => {
    const input = field.current;
    const text = input?.value.trim();
    if (!input || !text || answering) return;
    input.value = "";
    // The inspector shows the prompt of this message.
    app.screen.set({ inspect: undefined });
    const kept = await app.talk.send(text);
    // A message that could not be stored returns to the field.
    if (!kept && input.value === "") input.value = text;
  };

  return (
    <form
      class="composer"
      data-tour="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label class="hidden" for="message">
        {chat.input}
      </label>
      <textarea
        id="message"
        ref={field}
        rows={1}
        placeholder={chat.placeholder}
        enterkeyhint="send"
        autocomplete="off"
        onKeyDown={(event) => {
          // During IME composition, Enter selects a candidate.
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      {answering ? (
        <button type="button" class="round" aria-label={chat.stop} onClick={() => app.talk.stop()}>
          <Icon name="stop" />
        </button>
      ) : (
        <button type="submit" class="round" aria-label={chat.send}>
          <Icon name="send" />
        </button>
      )}
    </form>
  );
}
