// Search without an index, for stores that have none.

/** The ids of the documents with the most words of the question. */
export function best(documents, question, limit) {
  const words = new Set(question.toLowerCase().match(/\p{L}+|\p{N}+/gu));
  const scored = documents.map(({ id, text }) => {
    const found = new Set(text.toLowerCase().match(/\p{L}+|\p{N}+/gu));
    let score = 0;
    for (const word of words) if (found.has(word)) score += 1;
    return { id, score };
  });
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ id }) => id);
}
