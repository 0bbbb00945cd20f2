// Recognises intents by the rules of all three languages: users mix them.

import type { Language } from "../../text/language.js";
import type { Words } from "./words.js";
import { en } from "./words-en.js";
import { ja } from "./words-ja.js";
import { vi } from "./words-vi.js";

/** The words of each language. */
export const WORDS: { readonly [L in Language]: Words } = { en, vi, ja };

const ALL = Object.values(WORDS);

/** The match of a rule: its first group, or the whole match; `undefined` if it does not match. */
export function found(text: string, rule: keyof Words["patterns"]): string | undefined {
  for (const { patterns } of ALL) {
    const match = patterns[rule].exec(text);
    if (match) return (match.slice(1).find((group) => group !== undefined) ?? match[0]).trim();
  }
  return undefined;
}

/** Whether a rule matches. */
export function means(text: string, rule: keyof Words["patterns"]): boolean {
  return found(text, rule) !== undefined;
}

/** The purpose and the steps of a skill, if the text teaches one. A skill has at least two steps. */
export function taught(text: string): { purpose: string; steps: string[] } | undefined {
  for (const { patterns } of ALL) {
    const [, purpose, rest] = patterns.teach.exec(text) ?? [];
    const steps = rest?.split(patterns.between).map(trimmed).filter(Boolean) ?? [];
    if (purpose && steps.length >= 2) return { purpose: purpose.trim(), steps };
  }
  return undefined;
}

function trimmed(step: string): string {
  return step.trim().replace(/[.。]+$/, "");
}

const NAMED: { readonly [name: string]: Language } = {
  english: "en",
  vietnamese: "vi",
  japanese: "ja",
  anh: "en",
  việt: "vi",
  nhật: "ja",
  英語: "en",
  ベトナム語: "vi",
  日本語: "ja",
};

/** The language that the user wants answers in. */
export function wantedLanguage(text: string): Language | undefined {
  const name = found(text, "language")?.toLowerCase().normalize("NFC");
  return name === undefined ? undefined : NAMED[name];
}
