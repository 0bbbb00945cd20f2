// The part of a section that shows why it was found.

import { wordsOf } from "./words.js";

const LENGTH = 170;

/** A piece of a text, and whether it is a word of the query. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** A shorter word, such as "a" or "do", is in every text. */
const MIN_WORD = 3;

/** Finds the words of a query, also with a short ending or without the `s` of the plural. */
function patternOf(query: string): RegExp | undefined {
  const words = wordsOf(query).filter((word) => word.length >= MIN_WORD);
  const stems = words.map((word) => (/^[a-z]{4,}s$/.test(word) ? word.slice(0, -1) : word));
  if (stems.length === 0) return undefined;
  stems.sort((one, other) => other.length - one.length);
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${stems.join("|")})\\p{L}{0,3}(?!\\p{L})`, "giu");
}

/** Where to begin, so that most different words of the query are in the snippet. */
function bestStart(matches: readonly RegExpExecArray[]): number {
  const within = (from: number): number => {
    const near = matches.filter(({ index }) => index >= from && index < from + LENGTH);
    return new Set(near.map(([word]) => word.toLowerCase())).size;
  };
  const places = matches.map(({ index }) => index);
  return places.reduce((best, at) => (within(at) > within(best) ? at : best), places[0] ?? 0);
}

function pieces(text: string, pattern: RegExp | undefined): Piece[] {
  if (!pattern) return [{ text, isMatch: false }];
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    found.push({ text: text.slice(end, match.index), isMatch: false }, { text: match[0], isMatch: true });
    end = match.index + match[0].length;
  }
  return [...found, { text: text.slice(end), isMatch: false }].filter((piece) => piece.text !== "");
}

/** A text with the words of a query marked. */
export function marked(text: string, query: string): Piece[] {
  return pieces(text, patternOf(query));
}

/** The best part of the first text that has a word of the query, in pieces; without one, the beginning of the first. */
export function snippet(texts: readonly string[], query: string): Piece[] {
  const pattern = patternOf(query);
  const lines = texts.filter((text) => text !== "").map((text) => text.replace(/\s+/g, " "));
  const line = (pattern && lines.find((text) => text.search(pattern) !== -1)) ?? lines[0] ?? "";
  const best = bestStart(pattern ? [...line.matchAll(pattern)] : []);
  const start = best < LENGTH / 3 ? 0 : line.indexOf(" ", best - LENGTH / 3) + 1;
  const before = start > 0 ? "… " : "";
  const after = start + LENGTH < line.length ? "…" : "";
  return pieces(before + line.slice(start, start + LENGTH) + after, pattern);
}
