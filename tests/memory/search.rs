//! Searching a memory: the documented answers to the digit, and what holds for any text.

use futures::executor::block_on;
use keepsake::codec::json::parse;
use keepsake::index::{Miss, Ranking};
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::memory::{Hit, SearchOptions};
use keepsake::model::Draft;
use keepsake::model::{Importance, Tags, UserId};
use keepsake::store::{Key, KeyRange, Page, Revision, Space, StoreError, WriteBatch};
use keepsake::{Config, Entry, ErrorCode, MemStore, Store};

type Scene = Memory<MemStore, Scripted>;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

fn scene() -> (Scene, Scripted) {
    let world = Scripted::new(1_735_812_000_000, 1);
    let user = UserId::new("user", "u-1").unwrap();
    let memory = block_on(Memory::open(MemStore::new(), world.clone(), user, Config::default())).unwrap();
    (memory, world)
}

fn draft(content: &str) -> Draft {
    Draft { content: content.to_owned(), ..Draft::default() }
}

fn tagged(content: &str, tags: &[&str]) -> Draft {
    let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    Draft { tags: Tags::new("tags", tags).unwrap(), ..draft(content) }
}

fn add(memory: &Scene, draft: Draft) -> Entry {
    block_on(memory.add(draft)).unwrap()
}

fn options(query: &str, ranking: Ranking) -> SearchOptions {
    SearchOptions { query: query.to_owned(), ranking, ..SearchOptions::default() }
}

fn search(memory: &Scene, options: &SearchOptions) -> Vec<Hit> {
    block_on(memory.search(options)).unwrap()
}

fn call(memory: &Scene, verb: &str, args: &str) -> serde_json::Value {
    let answer = block_on(memory.call(verb, parse(args).unwrap())).unwrap();
    serde_json::from_str(&answer.to_string()).unwrap()
}

