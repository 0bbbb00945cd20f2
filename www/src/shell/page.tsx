// The page: one tree for all screens; the style sheet and a few conditions here make three layouts of it.

import { useEffect } from "preact/hooks";
import { ChatPanel } from "../chat/panel.js";
import { SessionList, SessionsDialog } from "../chat/sessions.js";
import { ImportDialog } from "../import/dialog.js";
import { InspectorPanel } from "../inspect/panel.js";
import { Tour } from "../tour/tour.js";
import { useApp, useTexts } from "./context.js";
import { Divider } from "./divider.js";
import { Header } from "./header.js";
import { Icon } from "./icons.js";
import { useLayout } from "./layout.js";
import { Notices } from "./notices.js";
import { preferences } from "./preferences.js";
import { SettingsDialog } from "./settings.js";
import { focusField, ShortcutsDialog, useShortcuts } from "./shortcuts.js";
import { useStore } from "./store.js";
import { useTheme } from "./theme.js";

/** The whole page. */
export function Page() {
  const app = useApp();
  const texts = useTexts();
  const layout = useLayout();
  const { page, inspector, overlay, tour } = useStore(app.screen);
  const { language, split } = useStore(preferences);
  useTheme();
  useShortcuts(app);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const phone = layout === "phone";
  const seen = phone ? page === "inspector" : inspector;
  // On a phone the inspector is a separate page, and its main content.
  const Side = phone ? "main" : "aside";
  const close = () => app.screen.set({ overlay: undefined });
  return (
    <>
      <button type="button" class="skip" onClick={() => focusField(app)}>
        {texts.app.skip}
      </button>
      <div class={`frame ${layout}`} style={{ "--split": `${split}%` }}>
        <Header />
        <Notices />
        <div class="columns">
          {layout === "desktop" && (
            <nav class="sidebar" aria-label={texts.sessions.title}>
              <SessionList />
            </nav>
          )}
          <main class="chat" hidden={phone && page !== "chat"} aria-label={texts.chat.label}>
            <ChatPanel />
          </main>
          <Side class="inspector" hidden={!seen} aria-label={texts.inspector.label}>
            {layout === "desktop" && inspector && <Divider />}
            <InspectorPanel seen={seen} />
          </Side>
        </div>
        {phone && <Tabs />}
      </div>
      {overlay === "settings" && <SettingsDialog onClose={close} />}
      {overlay === "shortcuts" && <ShortcutsDialog onClose={close} />}
      {overlay === "sessions" && <SessionsDialog onClose={close} />}
      {overlay === "import" && <ImportDialog onClose={close} />}
      {tour !== undefined && <Tour step={tour} />}
    </>
  );
}

/** On a phone: the tabs of the two pages. */
function Tabs() {
  const app = useApp();
  const texts = useTexts();
  const { page } = useStore(app.screen);
  const tab = (id: "chat" | "inspector", icon: "chat" | "box", name: string) => (
    <button
      type="button"
      aria-current={page === id ? "page" : undefined}
      onClick={() => app.screen.set({ page: id })}
    >
      <Icon name={icon} />
      {name}
    </button>
  );
  return (
    <nav class="tabs" aria-label={texts.app.title}>
      {tab("chat", "chat", texts.app.chat)}
      {tab("inspector", "box", texts.app.memory)}
    </nav>
  );
}
