//! One sort for all orders: a generic sort would add several kilobytes of download for each type.

use std::cmp::Ordering;

/// A stable sort of numbers by any order. A bottom-up merge sort: few comparisons, which are the cost, and a tenth of
/// the code of the standard library's sort.
pub(crate) fn sort(numbers: &mut [u32], order: &mut dyn FnMut(&u32, &u32) -> Ordering) {
    let mut merged: Vec<u32> = Vec::with_capacity(numbers.len());
    let mut run = 1;
    while run < numbers.len() {
        merged.clear();
        for pair in numbers.chunks(2 * run) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            // Two runs that are already in order are one.
            if let (Some(last), Some(first)) = (left.last(), right.first())
                && order(first, last).is_lt()
            {
                while let ([one, lefts @ ..], [other, rights @ ..]) = (left, right) {
                    if order(other, one).is_lt() {
                        merged.push(*other);
                        right = rights;
                    } else {
                        merged.push(*one);
                        left = lefts;
                    }
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        numbers.copy_from_slice(&merged);
        run *= 2;
    }
}

/// The indexes 0 to `len` in an order; the sort is stable.
pub(crate) fn sorted(len: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<u32> = (0..len as u32).collect();
    sort(&mut places, &mut |one, other| order(*one as usize, *other as usize));
    places.into_iter().map(|place| place as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_and_equal_ones_stay() {
        let mut state = 1_u32;
        for len in (0..70).chain([1000, 4097]) {
            let mut roll = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state >> 24
            };
            let numbers: Vec<u32> = (0..len).map(|at| roll() << 16 | at).collect();
            let mut ours = numbers.clone();
            let mut comparisons = 0;
            sort(&mut ours, &mut |one, other| {
                comparisons += 1;
                (one >> 16).cmp(&(other >> 16))
            });
            let mut known = numbers;
            known.sort_by_key(|number| number >> 16);
            assert_eq!(ours, known);
            assert!(comparisons <= 2 * len * (len + 1).ilog2() + len, "{comparisons} comparisons of {len}");
            let mut again = 0;
            sort(&mut ours, &mut |one, other| {
                again += 1;
                (one >> 16).cmp(&(other >> 16))
            });
            assert!(again <= len && ours == known);
        }
    }
}
