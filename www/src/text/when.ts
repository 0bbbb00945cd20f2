// A time in words, the same everywhere on the page.

import type { Language } from "./language.js";

/** The clock for today, the day for this year, the day with its year otherwise. */
export function whenIn(language: Language, at: string, now = new Date()): string {
  const time = new Date(at);
  if (time.toDateString() === now.toDateString()) {
    return time.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  }
  const year = time.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return time.toLocaleDateString(language, { day: "numeric", month: "short", ...year });
}
