// The inspector beside the chat. It is loaded when it first becomes visible.

import type { InspectorOpen, KeepsakeInspector } from "keepsake/inspector";
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp, useTexts } from "../shell/context.js";
import { preferences } from "../shell/preferences.js";
import { useStore } from "../shell/store.js";
import { useTheme } from "../shell/theme.js";
import { loadInspector } from "./load.js";

/** The inspector; loaded when it first becomes visible. */
export function InspectorPanel({ seen }: { seen: boolean }) {
  const app = useApp();
  const { inspector: texts } = useTexts();
  const { memory, inspect } = useStore(app.screen);
  const { current, sessions } = useStore(app.talk.store);
  const { language } = useStore(preferences);
  const shade = useTheme();
  const began = sessions?.some(({ id }) => id === current) ?? false;
  const place = useRef<HTMLDivElement>(null);
  const [element, show] = useState<KeepsakeInspector | undefined>(undefined);
  const [failed, fail] = useState(false);
  // The first list of sessions needs the full module: by then the page is usable.
  const ready = seen && memory !== undefined && sessions !== undefined;

  useEffect(() => {
    if (!ready || element || failed) return;
    let gone = false;
    loadInspector().then(
      (made) => !gone && show(made),
      (error) => {
        console.error(error);
        fail(true);
      },
    );
    return () => {
      gone = true;
    };
  }, [ready, element, failed]);

  useEffect(() => {
    if (element && place.current && element.parentElement !== place.current) place.current.append(element);
  }, [element]);
  useEffect(() => {
    if (!element || !memory) return;
    element.memory = memory;
    element.hints = false;
    // A session without messages is unknown to the memory: the most recently used one is shown until then.
    element.session = began ? current : undefined;
    element.lang = language;
    element.setAttribute("theme", shade);
  }, [element, memory, current, began, language, shade]);
  useEffect(() => {
    if (!element) return;
    element.query = inspect && "query" in inspect ? inspect.query : undefined;
    if (!inspect) return;
    if ("item" in inspect) return element.show(inspect.item);
    // The search view reads its query when it opens: an open one is opened again.
    if (element.view === "search") element.view = "now";
    const frame = requestAnimationFrame(() => {
      element.view = "search";
    });
    return () => cancelAnimationFrame(frame);
  }, [element, inspect]);
  useEffect(() => {
    const open = (event: Event) => {
      const { kind, ref, session } = (event as CustomEvent<InspectorOpen>).detail;
      const wanted = kind === "session" ? ref : session;
      if (wanted === undefined) return;
      void app.talk.open(wanted);
      app.screen.set({ page: "chat" });
    };
    element?.addEventListener("keepsake-open", open);
    return () => element?.removeEventListener("keepsake-open", open);
  }, [app, element]);

  return (
    <>
      {!element && <p class="waiting">{failed ? texts.failed : memory ? texts.loading : texts.absent}</p>}
      <div class="inspector-place" ref={place} data-tour="inspector" />
    </>
  );
}
