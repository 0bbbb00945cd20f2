//! Vectors as bytes, and their cosine similarity, bit for bit the same on every host.

use crate::model::Embedding;

/// One byte per number, with a common scale before them.
const BYTES: u8 = 1;
/// Four bytes per number.
const FLOATS: u8 = 2;

/// The fixed-point scale of the query's numbers.
const STEPS: f32 = 4096.0;

/// The stored form: a kind, then the numbers. Bytes take a quarter of the space, with practically the same rankings.
pub fn pack(embedding: &Embedding, exact: bool) -> Vec<u8> {
    let numbers = embedding.as_slice();
    if exact {
        let mut bytes = vec![FLOATS];
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        return bytes;
    }
    let largest = numbers.iter().fold(f32::MIN_POSITIVE, |largest, number| largest.max(number.abs()));
    let scale = largest / 127.0;
    let mut bytes = vec![BYTES];
    bytes.extend(scale.to_le_bytes());
    bytes.extend(numbers.iter().map(|number| round(number / scale) as i8 as u8));
    bytes
}

/// The dimensions of a stored vector.
pub fn dimensions(packed: &[u8]) -> usize {
    match packed.split_first() {
        Some((&BYTES, rest)) => rest.len().saturating_sub(4),
        Some((&FLOATS, rest)) => rest.len() / 4,
        _ => 0,
    }
}

fn round(number: f32) -> i32 {
    (number + if number < 0.0 { -0.5 } else { 0.5 }) as i32
}

/// A vector to compare others with.
pub(super) struct Compare<'a> {
    numbers: &'a [f32],
    steps: Vec<i16>,
}

impl<'a> Compare<'a> {
    pub(super) fn new(embedding: &'a Embedding) -> Self {
        let numbers = embedding.as_slice();
        Self { numbers, steps: numbers.iter().map(|number| round(number * STEPS) as i16).collect() }
    }

    /// The cosine of the two; 0 if their dimensions differ.
    pub(super) fn cosine(&self, packed: &[u8]) -> f64 {
        if dimensions(packed) != self.numbers.len() {
            return 0.0;
        }
        match packed.split_first() {
            Some((&BYTES, rest)) => match rest.split_first_chunk() {
                Some((scale, bytes)) => {
                    f64::from(bytes_dot(bytes, &self.steps)) * f64::from(f32::from_le_bytes(*scale)) / f64::from(STEPS)
                }
                None => 0.0,
            },
            Some((_, floats)) => f64::from(floats_dot(floats, self.numbers)),
            None => 0.0,
        }
    }
}

/// At most 127 × 4,096 × 4,096 / 64, so it cannot overflow: the query has length 1.
#[cfg(not(target_feature = "simd128"))]
fn bytes_dot(bytes: &[u8], steps: &[i16]) -> i32 {
    bytes.iter().zip(steps).fold(0, |sum, (byte, step)| sum + i32::from(*byte as i8) * i32::from(*step))
}

#[cfg(target_feature = "simd128")]
fn bytes_dot(bytes: &[u8], steps: &[i16]) -> i32 {
    use std::arch::wasm32::*;
    let (eights, rest) = bytes.as_chunks::<8>();
    let (step_eights, step_rest) = steps.as_chunks::<8>();
    let mut sums = i32x4_splat(0);
    for (eight, step) in eights.iter().zip(step_eights) {
        let numbers = i16x8_extend_low_i8x16(i64x2(i64::from_le_bytes(*eight), 0));
        let [a, b, c, d, e, f, g, h] = *step;
        sums = i32x4_add(sums, i32x4_dot_i16x8(numbers, i16x8(a, b, c, d, e, f, g, h)));
    }
    let tail = rest.iter().zip(step_rest).fold(0, |sum, (byte, step)| sum + i32::from(*byte as i8) * i32::from(*step));
    tail + i32x4_extract_lane::<0>(sums)
        + i32x4_extract_lane::<1>(sums)
        + i32x4_extract_lane::<2>(sums)
        + i32x4_extract_lane::<3>(sums)
}

/// Four parallel sums, for hosts with SIMD.
fn floats_dot(bytes: &[u8], numbers: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 4];
    for (at, (bytes, number)) in bytes.as_chunks::<4>().0.iter().zip(numbers).enumerate() {
        sums[at % 4] += f32::from_le_bytes(*bytes) * number;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(seed: u32) -> Embedding {
        let mut x = seed;
        let numbers = (0..387).map(|_| {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (x >> 8) as f32 / 8_388_608.0 - 1.0
        });
        Embedding::new("embedding", numbers.collect()).unwrap()
    }

    #[test]
    fn cosines_are_cosines_in_both_forms() {
        for seed in 1..40 {
            let (one, other) = (made(seed), made(seed + 100));
            let exact: f64 =
                one.as_slice().iter().zip(other.as_slice()).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            let compare = Compare::new(&one);
            assert!((compare.cosine(&pack(&other, true)) - exact).abs() < 1e-6);
            assert!((compare.cosine(&pack(&other, false)) - exact).abs() < 4e-3);
            assert!((compare.cosine(&pack(&one, false)) - 1.0).abs() < 4e-3);
        }
    }

    #[test]
    fn other_dimensions_are_far_away() {
        let short = Embedding::new("embedding", vec![1.0, 0.0]).unwrap();
        assert_eq!(dimensions(&pack(&short, false)), 2);
        assert_eq!(dimensions(&pack(&short, true)), 2);
        assert_eq!(Compare::new(&made(1)).cosine(&pack(&short, true)), 0.0);
        assert_eq!(Compare::new(&made(1)).cosine(&[]), 0.0);
        assert_eq!(Compare::new(&short).cosine(&[BYTES, 0]), 0.0);
    }
}
