//! The hash chain of links: each contains the hash of the previous one, so none can be changed, removed or inserted.

use crate::model::Timestamp;
use sha2::{Digest, Sha256};

/// A SHA-256.
pub type Hash = [u8; 32];

/// The hash of `bytes`.
pub fn hash(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// The kind of change that a link records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Change {
    /// Written for the first time.
    Add = 1,
    /// Written again.
    Update = 2,
    /// Deleted.
    Delete = 3,
}

impl Change {
    pub(super) fn from_byte(byte: u8) -> Option<Self> {
        [Self::Add, Self::Update, Self::Delete].into_iter().find(|change| *change as u8 == byte)
    }
}

/// The head of a chain: the number of links, and the hash of the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The sequence number of the last link; 0 before the first.
    pub seq: u64,
    /// The hash of the last link; zeros before the first.
    pub hash: Hash,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The time of the write.
    pub at: Timestamp,
    /// The kind of change.
    pub change: Change,
    /// The key of the record, without its tenant.
    pub key: Vec<u8>,
    /// The hash of the written record; zeros for a deletion.
    pub payload: Hash,
}

impl Head {
    /// The head of the chain after `link`.
    pub fn then(self, link: &Link) -> Self {
        let seq = self.seq + 1;
        let mut bytes = Vec::with_capacity(96 + link.key.len());
        bytes.extend(self.hash);
        bytes.extend(seq.to_be_bytes());
        bytes.extend(link.at.millis().to_be_bytes());
        bytes.push(link.change as u8);
        bytes.extend((link.key.len() as u64).to_be_bytes());
        bytes.extend(&link.key);
        bytes.extend(link.payload);
        Self { seq, hash: hash(&bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_link_moves_the_head() {
        let at = |millis| Timestamp::from_millis("at", millis).unwrap();
        let link = Link { at: at(1), change: Change::Add, key: b"key".to_vec(), payload: hash(b"payload") };
        let others = [
            Link { at: at(2), ..link.clone() },
            Link { change: Change::Delete, ..link.clone() },
            Link { key: b"kez".to_vec(), ..link.clone() },
            Link { payload: hash(b"other"), ..link.clone() },
        ];
        let head = Head::default().then(&link);
        assert_eq!(head.seq, 1);
        for other in others {
            assert_ne!(Head::default().then(&other).hash, head.hash);
        }
        assert_ne!(head.then(&link).hash, head.hash);
    }
}
