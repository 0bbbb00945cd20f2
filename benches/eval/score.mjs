// The measures: how much of the gold is among the first hits, and how high.

/** What one question's hits are worth, each measure from 0 to 1. `found` are ids, best first. */
export function score(found, gold) {
  const ranks = found.flatMap((id, at) => (gold.has(id) ? [at + 1] : []));
  const recall = (depth) => ranks.filter((rank) => rank <= depth).length / gold.size;
  const gain = (all) => all.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);
  const ideal = Array.from({ length: Math.min(gold.size, 10) }, (_, at) => at + 1);
  return {
    r5: recall(5),
    r10: recall(10),
    ndcg10: gain(ranks.filter((rank) => rank <= 10)) / gain(ideal),
    mrr: ranks.length > 0 ? 1 / ranks[0] : 0,
  };
}

/** Averages in percent over the questions of each category; `categories` says which ones a name stands for. */
export function average(scores, categories) {
  const rows = Object.entries(categories).map(([name, members]) => {
    const chosen = scores.filter(({ category }) => members.includes(category));
    const mean = (measure) => {
      const sum = chosen.reduce((total, one) => total + one[measure], 0);
      return chosen.length > 0 ? Number(((100 * sum) / chosen.length).toFixed(4)) : 0;
    };
    const [r5, r10, ndcg10, mrr] = ["r5", "r10", "ndcg10", "mrr"].map(mean);
    return [name, { n: chosen.length, r5, r10, ndcg10, mrr }];
  });
  return Object.fromEntries(rows);
}
