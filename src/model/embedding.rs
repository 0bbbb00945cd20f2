//! Embeddings: normalised vectors.

use super::Invalid;

const MAX_DIMENSIONS: usize = 4096;

/// A vector of up to 4,096 numbers, scaled to length 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding(Vec<f32>);

impl Embedding {
    /// Validates and normalises the output of an embedder; its length must not be 0.
    pub fn new(field: &str, mut numbers: Vec<f32>) -> Result<Self, Invalid> {
        if numbers.len() > MAX_DIMENSIONS {
            return Err(Invalid::too_large(field, MAX_DIMENSIONS, numbers.len()));
        }
        let square = numbers.iter().fold(0.0, |sum, number| sum + f64::from(*number) * f64::from(*number));
        if !square.is_finite() || square <= 0.0 {
            return Err(Invalid::value(field, "must be finite numbers that are not all 0"));
        }
        let length = square.sqrt();
        for number in &mut numbers {
            *number = (f64::from(*number) / length) as f32;
        }
        Ok(Self(numbers))
    }

    /// The numbers.
    pub fn as_slice(&self) -> &[f32] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embeddings_have_length_one_and_nonsense_is_refused() {
        let made = Embedding::new("embedding", vec![3.0, -4.0]).unwrap();
        assert_eq!(made.as_slice(), [0.6, -0.8]);
        for bad in [vec![], vec![0.0; 3], vec![f32::NAN], vec![f32::INFINITY, 1.0], vec![1.0; 4097]] {
            assert_eq!(Embedding::new("embedding", bad).unwrap_err().field(), "embedding");
        }
        assert!(Embedding::new("embedding", vec![1e30, 1e30]).is_ok());
    }
}
