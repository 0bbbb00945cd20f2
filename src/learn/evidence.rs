//! Finds the fact that best separates two outcomes of some cases.

use super::bits::{entropy, log2};
use crate::model::sort;

/// A case: a call of a tool, or the steps after one.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    /// Its trace and its step.
    pub(super) trace: usize,
    pub(super) step: usize,
    /// Whether it has the outcome to explain.
    pub(super) hit: bool,
    /// The hashes of its facts, in order.
    pub(super) facts: &'a [u32],
}

/// A fact that splits cases.
#[derive(Clone, Copy, Default)]
pub(super) struct Split {
    pub(super) fact: u32,
    /// Cases on the explaining side, and hits among them.
    pub(super) cases: usize,
    pub(super) hits: usize,
    /// Cases on the other side, and hits among them.
    pub(super) others: usize,
    pub(super) other_hits: usize,
    /// The bits that the split saves in coding the outcomes.
    pub(super) bits: i64,
}

impl Split {
    fn new(fact: u32, cases: usize, hits: usize, all: usize, all_hits: usize) -> Self {
        let (others, other_hits) = (all - cases, all_hits - hits);
        let bits = entropy(all_hits, all) - entropy(hits, cases) - entropy(other_hits, others);
        Self { fact, cases, hits, others, other_hits, bits }
    }

    /// The share of hits among the cases.
    pub(super) fn rate(&self) -> f64 {
        self.hits as f64 / self.cases.max(1) as f64
    }

    /// The share of those hits that exceeds the rate elsewhere.
    pub(super) fn effect(&self) -> f64 {
        let elsewhere = self.other_hits as f64 / self.others.max(1) as f64;
        if self.hits == 0 { 0.0 } else { (1.0 - elsewhere / self.rate()).max(0.0) }
    }
}

/// Every split of the cases by one fact. If `lacking` returns true, the absence of the fact explains.
pub(super) fn splits(cases: &[Case<'_>], lacking: &dyn Fn(u32) -> bool) -> Vec<Split> {
    let collect = |hit: bool| {
        let of = cases.iter().filter(|case| case.hit == hit);
        let mut facts: Vec<u32> = of.flat_map(|case| case.facts.iter().copied()).collect();
        sort(&mut facts, &mut u32::cmp);
        facts
    };
    let (hits, misses) = (collect(true), collect(false));
    let all_hits = cases.iter().filter(|case| case.hit).count();
    let count = |facts: &[u32], fact: u32| {
        facts.partition_point(|known| *known <= fact) - facts.partition_point(|known| *known < fact)
    };
    // A fact that explains by presence occurs in a hit; one that explains by absence occurs in a miss.
    let mut facts: Vec<u32> = hits.iter().copied().filter(|fact| !lacking(*fact)).collect();
    facts.extend(misses.iter().copied().filter(|fact| lacking(*fact)));
    sort(&mut facts, &mut u32::cmp);
    facts.dedup();
    let split = |fact: u32| {
        let (there, missed) = (count(&hits, fact), count(&misses, fact));
        if lacking(fact) {
            Split::new(fact, cases.len() - there - missed, all_hits - there, cases.len(), all_hits)
        } else {
            Split::new(fact, there + missed, there, cases.len(), all_hits)
        }
    };
    facts.into_iter().map(split).collect()
}

/// The penalty for trying so many splits.
pub(super) fn penalty(tried: usize) -> i64 {
    i64::from(log2(tried))
}
