//! Collections: an app's own values by key.

use crate::shared::{Scene, open};
use futures::executor::block_on;
use keepsake::memory::Edit;
use keepsake::model::Json;
use keepsake::store::{Space, Store};
use keepsake::{Config, MemStore};

fn memory() -> Scene {
    open(&MemStore::new(), 1, &Config::default())
}

fn json(text: &str) -> Json {
    keepsake::codec::json::parse(text).unwrap()
}

fn set(key: &str, value: &str, text: Option<&str>) -> Edit {
    Edit::Set { key: key.to_owned(), value: json(value), text: text.map(str::to_owned) }
}

fn edit(memory: &Scene, edits: &[Edit]) {
    assert!(block_on(memory.edit_values("drafts", edits, &[])).unwrap());
}

fn keys(memory: &Scene, prefix: &str, after: Option<&str>, limit: usize) -> Vec<String> {
    let found = block_on(memory.list_values("drafts", prefix, after, limit)).unwrap();
    found.into_iter().map(|(key, _)| key).collect()
}

fn found(memory: &Scene, query: &str, prefix: &str) -> Vec<String> {
    let found = block_on(memory.search_values("drafts", query, prefix, 10)).unwrap();
    found.into_iter().map(|found| found.key).collect()
}

fn values(memory: &Scene, keys: &[&str]) -> Vec<Option<Json>> {
    let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
    block_on(memory.values("drafts", &keys)).unwrap()
}

#[test]
fn values_come_back_and_lie_in_the_order_of_their_bytes() {
    let memory = memory();
    let hostile = ["__proto__", "a", "a\u{0}b", "a/b", "aa", "b", "ä", "数", "𐍈"];
    let edits: Vec<Edit> = hostile.iter().rev().map(|key| set(key, &format!("[\"{}\"]", key.len()), None)).collect();
    edit(&memory, &edits);
    assert_eq!(keys(&memory, "", None, 100), hostile);
    assert_eq!(keys(&memory, "a", None, 100), ["a", "a\u{0}b", "a/b", "aa"]);
    assert_eq!(keys(&memory, "a", Some("a\u{0}b"), 1), ["a/b"]);
    edit(&memory, &[set("nothing", "null", None), set("deep", "{\"a\":[1.5,null,{}]}", None)]);
    assert_eq!(
        values(&memory, &["nothing", "deep", "none"]),
        [Some(Json::Null), Some(json("{\"a\":[1.5,null,{}]}")), None]
    );
    // Another collection has its own, whose name begins the same.
    assert!(block_on(memory.list_values("draft", "", None, 9)).unwrap().is_empty());
}

#[test]
fn a_write_is_whole_and_its_last_word_counts() {
    let memory = memory();
    edit(&memory, &[set("a", "1", None), set("a", "2", None), Edit::Delete("b".into()), set("b", "3", None)]);
    edit(&memory, &[set("t/1", "1", None), set("t/2", "2", None), set("u", "3", None)]);
    edit(&memory, &[set("t/3", "0", None), Edit::DeleteAll("t/".into()), set("t/1", "9", None)]);
    assert_eq!(keys(&memory, "", None, 100), ["a", "b", "t/1", "u"]);
    assert_eq!(values(&memory, &["a", "t/1"]), [Some(json("2")), Some(json("9"))]);
    let refused = block_on(memory.edit_values("drafts", &[set("c", "1", None), set("", "1", None)], &[]));
    assert_eq!(refused.unwrap_err().field(), Some("changes[1].key"));
    assert_eq!(keys(&memory, "c", None, 100), [""; 0]);
}

#[test]
fn who_expects_what_is_no_longer_there_writes_nothing() {
    let store = MemStore::new();
    let (one, two) = (open(&store, 1, &Config::default()), open(&store, 2, &Config::default()));
    let swap = |memory: &Scene, from: Option<&str>, to: &str| {
        let expect = [("count".to_owned(), from.map(json))];
        block_on(memory.edit_values("drafts", &[set("count", to, None)], &expect)).unwrap()
    };
    assert!(swap(&one, None, "1"));
    assert!(!swap(&two, None, "1") && swap(&two, Some("1"), "2"));
    assert!(!swap(&one, Some("1"), "2") && swap(&one, Some("2"), "3"));
    assert_eq!(values(&two, &["count"]), [Some(json("3"))]);
    // JavaScript has another order of fields.
    assert!(swap(&one, Some("3.0"), "{\"b\":[1],\"1\":2}") && swap(&two, Some("{\"1\":2,\"b\":[1]}"), "null"));
    assert!(!swap(&one, None, "1") && swap(&one, Some("null"), "1"));
}

