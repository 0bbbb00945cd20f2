//! Blocks and manifests as bytes: a magic number, the body, and its checksum.

use keepsake::store::StoreError;
use sha2::{Digest, Sha256};

const MARK: &[u8] = b"ks1";
const SUM: usize = 8;

/// Bytes that are being written.
#[derive(Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn new() -> Self {
        Self(MARK.to_vec())
    }

    /// A varint: seven bits per byte, the lowest first.
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    pub(super) fn fixed(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        let sum = Sha256::digest(&self.0);
        self.0.extend(&sum[..SUM]);
        self.0
    }
}

/// Bytes that are being read.
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, StoreError> {
        let (rest, sum) = bytes.split_at_checked(bytes.len().saturating_sub(SUM)).ok_or_else(torn)?;
        let body = rest.strip_prefix(MARK).ok_or_else(torn)?;
        if Sha256::digest(rest)[..SUM] == *sum { Ok(Self(body)) } else { Err(torn()) }
    }

    pub(super) fn number(&mut self) -> Result<u64, StoreError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.fixed::<1>()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(torn())
    }

    pub(super) fn bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        let length = usize::try_from(self.number()?).map_err(|_| torn())?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(torn)?;
        self.0 = rest;
        Ok(bytes.to_vec())
    }

    pub(super) fn fixed<const N: usize>(&mut self) -> Result<[u8; N], StoreError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or_else(torn)?;
        self.0 = rest;
        Ok(*bytes)
    }

    /// An array, each item read by `item`.
    pub(super) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        (0..self.number()?).map(|_| item(self)).collect()
    }
}

pub(super) fn torn() -> StoreError {
    StoreError::Failed("a stored block cannot be read".into())
}
