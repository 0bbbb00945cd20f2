//! Vectors: what an embedder says of entries and queries, from the draft to the hit, and what stays of it.

use crate::shared::{Dice, Scene, copy, draft, holding, same, scan};
use futures::executor::block_on;
use keepsake::codec::json::parse;
use keepsake::index::{Miss, Ranking, pack};
use keepsake::memory::ListOptions;
use keepsake::memory::{Hit, SearchOptions};
use keepsake::model::Changes;
use keepsake::model::Draft;
use keepsake::model::{Embedding, EntryId, FactKey, Importance, SessionId, Speaker, Tags, Timestamp};
use keepsake::store::{Key, Space};
use keepsake::{Config, Error, ErrorCode, MemStore};

fn open(store: &MemStore, seed: u64) -> Scene {
    crate::shared::open(store, seed, &Config::default())
}

fn exact() -> Config {
    Config { exact_vectors: true, ..Config::default() }
}

fn vector(numbers: &[f32]) -> Embedding {
    Embedding::new("embedding", numbers.to_vec()).unwrap()
}

fn id(id: &str) -> EntryId {
    EntryId::new("id", id).unwrap()
}

/// An embedder that knows what a few words are about, each thing in a direction of its own.
fn meaning(text: &str) -> Embedding {
    const ABOUT: [&[&str]; 8] = [
        &["dog", "puppy", "terrier", "bark"],
        &["car", "engine", "garage", "wheels"],
        &["bread", "oven", "flour", "bake"],
        &["violin", "concert", "melody", "orchestra"],
        &["mountain", "summit", "climb", "peak"],
        &["doctor", "fever", "pills", "clinic"],
        &["money", "salary", "bank", "loan"],
        &["rain", "storm", "clouds", "thunder"],
    ];
    let about = |words: &&[&str]| words.iter().filter(|word| text.contains(**word)).count() as f32;
    // A little of everything in every text, as with models that find no two texts quite foreign to each other.
    vector(&ABOUT.iter().map(|words| 0.1 + about(words)).collect::<Vec<_>>())
}

/// An embedder for any text: how often each three characters come, hashed into a few numbers.
fn trigrams(text: &str) -> Embedding {
    let mut numbers = [0.01_f32; 24];
    for three in text.as_bytes().windows(3) {
        let hash = three.iter().fold(0_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(*byte)));
        let sign = if hash & 64 == 0 { 1.0 } else { -1.0 };
        numbers[hash as usize % numbers.len()] += sign;
    }
    vector(&numbers)
}

/// One entry about each thing that `meaning` knows of; no two have a word in common.
const THINGS: [(&str, &str); 8] = [
    ("pet", "Our terrier Max arrived yesterday"),
    ("drive", "Left both wheels at Minh's garage"),
    ("food", "More flour before guests come"),
    ("music", "Tickets for the orchestra next week"),
    ("hike", "That summit was worth it"),
    ("ill", "Three pills after each meal"),
    ("pay", "Salary comes every last Friday"),
    ("sky", "Thick clouds since morning"),
];

fn add(memory: &Scene, name: &str, content: &str, embedding: Option<Embedding>) {
    block_on(memory.add(Draft { id: Some(id(name)), embedding, ..draft(content) })).unwrap();
}

fn things(config: &Config) -> Scene {
    let memory = crate::shared::open(&MemStore::new(), 1, config);
    for (name, content) in THINGS {
        add(&memory, name, content, Some(meaning(content)));
    }
    memory
}

fn query(text: &str, embedding: Option<Embedding>) -> SearchOptions {
    let ranking = Ranking::Best;
    SearchOptions {
        query: text.to_owned(),
        ranking,
        embedding,
        explain: true,
        limit: Some(1000),
        ..SearchOptions::default()
    }
}

fn search(memory: &Scene, text: &str, embedding: Option<Embedding>) -> Vec<Hit> {
    block_on(memory.search(&query(text, embedding))).unwrap()
}

fn ids(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.id.as_str()).collect()
}

fn found(memory: &Scene, text: &str, embedding: Option<Embedding>) -> Vec<String> {
    search(memory, text, embedding).into_iter().map(|hit| hit.id.to_string()).collect()
}

