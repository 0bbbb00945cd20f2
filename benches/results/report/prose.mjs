// The sentences that the page of a run and the published one share, as Markdown without links.

import { count } from "./words.mjs";

export const PROSE = {
  verdicts: `Each line compares Keepsake with the best of the others at the same size. Adds that are stored when they return, and
adds that are not, have a line each. It is decided if four of five rounds agree.`,
  duels: (
    usual,
  ) => `The same comparisons in Chromium with one rival at a time, at ${count(usual)} entries unless another size is
named. None of them does all that the others do: the search libraries store nothing by themselves, and the stores without an
index read every text.`,
  search: `A question of 5 to 9 words, five hits. The median of a round is one sample. R@5 is in how many of 100 questions the one
text with all of its words is among the five hits; other texts hold all but one of them, some twice. The data has the words of
a question in other forms, too, so stemming helps.`,
  open: `A new page, from nothing loaded to the first hit: scripts, modules, stored data and one search. Libraries with an index in
memory load the one that they saved in IndexedDB. Files come from this machine, so the time to download them is not part of
it.`,
  add: `Texts of 500 characters. One add is the median of 20 in a row. A batch ends when everything is stored: libraries with an
index in memory save all of it at the end, and a single add of theirs is not stored.`,
  dialog: (
    messages,
  ) => `A conversation of ${count(messages)} messages in IndexedDB. Appends and raw puts take turns; the range is
the middle half of the calls.`,
  prompt: "A raw read of 30 messages is shown for scale. It searches nothing and makes no prompt.",
  memory: `After opening in a new page and asking a few questions: the growth of the JavaScript heap after a garbage collection, and
the linear memory of wasm modules. The heap of SQLite’s worker is not part of it.`,
  download: `The files that the page asked for, minified by one bundler, each with brotli at its best. They differ in what they can
do: the search libraries store nothing by themselves.`,
  retrieval: (
    categories,
  ) => `R@5 and R@10 in per cent over ${categories} categories of the sets in the folder; the gaps are points.
Peers index the texts alone; Keepsake also gets sessions, speakers and dates where a set has them, as an app would pass them.`,
  method: (
    rounds,
  ) => `Systems take turns within each of ${rounds} rounds, and each round begins with another one. A figure is the
median of the rounds; the range below it is the least and the most. Batches have at most 3 rounds, and one above 20,000 entries.
In Chromium each system has a page of its own, in a profile on the disk; in Node a process of its own. A slow system is asked
fewer questions in a round, at least 20. The texts and questions are made from numbers, so they are the same everywhere; each
library is set up as its own documentation says for questions in which not every word has to match.`,
};
