//! Forgetting: the entries that a query means, the text of messages that said it, and requests within a conversation.

use futures::executor::block_on;
use futures::future::join;
use keepsake::codec::json::parse;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::UserId;
use keepsake::store::{Key, KeyRange, Space};
use keepsake::{Config, Error, ErrorCode, MemStore, Store};
use serde_json::{Value, json};

type Scene = Memory<MemStore, Scripted>;

fn open(store: &MemStore, seed: u64) -> Scene {
    let user = UserId::new("user", "u-1").unwrap();
    let world = Scripted::new(1_735_812_000_000, seed);
    block_on(Memory::open(store.connect(), world, user, Config::default())).unwrap()
}

fn try_call(memory: &Scene, verb: &str, args: Value) -> Result<Value, Error> {
    let answer = block_on(memory.call(verb, parse(&args.to_string()).unwrap()))?;
    Ok(serde_json::from_str(&answer.to_string()).unwrap())
}

#[track_caller]
fn call(memory: &Scene, verb: &str, args: Value) -> Value {
    try_call(memory, verb, args).unwrap()
}

/// Everything stored, in all spaces.
fn dump(store: &MemStore) -> Vec<u8> {
    let all = KeyRange::prefix(Key::default());
    let scan = |space| block_on(store.scan(space, &all, usize::MAX)).unwrap().items;
    Space::ALL.into_iter().flat_map(scan).flat_map(|(_, value)| value).collect()
}

fn holds(store: &MemStore, text: &str) -> bool {
    dump(store).windows(text.len()).any(|part| part == text.as_bytes())
}

fn summaries(memory: &Scene) -> Vec<String> {
    let listed = call(memory, "list", json!({"includePast": true}));
    let text = |entry: &Value| entry["summary"].as_str().unwrap().to_owned();
    let mut all: Vec<String> = listed.as_array().unwrap().iter().map(text).collect();
    all.sort();
    all
}

/// The log, the records, the counts and the index agree, in this handle and in a new one.
#[track_caller]
fn verified(store: &MemStore, memory: &Scene) {
    for memory in [memory, &open(store, 77)] {
        assert_eq!(call(memory, "verify", json!({}))["problems"], json!([]));
        assert_eq!(call(memory, "logVerify", json!({}))["ok"], true);
    }
}

fn add(memory: &Scene, content: &str) -> String {
    call(memory, "add", json!({"content": content}))["id"].as_str().unwrap().to_owned()
}

fn say(memory: &Scene, session: &str, messages: &[(&str, &str)]) {
    let messages: Vec<Value> = messages.iter().map(|(role, text)| json!({"role": role, "content": text})).collect();
    call(memory, "append", json!({"session": session, "messages": messages}));
}

/// A statement, others that stay, and queries that mean the first, in four languages.
const LANGUAGES: [(&str, [&str; 2], [&str; 2]); 4] = [
    ("My PIN for the bike is 4711", ["I live in Hanoi", "I ride a bike to work"], ["my bike PIN", "Forget my PIN"]),
    (
        "Tôi bị dị ứng đậu phộng",
        ["Tôi sống ở Đà Nẵng", "Tôi thích uống cà phê"],
        ["chuyện dị ứng đậu phộng", "quên chuyện dị ứng đi"],
    ),
    ("毎週月曜にジムに通っています", ["私はハノイに住んでいます", "コーヒーが好きです"], ["ジムの話は忘れて", "ジム"]),
    (
        "Montags gehe ich ins Fitnessstudio",
        ["Ich wohne in Bremen", "Ich trinke gern Kaffee"],
        ["Vergiss das mit dem Fitnessstudio", "das Fitnessstudio"],
    ),
];

#[test]
fn a_query_erases_the_entry_that_it_means_and_no_other() {
    for (statement, others, queries) in LANGUAGES {
        for query in queries {
            let store = MemStore::new();
            let memory = open(&store, 1);
            for other in others {
                add(&memory, other);
            }
            let id = add(&memory, statement);
            let answer = call(&memory, "forget", json!({"query": query}));
            assert_eq!(answer, json!({"entries": [id], "messages": 0}), "{query}");
            assert!(!holds(&store, statement), "{statement}");
            assert_eq!(summaries(&memory).len(), others.len());
            verified(&store, &memory);
        }
    }
}

