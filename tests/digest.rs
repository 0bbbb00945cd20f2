//! Digests: which questions ask for one, what it costs to make one, and what it tells.

use futures::executor::block_on;
use keepsake::codec::json::parse;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::memory::{Digest, DigestOptions};
use keepsake::model::{Block, Json, MessageDraft, Role, SessionId, Timestamp, UserId};
use keepsake::store::{Key, KeyRange, Page, Revision, Space, StoreError, WriteBatch};
use keepsake::text::asks_for_overview;
use keepsake::{Config, MemStore, Store};
use std::cell::Cell;
use std::rc::Rc;

const BEGIN: i64 = 1_735_812_000_000;
const HOUR: i64 = 3_600_000;

/// The questions of a file: language and sentence.
fn questions(file: &str) -> Vec<(String, String)> {
    let Json::Object(languages) = parse(file).unwrap() else { panic!("no object") };
    let of = |(language, sentences): &(String, Json)| -> Vec<(String, String)> {
        let sentences = sentences.as_array().unwrap().iter();
        sentences.map(|sentence| (language.clone(), sentence.as_str().unwrap().to_owned())).collect()
    };
    languages.iter().flat_map(of).collect()
}

/// The questions that are taken for the other kind.
fn mistaken(file: &str, asks: bool) -> (usize, Vec<(String, String)>) {
    let all = questions(file);
    let count = all.len();
    (count, all.into_iter().filter(|(_, question)| asks_for_overview(question) != asks).collect())
}

#[test]
fn questions_for_an_overview_are_known_in_ten_languages() {
    let (count, missed) = mistaken(include_str!("fixtures/questions/known.json"), true);
    assert!(count > 50 && missed.is_empty(), "{missed:#?}");
}

#[test]
fn questions_that_the_table_was_not_made_with_are_mostly_known_too() {
    let (count, missed) = mistaken(include_str!("fixtures/questions/apart.json"), true);
    assert!(count > 100 && missed.len() * 100 <= count * MISSED_APART, "{} of {count}: {missed:#?}", missed.len());
}

/// The most percent of the sentences apart that may be missed.
const MISSED_APART: usize = 5;

#[test]
fn questions_with_a_subject_are_none() {
    let (count, caught) = mistaken(include_str!("fixtures/questions/ordinary.json"), false);
    assert!(count > 100 && caught.is_empty(), "{caught:#?}");
}

/// A store that counts the records that are read.
struct Counted(MemStore, Cell<usize>);

impl Store for Counted {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let values = self.0.get(space, keys).await?;
        if space == Space::Records {
            self.1.set(self.1.get() + values.iter().flatten().count());
        }
        Ok(values)
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        let page = self.0.scan(space, range, limit).await?;
        if space == Space::Records {
            self.1.set(self.1.get() + page.items.len());
        }
        Ok(page)
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        self.0.commit(batch).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.0.close().await
    }
}

type Scene = Memory<Rc<Counted>, Scripted>;

fn open(user: &str, store: &Rc<Counted>) -> Scene {
    let user = UserId::new("user", user).unwrap();
    block_on(Memory::open(Rc::clone(store), Scripted::new(BEGIN, 7), user, Config::default())).unwrap()
}

fn store() -> Rc<Counted> {
    Rc::new(Counted(MemStore::new(), Cell::default()))
}

fn session(number: usize) -> SessionId {
    SessionId::new("session", format!("s-{number}")).unwrap()
}

fn said(role: Role, text: String, hour: i64) -> MessageDraft {
    let at = Timestamp::from_millis("at", BEGIN + hour * HOUR).unwrap();
    MessageDraft { at: Some(at), ..MessageDraft::new(role, vec![Block::text(text)]) }
}

fn digest(memory: &Scene, options: &DigestOptions) -> Digest {
    block_on(memory.digest(options)).unwrap()
}

#[test]
fn two_hundred_sessions_are_not_read_to_tell_of_the_last_ones() {
    let store = store();
    let memory = open("u-1", &store);
    for number in 0..200 {
        let talk: Vec<MessageDraft> = (0..30)
            .map(|at| {
                let role = if at % 2 == 0 { Role::User } else { Role::Assistant };
                said(role, format!("Plan {number}: the boat needs {at} coats of paint."), number as i64 * 24 + at)
            })
            .collect();
        block_on(memory.append(&session(number), None, &talk)).unwrap();
    }
    // The index is there, as it is for any search.
    digest(&memory, &DigestOptions { max_tokens: 1, ..DigestOptions::default() });
    store.1.set(0);
    let told = digest(&memory, &DigestOptions::default());
    assert!(told.sessions.len() >= 10, "{}", told.sessions.len());
    assert_eq!(told.sessions.len() + told.left, 200);
    assert_eq!(told.sessions.last().unwrap().session, session(199));
    assert!(told.sessions.iter().all(|told| told.messages == 30 && !told.topics.is_empty()));
    assert!(told.tokens <= 1000);
    assert!(store.1.get() <= 20 * (3 + 16), "{} of 6000 messages were read", store.1.get());
}

#[test]
fn every_budget_holds_and_the_last_sessions_stay() {
    let memory = open("u-1", &store());
    for number in 0..12 {
        let text = format!(
            "We decided to send parcel {number} by ship. It needs a stamp from the harbour office. Why {number}?"
        );
        block_on(memory.append(&session(number), None, &[said(Role::User, text, number as i64)])).unwrap();
    }
    for max_tokens in (1..40).step_by(6).chain((40..1500).step_by(131)) {
        let told = digest(&memory, &DigestOptions { max_tokens, ..DigestOptions::default() });
        assert!(told.tokens <= max_tokens, "{} of {max_tokens}", told.tokens);
        assert_eq!(told.sessions.len() + told.left, 12, "{max_tokens}");
        let last: Vec<SessionId> = (told.left..12).map(session).collect();
        assert_eq!(told.sessions.iter().map(|told| told.session.clone()).collect::<Vec<_>>(), last, "{max_tokens}");
        assert_eq!(block_on(memory.digest_for("Which parcel?", &DigestOptions::default())).unwrap(), None);
    }
}

#[test]
fn another_user_s_sessions_are_not_told_of() {
    let store = store();
    let [one, other] = ["u-1", "u-2"].map(|user| open(user, &store));
    block_on(one.append(&session(1), None, &[said(Role::User, "We decided to whisper.".to_owned(), 1)])).unwrap();
    assert_eq!(digest(&other, &DigestOptions::default()), Digest::default());
    assert_eq!(digest(&one, &DigestOptions::default()).sessions.len(), 1);
}