#[test]
fn only_what_has_words_is_found_and_never_among_memories() {
    let store = MemStore::new();
    let memory = open(&store, 1, &Config::default());
    edit(
        &memory,
        &[
            set("ann/tea", "{\"n\":1}", Some("Ann drinks green tea")),
            set("bob/tea", "{\"n\":2}", Some("Bob spilled his tea")),
            set("silent", "\"green tea\"", None),
        ],
    );
    assert_eq!(found(&memory, "green tea", ""), ["ann/tea", "bob/tea"]);
    assert_eq!(found(&memory, "tea", "bob/"), ["bob/tea"]);
    assert!(block_on(memory.search_values("other", "tea", "", 10)).unwrap().is_empty());
    assert!(
        block_on(memory.call("queryMemory", json("{\"query\":\"green tea\"}"))).unwrap().as_array().unwrap().is_empty()
    );
    assert!(block_on(memory.call("search", json("{\"query\":\"green tea\"}"))).unwrap().as_array().unwrap().is_empty());
    // Others see it, and who opens later; new words take the place of the old ones, and none takes them away.
    let other = open(&store, 2, &Config::default());
    assert_eq!(found(&other, "green", ""), ["ann/tea"]);
    edit(&memory, &[set("ann/tea", "{\"n\":3}", Some("Ann drinks coffee")), set("bob/tea", "{}", None)]);
    for scene in [&memory, &other, &open(&store, 3, &Config::default())] {
        block_on(scene.call("hint", Json::Null)).unwrap();
        assert_eq!(found(scene, "coffee", ""), ["ann/tea"]);
        assert_eq!(found(scene, "tea green spilled", ""), [""; 0]);
    }
    edit(&memory, &[Edit::DeleteAll(String::new())]);
    assert_eq!(found(&memory, "coffee", ""), [""; 0]);
    // Nothing of it is left in the storage but links.
    let range = keepsake::store::KeyRange { start: keepsake::store::Key::default(), end: None };
    assert!(block_on(store.scan(Space::Records, &range, 99)).unwrap().items.is_empty());
}

#[test]
fn the_index_finds_them_after_its_segments_were_stored_and_read() {
    let store = MemStore::new();
    let memory = open(&store, 1, &Config::default());
    for n in 0..1500 {
        edit(&memory, &[set(&format!("k{n}"), "1", Some(&format!("the word number{n}")))]);
    }
    edit(&memory, &[set("k7", "1", Some("changed wholly")), Edit::Delete("k8".into())]);
    let other = open(&store, 2, &Config::default());
    for scene in [&memory, &other] {
        assert_eq!(found(scene, "number1400", ""), ["k1400"]);
        assert_eq!(found(scene, "changed", ""), ["k7"]);
        assert_eq!(found(scene, "number8", ""), [""; 0]);
    }
    assert_eq!(block_on(memory.verify_log()).unwrap().problem, None);
}

#[test]
fn bad_input_is_refused_by_name() {
    let memory = memory();
    let refused = |verb: &str, args: &str| block_on(memory.call(verb, json(args))).unwrap_err();
    let field = |verb: &str, args: &str| refused(verb, args).field().map(str::to_owned);
    assert_eq!(field("values", "{\"keys\":[\"a\"]}").as_deref(), Some("collection"));
    assert_eq!(field("values", "{\"collection\":\"\"}").as_deref(), Some("collection"));
    assert_eq!(field("values", "{\"collection\":\"a\\u0000\"}").as_deref(), Some("collection"));
    assert_eq!(field("values", "{\"collection\":\"a\",\"keys\":[\"\"]}").as_deref(), Some("keys[0]"));
    let edit = |change: &str| field("editValues", &format!("{{\"collection\":\"a\",\"changes\":[{change}]}}"));
    assert_eq!(edit("{\"key\":\"a\"}").as_deref(), Some("changes[0]"));
    assert_eq!(edit("{\"key\":\"a\",\"value\":1,\"delete\":true}").as_deref(), Some("changes[0]"));
    assert_eq!(edit("{\"key\":\"a\",\"value\":1,\"text\":2}").as_deref(), Some("changes[0].text"));
    assert_eq!(edit("{\"key\":\"a\",\"value\":1,\"texts\":\"\"}").as_deref(), Some("changes[0].texts"));
    assert_eq!(edit("7").as_deref(), Some("changes[0]"));
    let long = "k".repeat(1025);
    assert_eq!(edit(&format!("{{\"key\":\"{long}\",\"value\":1}}")).as_deref(), Some("changes[0].key"));
    let large = "v".repeat(8 * 1024 * 1024);
    assert_eq!(edit(&format!("{{\"key\":\"k\",\"value\":\"{large}\"}}")).as_deref(), Some("changes[0].value"));
    block_on(memory.close()).unwrap();
    assert_eq!(refused("values", "{\"collection\":\"a\",\"keys\":[\"a\"]}").code().as_str(), "closed");
}
