// The list of sessions: open, create, rename, delete.

import type { SessionInfo } from "keepsake";
import { useRef, useState } from "preact/hooks";
import { useApp, useTexts } from "../shell/context.js";
import { Dialog } from "../shell/dialog.js";
import { Icon } from "../shell/icons.js";
import { preferences } from "../shell/preferences.js";
import { focusField } from "../shell/shortcuts.js";
import { useStore } from "../shell/store.js";
import { whenIn } from "../text/when.js";

/** The list; `onChosen` is called when a session is opened. */
export function SessionList({ onChosen }: { onChosen?(): void }) {
  const app = useApp();
  const { sessions: texts } = useTexts();
  const { sessions, current } = useStore(app.talk.store);
  const [renamed, rename] = useState<string | undefined>(undefined);
  const [removed, remove] = useState<SessionInfo | undefined>(undefined);
  const begin = () => {
    app.talk.begin();
    onChosen?.();
    focusField(app);
  };
  return (
    <div class="sessions" data-tour="sessions">
      <button type="button" class="begin" onClick={begin}>
        <Icon name="plus" />
        {texts.begin}
      </button>
      {sessions?.length === 0 && <p class="aside">{texts.none}</p>}
      <ul>
        {sessions?.map((session) => (
          <li key={session.id} class={session.id === current ? "current" : ""}>
            {renamed === session.id ? (
              <Renaming session={session} onDone={() => rename(undefined)} />
            ) : (
              <SessionRow
                session={session}
                current={session.id === current}
                onOpen={() => {
                  void app.talk.open(session.id);
                  onChosen?.();
                }}
                onRename={() => rename(session.id)}
                onRemove={() => remove(session)}
              />
            )}
          </li>
        ))}
      </ul>
      {removed && <RemoveDialog session={removed} onClose={() => remove(undefined)} />}
    </div>
  );
}

interface RowProps {
  session: SessionInfo;
  current: boolean;
  onOpen(): void;
  onRename(): void;
  onRemove(): void;
}

function SessionRow({ session, current, onOpen, onRename, onRemove }: RowProps) {
  const { sessions: texts } = useTexts();
  const title = session.title ?? texts.untitled;
  const when = whenIn(preferences.value.language, session.updatedAt);
  return (
    <>
      <button type="button" class="session" aria-current={current ? "true" : undefined} onClick={onOpen}>
        <span class="title">{title}</span>
        <span class="aside">
          {when} · {texts.count(session.messages)}
          {session.forkedFrom && ` · ${texts.forked}`}
        </span>
      </button>
      <button type="button" class="icon-button small" aria-label={texts.rename(title)} onClick={onRename}>
        <Icon name="pencil" />
      </button>
      <button type="button" class="icon-button small" aria-label={texts.remove(title)} onClick={onRemove}>
        <Icon name="bin" />
      </button>
    </>
  );
}

function Renaming({ session, onDone }: { session: SessionInfo; onDone(): void }) {
  const app = useApp();
  const { sessions: texts } = useTexts();
  const field = useRef<HTMLInputElement>(null);
  const save = () => {
    const title = field.current?.value.trim();
    if (title && title !== session.title) void app.talk.rename(session.id, title);
    onDone();
  };
  return (
    <form
      class="renaming"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <input
        ref={(element) => {
          // Focuses the field that the user just asked for.
          if (element && field.current !== element) {
            element.focus();
            // Typing replaces the name: the caret of a field that is focused by a script is before its text.
            element.select();
          }
          field.current = element;
        }}
        aria-label={texts.name}
        defaultValue={session.title ?? ""}
        maxLength={120}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onDone();
        }}
      />
      <button type="submit">{texts.save}</button>
    </form>
  );
}

function RemoveDialog({ session, onClose }: { session: SessionInfo; onClose(): void }) {
  const app = useApp();
  const { sessions: texts, app: words } = useTexts();
  const keep = useRef<HTMLInputElement>(null);
  const remove = () => {
    void app.talk.remove(session.id, keep.current?.checked ?? true);
    onClose();
  };
  return (
    <Dialog title={texts.removeTitle} onClose={onClose}>
      <p>{texts.removeBody(session.title ?? texts.untitled)}</p>
      <label class="check">
        <input type="checkbox" ref={keep} defaultChecked />
        {texts.keepMemories}
      </label>
      <div class="choices end">
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
        <button type="button" class="danger" onClick={remove}>
          {texts.removeNow}
        </button>
      </div>
    </Dialog>
  );
}

/** The list as a dialog, where there is no space beside the chat. */
export function SessionsDialog({ onClose }: { onClose(): void }) {
  const { sessions: texts } = useTexts();
  return (
    <Dialog title={texts.title} side onClose={onClose}>
      <SessionList onChosen={onClose} />
    </Dialog>
  );
}