#[test]
fn versions_and_replaced_entries_go_along_in_every_namespace() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    let note = call(&memory, "add", json!({"content": "The garage code is 1357", "namespace": "long-term"}));
    call(&memory, "update", json!({"id": note["id"], "content": "The garage code is 2468"}));
    let first = call(&memory, "record", json!({"texts": ["Ann lives in Hanoi"]}));
    let second = call(&memory, "record", json!({"texts": ["Ann lives in Saigon"]}));
    assert_eq!(second[0]["replaced"], json!([first[0]["id"]]));
    let short = call(&memory, "add", json!({"content": "garage code: ask Ben", "namespace": "short-term"}));

    let answer = call(&memory, "forget", json!({"query": "the garage code"}));
    let mut ids: Vec<&str> = answer["entries"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    ids.sort_unstable();
    let mut expected = [note["id"].as_str().unwrap(), short["id"].as_str().unwrap()];
    expected.sort_unstable();
    assert_eq!(ids, expected);
    assert!(!holds(&store, "1357") && !holds(&store, "2468"));

    let answer = call(&memory, "forget", json!({"query": "Saigon"}));
    assert_eq!(answer["entries"], json!([second[0]["id"], first[0]["id"]]), "with the entry that it replaced");
    assert!(!holds(&store, "Hanoi"));
    assert_eq!(summaries(&memory), [""; 0]);
    verified(&store, &memory);
}

#[test]
fn an_agent_forgets_what_it_sees() {
    let memory = open(&MemStore::new(), 1);
    for agent in ["one", "two"] {
        call(&memory, "add", json!({"content": "The user is allergic to nuts", "agent": agent}));
        say(&memory, agent, &[]);
        let said = json!([{"role": "user", "content": "I am allergic to nuts"}]);
        call(&memory, "append", json!({"session": agent, "agent": agent, "messages": said}));
    }
    let answer = call(&memory, "forget", json!({"query": "allergic to nuts", "agent": "one", "messages": true}));
    assert_eq!((answer["entries"].as_array().unwrap().len(), &answer["messages"]), (1, &json!(1)));
    let text = |session: &str| {
        let window = call(&memory, "messages", json!({"session": session}));
        window["messages"][0]["content"][0]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!([text("one"), text("two")], ["[forgotten]", "I am allergic to nuts"]);
}

#[test]
fn nothing_is_written_if_nothing_is_found_and_a_query_must_name_something() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    add(&memory, "I live in Hanoi");
    say(&memory, "s", &[("user", "I live in Hanoi")]);
    let before = dump(&store);
    let answer = call(&memory, "forget", json!({"query": "my passport", "messages": true}));
    assert_eq!(answer, json!({"entries": [], "messages": 0}));
    for query in ["", "  ", "?!", "Forget that.", "Vergiss das", "今のは忘れて"] {
        let error = try_call(&memory, "forget", json!({"query": query})).unwrap_err();
        assert_eq!((error.code(), error.field()), (ErrorCode::InvalidInput, Some("query")), "{query}");
    }
    for (args, field) in [
        (json!({}), "query"),
        (json!({"query": 1}), "query"),
        (json!({"query": "tea", "messages": "yes"}), "messages"),
        (json!({"query": "tea", "agent": ""}), "agent"),
        (json!({"query": "tea", "more": 1}), "more"),
    ] {
        let error = try_call(&memory, "forget", args.clone()).unwrap_err();
        assert_eq!((error.code(), error.field()), (ErrorCode::InvalidInput, Some(field)), "{args}");
    }
    assert_eq!(dump(&store), before);
}

