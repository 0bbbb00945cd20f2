// The languages of the page, and which one a browser asks for.

import { en } from "./en.js";
import { ja } from "./ja.js";
import type { Texts } from "./texts.js";
import { vi } from "./vi.js";

export type { Texts };

/** A language of the page. */
export type Language = "en" | "vi" | "ja";

/** The languages by their own names. */
export const LANGUAGES: { readonly [L in Language]: string } = {
  en: "English",
  vi: "Tiếng Việt",
  ja: "日本語",
};

/** What the page says, in each language. A key that is missing in one does not compile. */
export const TEXTS: { readonly [L in Language]: Texts } = { en, vi, ja };

/** Whether it is one of the page's languages. */
export function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && Object.hasOwn(LANGUAGES, value);
}

/** The first of the browser's languages that the page has. */
export function languageOf(wanted: readonly string[]): Language {
  const found = wanted.map((tag) => tag.split("-")[0]?.toLowerCase()).find(isLanguage);
  return found ?? "en";
}
