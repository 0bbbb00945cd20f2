// Strings as the documentation requires them: truncated, summarised, tokenised.

/** At most this many characters, with an ellipsis if it was truncated (D32). */
export function truncated(content: string, most: number): string {
  const characters = firstOf(content, most);
  return characters === content ? content : `${characters}... [truncated]`;
}

/** The beginning. It ends at a word boundary if that is past four fifths of the limit (D33). */
export function summaryOf(content: string, most: number): string {
  const text = content.trim().replace(/\s+/g, " ");
  if (firstOf(text, most) === text) return text;
  const beginning = firstOf(text, Math.max(most - 3, 0));
  const end = beginning.lastIndexOf(" ");
  return `${end > beginning.length * 0.8 ? beginning.slice(0, end) : beginning}...`;
}

/** The beginning of a content, for results (D14). */
export function previewOf(content: string, most: number): string {
  const beginning = firstOf(content, most);
  return beginning === content ? content : `${beginning}...`;
}

/**
 * A query as tokens: lower-case words of more than one character (D30). Languages without spaces are split by the platform's
 * segmenter, or a whole sentence would be one token (D43).
 */
export function tokensOf(query: string): string[] {
  const words =
    query
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const tokens = words.flatMap((word) => (SPACELESS.test(word) ? segments(word) : [word]));
  return [...new Set(tokens.filter((token) => [...token].length > 1 || SPACELESS.test(token)))];
}

const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function segments(word: string): string[] {
  if (typeof Intl.Segmenter !== "function") return [word];
  return Array.from(
    new Intl.Segmenter(undefined, { granularity: "word" }).segment(word),
    ({ segment }) => segment,
  );
}

/** The first characters; no character is split. */
function firstOf(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  let left = most;
  for (const character of text) {
    if (left-- <= 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}
