// Light or dark: as the system has it, or as the user chose.

import { useEffect, useState } from "preact/hooks";
import { prefer, preferences } from "./preferences.js";
import { useStore } from "./store.js";

const DARK = "(prefers-color-scheme: dark)";

/** What is seen now. */
export type Shade = "light" | "dark";

function shadeOf(dark: boolean): Shade {
  const { theme } = preferences.value;
  return theme === "system" ? (dark ? "dark" : "light") : theme;
}

/** The shade that is seen, and puts it on the page. */
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

/** From light to dark, or back. */
export function switchShade(): void {
  const now = shadeOf(matchMedia(DARK).matches);
  prefer({ theme: now === "dark" ? "light" : "dark" });
}
