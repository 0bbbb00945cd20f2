// Plain BM25, the yardstick: k1 1.2, b .75, no stop words, no stems, no knowledge of any language but where its words end.

const K1 = 1.2;
const B = 0.75;

/** Runs of letters, their marks, and digits. */
const RUNS = /[\p{L}\p{M}\p{N}]+/gu;

/** Scripts without spaces whose characters are words or parts of words: each stands alone and in a pair with the next. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;

/** Scripts without spaces whose words have no such shape: a dictionary splits them. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** The words of a text, repeated as often as they occur. */
export function words(text) {
  const found = [];
  for (const [run] of text.normalize("NFKC").toLowerCase().matchAll(RUNS)) {
    const spaced = run.replace(CJK, (characters) => {
      found.push(...singlesAndPairs(characters));
      return " ";
    });
    if (UNSPACED.test(spaced)) found.push(...Array.from(segmenter.segment(spaced), ({ segment }) => segment));
    else found.push(...spaced.split(" "));
  }
  return found.filter((word) => word.trim() !== "");
}

function singlesAndPairs(characters) {
  const singles = [...characters];
  return [...singles, ...singles.slice(1).map((second, at) => singles[at] + second)];
}

/** `documents` are `{ id, text }`; ties keep their order. */
export function bm25(documents) {
  const postings = new Map();
  const lengths = documents.map(({ text }, number) => {
    const all = words(text);
    for (const word of all) {
      if (!postings.has(word)) postings.set(word, new Map());
      const counts = postings.get(word);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    return all.length;
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);
  return {
    search(text, limit) {
      const scores = new Map();
      for (const word of new Set(words(text))) {
        const counts = postings.get(word) ?? new Map();
        const idf = Math.log(1 + (documents.length - counts.size + 0.5) / (counts.size + 0.5));
        for (const [number, count] of counts) {
          const norm = K1 * (1 - B + (B * lengths[number]) / mean);
          scores.set(number, (scores.get(number) ?? 0) + (idf * count * (K1 + 1)) / (count + norm));
        }
      }
      const ranked = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit);
      return ranked.map(([number]) => documents[number].id);
    },
  };
}
