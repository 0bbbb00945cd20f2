//! What tests of stored memories share: scenes, storages that were tampered with, and dice.

use futures::executor::block_on;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::Draft;
use keepsake::model::UserId;
use keepsake::store::{Durability, Key, KeyRange, Op, Revision, Space, WriteBatch};
use keepsake::{Config, MemStore, Store};

pub(crate) type Scene = Memory<MemStore, Scripted>;

/// A memory at the one time that all tests share, with chance from `seed`.
pub(crate) fn open(store: &MemStore, seed: u64, config: &Config) -> Scene {
    let user = UserId::new("user", "u-1").unwrap();
    block_on(Memory::open(store.connect(), Scripted::new(1_735_812_000_000, seed), user, config.clone())).unwrap()
}

pub(crate) fn draft(content: &str) -> Draft {
    Draft { content: content.to_owned(), ..Draft::default() }
}

pub(crate) fn scan(store: &MemStore, space: Space) -> Vec<(Key, Vec<u8>)> {
    block_on(store.scan(space, &KeyRange::prefix(Key::default()), usize::MAX)).unwrap().items
}

/// The spaces in which `bytes` are found.
pub(crate) fn holding(store: &MemStore, bytes: &[u8]) -> Vec<&'static str> {
    let found = |value: &[u8]| value.windows(bytes.len()).any(|part| part == bytes);
    let holds = |space: &&Space| scan(store, **space).iter().any(|(_, value)| found(value));
    Space::ALL.iter().filter(holds).map(|space| space.name()).collect()
}

/// The same storage, without what can be derived or with it changed.
pub(crate) fn copy(store: &MemStore, index: impl Fn(usize, Vec<u8>) -> Option<Vec<u8>>) -> MemStore {
    let copy = MemStore::new();
    let guard = scan(store, Space::Meta).remove(0);
    let mut ops = Vec::new();
    for space in [Space::Records, Space::Bodies, Space::Log] {
        ops.extend(scan(store, space).into_iter().map(|(key, value)| Op::Put(space, key, value)));
    }
    for (at, (key, value)) in scan(store, Space::Index).into_iter().enumerate() {
        ops.extend(index(at, value).map(|value| Op::Put(Space::Index, key, value)));
    }
    let revision = Revision::from_bytes(Some(&guard.1)).unwrap();
    for base in 0..revision.0 {
        let ops = if base == 0 { std::mem::take(&mut ops) } else { Vec::new() };
        let batch = WriteBatch { guard: guard.0.clone(), base: Revision(base), ops, durability: Durability::Relaxed };
        block_on(copy.commit(batch)).unwrap();
    }
    copy
}

/// Says only where two lists of answers part: whole lists would fill the screen.
#[track_caller]
pub(crate) fn same(seen: &[String], expected: &[String], what: &str) {
    let parted = seen.iter().zip(expected).find(|(seen, expected)| seen != expected);
    assert_eq!(parted, None, "{what}");
    assert_eq!(seen.len(), expected.len(), "{what}");
}

pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}