/// Whether an entry is found by the meaning of a text of which it has no word.
fn is_near(memory: &Scene, name: &str, text: &str) -> bool {
    let hits = search(memory, text, Some(meaning(text)));
    hits.iter().any(|hit| hit.id.as_str() == name && hit.receipt.iter().any(|part| part.label == "meaning"))
}

#[test]
fn an_entry_without_any_word_of_the_query_is_found_by_its_vector() {
    let memory = things(&Config::default());
    for (text, wanted) in [("puppy", "pet"), ("engine", "drive"), ("fever", "ill"), ("thunder", "sky")] {
        assert_eq!(found(&memory, text, None), [""; 0], "{text} is in no text");
        let hits = search(&memory, text, Some(meaning(text)));
        assert_eq!(ids(&hits)[0], wanted, "{text}");
        let cosine = |content: &str| -> f32 {
            let (one, other) = (meaning(text), meaning(content));
            one.as_slice().iter().zip(other.as_slice()).map(|(a, b)| a * b).sum()
        };
        let near = |name: &str| THINGS.iter().any(|(known, content)| *known == name && cosine(content) > 0.29);
        assert!(ids(&hits).iter().all(|name| near(name)), "{text}: only what lies near");
        assert!(hits.len() < THINGS.len() / 2, "{text}");
        assert_eq!(hits[0].receipt.first().unwrap().label, "meaning");
        let why = |name: &str| block_on(memory.explain_miss(&id(name), &query(text, Some(meaning(text))))).unwrap();
        assert_eq!(why(wanted), Miss::Hit);
        assert!(matches!(why("hike"), Miss::NoTerm(_)));
    }
    // Words and meaning together beat either alone.
    add(&memory, "both", "The puppy has a loud bark", Some(meaning("puppy bark")));
    add(&memory, "word", "Puppy is what he called the boat", Some(meaning("boat")));
    assert_eq!(found(&memory, "puppy", Some(meaning("puppy")))[0], "both");
    assert_eq!(found(&memory, "", Some(meaning("puppy"))), found(&memory, "?!", Some(meaning("puppy"))));
}

#[test]
fn a_few_entries_are_enough_for_one_to_be_near() {
    for count in 2..THINGS.len() {
        let memory = open(&MemStore::new(), 1);
        for (name, content) in &THINGS[..count] {
            add(&memory, name, content, Some(meaning(content)));
        }
        assert_eq!(found(&memory, "puppy", Some(meaning("puppy")))[0], "pet", "of {count}");
    }
}

/// Turns of two sessions, facts, days and opposites: everything that has a part in a score.
fn lively(config: &Config) -> Scene {
    let memory = crate::shared::open(&MemStore::new(), 1, config);
    let lines = [
        ("Ann", "Where did you hike last week?", [1.0, 0.0, 0.2]),
        ("Bob", "In the Alps, with 3 friends", [0.9, 0.1, 0.0]),
        ("Ann", "Hiking is fun, hike more, hike hike hike", [1.0, 0.0, 0.0]),
        ("Bob", "Nothing new here", [0.4, 0.6, -0.1]),
        ("Ann", "And here neither", [0.5, 0.5, 0.5]),
        ("Ann", "Yesterday was quiet", [0.6, 0.6, 0.1]),
        ("Bob", "When was it loud?", [-1.0, 0.0, 0.0]),
        ("Ann", "On Monday, \"very loud\" they said", [-0.9, -0.1, 0.0]),
    ];
    for (at, (speaker, text, numbers)) in (0..).zip(lines) {
        let turn = Draft {
            session: Some(SessionId::new("session", format!("s{}", at / 4)).unwrap()),
            speaker: Some(Speaker::new("speaker", speaker).unwrap()),
            at: Some(Timestamp::from_millis("at", 1_731_000_000_000 + at * 86_400_000).unwrap()),
            importance: Importance::new("importance", 0.1 * at as f64).unwrap(),
            embedding: Some(vector(&numbers)),
            ..draft(text)
        };
        block_on(memory.add(turn)).unwrap();
    }
    for n in 0..8_u8 {
        let tags = Tags::new("tags", vec!["hike".to_owned()]).unwrap();
        let embedding = (n % 4 != 3).then(|| vector(&[-1.0, f32::from(n) / 50.0, 0.1]));
        block_on(memory.add(Draft { tags, embedding, ..draft(&format!("away {n}")) })).unwrap();
    }
    memory
}