#[test]
fn d31_all_three_fields_after_a_hundred_hours_is_eighty_five_percent() {
    let (memory, world) = scene();
    add(&memory, tagged("API response", &["api", "response"]));
    world.set_now(world.millis() + 101 * HOUR);
    let hits = search(&memory, &options("API response", Ranking::Formula));
    assert_eq!(hits[0].score, 0.40 + 0.25 + 0.20);
    let answer = call(&memory, "memorySearch", r#"{"query":"API response"}"#);
    assert_eq!(answer["data"]["results"][0]["score"], "85.0%");
    assert_eq!(answer["data"]["query"], "API response");
    assert_eq!(answer["data"]["total"], 1);
}

#[test]
fn d27_d28_each_part_of_the_formula_to_the_digit() {
    let (memory, world) = scene();
    let importance = Importance::new("importance", 0.5).unwrap();
    add(&memory, Draft { importance, ..tagged("alpha beta", &["gamma"]) });
    world.set_now(world.millis() + 40 * HOUR);
    let score = |query: &str| {
        let asked = SearchOptions { min_score: Some(0.0), ..options(query, Ranking::Formula) };
        search(&memory, &asked).first().map(|hit| hit.score)
    };
    // Added up from left to right, as the document writes it.
    let formula = |summary: f64, content: f64, tags: f64| {
        Some(summary * 0.40 + content * 0.25 + tags * 0.20 + (0.1 - 0.001 * 40.0) + 0.5 * 0.05)
    };
    assert_eq!(score("alpha"), formula(1.0, 1.0, 0.0));
    assert_eq!(score("alpha delta"), formula(0.5, 0.5, 0.0));
    assert_eq!(score("gamma"), formula(0.0, 0.0, 1.0));
    assert_eq!(score("alpha gamma delta"), formula(1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0));
    assert_eq!(score("alph"), formula(1.0, 1.0, 0.0), "X9: a part of a term is enough");
    assert_eq!(score("delta"), None, "D42: nothing matches, however fresh and important");
}

#[test]
fn d40_zero_is_zero() {
    let (memory, _) = scene();
    add(&memory, draft("one two three four five six seven eight"));
    let none = SearchOptions { limit: Some(0), ..options("one", Ranking::Formula) };
    assert_eq!(search(&memory, &none), []);
    let query = "one a b c d e f g h i j k l m n o p q r s t u v w x y z nothing else matches here at all";
    let asked = options(query, Ranking::Formula);
    assert!(search(&memory, &asked).iter().all(|hit| hit.score >= 0.15));
    let everything = SearchOptions { min_score: Some(0.0), ..asked };
    assert_eq!(search(&memory, &everything).len(), 1);
}

#[test]
fn d11_d41_an_id_finds_its_entry_and_nothing_that_has_expired() {
    let (memory, world) = scene();
    let entry = add(&memory, draft("found by its id"));
    let query = format!(r#"{{"query":"{}"}}"#, entry.id);
    let answer = call(&memory, "memorySearch", &query);
    assert_eq!(answer["data"]["results"][0]["summary"], "found by its id");
    assert!(answer["data"]["results"][0].get("score").is_none(), "D16");
    let elsewhere = format!(r#"{{"query":"{}","namespace":"long-term"}}"#, entry.id);
    assert_eq!(call(&memory, "memorySearch", &elsewhere)["data"]["found"], false);
    world.set_now(world.millis() + 14 * DAY);
    assert_eq!(call(&memory, "memorySearch", &query)["data"]["found"], false);
}

#[test]
fn d35_answers_are_small_and_hold_no_content() {
    let (memory, _) = scene();
    let args = format!(r#"{{"content":"{}"}}"#, "x".repeat(100_000));
    let answer = call(&memory, "memoryAdd", &args);
    assert!(answer.to_string().len() < 5000);
    assert!(answer.get("content").is_none() && answer["data"].get("content").is_none());
    assert_eq!(answer["contentLength"], 100_000);
    let id = answer["referenceId"].as_str().unwrap();
    let whole = call(&memory, "memoryGetContent", &format!(r#"{{"id":"{id}"}}"#));
    assert_eq!(whole["data"]["content"].as_str().unwrap().len(), 100_000);
}

#[test]
fn d14_a_preview_is_cut_and_says_so() {
    let (memory, _) = scene();
    add(&memory, draft(&format!("needle {}", "hay ".repeat(1000))));
    let asked = SearchOptions { include_content: Some(true), ..options("needle", Ranking::Formula) };
    let preview = search(&memory, &asked)[0].content_preview.clone().unwrap();
    assert_eq!(preview.chars().count(), 1203);
    assert!(preview.starts_with("needle hay") && preview.ends_with("..."));
    assert_eq!(search(&memory, &options("needle", Ranking::Formula))[0].content_preview, None);
}

/// D3: by default an entry is short-term and lives for 14 days.
#[test]
fn f45_an_expired_entry_is_seen_nowhere_and_cleanup_takes_it() {
    let (memory, world) = scene();
    let entry = add(&memory, draft("soon gone"));
    world.set_now(world.millis() + 14 * DAY);
    for ranking in [Ranking::Formula, Ranking::Best] {
        assert_eq!(search(&memory, &options("gone", ranking)), []);
    }
    assert_eq!(block_on(memory.get(&entry.id)).unwrap(), None);
    assert_eq!(block_on(memory.count(None)).unwrap(), 0);
    assert_eq!(block_on(memory.explain_miss(&entry.id, &options("gone", Ranking::Best))).unwrap(), Miss::Expired);
    assert_eq!(block_on(memory.cleanup()).unwrap(), 1);
    assert_eq!(block_on(memory.cleanup()).unwrap(), 0);
}

#[test]
fn updates_and_deletes_reach_the_index_at_once() {
    let (memory, _) = scene();
    let entry = add(&memory, draft("Hue lives in Da Nang"));
    let found = |query: &str| search(&memory, &options(query, Ranking::Best)).len();
    let changes =
        keepsake::model::Changes { content: Some("Hue lives in Hanoi".into()), ..keepsake::model::Changes::default() };
    block_on(memory.update(&entry.id, &changes)).unwrap();
    assert_eq!((found("Nang"), found("Hanoi")), (0, 1), "what it was is in the log and out of search");
    block_on(memory.delete(&entry.id)).unwrap();
    assert_eq!(found("Hanoi"), 0);
}

#[test]
fn filters_keep_out_and_misses_say_which() {
    let (memory, _) = scene();
    let kept = add(&memory, tagged("a plan for the garden", &["Home", "garden"]));
    let other = add(&memory, tagged("a plan for the office", &["work"]));
    let hits = |change: &dyn Fn(&mut SearchOptions)| {
        let mut asked = options("plan", Ranking::Best);
        change(&mut asked);
        let ids: Vec<_> = search(&memory, &asked).into_iter().map(|hit| hit.id).collect();
        let miss = block_on(memory.explain_miss(&other.id, &asked)).unwrap();
        (ids, miss)
    };
    let only_kept = vec![kept.id.clone()];
    let tags = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(hits(&|asked| asked.any_tag = tags(&["home", "x"])), (only_kept.clone(), Miss::Filtered("tags")));
    assert_eq!(hits(&|asked| asked.all_tags = tags(&["HOME", "garden"])), (only_kept.clone(), Miss::Filtered("tags")));
    assert_eq!(hits(&|asked| asked.no_tag = tags(&["WORK"])), (only_kept, Miss::Filtered("tags")));
    let garden = options("garden", Ranking::Best);
    let miss = block_on(memory.explain_miss(&other.id, &garden)).unwrap();
    assert!(matches!(miss, Miss::NoTerm(_)), "{miss:?}");
}

#[test]
fn f17_two_handles_search_what_either_has_written() {
    let storage = MemStore::new();
    let open = |seed| {
        let user = UserId::new("user", "u-1").unwrap();
        block_on(Memory::open(storage.connect(), Scripted::new(0, seed), user, Config::default())).unwrap()
    };
    let (one, two) = (open(1), open(2));
    assert_eq!(search(&two, &options("apple", Ranking::Best)), []);
    let entry = add(&one, draft(&format!("an apple {}", "and more ".repeat(300))));
    assert_eq!(search(&two, &options("apple", Ranking::Best)).len(), 1);
    block_on(two.delete(&entry.id)).unwrap();
    assert_eq!(search(&one, &options("apple", Ranking::Best)), []);
    // Told from now on: a search looks at the storage only after a hint.
    two.hint();
    assert_eq!(search(&two, &options("pear", Ranking::Best)), []);
    add(&one, draft("a pear"));
    assert_eq!(search(&two, &options("pear", Ranking::Best)), []);
    two.hint();
    assert_eq!(search(&two, &options("pear", Ranking::Best)).len(), 1);
}

/// A store whose reads take their time, as those of a real one do.
struct Slow(MemStore);

impl Store for Slow {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let mut waited = false;
        std::future::poll_fn(|context| {
            if std::mem::replace(&mut waited, true) {
                return std::task::Poll::Ready(());
            }
            context.waker().wake_by_ref();
            std::task::Poll::Pending
        })
        .await;
        self.0.get(space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        self.0.scan(space, range, limit).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        self.0.commit(batch).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.0.close().await
    }
}

#[test]
fn searches_that_overlap_after_a_hint_all_see_what_it_was_about() {
    let storage = MemStore::new();
    let user = UserId::new("user", "u-1").unwrap();
    let world = |seed| Scripted::new(0, seed);
    let one = block_on(Memory::open(storage.connect(), world(1), user.clone(), Config::default())).unwrap();
    let two = block_on(Memory::open(Slow(storage.connect()), world(2), user, Config::default())).unwrap();
    two.hint();
    let pear = options("pear", Ranking::Best);
    assert_eq!(block_on(two.search(&pear)).unwrap(), []);
    add(&one, draft("a pear"));
    two.hint();
    let (first, second) = block_on(futures::future::join(two.search(&pear), two.search(&pear)));
    assert_eq!((first.unwrap().len(), second.unwrap().len()), (1, 1));
}

#[test]
fn bad_queries_are_refused_or_find_nothing() {
    let (memory, _) = scene();
    add(&memory, draft("something"));
    for query in ["", "   ", "!?…、。", "\u{301}\u{302}"] {
        for ranking in [Ranking::Formula, Ranking::Best] {
            assert_eq!(search(&memory, &options(query, ranking)), [], "{query:?}");
        }
    }
    let long = options(&"word ".repeat(200_000), Ranking::Best);
    assert_eq!(block_on(memory.search(&long)).unwrap_err().code(), ErrorCode::TooLarge);
    let nowhere = SearchOptions { namespace: Some("nowhere".into()), ..options("x", Ranking::Best) };
    assert_eq!(block_on(memory.search(&nowhere)).unwrap_err().field(), Some("namespace"));
}

/// Texts of many languages and of none.
fn random_text(seed: &mut u64) -> String {
    let words = [
        "deploy",
        "keys",
        "Tiếng",
        "Việt",
        "東京",
        "仕事",
        "서울에서",
        "Москва",
        "القاهرة",
        "กรุงเทพ",
        "Straße",
        "naïve",
        "camelCase",
        "snake_case",
        "v1.2.3",
        "🙂",
        "2023-05-07",
        "the",
        "Ω",
        "हिन्दी",
        "שלום",
        "\u{200b}",
        "a",
        "x1",
    ];
    let mut next = |below: usize| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize % below
    };
    (0..1 + next(12)).map(|_| words[next(words.len())]).collect::<Vec<_>>().join(" ")
}

#[test]
fn receipts_add_up_to_the_bit_and_no_hit_is_without_a_match() {
    let (memory, _) = scene();
    let mut seed = 5;
    for _ in 0..200 {
        add(&memory, draft(&random_text(&mut seed)));
    }
    for _ in 0..300 {
        let query = random_text(&mut seed);
        for ranking in [Ranking::Formula, Ranking::Best] {
            let asked =
                SearchOptions { explain: true, min_score: Some(0.0), limit: Some(50), ..options(&query, ranking) };
            for hit in search(&memory, &asked) {
                let sum = hit.receipt.iter().fold(0.0, |sum, part| sum + part.value);
                assert_eq!(sum.to_bits(), hit.score.to_bits(), "{query:?} {:?}", hit.receipt);
                let field = |label: &str| ["summary", "content", "tags"].contains(&label);
                let matches = hit.receipt.iter().any(|part| !part.term.is_empty() || field(part.label));
                assert!(matches, "{query:?} {:?}", hit.receipt);
            }
        }
    }
}

#[test]
fn any_text_is_found_by_its_own_first_words() {
    let (memory, _) = scene();
    let mut seed = 9;
    for round in 0..150 {
        let text = random_text(&mut seed);
        if !text.chars().any(|c| c.is_alphanumeric()) {
            continue;
        }
        let entry = add(&memory, Draft { namespace: Some("long-term".into()), ..draft(&text) });
        let first: Vec<&str> = text.split(' ').take(3).collect();
        let asked = SearchOptions { limit: Some(1000), ..options(&first.join(" "), Ranking::Best) };
        let found = search(&memory, &asked).iter().any(|hit| hit.id == entry.id);
        assert!(found || !first.iter().any(|word| word.chars().any(char::is_alphanumeric)), "round {round}: {text:?}");
    }
}

#[test]
fn d34_what_has_expired_goes_by_itself_as_others_come() {
    let (memory, world) = scene();
    for n in 0..40 {
        add(&memory, draft(&format!("old {n}")));
    }
    world.set_now(world.millis() + 15 * DAY);
    for n in 0..80 {
        add(&memory, draft(&format!("new {n}")));
    }
    assert_eq!(block_on(memory.cleanup()).unwrap(), 0, "nothing is left to clean up");
    assert_eq!(block_on(memory.count(None)).unwrap(), 80);
}
