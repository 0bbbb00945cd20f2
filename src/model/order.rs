//! One sort for all orders: the algorithm once more for each kind of list would be several kilobytes of download each.

use std::cmp::Ordering;

/// Sorts numbers, by whatever they stand for. Equal ones may change places.
pub(crate) fn sort(numbers: &mut [u32], order: &mut dyn FnMut(&u32, &u32) -> Ordering) {
    numbers.sort_unstable_by(order);
}

/// The places 0 to `len` in an order; equal ones stay as they are.
pub(crate) fn sorted(len: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<u32> = (0..len as u32).collect();
    sort(&mut places, &mut |one, other| order(*one as usize, *other as usize).then(one.cmp(other)));
    places.into_iter().map(|place| place as usize).collect()
}
