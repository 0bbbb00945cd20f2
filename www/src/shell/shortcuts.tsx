// Keyboard shortcuts, and their list.

import { useEffect } from "preact/hooks";
import type { App } from "./app.js";
import { useTexts } from "./context.js";
import { Dialog } from "./dialog.js";
import { layoutNow } from "./layout.js";
import { preferences } from "./preferences.js";
import { switchShade } from "./theme.js";

/** Focuses the message field, on whichever page it is. */
export function focusField(app: App): void {
  app.screen.set({ page: "chat" });
  // The field is hidden until the next render.
  requestAnimationFrame(() => document.getElementById("message")?.focus());
}

/** Opens the session `by` positions further down the list. */
function step(app: App, by: number): void {
  const { sessions = [], current } = app.talk.store.value;
  const at = sessions.findIndex(({ id }) => id === current);
  const to = sessions[at < 0 ? 0 : at + by];
  if (to) void app.talk.open(to.id);
}

const KEYS: { readonly [key: string]: (app: App) => void } = {
  "?": (app) => app.screen.set({ overlay: "shortcuts" }),
  "/": focusField,
  n: (app) => {
    app.talk.begin();
    focusField(app);
  },
  i: (app) => app.toggleInspector(),
  d: switchShade,
  ",": (app) => app.screen.set({ overlay: "settings" }),
  "[": (app) => step(app, -1),
  "]": (app) => step(app, 1),
};

/** Whether the focus is in a text field. Inside a shadow root, the event tells its origin. */
function writes(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}

/** Handles shortcuts while the page is mounted. */
export function useShortcuts(app: App): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.key === "Escape") {
        if (app.screen.value.tour !== undefined) app.screen.set({ tour: undefined });
        else if (app.talk.store.value.reply) app.talk.stop();
        // The drawer covers the chat, so it is closed first.
        else if (layoutNow() === "tablet") app.screen.set({ inspector: false });
        return;
      }
      const { singleKeys } = preferences.value;
      if (!singleKeys || event.ctrlKey || event.metaKey || event.altKey || writes(event)) return;
      if (document.querySelector("dialog:modal")) return;
      const act = KEYS[event.key];
      if (!act) return;
      event.preventDefault();
      act(app);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [app]);
}

/** The list of shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const { keys } = useTexts();
  const rows: [string, string][] = [
    ["/", keys.focus],
    ["Enter", keys.send],
    ["Shift Enter", keys.newline],
    ["Esc", keys.stop],
    ["N", keys.begin],
    ["[", keys.previous],
    ["]", keys.next],
    ["I", keys.inspector],
    ["D", keys.theme],
    [",", keys.settings],
    ["?", keys.list],
    ["← →", keys.divider],
  ];
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <dl class="keys">
        {rows.map(([key, does]) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((part) => (
                <kbd key={part}>{part}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
