//! The component in wasmtime. One program for all of it, so that the component is compiled once.

mod contract;
mod door;
mod fuel;
mod growth;
mod interface;
mod scenarios;
mod storage_errors;
mod twin;
mod writers;

use keepsake::memory::scripted::Scripted;
use keepsake_host::wit::{Draft, EntryWithContent, ListOptions};
use keepsake_host::{Instance, ResourceAny, Storage};

const NOW: i64 = 1_735_812_000_000;

const ALL: ListOptions = ListOptions { namespace: None, limit: None, after: None };

fn scripted() -> Scripted {
    Scripted::new(NOW, 7)
}

fn draft(id: &str, content: &str) -> Draft {
    Draft {
        content: content.to_owned(),
        id: Some(id.to_owned()),
        namespace: None,
        tags: Vec::new(),
        importance: None,
        source: None,
        metadata: None,
    }
}

/// An instance on `storage`, and the memory of the one user that most tests need.
fn opened(storage: &Storage) -> (Instance, ResourceAny) {
    let mut instance = Instance::new(storage, &scripted());
    let memory = instance.open("u-1").unwrap().unwrap();
    (instance, memory)
}

/// A storage with two entries: one whose summary says it all, and one that has a body.
fn prepared() -> Storage {
    let storage = Storage::default();
    let (mut instance, memory) = opened(&storage);
    instance.add(memory, &draft("short", "Deploy keys rotate on Mondays")).unwrap().unwrap();
    instance.add(memory, &draft("long", &"All the minutes of the meeting. ".repeat(100))).unwrap().unwrap();
    storage
}

/// Every entry with its content, newest first, as an instance that has just begun sees it. Panics if there is anything
/// that it cannot read.
fn everything(storage: &Storage) -> Vec<EntryWithContent> {
    let (mut instance, memory) = opened(storage);
    let entries = instance.list(memory, &ALL).unwrap().unwrap();
    let mut whole = |id: &str| instance.get(memory, id).unwrap().unwrap().expect("a listed entry can be read");
    let all: Vec<_> = entries.iter().map(|entry| whole(&entry.id)).collect();
    let heads: Vec<_> = all.iter().map(|found| found.entry.clone()).collect();
    assert_eq!(heads, entries, "the list and the entries agree");
    all
}
