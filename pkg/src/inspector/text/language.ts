// A language: its texts, and its formats of numbers, times and sizes.

import { en, enNames, type Names, type Texts } from "./en.js";

export type TextKey = keyof Texts;

/** English is bundled; the others are loaded on demand. */
const OTHERS: { readonly [language: string]: () => Promise<[Texts, Names]> } = {
  async vi() {
    const { vi, viNames } = await import("./vi.js");
    return [vi, viNames];
  },
  async ja() {
    const { ja, jaNames } = await import("./ja.js");
    return [ja, jaNames];
  },
};
const UNITS = ["B", "kB", "MB", "GB"];

/** Texts and formats for the views. */
export interface Language {
  /** The name of the language. */
  lang: string;
  say(key: TextKey, values?: { readonly [name: string]: string | number }): string;
  /** A name that the library gave, such as a part of a score; a name of the app's is returned unchanged. */
  named(name: string): string;
  /** A tag, a speaker or a tool, which may be one of the app: only a few are the library's. */
  label(name: string): string;
  number(value: number, digits?: number): string;
  percent(value: number): string;
  size(bytes: number): string;
  millis(value: number): string;
  /** The clock for today, the day for this year, the day with its year otherwise. */
  time(iso: string): string;
}

let known: Language | undefined;

/** The language until another one is loaded. */
export function english(): Language {
  known ??= languageOf("en", en, enNames);
  return known;
}

/** The language of this name, `vi-VN` included; English if there is none, or if it cannot be loaded. */
export async function languageNamed(name: string): Promise<Language> {
  const lang = name.toLowerCase().split("-")[0] ?? "";
  const load = Object.hasOwn(OTHERS, lang) ? OTHERS[lang] : undefined;
  if (!load) return english();
  return load().then(
    ([texts, names]) => languageOf(lang, texts, names),
    () => english(),
  );
}

function languageOf(lang: string, texts: Texts, names: Names): Language {
  const plural = new Intl.PluralRules(lang);
  const number = (value: number, digits?: number) =>
    value.toLocaleString(lang, { maximumFractionDigits: digits });
  return {
    lang,
    say(key, values = {}) {
      const forms = texts[key].split("|");
      const one = forms.length > 1 && plural.select(Number(values["n"])) === "one";
      const text = (one ? forms[0] : forms[forms.length - 1]) as string;
      return text.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = values[name];
        return typeof value === "number" ? number(value) : (value ?? "");
      });
    },
    named: (name) => (Object.hasOwn(names, name) ? (names[name] ?? name) : name),
    label: (name) => names[`${name}:`] ?? name,
    number,
    percent: (value) => value.toLocaleString(lang, { style: "percent" }),
    size(bytes) {
      const power = Math.min(3, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1000)));
      const value = bytes / 1000 ** power;
      return `${number(value, value < 10 ? 1 : 0)} ${UNITS[power]}`;
    },
    millis: (value) => (value < 1000 ? `${number(value, 0)} ms` : `${number(value / 1000, 1)} s`),
    time(iso) {
      const at = new Date(iso);
      const today = new Date();
      // An invalid time is shown unchanged.
      if (Number.isNaN(+at)) return iso;
      if (at.toDateString() === today.toDateString()) {
        return at.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit" });
      }
      const year = at.getFullYear() === today.getFullYear() ? undefined : "numeric";
      return at.toLocaleDateString(lang, { day: "numeric", month: "short", year });
    },
  };
}
