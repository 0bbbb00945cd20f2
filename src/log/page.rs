//! The links of one commit as one stored value.

use super::{Change, Hash, Head, Link};
use crate::codec::{CodecError, Frame, Kind};
use crate::model::Timestamp;

/// The links of one commit, and their place in the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The head of the chain before this commit.
    pub before: Head,
    /// Its links, oldest first.
    pub links: Vec<Link>,
}

impl Page {
    /// The head of the chain after this commit.
    pub fn after(&self) -> Head {
        self.links.iter().fold(self.before, Head::then)
    }

    /// The stored form: the head before, then each link as time, change, key length, key, payload hash.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.before.seq.to_be_bytes());
        bytes.extend(self.before.hash);
        for link in &self.links {
            bytes.extend(link.at.millis().to_be_bytes());
            bytes.push(link.change as u8);
            bytes.extend((link.key.len() as u32).to_be_bytes());
            bytes.extend(&link.key);
            bytes.extend(link.payload);
        }
        Frame::seal(Kind::Links, &bytes)
    }

    /// Reads the stored form.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        let frame = Frame::open(Kind::Links, bytes)?;
        let corrupt = || CodecError::corrupt(Kind::Links, "a link is cut short or of an unknown kind");
        let mut rest = frame.payload;
        let seq = u64::from_be_bytes(take(&mut rest).ok_or_else(corrupt)?);
        let hash: Hash = take(&mut rest).ok_or_else(corrupt)?;
        let mut links = Vec::new();
        while !rest.is_empty() {
            links.push(link(&mut rest).ok_or_else(corrupt)?);
        }
        // The head after the links must have a valid number, too.
        seq.checked_add(links.len() as u64).ok_or_else(corrupt)?;
        Ok(Self { before: Head { seq, hash }, links })
    }
}

fn link(rest: &mut &[u8]) -> Option<Link> {
    let at = Timestamp::from_millis("at", i64::from_be_bytes(take(rest)?)).ok()?;
    let [change] = take(rest)?;
    let length = u32::from_be_bytes(take(rest)?) as usize;
    let (key, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(Link { at, change: Change::from_byte(change)?, key: key.to_vec(), payload: take(rest)? })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_come_back_as_they_were() {
        let at = Timestamp::from_millis("at", 1_735_812_000_000).unwrap();
        let link = |key: &[u8]| Link { at, change: Change::Add, key: key.to_vec(), payload: super::super::hash(key) };
        let page =
            Page { before: Head { seq: 7, hash: [9; 32] }, links: vec![link(b"a"), link(b""), link(&[255; 300])] };
        assert_eq!(Page::decode(&page.encode()).unwrap(), page);
        assert_eq!(page.after().seq, 10);
    }

    /// Found by fuzzing: the number after the last link overflowed.
    #[test]
    fn f40_a_page_at_the_end_of_all_numbers_is_refused() {
        let at = Timestamp::from_millis("at", 0).unwrap();
        let link = Link { at, change: Change::Add, key: Vec::new(), payload: [0; 32] };
        let page = |seq| Page { before: Head { seq, hash: [0; 32] }, links: vec![link.clone()] };
        assert_eq!(Page::decode(&page(u64::MAX - 1).encode()).map(|page| page.after().seq), Ok(u64::MAX));
        assert!(matches!(Page::decode(&page(u64::MAX).encode()), Err(CodecError::Corrupt { .. })));
    }

    #[test]
    fn a_page_with_a_length_that_lies_is_refused() {
        let mut bytes = vec![0; 40];
        bytes.extend([0; 8]);
        bytes.push(1);
        bytes.extend(u32::MAX.to_be_bytes());
        let sealed = Frame::seal(Kind::Links, &bytes);
        assert!(matches!(Page::decode(&sealed), Err(CodecError::Corrupt { .. })));
    }
}
