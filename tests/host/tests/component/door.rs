//! What only this door does: refuse, fill in what is absent, and say which part of the host failed.

use crate::verbs::VERBS;
use crate::{ALL, NO_CHANGES, NOW, draft, opened, prepared, query, scripted};
use keepsake::codec::json;
use keepsake::model::{self, Config, Namespaces};
use keepsake_host::wit::{
    Changes, Draft, Error, Invalid, ListOptions, Miss, Oversize, Query, Ranking, Surroundings, Trust,
};
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
fn open_refuses_settings_that_it_cannot_read_and_touches_nothing() {
    let mut instance = Instance::new(&Storage::default(), &scripted());
    let mut open = |config: &str| instance.open_with("u-1", Some(config)).unwrap().unwrap_err();
    for text in ["", "{", "{'namespaces':{}}", "{} {}", &"[".repeat(100_000)] {
        assert_eq!(open(text), refused("config", "must be the JSON text of an object"));
    }
    assert_eq!(open("[]"), refused("config", "must be an object"));
    for text in [r#"{"nmespaces":{}}"#, r#"{"retrieval":{"topK":-1}}"#, r#"{"output":{"contentPreviewChars":"all"}}"#] {
        let Err(model::Invalid::Value { field, reason }) = json::config(json::parse(text).unwrap()) else {
            panic!("the library takes {text}")
        };
        assert_eq!(open(text), refused(&field, &reason));
    }
    assert!(instance.world().calls().is_empty());
}

#[test]
fn the_settings_that_the_interface_names_are_the_defaults() {
    let wit = include_str!("../../../../wit/types.wit");
    let (_, rest) = wit.split_once("```json").unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    let named: String = block.lines().map(|line| line.trim_start().trim_start_matches("///")).collect();
    assert_eq!(json::config(json::parse(&named).unwrap()), Ok(Config::default()));
    for config in [None, Some("{}"), Some(named.as_str())] {
        let mut instance = Instance::new(&Storage::default(), &scripted());
        let memory = instance.open_with("u-1", config).unwrap().unwrap();
        let stats = instance.stats(memory).unwrap().unwrap();
        let names: Vec<_> = stats.namespaces.iter().map(|of| of.namespace.as_str()).collect();
        assert_eq!(names, ["short-term", "long-term"]);
    }
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
    assert_eq!([entry.key, entry.session, entry.agent, entry.speaker], [const { None }; 4]);
    assert_eq!(entry.trust, Trust::Normal);
    assert_eq!(entry.version, 1);
    assert_eq!([entry.at, entry.created_at, entry.updated_at], [NOW; 3]);
    assert_eq!(entry.expires_at, NOW + 14 * 86_400_000);
    assert_eq!(instance.get(memory, "nobody").unwrap(), Ok(None));
}

