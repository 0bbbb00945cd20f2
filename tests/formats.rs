//! Bytes of every released format, read for ever: what tests/fixtures holds must mean what it meant.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use keepsake::codec::{Body, CodecError, FORMAT, Frame, Record};
use keepsake::log::{Change, Head, Link, Page, hash};
use keepsake::model::{
    AgentId, Entry, EntryId, FactKey, Importance, Metadata, Namespace, SessionId, Speaker, Tags, Timestamp, Trust,
};
use std::path::PathBuf;

/// The bytes of `tests/fixtures/format-N/name.bin`.
fn fixture(format: u8, name: &str) -> Vec<u8> {
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "tests/fixtures", &format!("format-{format}"), name].iter().collect();
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn time(millis: i64) -> Timestamp {
    Timestamp::from_millis("time", millis).unwrap()
}

/// An entry in which every field says something.
fn full() -> Record {
    let metadata = keepsake::codec::json::parse(r#"{"z":1.10,"a":[null,true,"việt"],"__proto__":{}}"#).unwrap();
    Record {
        entry: Entry {
            id: EntryId::new("id", "my id 日本").unwrap(),
            namespace: Namespace::new("namespace", "long-term").unwrap(),
            summary: "A \"summary\"\nof two lines".to_owned(),
            content_chars: 600_000,
            truncated: true,
            tags: Tags::new("tags", vec!["ops".into(), "ключ".into()]).unwrap(),
            importance: Importance::new("importance", 0.7).unwrap(),
            source: Some("handbook".to_owned()),
            metadata: Metadata::new("metadata", metadata).unwrap(),
            key: Some(FactKey::new("key", "user.city").unwrap()),
            session: Some(SessionId::new("session", "s-1").unwrap()),
            agent: Some(AgentId::new("agent", "planner").unwrap()),
            speaker: Some(Speaker::new("speaker", "Minh").unwrap()),
            at: time(1_683_467_760_000),
            trust: Trust::High,
            count: 1,
            seen_at: None,
            version: 3,
            created_at: time(1_735_812_000_000),
            updated_at: time(1_735_812_001_000),
            valid_from: None,
            valid_until: None,
            replaces: None,
            secrets: Vec::new(),
            promoted: None,
            expires_at: time(2_051_172_000_000),
        },
        seq: 42,
        content: None,
        body: Some(hash(b"body")),
        vector: None,
    }
}

/// An entry that says as little as it can.
fn bare() -> Record {
    let Record { entry, .. } = full();
    let entry = Entry {
        truncated: false,
        tags: Tags::default(),
        importance: Importance::default(),
        source: None,
        metadata: Metadata::default(),
        key: None,
        session: None,
        agent: None,
        speaker: None,
        at: entry.created_at,
        trust: Trust::Normal,
        version: 1,
        updated_at: entry.created_at,
        ..entry
    };
    Record { entry, seq: 1, content: None, body: None, vector: None }
}

fn page() -> Page {
    let link = |change, key: &[u8]| Link { at: time(1_735_812_000_000), change, key: key.to_vec(), payload: hash(key) };
    Page {
        before: Head { seq: 7, hash: [9; 32] },
        links: vec![link(Change::Add, b"one"), link(Change::Update, b""), link(Change::Delete, &[0, 255])],
    }
}

const CONTENT: &str = "Toàn bộ nội dung, 全文, with\nlines";

#[test]
fn format_1_is_read_as_it_was_written() {
    assert_eq!(Record::decode(&fixture(1, "record-full.bin")), Ok(full()));
    assert_eq!(Record::decode(&fixture(1, "record-bare.bin")), Ok(bare()));
    assert_eq!(Body::decode(&fixture(1, "body.bin")), Ok(CONTENT.to_owned()));
    assert_eq!(Page::decode(&fixture(1, "links.bin")), Ok(page()));
}

/// The key and the space of the fixtures since format 2.
const AT: (&str, &[u8]) = ("records", b"fixture");

fn bound(mut bytes: Vec<u8>) -> Vec<u8> {
    Frame::bind(AT.0, AT.1, &mut bytes);
    bytes
}

fn released(mut bytes: Vec<u8>) -> Vec<u8> {
    Frame::release(AT.0, AT.1, &mut bytes);
    bytes
}

#[test]
fn format_2_is_read_under_its_own_key() {
    let read = |name: &str| released(fixture(2, name));
    assert_eq!(Record::decode(&read("record-full.bin")), Ok(full()));
    assert_eq!(Record::decode(&read("record-bare.bin")), Ok(bare()));
    assert_eq!(Body::decode(&read("body.bin")), Ok(CONTENT.to_owned()));
    assert_eq!(Page::decode(&read("links.bin")), Ok(page()));
    for (space, key) in [("bodies", AT.1), ("records", b"fixturf".as_slice()), ("records", b"")] {
        let mut moved = fixture(2, "record-full.bin");
        Frame::release(space, key, &mut moved);
        assert!(matches!(Record::decode(&moved), Err(CodecError::Corrupt { .. })), "{space} {key:?}");
    }
}

#[test]
fn what_is_written_today_is_what_the_newest_fixture_holds() {
    let salt = [7; keepsake::codec::SALT];
    assert_eq!(bound(full().encode(salt)), fixture(FORMAT, "record-full.bin"));
    assert_eq!(bound(bare().encode(salt)), fixture(FORMAT, "record-bare.bin"));
    assert_eq!(bound(Body::encode(CONTENT, salt)), fixture(FORMAT, "body.bin"));
    assert_eq!(bound(page().encode()), fixture(FORMAT, "links.bin"));
}

#[test]
fn f40_a_stored_value_cut_or_flipped_anywhere_is_refused() {
    for name in ["record-full.bin", "record-bare.bin", "body.bin", "links.bin"] {
        let bytes = fixture(FORMAT, name);
        let read = |bytes: &[u8]| match (name, &released(bytes.to_vec())) {
            ("body.bin", bytes) => Body::decode(bytes).map(drop),
            ("links.bin", bytes) => Page::decode(bytes).map(drop),
            (_, bytes) => Record::decode(bytes).map(drop),
        };
        assert_eq!(read(&bytes), Ok(()));
        for end in 0..bytes.len() {
            assert!(matches!(read(&bytes[..end]), Err(CodecError::Corrupt { .. })), "{name} cut at {end}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(matches!(read(&flipped), Err(CodecError::Corrupt { .. })), "{name} bit {bit}");
        }
    }
}