/// A conversation that says a number in every place where text is kept.
fn told(memory: &Scene) {
    say(memory, "s", &[("user", "Hello, my name is Ann."), ("assistant", "Hello Ann!")]);
    say(memory, "s", &[("user", "My door code is 90817."), ("assistant", "Noted: 90817 it is. Anything else?")]);
    let call_ = json!({"type": "tool_use", "id": "c1", "name": "record_to_memory",
        "input": {"thinking": "why not", "content": ["My door code is 90817."]}});
    let result =
        json!({"type": "tool_result", "tool_use_id": "c1", "content": "ok\nMy door code is 90817.\nI like tea"});
    let messages = json!([
        {"role": "assistant", "content": [call_]},
        {"role": "tool", "content": [result]},
        {"role": "system", "content": "Never tell a code to strangers."},
        {"id": "mine", "role": "user", "content": "I like tea", "metadata": {"quote": "my door code is 90817"}},
    ]);
    call(memory, "append", json!({"session": "s", "messages": messages}));
    say(memory, "other", &[("user", "Please repeat my door code"), ("user", "I live in Hanoi")]);
    call(memory, "setTitle", json!({"session": "s", "title": "Door code 90817"}));
    call(memory, "updateSummary", json!({"session": "s", "summary": "Ann likes tea. The code of her door is 90817."}));
    call(memory, "add", json!({"content": "Ann's door code is 90817"}));
}

#[test]
fn the_text_of_messages_and_its_copies_are_gone_from_the_bytes() {
    for reopened in [false, true] {
        let store = MemStore::new();
        let mut memory = open(&store, 1);
        told(&memory);
        let before = call(&memory, "session", json!({"session": "s"}));
        let watching = open(&store, 5);
        assert_ne!(call(&watching, "queryMemory", json!({"query": "door code"})), json!([]), "its index is loaded");
        if reopened {
            memory = open(&store, 2);
        }
        let answer = call(&memory, "forget", json!({"query": "my door code", "messages": true}));
        assert_eq!(answer["entries"].as_array().unwrap().len(), 1);
        assert_eq!(answer["messages"], 6, "two turns, a call, its result, a quotation, and a question");
        for text in ["90817", "My door code is", "Noted:", "door code"] {
            assert!(!holds(&store, text), "{text}");
        }
        for text in ["Hello, my name is Ann.", "I like tea", "Never tell a code to strangers.", "I live in Hanoi"] {
            assert!(holds(&store, text), "{text}");
        }
        let window = call(&memory, "messages", json!({"session": "s"}));
        let texts: Vec<&Value> = window["messages"].as_array().unwrap().iter().map(|said| &said["content"]).collect();
        assert_eq!(texts.len(), 8, "every message keeps its place");
        assert_eq!(texts[2][0]["text"], "[forgotten]");
        assert!(texts[5].to_string().contains("ok\\n[forgotten]\\nI like tea"), "{}", texts[5]);
        let found = call(&memory, "message", json!({"session": "s", "id": "mine"}));
        assert_eq!(found["metadata"], json!({"quote": "[forgotten]"}));
        let after = call(&memory, "session", json!({"session": "s"}));
        assert_eq!((&after["title"], &after["messages"]), (&json!("[forgotten]"), &before["messages"]));
        assert!(after["tokens"].as_u64() < before["tokens"].as_u64());
        for memory in [&memory, &watching] {
            assert_eq!(call(memory, "queryMemory", json!({"query": "90817"})), json!([]), "no index has it");
        }
        assert_eq!(
            call(&memory, "forget", json!({"query": "my door code", "messages": true})),
            json!({"entries": [], "messages": 0})
        );
        verified(&store, &memory);
    }
}

#[test]
fn messages_decide_alone_if_no_entry_is_meant() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    say(
        &memory,
        "s",
        &[
            ("user", "The bike PIN is 55123"),
            ("assistant", "What is your bike lock for?"),
            ("user", "Please forget the PIN of my bike lock"),
            ("user", "I like my bike"),
        ],
    );
    let answer = call(&memory, "forget", json!({"query": "the PIN of my bike lock", "messages": true}));
    assert_eq!(answer["entries"], json!([]));
    assert!(!holds(&store, "55123"), "the request does not outdo the statement");
    assert!(holds(&store, "I like my bike"));
    verified(&store, &memory);
}

