// The field to write in. It can be used before the memory is open: what is sent then waits for it.

import { useEffect, useRef } from "preact/hooks";
import { useApp, useTexts } from "../shell/context.js";
import { Icon } from "../shell/icons.js";
import { useStore } from "../shell/store.js";

/** The field, and the button that sends or stops. */
export function Composer() {
  const app = useApp();
  const { chat } = useTexts();
  const { reply, current } = useStore(app.talk.store);
  const field = useRef<HTMLTextAreaElement>(null);
  const answering = reply !== undefined;

  // What was begun for one conversation is not meant for another.
  useEffect(() => {
    if (field.current) field.current.value = "";
  }, [current]);

  const send = async () => {
    const input = field.current;
    const text = input?.value.trim();
    if (!input || !text || answering) return;
    input.value = "";
    // The inspector follows what is said now.
    app.screen.set({ inspect: undefined });
    const kept = await app.talk.send(text);
    // What could not be kept is not lost.
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
          // While letters are being composed, Enter chooses among them.
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
