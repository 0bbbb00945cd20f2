//! Where a tenant's things are kept. Every key begins with the tenant, and nothing makes a key without one (S4).

use crate::log::Change;
use crate::model::{EntryId, UserId};
use crate::store::{Key, KeyRange, Revision};

const ENTRY: &[u8] = b"e";
const HISTORY: &[u8] = b"h";
// In the space of the bodies.
const VECTOR: &[u8] = b"v";
// In the space of the index. What says how far the segments go is read before them.
const MANIFEST: &[u8] = b"m";
const SEGMENT: &[u8] = b"s";

/// The keys of one tenant.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    tenant: Key,
}

impl Keys {
    pub(super) fn new(user: &UserId) -> Self {
        Self { tenant: Key::default().part(user.as_str().as_bytes()) }
    }

    /// Holds the revision, in `Space::Meta`.
    pub(super) fn guard(&self) -> Key {
        self.tenant.clone()
    }

    /// The links of the commit that led to `revision`, in `Space::Log`.
    pub(super) fn log_page(&self, revision: Revision) -> Key {
        self.tenant.clone().number(revision.0)
    }

    /// The links of all commits that came after `revision`.
    pub(super) fn log_after(&self, revision: Revision) -> KeyRange {
        KeyRange::prefix(self.tenant.clone()).from(self.log_page(revision.next()))
    }

    /// Everything in `Space::Index`.
    pub(super) fn index(&self) -> KeyRange {
        KeyRange::prefix(self.tenant.clone())
    }

    /// What says how far the stored index goes.
    pub(super) fn manifest(&self) -> Key {
        self.tenant.clone().part(MANIFEST)
    }

    /// The pieces of a segment.
    pub(super) fn segment(&self, number: u64) -> KeyRange {
        KeyRange::prefix(self.tenant.clone().part(SEGMENT).number(number))
    }

    /// A piece of a segment.
    pub(super) fn segment_piece(&self, number: u64, piece: u32) -> Key {
        self.tenant.clone().part(SEGMENT).number(number).number(piece.into())
    }

    /// Which segment a key of `Space::Index` means, if it means one.
    pub(super) fn segment_of(&self, key: &Key) -> Option<u64> {
        let rest = key.as_bytes().strip_prefix(self.tenant.clone().part(SEGMENT).as_bytes())?;
        Some(u64::from_be_bytes(*rest.first_chunk()?))
    }

    /// An entry's record in `Space::Records`, and its body in `Space::Bodies`.
    pub(super) fn entry(&self, id: &EntryId) -> Key {
        self.tenant.clone().join(&Self::entry_suffix(id))
    }

    /// An entry's vector, in `Space::Bodies`.
    pub(super) fn vector(&self, id: &EntryId) -> Key {
        self.tenant.clone().part(VECTOR).part(id.as_str().as_bytes())
    }

    /// An earlier version of an entry, in the same two spaces.
    pub(super) fn version(&self, id: &EntryId, version: u32) -> Key {
        self.tenant.clone().part(HISTORY).part(id.as_str().as_bytes()).number(version.into())
    }

    /// All earlier versions of an entry, oldest first.
    pub(super) fn versions(&self, id: &EntryId) -> KeyRange {
        KeyRange::prefix(self.tenant.clone().part(HISTORY).part(id.as_str().as_bytes()))
    }

    /// All entries' records.
    pub(super) fn entries(&self) -> KeyRange {
        KeyRange::prefix(self.tenant.clone().part(ENTRY))
    }

    /// An entry's key as the log knows it: without the tenant.
    pub(super) fn entry_suffix(id: &EntryId) -> Vec<u8> {
        Key::default().part(ENTRY).part(id.as_str().as_bytes()).as_bytes().to_vec()
    }

    /// The full key for one that the log knows.
    pub(super) fn by_suffix(&self, suffix: &[u8]) -> Key {
        self.tenant.clone().join(suffix)
    }

    /// Which entry a key of the log means, if it means one.
    pub(super) fn entry_of(suffix: &[u8]) -> Option<EntryId> {
        let rest = suffix.strip_prefix(Key::default().part(ENTRY).as_bytes())?;
        let id = std::str::from_utf8(rest.get(2..)?).ok()?;
        EntryId::new("id", id).ok()
    }
}

/// Whether a record is there after this change.
pub(super) fn is_there_after(change: Change) -> bool {
    match change {
        Change::Add | Change::Update => true,
        Change::Delete => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_again_from_its_suffix() {
        let keys = Keys::new(&UserId::new("user", "a:b").unwrap());
        for id in ["c", "việt", "\u{0}", "__proto__"] {
            let id = EntryId::new("id", id).unwrap();
            let suffix = Keys::entry_suffix(&id);
            assert_eq!(keys.by_suffix(&suffix), keys.entry(&id));
            assert_eq!(Keys::entry_of(&suffix), Some(id.clone()));
            assert!(keys.entries().contains(&keys.entry(&id)));
        }
        assert_eq!(Keys::entry_of(b"x"), None);
    }
}
