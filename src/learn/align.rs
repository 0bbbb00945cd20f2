//! How well a procedure describes a run: which of its steps are there, in order, and how many bits that saves.

use super::bits::{BIT, Choices, log2};

/// What leaving out one step of a procedure costs, besides saying which.
const DROPPED: i32 = 2 * BIT;

/// What a foreign step between two steps counts against keeping them together, when places are compared.
const FOREIGN: i32 = BIT / 2;

/// How a procedure lies on a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Fit {
    /// Bits saved, before it is said which procedure it is.
    pub(super) gain: i32,
    /// Places in the run and in the procedure that belong together.
    pub(super) pairs: Vec<(u8, u8)>,
}

/// A place where a run does what a step of a procedure says.
#[derive(Clone, Copy, Default)]
struct Match {
    row: usize,
    column: usize,
    /// The best sum of what is matched up to here, and the match before this one on that way.
    sum: i32,
    before: Option<usize>,
}

/// Lays procedures on runs. Holds what every comparison needs.
pub(super) struct Aligner {
    /// What it takes to name each symbol on its own.
    pub(super) bits: Vec<i32>,
    max_gap: usize,
    choices: Choices,
    /// The matches of the run that is looked at, in its order.
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

    /// The best place of `procedure` in `run`, unless no more than `least` bits are saved.
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

    /// What it takes to say which steps are not there.
    fn dropping(&self, steps: usize, dropped: usize) -> i32 {
        self.choices.bits(steps, dropped) + dropped as i32 * DROPPED
    }

    /// What is saved if these steps need not be named, but their places must, and which steps of the procedure are not
    /// there.
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
        // Either any places, or, for a short stretch of a long run, where it lies and the places inside.
        let anywhere = self.choices.bits(length, found);
        let stretch = BIT + log2(length - found + 1) + log2(length - span + 1) + self.choices.bits(span - 2, found - 2);
        named - anywhere.min(stretch) - self.dropping(procedure.len(), dropped)
    }
}
