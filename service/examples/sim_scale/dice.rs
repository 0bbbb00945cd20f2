//! Chance that is the same in every run: a seed, and the distributions that are drawn from it.

use std::cell::Cell;
use std::f64::consts::TAU;

/// What 99 % of a normal distribution are below of, in standard deviations.
const P99_DEVIATIONS: f64 = 2.326_347_87;

/// Dice.
#[derive(Clone, Debug)]
pub(crate) struct Dice(Cell<u64>);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Cell::new(seed))
    }

    /// Any 64 bits (SplitMix64).
    pub(crate) fn bits(&self) -> u64 {
        let seed = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(seed);
        let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, but not including, 1.
    pub(crate) fn share(&self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From 0 up to, but not including, `most`.
    pub(crate) fn below(&self, most: usize) -> usize {
        (self.share() * most as f64) as usize
    }

    /// Log-normal, by its median and the standard deviation of its logarithm.
    pub(crate) fn log_normal(&self, median: f64, sigma: f64) -> f64 {
        let normal = (-2.0 * (1.0 - self.share()).ln()).sqrt() * (TAU * self.share()).cos();
        median * (sigma * normal).exp()
    }

    /// Log-normal, by the two figures that services publish.
    pub(crate) fn latency(&self, p50: f64, p99: f64) -> f64 {
        self.log_normal(p50, (p99 / p50).ln() / P99_DEVIATIONS)
    }
}

/// Tenants by how busy they are: the one of rank `r` asks as often as 1 / r^`EXPONENT` says.
#[derive(Debug)]
pub(crate) struct Zipf {
    tenants: f64,
}

impl Zipf {
    /// How much busier the busy are.
    pub(crate) const EXPONENT: f64 = 0.7;

    pub(crate) fn new(tenants: usize) -> Self {
        Self { tenants: tenants as f64 }
    }

    /// A tenant, by its rank from 0. The sum is taken as an integral, which can be turned around.
    pub(crate) fn draw(&self, dice: &Dice) -> usize {
        let grows = 1.0 - Self::EXPONENT;
        let (first, last) = (1.0, (self.tenants + 1.0).powf(grows));
        let rank = (first + dice.share() * (last - first)).powf(1.0 / grows);
        (rank as usize).clamp(1, self.tenants as usize) - 1
    }

    /// The share of all requests that the busiest tenant makes.
    pub(crate) fn busiest(&self) -> f64 {
        let grows = 1.0 - Self::EXPONENT;
        (2_f64.powf(grows) - 1.0) / ((self.tenants + 1.0).powf(grows) - 1.0)
    }
}
