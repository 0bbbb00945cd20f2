// The header: the title, the status of the memory, and the menu.

import { useApp, useTexts } from "./context.js";
import { Icon } from "./icons.js";
import { useLayout } from "./layout.js";
import { useStore } from "./store.js";
import { switchShade, useTheme } from "./theme.js";

/** The header. */
export function Header() {
  const app = useApp();
  const texts = useTexts();
  const layout = useLayout();
  const shade = useTheme();
  const { inspector, install } = useStore(app.screen);
  const overlay = (name: "settings" | "shortcuts" | "sessions") => () => app.screen.set({ overlay: name });
  return (
    <header class="top">
      {layout !== "desktop" && (
        <button
          type="button"
          class="icon-button"
          aria-label={texts.app.sessions}
          data-tour="sessions"
          onClick={overlay("sessions")}
        >
          <Icon name="menu" />
        </button>
      )}
      <h1>
        <img src="./icon.svg" alt="" width="26" height="26" />
        {texts.app.title}
      </h1>
      <Status />
      <div class="actions">
        {install && (
          <button type="button" class="quiet" onClick={install}>
            {texts.app.install}
          </button>
        )}
        <button type="button" class="icon-button" aria-label={texts.app.themeSwitch} onClick={switchShade}>
          <Icon name={shade === "dark" ? "sun" : "moon"} />
        </button>
        {layout !== "phone" && (
          <button
            type="button"
            class="icon-button"
            aria-label={texts.app.shortcuts}
            onClick={overlay("shortcuts")}
          >
            <Icon name="keys" />
          </button>
        )}
        <button
          type="button"
          class="icon-button"
          aria-label={texts.app.settings}
          data-tour="settings"
          onClick={overlay("settings")}
        >
          <Icon name="gear" />
        </button>
        {layout !== "phone" && (
          <button
            type="button"
            class="icon-button"
            aria-pressed={inspector}
            aria-label={inspector ? texts.app.inspectorHide : texts.app.inspectorShow}
            onClick={() => app.toggleInspector()}
          >
            <Icon name="panel" />
          </button>
        )}
      </div>
    </header>
  );
}

/** The status of the memory, in a few words. */
function Status() {
  const app = useApp();
  const { status } = useTexts();
  const { memory, entries, offline, online, failed } = useStore(app.screen);
  const parts = [
    entries === undefined ? (failed ? status.notKept : status.opening) : status.memories(entries),
    memory && (memory.persistent ? status.here : status.notKept),
    !online ? status.offline : offline === "ready" && status.offlineReady,
  ];
  return (
    <p class="status" role="status">
      {parts.filter(Boolean).map((part) => (
        <span key={part}>{part}</span>
      ))}
    </p>
  );
}