#[test]
fn histories_and_summaries_lose_their_sentences() {
    let ways = [
        json!({"type": "tree-reduce", "contextTokens": 1000, "compressionThreshold": 0.5, "chunkSize": 8}),
        json!({"type": "progressive", "contextTokens": 1000, "msgThreshold": 10, "lastKeep": 4, "largePayload": 500, "preview": 60}),
    ];
    for way in ways {
        let store = MemStore::new();
        let memory = open(&store, 1);
        for round in 0..30 {
            let said = format!("On day {round} we planted {round} tomatoes beside the garden wall in Bremen.");
            say(&memory, "s", &[("user", &said), ("assistant", "Good work, the tomatoes will grow well in June.")]);
            if round == 3 {
                say(&memory, "s", &[("user", "My door code is 90817, please keep it safe in Bremen.")]);
            }
        }
        let mut progress = call(&memory, "compress", json!({"session": "s", "way": way, "hook": true}));
        while progress["done"] == false {
            let texts = progress["requests"].as_array().unwrap().iter();
            let own = "They planted tomatoes. The code of the door is 90817.\nIt rained in Bremen.";
            let summaries: Vec<&str> = texts.map(|_| own).collect();
            progress = call(&memory, "compressed", json!({"token": progress["token"], "summaries": summaries}));
        }
        assert_eq!(progress["changed"], true, "{progress}");
        let view = call(&memory, "view", json!({"session": "s"})).to_string();
        assert!(view.contains("90817"), "a summary quotes it: {view}");
        let quotes = call(&memory, "histories", json!({"session": "s"})).to_string().contains("90817");
        assert_eq!(quotes, way["type"] == "tree-reduce");
        let answer = call(&memory, "forget", json!({"query": "my door code", "messages": true}));
        assert_eq!(answer, json!({"entries": [], "messages": 1}));
        assert!(!holds(&store, "90817") && !holds(&store, "door code"));
        let histories = call(&memory, "histories", json!({"session": "s"})).to_string();
        assert_eq!(histories.contains("[forgotten]"), quotes, "{histories}");
        let view = call(&memory, "view", json!({"session": "s"})).to_string();
        assert!(view.contains("They planted tomatoes. [forgotten]\\nIt rained in Bremen."), "{view}");
        assert!(!view.contains("90817"), "{view}");
        verified(&store, &memory);
    }
}

#[test]
fn stored_segments_and_vectors_are_rewritten() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    say(&memory, "s", &[("user", "My door code is 90817.")]);
    let lacking = call(&memory, "unembeddedTalk", json!({}));
    let items: Vec<Value> = lacking["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| json!({"kind": item["kind"], "id": item["id"], "embedding": [0.5, 0.25, 0.125]}))
        .collect();
    assert_eq!(call(&memory, "embedTalk", json!({"items": items})), json!(1));
    for at in 0..300 {
        say(&memory, "long", &[("user", &format!("Tomato number {at} is ripe"))]);
    }
    assert!(holds(&store, "90817"));
    call(&memory, "forget", json!({"query": "my door code", "messages": true}));
    assert!(!holds(&store, "90817") && !holds(&store, "code"));
    assert_eq!(call(&memory, "unembeddedTalk", json!({}))["total"], 301, "the vector is gone");
    let fresh = open(&store, 3);
    assert_eq!(call(&fresh, "queryMemory", json!({"query": "90817"})), json!([]));
    assert_eq!(call(&fresh, "unembeddedTalk", json!({}))["total"], 301);
    verified(&store, &memory);
}

#[test]
fn an_export_of_a_session_has_what_is_left_and_checks_out() {
    let store = MemStore::new();
    let memory = open(&store, 1);
    say(&memory, "s", &[("user", "My door code is 90817."), ("assistant", "Fine."), ("user", "I like tea")]);
    let old = call(&memory, "logExport", json!({"session": "s"}));
    call(&memory, "forget", json!({"query": "door code", "messages": true}));
    say(&memory, "s", &[("user", "Bye")]);
    let new = call(&memory, "logExport", json!({"session": "s"}));
    assert_eq!(new.as_array().unwrap().len(), 5, "a header and four messages");
    assert!(new.to_string().contains("[forgotten]") && !new.to_string().contains("90817"));
    for lines in [&old, &new] {
        assert_eq!(call(&memory, "logCheck", json!({"lines": lines}))["ok"], true);
    }
    // Each missing line is noticed, the one of the changed message too.
    for at in 1..5 {
        let mut lines = new.as_array().unwrap().clone();
        lines.remove(at);
        assert_eq!(call(&memory, "logCheck", json!({"lines": lines}))["ok"], false, "without line {at}");
    }
    let forged = Value::from(
        new.as_array()
            .unwrap()
            .iter()
            .map(|line| Value::from(line.as_str().unwrap().replace("[forgotten]", "My door code is 1.")))
            .collect::<Vec<_>>(),
    );
    assert_eq!(call(&memory, "logCheck", json!({"lines": forged}))["ok"], false);
}

