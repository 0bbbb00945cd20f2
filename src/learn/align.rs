//! Aligns a procedure with a run: which of its steps occur, in order, and how many bits that saves.

use super::bits::{BIT, Choices, log2};

/// The cost of a missing step of a procedure, besides naming it.
const DROPPED: i32 = 2 * BIT;

/// The penalty for a foreign step between two steps, when alignments are compared.
const FOREIGN: i32 = BIT / 2;

/// The alignment of a procedure with a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Fit {
    /// Bits saved, without the cost of naming the procedure.
    pub(super) gain: i32,
    /// Matching positions in the run and in the procedure.
    pub(super) pairs: Vec<(u8, u8)>,
}

/// A position where a run matches a step of a procedure.
#[derive(Clone, Copy, Default)]
struct Match {
    row: usize,
    column: usize,
    /// The best sum of matches up to here, and the previous match on that path.
    sum: i32,
    before: Option<usize>,
}

/// Aligns procedures with runs. Holds the shared data.
pub(super) struct Aligner {
    /// The cost of naming each symbol on its own.
    pub(super) bits: Vec<i32>,
    max_gap: usize,
    choices: Choices,
    /// The matches of the current run, in its order.
    matches: Vec<Match>,
}

impl Aligner {
    pub(super) fn new(bits: Vec<i32>, max_gap: usize) -> Self {
        Self { bits, max_gap, choices: Choices::new(256), matches: Vec::new() }
    }

    /// The bits of one symbol.
    pub(super) fn bits(&self, symbol: u16) -> i32 {
        self.bits.get(usize::from(symbol)).copied().unwrap_or(0)
    }

    /// The best alignment of `procedure` with `run`, if it saves more than `least` bits.
    pub(super) fn fit(&mut self, procedure: &[u16], run: &[u16], least: i32) -> Option<Fit> {
        let (mut there, mut most) = (0, 0);
        for step in procedure.iter().filter(|step| run.contains(step)) {
            there += 1;
            most += self.bits(*step);
        }
        let dropped = procedure.len() - there;
        if there <= dropped || most - self.dropping(procedure.len(), dropped) <= least {
            return None;
        }
        self.matches.clear();
        let mut best = Match::default();
        for (column, symbol) in run.iter().enumerate() {
            let worth = self.bits(*symbol);
            for (row, _) in procedure.iter().enumerate().filter(|(_, step)| *step == symbol) {
                let mut here = Match { row, column, sum: worth, before: None };
                // From an earlier match that is near enough.
                for (at, from) in self.matches.iter().enumerate().rev() {
                    if from.column + self.max_gap + 1 < column {
                        break;
                    }
                    if from.row < row && from.column < column {
                        let skipped =
                            (column - from.column - 1) as i32 * FOREIGN + (row - from.row - 1) as i32 * DROPPED;
                        let sum = from.sum + worth - skipped;
                        if sum > here.sum {
                            (here.sum, here.before) = (sum, Some(at));
                        }
                    }
                }
                if here.sum > best.sum {
                    best = here;
                }
                self.matches.push(here);
            }
        }
        if best.sum <= least {
            return None;
        }
        let mut pairs = vec![(best.column as u8, best.row as u8)];
        while let Some(before) = best.before.and_then(|at| self.matches.get(at)) {
            best = *before;
            pairs.push((best.column as u8, best.row as u8));
        }
        pairs.reverse();
        let gain = self.gain(procedure, run.len(), &pairs);
        (gain > least).then_some(Fit { gain, pairs })
    }

    /// The cost of naming the missing steps.
    fn dropping(&self, steps: usize, dropped: usize) -> i32 {
        self.choices.bits(steps, dropped) + dropped as i32 * DROPPED
    }

    /// The bits saved by not naming these steps, minus the cost of their positions and of the missing steps of the
    /// procedure.
    fn gain(&self, procedure: &[u16], length: usize, pairs: &[(u8, u8)]) -> i32 {
        let found = pairs.len();
        let dropped = procedure.len() - found;
        if found < 2 || found <= dropped {
            return 0;
        }
        let named: i32 =
            pairs.iter().filter_map(|(_, row)| procedure.get(usize::from(*row))).map(|s| self.bits(*s)).sum();
        let ends = (pairs.first().map_or(0, |pair| pair.0), pairs.last().map_or(0, |pair| pair.0));
        let span = usize::from(ends.1 - ends.0) + 1;
        // Either any positions or, for a short stretch of a long run, its location and the positions inside.
        let anywhere = self.choices.bits(length, found);
        let stretch = BIT + log2(length - found + 1) + log2(length - span + 1) + self.choices.bits(span - 2, found - 2);
        named - anywhere.min(stretch) - self.dropping(procedure.len(), dropped)
    }
}
