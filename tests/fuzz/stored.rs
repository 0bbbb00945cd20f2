//! What stores hold: frames, the values inside, pages of the log, keys.

use crate::dice::Dice;
use keepsake::codec::{Beside, Body, CodecError, Frame, Kind, Record, SALT, SessionRecord, StoredMessage, Vector};
use keepsake::log::Page;
use keepsake::model::{Block, MessageDraft, MessageId, Role, Timestamp};
use keepsake::store::{Key, KeyRange};
use std::fs;

const KINDS: [Kind; 11] = [
    Kind::Record,
    Kind::Body,
    Kind::Links,
    Kind::Index,
    Kind::Vector,
    Kind::Message,
    Kind::Session,
    Kind::View,
    Kind::History,
    Kind::Components,
    Kind::Kept,
];

fn fixture(name: &str) -> Vec<u8> {
    fs::read(format!("{}/tests/fixtures/format-1/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// A frame opens to what was sealed; damaged, of another kind or cut it does not open at all.
pub(crate) fn frames(dice: &mut Dice) {
    let (kind, other) = (*dice.choose(&KINDS), *dice.choose(&KINDS));
    let payload = dice.bytes(300);
    let sealed = Frame::seal(kind, &payload);
    assert_eq!(Frame::open(kind, &sealed).map(|frame| frame.payload.to_vec()), Ok(payload));
    assert_eq!(Frame::open(other, &sealed).is_ok(), kind == other);
    let mut damaged = sealed.clone();
    dice.damage(&mut damaged);
    if damaged != sealed {
        let opened = Frame::open(kind, &damaged);
        assert!(matches!(opened, Err(CodecError::Corrupt { .. } | CodecError::Newer { .. })), "{damaged:?} opens");
    }
    let _ = Frame::open(kind, &dice.bytes(40));
}

/// Values that were damaged before they were sealed, as a store that means harm does: read to a value or refused, and a value
/// that was read is written so that it is read again.
pub(crate) fn values(dice: &mut Dice) {
    let salt = [dice.next() as u8; SALT];
    let seed = match dice.below(6) {
        0 => fixture("record-full.bin"),
        1 => fixture("record-bare.bin"),
        2 => fixture("body.bin"),
        3 => message().encode(salt),
        4 => session().encode(salt),
        _ => Beside::encode(
            Kind::Kept,
            &keepsake::codec::json::parse(r#"{"a":[1,{"b":"việt"}],"n":1.50}"#).unwrap(),
            salt,
        ),
    };
    let kind = *KINDS.iter().find(|kind| Frame::open(**kind, &seed).is_ok()).unwrap();
    let mut payload = Frame::open(kind, &seed).unwrap().payload.to_vec();
    dice.damage(&mut payload);
    let sealed = Frame::seal(kind, &payload);
    match kind {
        Kind::Record => {
            if let Ok(record) = Record::decode(&sealed) {
                assert_eq!(Record::decode(&record.encode(salt)), Ok(record));
            }
        }
        Kind::Body => {
            if let Ok(content) = Body::decode(&sealed) {
                assert_eq!(Body::decode(&Body::encode(&content, salt)), Ok(content));
            }
        }
        Kind::Message => {
            if let Ok(message) = StoredMessage::decode(&sealed) {
                assert_eq!(StoredMessage::decode(&message.encode(salt)), Ok(message));
            }
        }
        Kind::Session => {
            if let Ok(session) = SessionRecord::decode(&sealed) {
                assert_eq!(SessionRecord::decode(&session.encode(salt)), Ok(session));
            }
        }
        kind => {
            if let Ok(value) = Beside::decode(kind, &sealed) {
                assert_eq!(Beside::decode(kind, &Beside::encode(kind, &value, salt)), Ok(value));
            }
        }
    }
    let _ = Vector::decode(&Frame::seal(Kind::Vector, &payload));
}

fn message() -> StoredMessage {
    let at = Timestamp::from_millis("at", 1_735_812_000_000).unwrap();
    let draft = MessageDraft::new(Role::User, vec![Block::text("Xin chào, \"you\"\nand you")]);
    let message = draft.into_message(MessageId::new("id", "m-1").unwrap(), at);
    StoredMessage { message, place: 3, seq: 9, tokens: 12 }
}

fn session() -> SessionRecord {
    let mut session = SessionRecord::new(Timestamp::from_millis("at", 1_735_812_000_000).unwrap());
    session.follow(&message());
    session
}

/// Pages of the log: the same, with the end of the chain after them.
pub(crate) fn pages(dice: &mut Dice) {
    let seed = fixture("links.bin");
    let mut payload = Frame::open(Kind::Links, &seed).unwrap().payload.to_vec();
    dice.damage(&mut payload);
    if let Ok(page) = Page::decode(&Frame::seal(Kind::Links, &payload)) {
        assert_eq!(Page::decode(&page.encode()), Ok(page.clone()));
        assert_eq!(page.after().seq - page.before.seq, page.links.len() as u64);
    }
}

/// A key begins with another exactly if its parts do; ranges hold what begins with them; numbers keep their order.
pub(crate) fn keys(dice: &mut Dice) {
    let parts = |dice: &mut Dice| -> Vec<Vec<u8>> {
        (0..dice.below(4))
            .map(|_| match dice.below(3) {
                0 => dice.word().into_bytes(),
                1 => vec![0xff; dice.below(3)],
                _ => dice.bytes(4),
            })
            .collect()
    };
    let made = |parts: &[Vec<u8>]| parts.iter().fold(Key::default(), |key, part| key.part(part));
    let (one, mut two) = (parts(dice), parts(dice));
    if dice.chance(2) {
        two = one.iter().cloned().chain(two).collect();
    }
    let (key, other) = (made(&one), made(&two));
    assert_eq!(key == other, one == two);
    assert_eq!(other.as_bytes().starts_with(key.as_bytes()), two.starts_with(&one), "{one:?} {two:?}");
    let range = KeyRange::prefix(key.clone());
    assert_eq!(range.contains(&other), two.starts_with(&one), "{one:?} {two:?}");
    let wild = Key::from_bytes(dice.bytes(8));
    assert_eq!(range.contains(&wild), wild.as_bytes().starts_with(key.as_bytes()));
    assert_eq!(range.from(wild.clone()).contains(&other), range.contains(&other) && other >= wild);
    let (low, high) = (dice.next() >> dice.below(64), dice.next() >> dice.below(64));
    assert_eq!(key.clone().number(low).cmp(&key.number(high)), low.cmp(&high));
}
