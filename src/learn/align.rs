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

/// Lays procedures on runs. Holds what every comparison needs.
pub(super) struct Aligner {
    /// What it takes to name each symbol on its own.
    pub(super) bits: Vec<i32>,
    max_gap: usize,
    choices: Choices,
    /// The best sum of each place, and how far back from it the step before lies (0: there is none).
    cells: Vec<(i32, u8, u8)>,
}

impl Aligner {
    pub(super) fn new(bits: Vec<i32>, max_gap: usize) -> Self {
        Self { bits, max_gap: max_gap.min(32), choices: Choices::new(256), cells: Vec::new() }
    }

    /// The bits of one symbol.
    pub(super) fn bits(&self, symbol: u16) -> i32 {
        self.bits.get(usize::from(symbol)).copied().unwrap_or(0)
    }

    /// The best place of `procedure` in `run`, unless fewer than `least` bits are saved.
    pub(super) fn fit(&mut self, procedure: &[u16], run: &[u16], least: i32) -> Option<Fit> {
        let there = procedure.iter().filter(|step| run.contains(step)).map(|step| self.bits(*step)).sum::<i32>();
        if there <= least {
            return None;
        }
        let (width, height) = (run.len(), procedure.len());
        self.cells.clear();
        self.cells.resize(width * height, (0, 0, 0));
        let mut best = (0, 0, 0);
        for (row, step) in procedure.iter().enumerate() {
            let worth = self.bits(*step);
            for (column, _) in run.iter().enumerate().filter(|(_, symbol)| *symbol == step) {
                let mut cell = (worth, 0, 0);
                // From every earlier match that is near enough: few, because most cells are empty.
                for up in 1..=row {
                    for left in 1..=column.min(self.max_gap + 1) {
                        let before = self.cells.get((row - up) * width + column - left).map_or(0, |cell| cell.0);
                        let skipped = (left as i32 - 1) * FOREIGN + (up as i32 - 1) * DROPPED;
                        if before > 0 && before + worth - skipped > cell.0 {
                            cell = (before + worth - skipped, up as u8, left as u8);
                        }
                    }
                }
                if cell.0 > best.0 {
                    best = (cell.0, row, column);
                }
                if let Some(place) = self.cells.get_mut(row * width + column) {
                    *place = cell;
                }
            }
        }
        if best.0 <= least.max(0) {
            return None;
        }
        let (_, mut row, mut column) = best;
        let mut pairs = Vec::new();
        loop {
            pairs.push((column as u8, row as u8));
            let (_, up, left) = self.cells.get(row * width + column).copied().unwrap_or_default();
            if up == 0 {
                break;
            }
            (row, column) = (row.saturating_sub(usize::from(up)), column.saturating_sub(usize::from(left)));
        }
        pairs.reverse();
        let gain = self.gain(procedure, width, &pairs);
        (gain > least).then_some(Fit { gain, pairs })
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
        named - anywhere.min(stretch) - self.choices.bits(procedure.len(), dropped) - dropped as i32 * DROPPED
    }
}