#[test]
fn absent_changes_change_nothing_but_the_version() {
    let (mut instance, memory) = opened(&Storage::default());
    let text = |text: &str| Some(text.to_owned());
    let full = Draft {
        namespace: text("long-term"),
        tags: vec!["b".to_owned(), "a".to_owned()],
        importance: Some(0.5),
        source: text("a page"),
        metadata: text(r#"{"page":12}"#),
        key: text("k"),
        ttl: Some(5000),
        session: text("s"),
        agent: text("helper"),
        speaker: text("Hue"),
        at: Some(-1),
        trust: Some(Trust::High),
        ..draft("a", "text")
    };
    let before = instance.add(memory, &full).unwrap().unwrap();
    assert_eq!((before.at, before.expires_at, before.trust), (-1, NOW + 5000, Trust::High));
    let after = instance.update(memory, "a", &NO_CHANGES).unwrap().unwrap();
    assert_eq!(after, keepsake_host::wit::Entry { version: 2, ..before.clone() });
    let history = instance.history(memory, "a").unwrap().unwrap();
    assert_eq!(history.iter().map(|found| &found.entry).collect::<Vec<_>>(), [&before]);
    // To be empty is another thing than to be absent.
    let emptied = Changes { tags: Some(Vec::new()), source: text(""), metadata: text("{}"), ..NO_CHANGES };
    let emptied = instance.update(memory, "a", &emptied).unwrap().unwrap();
    assert_eq!((emptied.tags, emptied.source, emptied.metadata), (Vec::new(), text(""), "{}".to_owned()));
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
    let empty = || Some(String::new());
    assert_eq!(add(Draft { key: empty(), ..draft("a", "text") }), Err(refused("key", "must not be empty")));
    assert_eq!(add(Draft { session: empty(), ..draft("a", "text") }), Err(refused("session", "must not be empty")));
    assert_eq!(add(Draft { agent: empty(), ..draft("a", "text") }), Err(refused("agent", "must not be empty")));
    assert_eq!(add(Draft { speaker: empty(), ..draft("a", "text") }), Err(refused("speaker", "must not be empty")));
    let source = Draft { source: Some(String::new()), ..draft("a", "text") };
    assert_eq!(add(source).unwrap().source, Some(String::new()));
    let after = ListOptions { after: Some(String::new()), ..ALL };
    assert_eq!(instance.list(memory, &after).unwrap(), Err(refused("after", "must not be empty")));
    let id = || refused("id", "must not be empty");
    assert_eq!(instance.update(memory, "", &NO_CHANGES).unwrap(), Err(id()));
    assert_eq!(instance.get(memory, "").unwrap(), Err(id()));
    assert_eq!(instance.history(memory, "").unwrap(), Err(id()));
    assert_eq!(instance.delete(memory, "").unwrap(), Err(id()));
    assert_eq!(instance.explain_miss(memory, "", &query("text")).unwrap(), Err(id()));
    let nowhere = Query { namespace: Some(String::new()), ..query("text") };
    assert_eq!(instance.search(memory, &nowhere).unwrap(), Err(refused(&field, &reason)));
    assert_eq!(instance.count(memory, Some("")).unwrap(), Err(refused(&field, &reason)));
    assert_eq!(instance.clear(memory, Some("")).unwrap(), Err(refused(&field, &reason)));
    let content = Changes { content: empty(), ..NO_CHANGES };
    assert_eq!(instance.update(memory, "a", &content).unwrap(), Err(refused("content", "must not be empty")));
}

#[test]
fn times_are_within_the_years_that_there_are() {
    const LAST: i64 = 253_402_300_799_999;
    let (mut instance, memory) = opened(&Storage::default());
    let mut add = |draft: Draft| instance.add(memory, &draft).unwrap();
    for at in [i64::MIN, -62_167_219_200_001, LAST + 1, i64::MAX] {
        let reason = "must be milliseconds since 1970 within the years 0 to 9999";
        assert_eq!(add(Draft { at: Some(at), ..draft("a", "text") }), Err(refused("at", reason)));
    }
    let above_0 = refused("ttl", "must be a positive number of milliseconds");
    assert_eq!(add(Draft { ttl: Some(0), ..draft("a", "text") }), Err(above_0.clone()));
    let entry = add(Draft { ttl: Some(u64::MAX), at: Some(LAST), ..draft("a", "text") }).unwrap();
    assert_eq!((entry.at, entry.expires_at), (LAST, LAST));
    let mut update = |ttl: u64| instance.update(memory, "a", &Changes { ttl: Some(ttl), ..NO_CHANGES }).unwrap();
    assert_eq!(update(0), Err(above_0));
    assert_eq!(update(1).unwrap().expires_at, NOW + 1);
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
fn a_search_that_says_nothing_else_is_as_the_settings_say() {
    let storage = Storage::default();
    let mut instance = Instance::new(&storage, &scripted());
    let config = r#"{"retrieval":{"topK":2,"minScore":0.5},"output":{"includeContentByDefault":true}}"#;
    let memory = instance.open_with("u-1", Some(config)).unwrap().unwrap();
    for id in ["a", "b", "c"] {
        instance.add(memory, &draft(id, "green apples")).unwrap().unwrap();
    }
    let mut search = |query: Query| instance.search(memory, &query).unwrap().unwrap();
    let by = |ranking: Ranking, words: &str| Query { ranking: Some(ranking), ..query(words) };
    let plain = search(query("green"));
    assert_eq!(plain.len(), 2);
    assert_eq!(plain, search(by(Ranking::Best, "green")));
    assert_ne!(plain, search(by(Ranking::Formula, "green")));
    assert!(plain.iter().all(|hit| hit.content_preview.as_deref() == Some("green apples") && hit.receipt.is_empty()));
    // A third of the words, and what is new: 0.65 / 3 + 0.1.
    assert_eq!(search(by(Ranking::Formula, "green pears plums")), []);
    assert_eq!(search(Query { min_score: Some(0.0), ..by(Ranking::Formula, "green pears plums") }).len(), 2);
    let other = Query { limit: Some(9), include_content: Some(false), explain: true, ..query("green") };
    let other = search(other);
    assert_eq!(other.len(), 3);
    for hit in other {
        assert_eq!(hit.content_preview, None);
        assert_eq!(hit.receipt.iter().fold(0.0, |sum, part| sum + part.value).to_bits(), hit.score.to_bits());
        assert!(hit.receipt.iter().all(|part| part.term.as_deref() != Some("")));
    }
    assert_eq!(search(Query { limit: Some(0), ..query("green") }), []);
}

#[test]
fn searches_that_cannot_be_are_refused() {
    let (mut instance, memory) = opened(&prepared());
    let mut both = |query: Query| {
        let refused = instance.search(memory, &query).unwrap().unwrap_err();
        assert_eq!(instance.explain_miss(memory, "short", &query).unwrap(), Err(refused.clone()));
        refused
    };
    let nan = Query { min_score: Some(f64::NAN), ..query("deploy") };
    assert_eq!(both(nan), refused("minScore", "must be a number"));
    let reason = "must be milliseconds since 1970 within the years 0 to 9999";
    assert_eq!(both(Query { from: Some(i64::MIN), ..query("deploy") }), refused("from", reason));
    assert_eq!(both(Query { until: Some(i64::MAX), ..query("deploy") }), refused("until", reason));
    for text in ["", "{", "undefined", "1 2", &"[".repeat(100_000)] {
        let metadata = vec![("page".to_owned(), "1".to_owned()), ("secret".to_owned(), text.to_owned())];
        assert_eq!(both(Query { metadata, ..query("deploy") }), refused("metadata[1]", "must be JSON text"));
    }
    let oversize = Oversize { field: Some("query".into()), limit: 65_536, actual: 65_537 };
    assert_eq!(both(query(&"q".repeat(65_537))), Error::TooLarge(oversize));
    for min_score in [f64::NEG_INFINITY, f64::INFINITY] {
        let hits = instance.search(memory, &Query { min_score: Some(min_score), ..query("deploy") }).unwrap().unwrap();
        assert_eq!(hits.len(), usize::from(min_score < 0.0));
    }
}

#[test]
fn a_file_of_word_meanings_finds_other_words_and_wrong_ones_are_refused() {
    let file = include_bytes!("../../../../pkg/data/meaning-en.bin");
    let (mut instance, memory) = opened(&Storage::default());
    instance.add(memory, &draft("violin", "I bought a violin last week")).unwrap().unwrap();
    let asked = query("Which musical instruments are there?");
    assert_eq!(instance.search(memory, &asked).unwrap(), Ok(vec![]));
    let newer: Vec<u8> = file.iter().enumerate().map(|(at, byte)| if at == 3 { b'9' } else { *byte }).collect();
    for (bytes, reason) in [
        (&b"nothing of the kind"[..], "must be the bytes of a file of word meanings"),
        (&file[..file.len() - 1], "is damaged: load the file again"),
        (&newer, "is of another version: use the file that comes with this version of keepsake"),
    ] {
        assert_eq!(instance.use_meaning(memory, bytes).unwrap(), Err(refused("meaning", reason)));
    }
    assert_eq!(instance.use_meaning(memory, file).unwrap(), Ok(()));
    assert_eq!(instance.search(memory, &asked).unwrap().unwrap()[0].id, "violin");
    assert_eq!(instance.use_meaning(memory, file).unwrap(), Err(refused("meaning", "is already loaded")));
    instance.close(memory).unwrap().unwrap();
    assert_eq!(instance.use_meaning(memory, file).unwrap(), Err(Error::Closed));
}

#[test]
fn after_a_hint_a_search_looks_at_the_storage_only_when_there_is_another() {
    let storage = prepared();
    let (mut instance, memory) = opened(&storage);
    let (mut other, others) = opened(&storage);
    let why = |instance: &mut Instance| instance.explain_miss(memory, "new", &query("apples")).unwrap().unwrap();
    other.add(others, &draft("new", "green apples")).unwrap().unwrap();
    assert_eq!(why(&mut instance), Miss::Hit);
    instance.hint(memory).unwrap();
    assert_eq!(why(&mut instance), Miss::Hit);
    other.delete(others, "new").unwrap().unwrap();
    let before = instance.world().calls().len();
    assert_eq!(why(&mut instance), Miss::Hit);
    assert_eq!(instance.world().calls().len(), before);
    instance.hint(memory).unwrap();
    assert_eq!(why(&mut instance), Miss::Unknown);
}

#[test]
fn importance_that_is_no_number_from_0_to_1_is_refused() {
    let (mut instance, memory) = opened(&Storage::default());
    for importance in [-0.1, 1.1, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let draft = Draft { importance: Some(importance), ..draft("a", "text") };
        let error = instance.add(memory, &draft).unwrap().unwrap_err();
        let reason = if importance.is_nan() { "must be a number" } else { "must be a number from 0 to 1" };
        assert_eq!(error, refused("importance", reason));
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
    for verb in VERBS.iter().filter(|verb| verb.needs_memory()) {
        let answer = (verb.run)(&mut instance, memory).unwrap();
        assert_eq!(answer, Err(Error::Environment(Surroundings::Clock)), "{}", verb.name);
    }
    world.set_now(NOW);
    instance.world().missing_entropy = 1;
    let entropy = Error::Environment(Surroundings::Entropy);
    assert_eq!(instance.add(memory, &draft("a", "text")).unwrap(), Err(entropy.clone()));
    assert_eq!(instance.update(memory, "short", &NO_CHANGES).unwrap(), Err(entropy));
    assert!(storage.holds_the_same_as(&before));
    instance.world().missing_entropy = 0;
    instance.add(memory, &draft("a", "text")).unwrap().unwrap();
}
