//! What only this door does: refuse, fill in what is absent, and say which part of the host failed.

use crate::{ALL, draft, opened, prepared, scripted};
use keepsake::model::{self, Namespaces};
use keepsake_host::wit::{Draft, Error, Invalid, ListOptions, Oversize, Surroundings};
use keepsake_host::{Instance, Storage};

fn refused(field: &str, reason: &str) -> Error {
    Error::InvalidInput(Invalid { field: field.to_owned(), reason: reason.to_owned() })
}

#[test]
fn s5_open_refuses_an_empty_user_and_touches_nothing() {
    let mut instance = Instance::new(&Storage::default(), &scripted());
    assert_eq!(instance.open("").unwrap().unwrap_err(), refused("user", "must not be empty"));
    let oversize = Oversize { field: Some("user".into()), limit: 256, actual: 257 };
    assert_eq!(instance.open(&"x".repeat(257)).unwrap().unwrap_err(), Error::TooLarge(oversize));
    assert!(instance.world().calls().is_empty());
}

#[test]
fn absent_values_take_their_defaults() {
    let (mut instance, memory) = opened(&Storage::default());
    let entry = instance.add(memory, &Draft { id: None, ..draft("", "text") }).unwrap().unwrap();
    assert_eq!(entry.id.len(), 16);
    assert_eq!(entry.namespace, "short-term");
    assert_eq!(entry.importance, 0.0);
    assert_eq!(entry.source, None);
    assert_eq!(entry.metadata, "{}");
    assert_eq!(instance.get(memory, "nobody").unwrap(), Ok(None));
}

#[test]
fn an_empty_text_is_not_an_absent_one() {
    let (mut instance, memory) = opened(&Storage::default());
    let mut add = |draft: Draft| instance.add(memory, &draft).unwrap();
    assert_eq!(add(draft("", "text")), Err(refused("id", "must not be empty")));
    let namespace = Draft { namespace: Some(String::new()), ..draft("a", "text") };
    let Err(model::Invalid::Value { field, reason }) = Namespaces::default().find("namespace", "") else {
        panic!("the library takes an empty namespace")
    };
    assert_eq!(add(namespace), Err(refused(&field, &reason)));
    let source = Draft { source: Some(String::new()), ..draft("a", "text") };
    assert_eq!(add(source).unwrap().source, Some(String::new()));
    let after = ListOptions { after: Some(String::new()), ..ALL };
    assert_eq!(instance.list(memory, &after).unwrap(), Err(refused("after", "must not be empty")));
}

#[test]
fn metadata_that_is_no_json_object_is_refused() {
    let (mut instance, memory) = opened(&Storage::default());
    let mut add = |metadata: String| instance.add(memory, &Draft { metadata: Some(metadata), ..draft("a", "text") });
    for text in ["", "{", "{'a':1}", "undefined", "{} {}", &"[".repeat(100_000), &r#"{"a":"#.repeat(100_000)] {
        let error = add(text.to_owned()).unwrap().unwrap_err();
        assert_eq!(error, refused("metadata", "must be the JSON text of an object"));
    }
    for text in ["null", "1", "[]", "\"{}\""] {
        assert_eq!(add(text.to_owned()).unwrap(), Err(refused("metadata", "must be an object")));
    }
    let entry = add(r#" { "__proto__": { "b": [1, 2.5, "ü"] } } "#.to_owned()).unwrap().unwrap();
    assert_eq!(entry.metadata, r#"{"__proto__":{"b":[1,2.5,"ü"]}}"#);
}

#[test]
fn importance_that_is_no_number_from_0_to_1_is_refused() {
    let (mut instance, memory) = opened(&Storage::default());
    for importance in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let draft = Draft { importance: Some(importance), ..draft("a", "text") };
        let error = instance.add(memory, &draft).unwrap().unwrap_err();
        assert_eq!(error, refused("importance", "must be a number from 0 to 1"));
    }
}

#[test]
fn a_clock_or_dice_that_fail_are_named() {
    let storage = prepared();
    let before = storage.copy();
    let world = scripted();
    let mut instance = Instance::new(&storage, &world);
    let memory = instance.open("u-1").unwrap().unwrap();
    world.set_now(i64::MAX);
    let clock = Error::Environment(Surroundings::Clock);
    assert_eq!(instance.add(memory, &draft("a", "text")).unwrap(), Err(clock.clone()));
    assert_eq!(instance.get(memory, "short").unwrap(), Err(clock.clone()));
    assert_eq!(instance.list(memory, &ALL).unwrap(), Err(clock));
    world.set_now(crate::NOW);
    instance.world().missing_entropy = 1;
    let entropy = Error::Environment(Surroundings::Entropy);
    assert_eq!(instance.add(memory, &draft("a", "text")).unwrap(), Err(entropy));
    assert!(storage.holds_the_same_as(&before));
    instance.world().missing_entropy = 0;
    instance.add(memory, &draft("a", "text")).unwrap().unwrap();
}