#[test]
fn receipts_add_up_to_the_bit_and_scores_lie_between_0_and_1() {
    let texts =
        ["", "hike", "Ann", "Ann Bob", "When did Ann hike in November 2024?", "how many friends", "2024", "void"];
    let vectors: [&[f32]; 6] =
        [&[1.0, 0.0, 0.0], &[-1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.5, 0.5, 0.5], &[0.0, 0.0, -1.0], &[1.0, 1.0, 0.0]];
    for config in [Config::default(), exact()] {
        let memory = lively(&config);
        let mut meanings = 0;
        for text in texts {
            for numbers in vectors {
                for hit in search(&memory, text, Some(vector(numbers))) {
                    let sum = hit.receipt.iter().fold(0.0, |sum, part| sum + part.value);
                    assert_eq!(sum.to_bits(), hit.score.to_bits(), "{text:?} {numbers:?}: {hit:?}");
                    assert!(hit.score > 0.0 && hit.score <= 1.0, "{text:?} {numbers:?}: {hit:?}");
                    meanings += hit.receipt.iter().filter(|part| part.label == "meaning").count();
                }
            }
        }
        assert!(meanings > 50, "vectors had a part in it: {meanings}");
    }
}

#[test]
fn a_vector_that_points_the_other_way_keeps_no_score_above_1() {
    let memory = open(&MemStore::new(), 1);
    add(&memory, "near", "alpha", Some(vector(&[1.0, 0.0])));
    for n in 0..9 {
        add(&memory, &format!("far{n}"), "omega", Some(vector(&[-1.0, 0.01 * n as f32])));
    }
    for text in ["", "beta", "alpha"] {
        let hits = search(&memory, text, Some(vector(&[1.0, 0.0])));
        assert_eq!(ids(&hits), ["near"], "{text}");
        assert!(hits[0].score <= 1.0, "{text}: {}", hits[0].score);
    }
}

#[test]
fn a_name_or_a_day_is_found_as_before_when_there_are_vectors() {
    let memory = lively(&Config::default());
    let near_nobody = Some(vector(&[0.0, 0.0, 1.0]));
    for text in ["Ann", "What happened on 8 November 2024?"] {
        let mut without = found(&memory, text, None);
        let mut with = found(&memory, text, near_nobody.clone());
        assert!(!without.is_empty(), "{text}");
        with.retain(|id| without.contains(id));
        without.sort_unstable();
        with.sort_unstable();
        assert_eq!(with, without, "{text}");
    }
}

#[test]
fn int8_and_f32_order_clear_cases_alike_also_side_by_side() {
    let (short, long) = (things(&Config::default()), things(&exact()));
    // Half of it stored in one form, half in the other.
    let store = MemStore::new();
    for (at, (name, content)) in THINGS.iter().enumerate() {
        let config = if at % 2 == 0 { Config::default() } else { exact() };
        add(&crate::shared::open(&store, at as u64, &config), name, content, Some(meaning(content)));
    }
    let mixed = open(&store, 9);
    for text in ["puppy", "loan thunder", "Tickets for a terrier", "climb", "garage salary"] {
        let wanted = found(&long, text, Some(meaning(text)));
        assert!(!wanted.is_empty(), "{text}");
        assert_eq!(found(&short, text, Some(meaning(text))), wanted, "{text}");
        assert_eq!(found(&mixed, text, Some(meaning(text))), wanted, "{text}");
    }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(answer: Result<T, Error>, code: ErrorCode, what: &str) {
    let error = answer.expect_err(what);
    assert_eq!((error.code(), error.field()), (code, Some("embedding")), "{what}");
}

fn bytes(store: &MemStore) -> Vec<Vec<(Key, Vec<u8>)>> {
    Space::ALL.iter().map(|space| scan(store, *space)).collect()
}

#[test]
fn other_dimensions_are_refused_and_nothing_is_stored() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    add(&memory, "three", "three numbers", Some(vector(&[1.0, 2.0, 3.0])));
    add(&memory, "none", "no numbers", None);
    let before = bytes(&store);
    let two = || vector(&[1.0, 2.0]);
    for memory in [memory.clone(), open(&store, 2)] {
        let with = Draft { embedding: Some(two()), ..draft("two numbers") };
        refused(block_on(memory.add(with)), ErrorCode::InvalidInput, "add");
        let changes = Changes { content: Some("two".to_owned()), embedding: Some(two()), ..Changes::default() };
        refused(block_on(memory.update(&id("three"), &changes)), ErrorCode::InvalidInput, "update");
        refused(block_on(memory.embed(&[(id("none"), 1, two())])), ErrorCode::InvalidInput, "embed");
        let options = query("numbers", Some(two()));
        refused(block_on(memory.search(&options)), ErrorCode::InvalidInput, "search");
        refused(block_on(memory.explain_miss(&id("three"), &options)), ErrorCode::InvalidInput, "explain_miss");
        assert_eq!(block_on(memory.count(None)).unwrap(), 2);
    }
    assert_eq!(bytes(&store), before);
    // Without any vector left, other ones may come.
    block_on(memory.delete(&id("three"))).unwrap();
    add(&memory, "two", "two numbers", Some(two()));
    assert_eq!(found(&memory, "numbers", Some(two())).len(), 2);
}

