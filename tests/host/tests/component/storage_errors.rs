//! A storage that fails: every error of a host comes out as its own, at every call, and nothing is changed by it (F36).

use crate::verbs::{VERBS, Verb, scenes};
use crate::{ALL, draft, everything, opened, prepared, scripted};
use keepsake_host::wit::{Error, Oversize, Shared, Versions};
use keepsake_host::wit_storage::{Schemas, StoreError, TooLarge};
use keepsake_host::{Fault, Instance, Storage};

/// Which call of the storage is the commit of an `add`, in a memory that was only just opened.
fn commit() -> usize {
    let add = VERBS.iter().find(|verb| verb.name == "add").unwrap();
    add.calls().len()
}

/// Every verb, with a storage to run it on.
fn everywhere() -> Vec<(Storage, &'static Verb)> {
    let all = scenes().into_iter();
    all.flat_map(|(prepared, verbs)| verbs.iter().map(move |verb| (prepared.clone(), verb))).collect()
}

/// What a host may say of a call, and what comes out. Conflicts are another matter: see below.
fn twins() -> Vec<(StoreError, Error)> {
    vec![
        (StoreError::QuotaExceeded, Error::QuotaExceeded),
        (
            StoreError::TooLarge(TooLarge { limit: 10, actual: 11 }),
            Error::TooLarge(Oversize { field: None, limit: 10, actual: 11 }),
        ),
        (StoreError::Blocked, Error::Blocked),
        (StoreError::Superseded, Error::Superseded),
        (StoreError::Newer(Schemas { found: 9, known: 8 }), Error::NewerVersion(Versions { found: 9, known: 8 })),
        (StoreError::Unavailable("no disk".into()), Error::Unavailable("no disk".into())),
        (StoreError::Lost, Error::StoreLost),
        (StoreError::Closed, Error::Closed),
        (StoreError::Failed("on fire".into()), Error::StorageFailed("on fire".into())),
    ]
}

