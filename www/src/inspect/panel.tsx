// The inspector beside the chat. It is loaded when it is first seen.

import { useEffect, useRef, useState } from "preact/hooks";
import { useApp, useTexts } from "../shell/context.js";
import { preferences } from "../shell/preferences.js";
import { useStore } from "../shell/store.js";
import { useTheme } from "../shell/theme.js";
import { type Inspector, loadInspector } from "./load.js";

/** The inspector; nothing is loaded before it is seen for the first time. */
export function InspectorPanel({ seen }: { seen: boolean }) {
  const app = useApp();
  const { inspector: texts } = useTexts();
  const { memory, inspect } = useStore(app.screen);
  const { current, sessions } = useStore(app.talk.store);
  const { language } = useStore(preferences);
  const shade = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const [element, show] = useState<Inspector | undefined>(undefined);
  const [failed, fail] = useState(false);
  // The first answer about the conversations comes from the full module: the page is there by then.
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
    element.session = current;
    element.lang = language;
    element.theme = shade;
  }, [element, memory, current, language, shade]);
  useEffect(() => {
    if (!element) return;
    element.query = inspect.query;
    element.view = inspect.view;
  }, [element, inspect]);

  return (
    <>
      {!element && <p class="waiting">{failed ? texts.failed : memory ? texts.loading : texts.absent}</p>}
      <div class="inspector-place" ref={place} data-tour="inspector" />
    </>
  );
}
