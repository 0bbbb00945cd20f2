//! The contract, and the promises of the type: one process at a time, dropped calls, shared commits, rewriting.

use super::folder::Folder;
use futures::FutureExt;
use futures::executor::block_on;
use futures::future::join_all;
use keepsake::memory::{ListOptions, Memory};
use keepsake::model::{Draft, UserId};
use keepsake::native::{FileError, FileStore, SystemEnv};
use keepsake::store::{Durability, Key, Op, Revision, Space, StoreError, WriteBatch, contract};
use keepsake::{Config, Error, ErrorCode, Store};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error as _;
use std::fs;

pub(crate) fn draft(content: &str) -> Draft {
    Draft { content: content.to_owned(), ..Draft::default() }
}

pub(crate) async fn open(store: FileStore, user: &str) -> Memory<FileStore, SystemEnv> {
    Memory::open(store, SystemEnv, UserId::new("user", user).unwrap(), Config::default()).await.unwrap()
}

fn key(name: &str) -> Key {
    Key::default().part(name.as_bytes())
}

fn batch(user: &str, base: u64, ops: Vec<Op>) -> WriteBatch {
    WriteBatch { guard: key(user), base: Revision(base), ops, durability: Durability::Relaxed }
}

fn put(name: &str, value: &[u8]) -> Op {
    Op::Put(Space::Records, key(name), value.to_vec())
}

/// A file for each name. The first handle to one opens it, the others connect while that is open.
#[derive(Default)]
struct Files {
    folder: Option<Folder>,
    open: RefCell<BTreeMap<String, FileStore>>,
}

impl contract::Medium for Files {
    type Store = FileStore;

    async fn connect(&self, name: &str) -> Result<FileStore, StoreError> {
        let path = self.folder.as_ref().unwrap().file(name);
        let mut open = self.open.borrow_mut();
        let file = match open.remove(name) {
            Some(file) => file,
            None => FileStore::open(path)?,
        };
        let store = file.connect()?;
        open.insert(name.to_owned(), file);
        Ok(store)
    }
}

/// Every handle opens the file by itself, as far as the lock allows: the cases with one handle.
struct Reopened(Folder);

impl contract::Medium for Reopened {
    type Store = FileStore;

    async fn connect(&self, name: &str) -> Result<FileStore, StoreError> {
        Ok(FileStore::open(self.0.file(name))?)
    }
}

#[test]
fn a_file_keeps_the_contract_of_stores() {
    let files = Files { folder: Some(Folder::new()), ..Files::default() };
    assert_eq!(block_on(contract::check(&files)), Ok(24));
}

#[test]
fn a_file_that_is_opened_again_by_each_handle_keeps_the_contract_but_for_two_at_once() {
    let broken = block_on(contract::check(&Reopened(Folder::new()))).unwrap_err();
    let cases: Vec<_> = broken.lines().filter_map(|line| line.split_once(": ")).map(|(case, _)| case).collect();
    assert_eq!(cases, ["two_handles_see_each_other", "two_handles_that_write_at_once_lose_nothing"], "{broken}");
}

#[test]
fn a_file_that_is_open_is_refused_until_its_last_handle_is_gone() {
    let folder = Folder::new();
    let path = folder.file("memory");
    let first = FileStore::open(&path).unwrap();
    let second = first.connect().unwrap();
    for close in [false, true] {
        let refused = FileStore::open(&path).unwrap_err();
        assert!(matches!(&refused, FileError::InUse { path: named } if *named == path), "{refused:?}");
        assert!(refused.to_string().contains("one process at a time"), "{refused}");
        assert_eq!(Error::from(refused).code(), ErrorCode::Unavailable);
        if close {
            block_on(second.close()).unwrap();
        } else {
            block_on(first.close()).unwrap();
        }
    }
    assert!(matches!(second.connect().unwrap_err(), FileError::Closed));
    FileStore::open(&path).unwrap();
}

#[test]
fn users_of_one_file_are_apart_and_stay_after_it_was_closed() {
    let folder = Folder::new();
    let users = ["u-1", "u-2", "u-3"];
    block_on(async {
        let store = FileStore::open(folder.file("memory")).unwrap();
        let adds = users.map(|user| {
            let store = store.connect().unwrap();
            async move {
                let memory = open(store, user).await;
                for at in 0..20 {
                    memory.add(draft(&format!("{user} {at}"))).await.unwrap();
                }
                memory.close().await.unwrap();
            }
        });
        join_all(adds).await;
        drop(store);
        let store = FileStore::open(folder.file("memory")).unwrap();
        for user in users {
            let memory = open(store.connect().unwrap(), user).await;
            let entries = memory.list(&ListOptions::default()).await.unwrap();
            assert_eq!(entries.len(), 20);
            assert!(entries.iter().all(|entry| entry.summary.starts_with(user)));
        }
    });
}

