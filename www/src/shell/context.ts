// The context of all components: the texts of the chosen language, and the app.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { TEXTS, type Texts } from "../text/language.js";
import type { App } from "./app.js";
import { preferences } from "./preferences.js";
import { useStore } from "./store.js";

/** The app of the page. */
export const AppContext = createContext<App | undefined>(undefined);

/** The app. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("a component is drawn outside of the app");
  return app;
}

/** The texts of the page in the chosen language. */
export function useTexts(): Texts {
  return TEXTS[useStore(preferences).language];
}