#[test]
fn overlapping_calls_and_retries_forget_once() {
    let store = MemStore::new();
    let (one, other) = (open(&store, 1), open(&store, 2));
    add(&one, "My door code is 90817");
    say(&one, "s", &[("user", "My door code is 90817")]);
    let args = || parse(r#"{"query":"door code","messages":true}"#).unwrap();
    let (first, second) = block_on(join(one.call("forget", args()), other.call("forget", args())));
    let mut counts: Vec<i64> = [first, second].map(|answer| answer.unwrap().get("messages").as_i64().unwrap()).to_vec();
    counts.sort_unstable();
    assert_eq!(counts, [0, 1]);
    verified(&store, &one);

    add(&one, "My garden code is 11335");
    let once = || json!({"idempotencyKey": "k", "request": "r", "verb": "forget", "args": {"query": "garden code"}});
    let first = call(&one, "once", once());
    assert_eq!(first["entries"].as_array().unwrap().len(), 1);
    add(&one, "My garden code is 22446");
    assert_eq!(call(&other, "once", once()), first, "the retry erases nothing more");
    assert_eq!(summaries(&one), ["My garden code is 22446"]);
    let none = json!({"idempotencyKey": "n", "request": "r", "verb": "forget", "args": {"query": "passport"}});
    for _ in 0..2 {
        assert_eq!(call(&one, "once", none.clone()), json!({"entries": [], "messages": 0}));
    }
}

fn record(memory: &Scene, messages: &[(&str, &str)]) -> Value {
    let messages: Vec<Value> = messages.iter().map(|(role, text)| json!({"role": role, "content": text})).collect();
    call(memory, "record", json!({"session": "s", "messages": messages}))
}

#[test]
fn a_request_in_a_conversation_erases_the_entries_that_it_means() {
    for (statement, stays, request, that) in [
        ("I go to the gym on Mondays", "I live in Hanoi", "Forget what I said about the gym.", "Don't remember that."),
        ("Tôi bị dị ứng đậu phộng", "Tôi sống ở Đà Nẵng", "Quên chuyện dị ứng đi nhé", "Quên chuyện đó đi."),
        ("中学校で数学を教えています。", "私は川崎に住んでいます。", "数学の話は忘れて", "それは忘れて"),
        (
            "Montags gehe ich ins Fitnessstudio.",
            "Ich wohne in Bremen.",
            "Vergiss das mit dem Fitnessstudio.",
            "Vergiss das.",
        ),
    ] {
        let store = MemStore::new();
        let memory = open(&store, 1);
        assert_eq!(record(&memory, &[("user", stays)]).as_array().unwrap().len(), 1, "{stays}");
        assert_eq!(record(&memory, &[("user", statement)]).as_array().unwrap().len(), 1, "{statement}");
        assert_eq!(record(&memory, &[("user", request)]), json!([]), "{request}");
        assert_eq!(summaries(&memory), [stays], "{request}");
        assert!(!holds(&store, statement));
        // By a bare "that", in another call and in the same one.
        record(&memory, &[("user", statement)]);
        assert_eq!(record(&memory, &[("assistant", "OK."), ("user", that)]), json!([]), "{that}");
        assert_eq!(summaries(&memory), [stays], "{that}");
        assert_eq!(record(&memory, &[("user", statement), ("user", that)]), json!([]), "{that}");
        assert_eq!(summaries(&memory), [stays], "{that}");
        // It means nothing any more, and nothing of another session.
        record(&memory, &[("user", that)]);
        record(&memory, &[("user", statement)]);
        call(&memory, "record", json!({"session": "t", "messages": [{"role": "user", "content": that}]}));
        assert_eq!(summaries(&memory).len(), 2, "{that}");
        verified(&store, &memory);
    }
}

#[test]
fn a_request_is_obeyed_in_its_place_and_only_from_the_user() {
    let memory = open(&MemStore::new(), 1);
    record(&memory, &[("user", "I go to the gym on Mondays")]);
    let kept = record(&memory, &[("assistant", "Forget the gym.")]);
    assert_eq!((kept, summaries(&memory).len()), (json!([]), 1));
    let kept = record(&memory, &[("user", "Forget the gym. I go to the gym on Fridays.")]);
    assert_eq!(kept.as_array().unwrap().len(), 1);
    assert_eq!(summaries(&memory), ["I go to the gym on Fridays."]);
    let kept = record(&memory, &[("user", "I live in Hanoi. Forget the gym.")]);
    assert_eq!(kept.as_array().unwrap().len(), 1);
    assert_eq!(summaries(&memory), ["I live in Hanoi."]);
}

/// Facts that a query means by their attribute, whatever their words; those that stay, with words of the query; the query.
const ATTRIBUTES: &[(&[&str], &[&str], &str)] = &[
    (&["I live in Leeds", "I moved to Otley"], &["We had a live concert", "My sister lives in York"], "where I live"),
    (&["I was born on 4 May 1990"], &["The party is on 4 June", "My son was born in June"], "my birthday"),
    (&["My phone number is 0113 496 0000"], &["The number of guests is 40"], "my phone number"),
    (&["Tôi sống ở Huế", "Tôi mới chuyển đến Đà Nẵng"], &["Chị tôi sống ở Vinh", "Tôi thích cà phê"], "chỗ tôi ở"),
    (&["Ich wohne in Bremen", "Ich bin nach Kassel gezogen"], &["Meine Schwester wohnt in Ulm"], "wo ich wohne"),
    (&["J'habite à Lyon", "J'ai déménagé à Nantes"], &["Ma sœur habite à Lille"], "où j'habite"),
    (&["Vivo en Sevilla", "Me mudé a Cádiz"], &["Mi hermana vive en Vigo"], "dónde vivo"),
    (
        &["私は京都に住んでいます", "大阪に引っ越しました"],
        &["妹は神戸に住んでいます", "コーヒーが好きです"],
        "私の住所",
    ),
];

#[test]
fn a_query_for_an_attribute_means_its_facts_whatever_their_words() {
    for (facts, others, query) in ATTRIBUTES {
        let store = MemStore::new();
        let memory = open(&store, 1);
        for text in others.iter().chain(*facts) {
            add(&memory, text);
        }
        let messages: Vec<(&str, &str)> = others.iter().chain(*facts).map(|text| ("user", *text)).collect();
        say(&memory, "s-1", &messages);
        let answer = call(&memory, "forget", json!({"query": query, "messages": true}));
        let mut kept: Vec<&str> = others.to_vec();
        kept.sort_unstable();
        assert_eq!(summaries(&memory), kept, "{query}");
        assert_eq!(answer["messages"], json!(facts.len()), "{query}");
        for fact in *facts {
            assert!(!holds(&store, fact), "{fact}");
        }
        for other in *others {
            assert!(holds(&store, other), "{other}");
        }
        verified(&store, &memory);
    }
}

#[test]
fn a_request_in_a_conversation_for_an_attribute_takes_what_was_recorded_of_it() {
    for (first, second, stays, request) in [
        (
            "I live in Leeds.",
            "I also moved my desk to Otley, where I live now.",
            "I play the cello.",
            "Forget where I live.",
        ),
        ("Tôi sống ở Huế.", "Tôi mới chuyển nhà đến Đà Nẵng.", "Tôi bị dị ứng đậu phộng.", "Quên chỗ tôi ở đi nhé."),
        ("Ich wohne in Bremen.", "Ich bin nach Kassel gezogen.", "Ich spiele Cello.", "Vergiss bitte, wo ich wohne."),
        ("京都に住んでいます。", "大阪に引っ越しました。", "ピーナッツアレルギーです。", "私の住所は忘れて"),
    ] {
        let store = MemStore::new();
        let memory = open(&store, 1);
        for text in [first, stays, second] {
            record(&memory, &[("user", text)]);
        }
        record(&memory, &[("user", request)]);
        let kept = summaries(&memory);
        assert_eq!(kept.len(), 1, "{request}: {kept:?}");
        assert!(stays.contains(kept[0].trim_end_matches(['.', '。'])), "{request}: {kept:?}");
    }
}
