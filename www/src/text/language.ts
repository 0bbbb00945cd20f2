// The languages of the page, and the detection of the browser's language.

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

/** The texts of the page in each language. A missing key does not compile. */
export const TEXTS: { readonly [L in Language]: Texts } = { en, vi, ja };

/** Whether it is a language of the page. */
export function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && Object.hasOwn(LANGUAGES, value);
}

/** The first of the browser's languages that the page has. */
export function languageOf(wanted: readonly string[]): Language {
  const found = wanted.map((tag) => tag.split("-")[0]?.toLowerCase()).find(isLanguage);
  return found ?? "en";
}