#[test]
fn commits_that_wait_together_are_answered_each_for_itself() {
    let folder = Folder::new();
    let store = FileStore::open(folder.file("memory")).unwrap();
    let users: Vec<String> = (0..200).map(|at| format!("u-{at}")).collect();
    // Every tenth is planned on a revision that is not there.
    let stale = |at: usize| at.is_multiple_of(10);
    let commits = users.iter().enumerate().map(|(at, user)| {
        let base = if stale(at) { 7 } else { 0 };
        store.commit(batch(user, base, vec![put(user, b"1")]))
    });
    let answers = block_on(join_all(commits));
    let values = block_on(store.get(Space::Records, &users.iter().map(|user| key(user)).collect::<Vec<_>>())).unwrap();
    for (at, (answer, value)) in answers.into_iter().zip(values).enumerate() {
        if stale(at) {
            assert_eq!(answer, Err(StoreError::Conflict { current: Revision(0) }));
            assert_eq!(value, None);
        } else {
            assert_eq!(answer, Ok(Revision(1)));
            assert_eq!(value, Some(b"1".to_vec()));
        }
    }
}

#[test]
fn a_commit_that_is_dropped_has_no_effect_or_all_of_it() {
    let folder = Folder::new();
    let store = FileStore::open(folder.file("memory")).unwrap();
    let commit = |base| store.commit(batch("u", base, vec![put(&format!("a {base}"), b"1"), put("b", b"1")]));
    // Never polled: no effect.
    drop(commit(0));
    assert_eq!(block_on(store.get(Space::Meta, &[key("u")])), Ok(vec![None]));
    // Polled once: all of it, before any later commit.
    assert_eq!(commit(0).now_or_never(), None);
    assert_eq!(block_on(commit(1)), Ok(Revision(2)));
    let found = block_on(store.get(Space::Records, &[key("a 0"), key("a 1"), key("b")])).unwrap();
    assert!(found.iter().all(Option::is_some), "{found:?}");
}

#[test]
fn a_path_that_cannot_be_a_file_is_refused_with_the_reason_of_the_system() {
    let folder = Folder::new();
    let missing = folder.file("missing/memory");
    let error = FileStore::open(&missing).unwrap_err();
    assert!(matches!(&error, FileError::Io { path, .. } if *path == missing), "{error:?}");
    assert_eq!(error.source().unwrap().downcast_ref::<std::io::Error>().unwrap().kind(), std::io::ErrorKind::NotFound);
    assert_eq!(Error::from(error).code(), ErrorCode::Unavailable);
    let error = FileStore::open(&folder).unwrap_err();
    assert!(matches!(error, FileError::Io { .. }), "a folder: {error:?}");
}

/// S15, F44: until then, it is in no read, search or listing; only its bytes are left.
#[test]
fn f44_s15_a_deleted_text_is_in_no_byte_of_a_compacted_file() {
    let folder = Folder::new();
    let path = folder.file("memory");
    let holds = |text: &str| fs::read(&path).unwrap().windows(text.len()).any(|part| part == text.as_bytes());
    block_on(async {
        let store = FileStore::open(&path).unwrap();
        let memory = open(store.connect().unwrap(), "u-1").await;
        for at in 0..300 {
            memory.add(draft(&format!("an everyday sentence about nothing {at} {}", "x".repeat(2_000)))).await.unwrap();
        }
        let id = memory.add(draft("the combination is zanzibar")).await.unwrap().id;
        let kept = memory.add(draft("the garage opens at nine")).await.unwrap().id;
        memory.delete(&id).await.unwrap();
        memory.clear(None).await.unwrap();
        memory.add(draft("after the clearing: quokka")).await.unwrap();
        assert!(memory.get(&kept).await.unwrap().is_none());
        let before = fs::metadata(&path).unwrap().len();
        assert!(holds("zanzibar") || holds("everyday sentence"), "the engine leaves bytes behind");
        store.compact().await.unwrap();
        assert!(!holds("zanzibar") && !holds("everyday sentence") && !holds("the garage"));
        let after = fs::metadata(&path).unwrap().len();
        assert!(after < before, "{before} bytes became {after}");
        // The memory goes on with the new file, which is locked as the old one was.
        memory.add(draft("and another one")).await.unwrap();
        assert_eq!(memory.list(&ListOptions::default()).await.unwrap().len(), 2);
        assert!(matches!(FileStore::open(&path).unwrap_err(), FileError::InUse { .. }));
        drop((memory, store));
        let again = open(FileStore::open(&path).unwrap(), "u-1").await;
        assert_eq!(again.list(&ListOptions::default()).await.unwrap().len(), 2);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");
    });
}