#[test]
fn f36_every_verb_asks_the_storage_for_what_its_table_says() {
    let mut wrong = Vec::new();
    for (prepared, verb) in &everywhere() {
        let (mut healthy, memory) = opened(&prepared.copy());
        let opening = healthy.world().calls().len();
        (verb.run)(&mut healthy, memory).unwrap().unwrap();
        let calls = healthy.world().calls()[opening..].to_vec();
        if calls != verb.calls() {
            wrong.push(format!("{} asks {calls:?}, and not {:?}", verb.name, verb.calls()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn f36_every_error_of_every_call_comes_out_as_its_own() {
    for (prepared, verb) in &everywhere() {
        let (Verb { name, run, .. }, calls) = (verb, verb.calls());
        let (mut healthy, memory) = opened(&prepared.copy());
        let answer = run(&mut healthy, memory).unwrap().unwrap();
        for nth in 1..=calls.len() {
            for (given, wanted) in twins() {
                let storage = prepared.copy();
                let (mut instance, memory) = opened(&storage);
                instance.world().break_at(nth, Fault::Fail(given));
                assert_eq!(run(&mut instance, memory).unwrap(), Err(wanted), "{name}, call {nth}");
                assert!(!instance.world().is_fault_due());
                assert!(storage.holds_the_same_as(prepared), "{name}, call {nth}");
                // The memory has not taken harm either.
                assert_eq!(run(&mut instance, memory).unwrap(), Ok(answer.clone()), "{name}, call {nth}");
            }
        }
    }
}

#[test]
fn f36_a_read_that_claims_a_conflict_is_one() {
    let (mut instance, memory) = opened(&prepared());
    instance.world().break_at(1, Fault::Fail(StoreError::Conflict(7)));
    assert_eq!(instance.get(memory, "short").unwrap(), Err(Error::Conflict(1)));
}

#[test]
fn f36_a_commit_that_meets_a_conflict_is_tried_again() {
    let storage = prepared();
    let (mut instance, memory) = opened(&storage);
    instance.world().break_at(commit(), Fault::Fail(StoreError::Conflict(5)));
    instance.add(memory, &draft("new", "text")).unwrap().unwrap();
    assert!(!instance.world().is_fault_due());
    assert_eq!(everything(&storage).len(), 3);
}

#[test]
fn f36_a_commit_that_always_meets_a_conflict_gives_up() {
    let storage = prepared();
    let before = storage.copy();
    let (mut instance, memory) = opened(&storage);
    instance.world().break_at(commit(), Fault::FailOn(StoreError::Conflict(5)));
    assert_eq!(instance.add(memory, &draft("new", "text")).unwrap(), Err(Error::Conflict(64)));
    let commits = instance.world().calls().iter().filter(|name| **name == "commit").count();
    assert_eq!(commits, 64);
    assert!(storage.holds_the_same_as(&before));
}

#[test]
fn f36_a_conflict_with_the_past_means_that_the_storage_was_replaced() {
    let (mut instance, memory) = opened(&prepared());
    instance.world().break_at(commit(), Fault::Fail(StoreError::Conflict(3)));
    assert_eq!(instance.add(memory, &draft("new", "text")).unwrap(), Err(Error::StoreLost));
}

#[test]
fn f36_an_answer_that_was_lost_is_not_a_write_that_was_lost() {
    for (prepared, verb) in &everywhere() {
        let (Verb { name, run, .. }, calls) = (verb, verb.calls());
        let Some(before) = calls.iter().position(|call| *call == "commit") else { continue };
        let (healthy, storage) = (prepared.copy(), prepared.copy());
        let (mut instance, memory) = opened(&healthy);
        let answer = run(&mut instance, memory).unwrap().unwrap();
        let (mut instance, memory) = opened(&storage);
        instance.world().break_at(before + 1, Fault::LoseAnswer(StoreError::Failed("timeout".into())));
        assert_eq!(run(&mut instance, memory).unwrap(), Ok(answer), "{name}");
        assert!(!instance.world().is_fault_due());
        assert!(storage.holds_the_same_as(&healthy), "{name}");
        // The memory knows what it has done, and goes on from there.
        let seen = instance.list(memory, &ALL).unwrap().unwrap();
        let heads: Vec<_> = everything(&storage).into_iter().map(|found| found.entry).collect();
        assert_eq!(seen, heads, "{name}");
        instance.add(memory, &draft("newer", "text")).unwrap().unwrap();
        assert_eq!(everything(&storage).len(), seen.len() + 1, "{name}");
    }
}

#[test]
fn f36_a_write_that_the_host_denies_is_seen_and_not_repeated() {
    let storage = prepared();
    let (mut instance, memory) = opened(&storage);
    instance.world().break_at(commit(), Fault::LoseAnswer(StoreError::QuotaExceeded));
    assert_eq!(instance.add(memory, &draft("new", "text")).unwrap(), Err(Error::QuotaExceeded));
    assert_eq!(instance.list(memory, &ALL).unwrap().unwrap()[0].id, "new");
    assert_eq!(instance.add(memory, &draft("new", "text")).unwrap(), Err(Error::AlreadyExists(Shared::Id)));
    instance.add(memory, &draft("newer", "text")).unwrap().unwrap();
    assert_eq!(everything(&storage).len(), 4);
}

#[test]
fn f36_a_value_that_is_missing_from_an_answer_is_not_an_entry_that_is_gone() {
    for (prepared, verb) in &everywhere() {
        let (Verb { name, run, .. }, calls) = (verb, verb.calls());
        for nth in (1..=calls.len()).filter(|nth| calls[nth - 1] == "get") {
            let storage = prepared.copy();
            let (mut instance, memory) = opened(&storage);
            instance.world().break_at(nth, Fault::DropValue);
            let answer = run(&mut instance, memory).unwrap();
            assert!(matches!(answer, Err(Error::StorageFailed(_))), "{name}, call {nth}: {answer:?}");
            assert!(!instance.world().is_fault_due());
            assert!(storage.holds_the_same_as(prepared));
        }
    }
}

#[test]
fn f36_a_storage_that_cannot_be_opened_says_so() {
    let mut instance = Instance::new(&Storage::default(), &scripted());
    instance.world().break_at(1, Fault::Fail(StoreError::Unavailable("no disk".into())));
    assert_eq!(instance.open("u-1").unwrap().unwrap_err(), Error::Unavailable("no disk".into()));
    assert_eq!(instance.world().handles(), 0);
    instance.open("u-1").unwrap().unwrap();
}
