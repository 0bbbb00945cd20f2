//! Collections through the component.

use crate::opened;
use crate::verbs::{Verb, text};
use keepsake_host::Storage;
use keepsake_host::wit::Error;
use keepsake_host::wit_collections::{Change, Expected, Setting};

fn set(key: &str, value: &str, text: Option<&str>) -> Change {
    Change::Set(Setting { key: key.to_owned(), value: value.to_owned(), text: text.map(str::to_owned) })
}

/// A storage with two values, one of which has words.
pub(crate) fn collected() -> Storage {
    let storage = Storage::default();
    let (mut instance, memory) = opened(&storage);
    let changes = [set("a", "1", Some("green tea")), set("b", "2", None)];
    assert!(instance.write_values(memory, "drafts", &changes, &[]).unwrap().unwrap());
    storage
}

/// Every function of the interface `collections`.
pub(crate) const COLLECTIONS: &[Verb] = &[
    Verb {
        name: "get values",
        run: |instance, memory| text(instance.values(memory, "drafts", &["a".to_owned(), "b".to_owned()])),
        calls: &[&["get"]],
    },
    Verb {
        name: "list-values",
        run: |instance, memory| text(instance.list_values(memory, "drafts", "", 9)),
        calls: &[&["scan"]],
    },
    Verb {
        name: "write values",
        run: |instance, memory| {
            let changes = [Change::DeleteAll("b".to_owned()), set("c", "3", Some("black tea"))];
            let expect = [Expected { key: "a".to_owned(), value: Some("1".to_owned()) }];
            text(instance.write_values(memory, "drafts", &changes, &expect))
        },
        calls: &[&["get", "get", "scan", "get", "commit"]],
    },
    Verb {
        name: "search values",
        run: |instance, memory| text(instance.search_values(memory, "drafts", "tea", "")),
        // There are no entries whose contents it would have to read.
        calls: &[&["get", "get", "scan", "scan", "scan", "scan", "scan", "scan", "scan", "get"]],
    },
];

#[test]
fn values_are_written_listed_found_and_taken_away() {
    let storage = Storage::default();
    let (mut instance, memory) = opened(&storage);
    let changes = [set("a/1", "{\"n\":1}", Some("green tea")), set("a/2", "null", None), set("b", "3", None)];
    assert!(instance.write_values(memory, "drafts", &changes, &[]).unwrap().unwrap());
    let (mut other, same) = opened(&storage);
    let keys = ["a/1", "a/2", "c"].map(str::to_owned);
    let values = other.values(same, "drafts", &keys).unwrap().unwrap();
    assert_eq!(values, [Some("{\"n\":1}".to_owned()), Some("null".to_owned()), None]);
    let listed = other.list_values(same, "drafts", "a/", 9).unwrap().unwrap();
    assert_eq!(listed.iter().map(|item| item.key.as_str()).collect::<Vec<_>>(), ["a/1", "a/2"]);
    let found = other.search_values(same, "drafts", "tea", "").unwrap().unwrap();
    assert_eq!(found.iter().map(|hit| hit.key.as_str()).collect::<Vec<_>>(), ["a/1"]);
    assert!(found[0].score > 0.0);
    let gone = [Change::DeleteAll("a/".to_owned()), Change::Delete("b".to_owned())];
    let stale = [Expected { key: "b".to_owned(), value: Some("4".to_owned()) }];
    assert!(!other.write_values(same, "drafts", &gone, &stale).unwrap().unwrap());
    assert!(other.write_values(same, "drafts", &gone, &[]).unwrap().unwrap());
    assert!(instance.list_values(memory, "drafts", "", 9).unwrap().unwrap().is_empty());
}

#[test]
fn what_is_no_json_is_refused_by_name() {
    let (mut instance, memory) = opened(&Storage::default());
    let refused = instance.write_values(memory, "drafts", &[set("a", "{", None)], &[]).unwrap();
    assert!(matches!(refused, Err(Error::InvalidInput(invalid)) if invalid.field == "changes[0].value"));
    let refused = instance.values(memory, "", &[]).unwrap();
    assert!(matches!(refused, Err(Error::InvalidInput(invalid)) if invalid.field == "collection"));
}