#[test]
fn vectors_that_are_given_together_have_the_same_dimensions() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    add(&memory, "a", "first", None);
    add(&memory, "b", "second", None);
    let before = bytes(&store);
    let unlike = [(id("a"), 1, vector(&[1.0, 2.0, 3.0])), (id("b"), 1, vector(&[1.0, 2.0]))];
    refused(block_on(memory.embed(&unlike)), ErrorCode::InvalidInput, "the first of all");
    assert_eq!(bytes(&store), before);
}

#[test]
fn what_is_no_embedding_is_refused_by_name_and_nothing_is_stored() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    add(&memory, "a", "the only one", None);
    let before = bytes(&store);
    for bad in [vec![], vec![0.0; 5], vec![f32::NAN, 1.0], vec![f32::INFINITY], vec![1.0; 4097]] {
        assert_eq!(Embedding::new("embedding", bad).unwrap_err().field(), "embedding");
    }
    let (most, more) = (format!("[{}1]", "1,".repeat(4095)), format!("[{}1]", "1,".repeat(4096)));
    let (invalid, large) = (ErrorCode::InvalidInput, ErrorCode::TooLarge);
    let cases = [("[]", invalid), ("[0,0]", invalid), ("[1e300]", invalid), ("[\"x\"]", invalid), ("[null]", invalid)];
    for (json, code) in cases.into_iter().chain([("\"text\"", invalid), ("{}", invalid), (more.as_str(), large)]) {
        let call = |verb: &str, args: String| block_on(memory.call(verb, parse(&args).unwrap()));
        refused(call("add", format!(r#"{{"content":"x","embedding":{json}}}"#)), code, json);
        refused(call("update", format!(r#"{{"id":"a","embedding":{json}}}"#)), code, json);
        refused(call("search", format!(r#"{{"query":"x","embedding":{json}}}"#)), code, json);
        refused(call("embed", format!(r#"{{"items":[{{"id":"a","version":1,"embedding":{json}}}]}}"#)), code, json);
    }
    assert_eq!(bytes(&store), before);
    let added = format!(r#"{{"content":"x","embedding":{most}}}"#);
    block_on(memory.call("add", parse(&added).unwrap())).unwrap();
}

#[test]
fn another_content_loses_its_vector_and_every_other_change_keeps_it() {
    for reopens in [false, true] {
        let store = MemStore::new();
        let mut memory = open(&store, 1);
        for (name, content) in THINGS {
            add(&memory, name, content, Some(meaning(content)));
        }
        let mut update = |changes: Changes| {
            block_on(memory.update(&id("pet"), &changes)).unwrap();
            if reopens {
                memory = open(&store, 2);
            }
            (is_near(&memory, "pet", "puppy"), block_on(memory.unembedded(9)).unwrap().1)
        };
        let tags = Tags::new("tags", vec!["home".to_owned()]).unwrap();
        let kept =
            update(Changes { tags: Some(tags), importance: Importance::new("i", 0.5).ok(), ..Changes::default() });
        assert_eq!(kept, (true, 0));
        let moved = update(Changes { namespace: Some("long-term".to_owned()), ..Changes::default() });
        assert_eq!(moved, (true, 0));
        let other = update(Changes { content: Some("He left again".to_owned()), ..Changes::default() });
        assert_eq!(other, (false, 1));
        let given = Changes { embedding: Some(meaning("puppy")), ..Changes::default() };
        assert_eq!(update(given), (true, 0));
        let both = Changes { content: Some("Gone".to_owned()), embedding: Some(meaning("loan")), ..Changes::default() };
        assert_eq!(update(both), (false, 0));
    }
}

#[test]
fn a_fact_that_takes_the_place_of_another_does_not_take_its_vector() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    for (name, content) in THINGS {
        add(&memory, name, content, Some(meaning(content)));
    }
    let fact = |content: &str, embedding| Draft {
        key: Some(FactKey::new("key", "home.pet").unwrap()),
        embedding,
        ..draft(content)
    };
    let entry = block_on(memory.add(fact("Rex", Some(meaning("dog"))))).unwrap();
    assert!(is_near(&memory, entry.id.as_str(), "puppy"));
    assert_eq!(block_on(memory.add(fact("Nobody", None))).unwrap().id, entry.id);
    for memory in [memory, open(&store, 2)] {
        assert!(!is_near(&memory, entry.id.as_str(), "puppy"));
    }
}

#[test]
fn x1_s15_no_byte_of_a_vector_stays_in_the_storage() {
    for config in [Config::default(), exact()] {
        let store = MemStore::new();
        let memory = crate::shared::open(&store, 1, &config);
        let nth = |n: usize| trigrams(&format!("a secret of its own, number {n}"));
        // The stored form behind its kind and scale, which others may share.
        let stored = |n: usize| pack(&nth(n), config.exact_vectors)[5..].to_vec();
        for n in 0..300 {
            add(&memory, &n.to_string(), &format!("entry {n}"), Some(nth(n)));
        }
        let held = |n: usize| holding(&store, &stored(n));
        assert_eq!((held(7), held(299)), (vec!["bodies", "index"], vec!["bodies"]), "the last is in no segment yet");
        // One handle that has the index at hand, and one that has just been opened.
        for (n, memory) in [(7, memory.clone()), (8, crate::shared::open(&store, 2, &config)), (299, memory.clone())] {
            assert!(block_on(memory.delete(&id(&n.to_string()))).unwrap());
            assert_eq!(held(n), [""; 0], "deleted {n}");
        }
        let content = Changes { content: Some("another".to_owned()), ..Changes::default() };
        block_on(memory.update(&id("9"), &content)).unwrap();
        assert_eq!(held(9), [""; 0], "another content, and no vector");
        let given = Changes { embedding: Some(nth(1000)), ..content };
        block_on(memory.update(&id("10"), &given)).unwrap();
        assert_eq!((held(10), held(1000)), (vec![], vec!["bodies", "index"]), "another content, and its vector");
        block_on(memory.embed(&[(id("11"), 1, nth(1001))])).unwrap();
        assert_eq!((held(11), held(1001)), (vec![], vec!["bodies", "index"]), "the same content, and another vector");
        for n in ["9", "10"] {
            let history = block_on(memory.history(&id(n))).unwrap();
            assert_eq!(history.len(), 1);
            assert_eq!(history[0].1, format!("entry {n}"), "what it said is history, where it lay is not");
        }
        block_on(memory.clear(None)).unwrap();
        assert_eq!((held(1), held(150), held(1000)), (vec![], vec![], vec![]));
        assert_eq!(scan(&store, Space::Bodies).len(), 0);
    }
}

#[test]
fn entries_without_a_vector_are_told_with_what_to_embed_oldest_first() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    let said = |content: &str| Draft {
        id: Some(id("said")),
        speaker: Some(Speaker::new("speaker", "Ann").unwrap()),
        ..draft(content)
    };
    block_on(memory.add(said("Ann:  I see"))).unwrap();
    add(&memory, "has", "has one", Some(trigrams("has one")));
    let long = "and so on ".repeat(500);
    add(&memory, "long", &long, None);
    add(&memory, "last", "Ann: said by nobody", None);
    let told = |memory: &Scene, limit| {
        let (items, all) = block_on(memory.unembedded(limit)).unwrap();
        (items.into_iter().map(|item| (item.id.to_string(), item.version, item.text)).collect::<Vec<_>>(), all)
    };
    let item = |id: &str, version, text: &str| (id.to_owned(), version, text.to_owned());
    let all = vec![item("said", 1, "I see"), item("long", 1, &long), item("last", 1, "Ann: said by nobody")];
    for memory in [&memory, &open(&store, 2)] {
        assert_eq!(told(memory, 9), (all.clone(), 3));
        assert_eq!(told(memory, 1), (all[..1].to_vec(), 3));
        assert_eq!(told(memory, 0), (vec![], 3));
    }
    let tags = Changes { tags: Tags::new("tags", vec!["t".to_owned()]).ok(), ..Changes::default() };
    block_on(memory.update(&id("said"), &tags)).unwrap();
    block_on(memory.delete(&id("long"))).unwrap();
    assert_eq!(told(&memory, 9), (vec![item("said", 2, "I see"), item("last", 1, "Ann: said by nobody")], 2));
}

#[test]
fn an_embedding_of_what_is_gone_or_has_become_different_is_left_out() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    for name in ["same", "changed", "gone"] {
        add(&memory, name, &format!("it is {name}"), None);
    }
    let (items, _) = block_on(memory.unembedded(9)).unwrap();
    let given: Vec<_> = items.into_iter().map(|item| (item.id, item.version, trigrams(&item.text))).collect();
    let other = open(&store, 2);
    let content = Changes { content: Some("something else".to_owned()), ..Changes::default() };
    block_on(other.update(&id("changed"), &content)).unwrap();
    block_on(other.delete(&id("gone"))).unwrap();
    assert_eq!(block_on(memory.embed(&given)).unwrap(), 1);
    let (items, all) = block_on(memory.unembedded(9)).unwrap();
    assert_eq!((items.len(), all), (1, 1));
    assert_eq!((items[0].id.as_str(), items[0].version, items[0].text.as_str()), ("changed", 2, "something else"));
    assert_eq!(block_on(memory.embed(&[])).unwrap(), 0);
    // It is the same entry as before, in its first version and without a past.
    let (entry, content) = block_on(memory.get(&id("same"))).unwrap().unwrap();
    assert_eq!((entry.version, content.as_str()), (1, "it is same"));
    assert_eq!(block_on(memory.history(&id("same"))).unwrap(), []);
}

#[test]
fn f45_what_has_expired_is_not_embedded() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    add(&memory, "stays", "stays", None);
    let soon = Draft { id: Some(id("soon")), ttl_millis: Some(1000), ..draft("soon gone") };
    block_on(memory.add(soon)).unwrap();
    assert_eq!(block_on(memory.unembedded(9)).unwrap().1, 2);
    let later = keepsake::memory::scripted::Scripted::new(1_735_812_001_000, 3);
    let user = keepsake::model::UserId::new("user", "u-1").unwrap();
    let memory = block_on(keepsake::memory::Memory::open(store.connect(), later, user, Config::default())).unwrap();
    let (items, all) = block_on(memory.unembedded(9)).unwrap();
    assert_eq!((items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>(), all), (vec!["stays"], 1));
    assert_eq!(block_on(memory.embed(&[(id("soon"), 1, trigrams("soon gone"))])).unwrap(), 0);
    assert_eq!(scan(&store, Space::Bodies).len(), 0);
}

#[test]
fn f44_another_handle_sees_the_vectors_that_one_gives_and_takes() {
    let store = MemStore::new();
    let (one, two) = (open(&store, 1), open(&store, 2));
    for (name, content) in THINGS {
        add(&one, name, content, None);
    }
    let seen = || is_near(&two, "pet", "puppy");
    assert!(!seen());
    let (items, _) = block_on(one.unembedded(9)).unwrap();
    let given: Vec<_> = items.into_iter().map(|item| (item.id, item.version, meaning(&item.text))).collect();
    assert_eq!(block_on(one.embed(&given)).unwrap(), THINGS.len());
    assert!(seen());
    assert_eq!(block_on(two.unembedded(9)).unwrap(), (vec![], 0));
    let changes = Changes { content: Some("Nothing".to_owned()), ..Changes::default() };
    block_on(one.update(&id("pet"), &changes)).unwrap();
    assert!(!seen());
    block_on(one.embed(&[(id("pet"), 2, meaning("bark"))])).unwrap();
    assert!(seen());
    block_on(one.delete(&id("pet"))).unwrap();
    assert!(!seen());
}

#[test]
fn the_formula_does_not_look_at_vectors() {
    let with = things(&Config::default());
    let without = open(&MemStore::new(), 1);
    for (name, content) in THINGS {
        add(&without, name, content, None);
    }
    let ranked = |memory: &Scene, text: &str, embedding| {
        let options = SearchOptions { ranking: Ranking::Formula, min_score: Some(0.0), ..query(text, embedding) };
        block_on(memory.search(&options)).unwrap()
    };
    for text in ["the orchestra", "puppy", "Friday clouds", "loan"] {
        let hits = ranked(&without, text, None);
        assert_eq!(ranked(&with, text, Some(meaning("puppy"))), hits, "{text}");
        assert_eq!(ranked(&with, text, None), hits, "{text}");
    }
    assert_eq!(ranked(&with, "Friday clouds", None).len(), 2);
}

#[test]
fn a_memory_without_vectors_answers_the_same_with_and_without_one_in_the_query() {
    let memory = open(&MemStore::new(), 1);
    let mut dice = Dice(5);
    for n in 0..60 {
        block_on(memory.add(random_draft(&mut dice, n, false))).unwrap();
    }
    add(&memory, "had", "one that had a vector", Some(vector(&[1.0, 0.0])));
    block_on(memory.delete(&id("had"))).unwrap();
    for text in ["topic3 group0", "when did Ann speak of topic1?", "Bob", "nothing of this", ""] {
        let options = query(text, None);
        let plain = block_on(memory.search(&options)).unwrap();
        for embedding in [vector(&[1.0, 0.0]), trigrams(text)] {
            assert_eq!(search(&memory, text, Some(embedding.clone())), plain, "{text}");
            let why = |options: &SearchOptions| block_on(memory.explain_miss(&id("nobody"), options)).unwrap();
            assert_eq!(why(&query(text, Some(embedding))), why(&options));
        }
    }
}

fn random_draft(dice: &mut Dice, n: u64, embedded: bool) -> Draft {
    let long = if dice.roll(9) == 0 { "and so on ".repeat(200) } else { String::new() };
    let said = format!("word{n} of topic{} and group{} {long}", dice.roll(7), dice.roll(3));
    Draft {
        session: (dice.roll(2) == 0).then(|| SessionId::new("session", format!("s{}", dice.roll(3))).unwrap()),
        speaker: (dice.roll(2) == 0).then(|| Speaker::new("speaker", ["Ann", "Bob"][dice.roll(2) as usize]).unwrap()),
        key: (dice.roll(6) == 0).then(|| FactKey::new("key", format!("k{}", dice.roll(9))).unwrap()),
        namespace: Some(["short-term", "long-term"][dice.roll(2) as usize].to_owned()),
        embedding: (embedded && dice.roll(3) > 0).then(|| trigrams(&said)),
        ..draft(&said)
    }
}

/// Something happens: adds, updates with and without contents and vectors, embeddings that come late, too late or
/// twice, deletions and clearing.
fn happen(memory: &Scene, dice: &mut Dice, n: u64, ids: &mut Vec<EntryId>) {
    let some = |dice: &mut Dice, ids: &Vec<EntryId>| ids.get(dice.roll(ids.len().max(1) as u64) as usize).cloned();
    match dice.roll(20) {
        0..=9 => {
            let entry = block_on(memory.add(random_draft(dice, n, true))).unwrap();
            ids.retain(|id| *id != entry.id);
            ids.push(entry.id);
        }
        10..=13 => {
            let Some(id) = some(dice, ids) else { return };
            let content = (dice.roll(2) == 0).then(|| format!("word{n} changed topic{}", dice.roll(7)));
            let embedding = (dice.roll(2) == 0).then(|| trigrams(content.as_deref().unwrap_or("the same")));
            block_on(memory.update(&id, &Changes { content, embedding, ..Changes::default() })).unwrap();
        }
        14..=15 => {
            let (items, _) = block_on(memory.unembedded(dice.roll(6) as usize)).unwrap();
            let late = dice.roll(4) == 0;
            let twice = usize::from(dice.roll(4) == 0) + 1;
            let version = |version: u32| if late { version + 1 } else { version };
            let given = items.iter().map(|item| (item.id.clone(), version(item.version), trigrams(&item.text)));
            let given: Vec<_> = given.flat_map(|item| vec![item; twice]).collect();
            let count = block_on(memory.embed(&given)).unwrap();
            assert_eq!(count, if late { 0 } else { given.len() });
        }
        16..=18 => {
            let Some(id) = some(dice, ids) else { return };
            block_on(memory.delete(&id)).unwrap();
            ids.retain(|known| *known != id);
        }
        _ if dice.roll(30) == 0 => {
            block_on(memory.clear(Some("short-term"))).unwrap();
            let left = block_on(memory.list(&ListOptions::default())).unwrap();
            ids.retain(|id| left.iter().any(|entry| entry.id == *id));
        }
        _ => {}
    }
}

/// All that a memory answers about vectors.
fn answers(memory: &Scene) -> Vec<String> {
    let list = block_on(memory.list(&ListOptions::default())).unwrap();
    let mut answers: Vec<String> = list.iter().map(|entry| format!("{} {}", entry.id, entry.summary)).collect();
    answers.push(format!("{:?}", block_on(memory.unembedded(usize::MAX)).unwrap()));
    for text in ["topic3 group0", "when did Ann speak of topic1?", "Bob word11", "Ann", "changed"] {
        for near in [text, "word of something else", "zzz"] {
            answers.extend(search(memory, text, Some(trigrams(near))).iter().map(|hit| format!("{hit:?}")));
        }
        answers.extend(search(memory, text, None).iter().map(|hit| format!("{hit:?}")));
    }
    answers
}

/// C20: vectors are stored with the index, and searched after a restart.
#[test]
fn f17_f42_whoever_writes_stored_vectors_answer_as_the_records_do() {
    for seed in 1..=2 {
        let store = MemStore::new();
        let mut dice = Dice(seed * 0x9E37_79B9);
        let config = |dice: &mut Dice| if dice.roll(3) == 0 { exact() } else { Config::default() };
        let mut handles: Vec<Scene> =
            (0..3).map(|n| crate::shared::open(&store, seed * 10 + n, &config(&mut dice))).collect();
        let mut ids = Vec::new();
        for n in 0..850 {
            let at = dice.roll(3) as usize;
            happen(&handles[at], &mut dice, n, &mut ids);
            if dice.roll(60) == 0 {
                handles[at] = crate::shared::open(&store, seed * 1000 + n, &config(&mut dice));
            }
            if n % 170 == 169 {
                let rebuilt = open(&copy(&store, |_, _| None), 1);
                let expected = answers(&rebuilt);
                assert!(expected.iter().any(|answer| answer.contains("\"meaning\"")), "vectors have a part in it");
                same(&answers(&open(&store, 2)), &expected, &format!("seed {seed}, after {n}: as it is stored"));
                for handle in &handles {
                    same(&answers(handle), &expected, &format!("seed {seed}, after {n}: as it is at hand"));
                }
            }
        }
        assert!(scan(&store, Space::Index).len() > 3, "there are segments");
        // One vector for each entry that has one, and none that nobody has.
        let prefix = Key::default().part(b"u-1").part(b"v");
        let vectors = scan(&store, Space::Bodies);
        let vectors = vectors.iter().filter(|(key, _)| key.as_bytes().starts_with(prefix.as_bytes())).count();
        let (_, without) = block_on(handles[0].unembedded(0)).unwrap();
        assert_eq!(vectors, block_on(handles[0].count(None)).unwrap() - without, "seed {seed}");
        assert!(vectors > 20, "seed {seed}: {vectors}");
    }
}
