//! Information in bits, as integers in 64ths: the same on every platform, unlike its logarithms.

/// One bit.
pub(super) const BIT: i32 = 64;

/// The binary logarithm, in 64ths. That of zero counts as zero.
pub(super) fn log2(number: usize) -> i32 {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    if number < 2 {
        return 0;
    }
    let mut bits = i32::try_from(number.ilog2()).unwrap_or(0);
    // The number scaled to between one and two; each squaring gives one more digit of its logarithm.
    let mut rest = u64::from(number) << (31 - bits);
    for _ in 0..6 {
        rest = (rest * rest) >> 31;
        bits <<= 1;
        if rest >> 32 != 0 {
            rest >>= 1;
            bits |= 1;
        }
    }
    bits
}

/// The bits to choose `some` of `all`.
pub(super) struct Choices {
    /// Logarithms of the factorials.
    factorials: Vec<i32>,
}

impl Choices {
    pub(super) fn new(most: usize) -> Self {
        let mut sum = 0;
        let step = |number| {
            sum += log2(number);
            sum
        };
        Self { factorials: (0..=most).map(step).collect() }
    }

    pub(super) fn bits(&self, all: usize, some: usize) -> i32 {
        let of = |number: usize| self.factorials.get(number).copied().unwrap_or(0);
        if some > all { 0 } else { (of(all) - of(some) - of(all - some)).max(0) }
    }
}

/// The bits to say which `some` of `all` outcomes are of one kind, if their share is known.
pub(super) fn entropy(some: usize, all: usize) -> i64 {
    let part = |number: usize| number as i64 * i64::from(log2(number));
    part(all) - part(some) - part(all.saturating_sub(some))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_64th() {
        for number in 1..5_000_usize {
            let exact = (number as f64).log2() * 64.0;
            assert!((f64::from(log2(number)) - exact).abs() <= 1.0, "{number}");
        }
        assert_eq!((log2(0), log2(1), log2(1024)), (0, 0, 640));
        assert_eq!(log2(usize::MAX), log2(u32::MAX as usize));
    }

    #[test]
    fn a_choice_costs_the_logarithm_of_its_ways() {
        let choices = Choices::new(256);
        assert!((choices.bits(9, 6) - log2(84)).abs() < 12);
        assert_eq!((choices.bits(5, 5), choices.bits(5, 0), choices.bits(2, 3)), (0, 0, 0));
    }
}
