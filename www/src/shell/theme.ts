// The theme, light or dark: the system's, or the user's choice.

import { useEffect, useState } from "preact/hooks";
import { prefer, preferences } from "./preferences.js";
import { useStore } from "./store.js";

const DARK = "(prefers-color-scheme: dark)";

/** The current theme. */
export type Shade = "light" | "dark";

function shadeOf(dark: boolean): Shade {
  const { theme } = preferences.value;
  return theme === "system" ? (dark ? "dark" : "light") : theme;
}

/** Applies the current theme to the page, and returns it. */
export function useTheme(): Shade {
  const { theme } = useStore(preferences);
  const [dark, follow] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const query = matchMedia(DARK);
    const update = () => follow(query.matches);
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, []);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return shadeOf(dark);
}

/** Switches between light and dark. */
export function switchShade(): void {
  const now = shadeOf(matchMedia(DARK).matches);
  prefer({ theme: now === "dark" ? "light" : "dark" });
}
