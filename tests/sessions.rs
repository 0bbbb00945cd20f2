//! What is known of a session without its record being written with each message: exact whoever asks, and whenever.

use futures::executor::block_on;
use futures::future::join;
use keepsake::codec::SessionRecord;
use keepsake::context::compress::{Strategy, TreeReduce};
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::{AgentId, Block, MessageDraft, Role, SessionId, Timestamp, UserId};
use keepsake::store::{Fault, FaultyStore, Key, KeyRange, Op, Page, Revision, Space, StoreError, WriteBatch};
use keepsake::{Config, MemStore, Store};
use std::cell::RefCell;
use std::rc::Rc;

const BEGIN: i64 = 1_735_812_000_000;

/// More than any number of messages after which the record has to be written.
const ENOUGH: u64 = 40;

async fn open<S: Store>(store: S, world: &Scripted) -> Memory<S, Scripted> {
    let user = UserId::new("user", "u-1").unwrap();
    Memory::open(store, world.clone(), user, Config::default()).await.unwrap()
}

fn session(name: &str) -> SessionId {
    SessionId::new("session", name).unwrap()
}

fn said(number: u64) -> MessageDraft {
    let role = if number.is_multiple_of(2) { Role::User } else { Role::Assistant };
    MessageDraft::new(role, vec![Block::text(format!("message {number} {}", "word ".repeat(number as usize)))])
}

/// What one handle knows, what one that was opened just now does, and what the list says: all the same.
async fn seen<S: Store>(storage: &MemStore, memory: &Memory<S, Scripted>, s: &SessionId) -> SessionRecord {
    let known = memory.session(s).await.unwrap().expect("it is there").record;
    let fresh = open(storage.connect(), &Scripted::new(BEGIN, 99)).await;
    assert_eq!(fresh.session(s).await.unwrap().unwrap().record, known);
    let listed = fresh.sessions().await.unwrap();
    assert_eq!(listed.iter().find(|info| info.id == *s).unwrap().record, known);
    let window = fresh.messages(s, 1000, None).await.unwrap();
    assert_eq!((window.total, window.messages.len() as u64), (known.count, known.count));
    known
}

/// What is known of a session in which all of this was said at once.
async fn at_once(drafts: &[MessageDraft]) -> SessionRecord {
    let memory = open(MemStore::new(), &Scripted::new(BEGIN, 7)).await;
    memory.append(&session("s"), None, drafts).await.unwrap();
    memory.session(&session("s")).await.unwrap().unwrap().record
}

#[test]
fn whoever_opens_a_session_after_any_number_of_messages_knows_it_exactly() {
    block_on(async {
        let (storage, world, s) = (MemStore::new(), Scripted::new(BEGIN, 1), session("s"));
        let memory = open(storage.connect(), &world).await;
        let mut all = Vec::new();
        for number in 0..ENOUGH {
            // Some stay in every window, some were said at another time, some come together.
            let some = if number % 11 == 3 { 1 + number % 10 } else { 1 };
            let drafts: Vec<MessageDraft> = (0..some)
                .map(|more| MessageDraft {
                    pinned: number % 7 == 5,
                    at: (number % 5 == 4).then(|| Timestamp::from_millis("at", BEGIN - 5_000).unwrap()),
                    ..said(number + more)
                })
                .collect();
            world.set_now(BEGIN + 1000 * number as i64);
            memory.append(&s, None, &drafts).await.unwrap();
            all.extend(drafts);
            let (known, expected) = (seen(&storage, &memory, &s).await, at_once(&all).await);
            assert_eq!(known.updated_at.millis(), world.millis(), "after {number}");
            assert_eq!(known, SessionRecord { updated_at: known.updated_at, ..expected }, "after {number}");
        }
    });
}

#[test]
fn titles_agents_and_compression_are_known_with_the_messages_around_them() {
    let settings = TreeReduce { context_tokens: 400, ..TreeReduce::default() };
    block_on(async {
        let (storage, world, s) = (MemStore::new(), Scripted::new(BEGIN, 1), session("s"));
        let memory = open(storage.connect(), &world).await;
        let (mut title, mut agent, mut histories) = (None, None, 0);
        for number in 0..ENOUGH {
            world.set_now(BEGIN + 1000 * number as i64);
            if number % 9 == 6 {
                agent = AgentId::new("agent", format!("agent-{number}")).ok();
            }
            memory.append(&s, agent.as_ref(), &[said(number)]).await.unwrap();
            if number % 13 == 10 {
                title = Some(format!("Talk {number}"));
                memory.set_title(&s, title.as_deref().unwrap()).await.unwrap();
            }
            if number % 6 == 1 {
                memory.compress(&s, &Strategy::TreeReduce(settings.clone()), false).await.unwrap();
            }
            let known = seen(&storage, &memory, &s).await;
            assert_eq!((known.title, known.agent, known.count), (title.clone(), agent.clone(), number + 1));
            // The view is put together from messages and stand-ins, without the record's counts.
            let view = memory.session_view(&s).await.unwrap();
            assert_eq!(known.items, view.len() as u64, "after {number}");
            assert_eq!(
                known.tokens,
                view.iter().map(|shown| u64::from(shown.item.tokens)).sum::<u64>(),
                "after {number}"
            );
            histories = known.histories;
        }
        assert!(histories > 0, "something was compressed");
    });
}

#[test]
fn f17_two_handles_that_take_turns_or_do_not_count_every_message() {
    block_on(async {
        let (storage, world, s) = (MemStore::new(), Scripted::new(BEGIN, 1), session("s"));
        let (one, two) = (open(storage.connect(), &world).await, open(storage.connect(), &world).await);
        let mut all = Vec::new();
        for number in 0..ENOUGH {
            // Now the one, now the other, and now each several times.
            let memory = if (number * number) % 7 < 3 { &one } else { &two };
            memory.append(&s, None, &[said(number)]).await.unwrap();
            all.push(said(number));
            assert_eq!(seen(&storage, memory, &s).await, at_once(&all).await, "after {number}");
        }
    });
}

#[test]
fn sessions_are_listed_by_their_last_message_however_many_there_are() {
    block_on(async {
        let (storage, world) = (MemStore::new(), Scripted::new(BEGIN, 1));
        let memory = open(storage.connect(), &world).await;
        let names: Vec<SessionId> = (0..100).map(|number| session(&format!("s-{number:03}"))).collect();
        for round in 0..3 {
            for (at, name) in names.iter().enumerate() {
                world.set_now(BEGIN + 1000 * round + at as i64);
                memory.append(name, None, &[said(round as u64)]).await.unwrap();
            }
        }
        memory.delete_session(&names[50], false).await.unwrap();
        let listed = open(storage.connect(), &world).await.sessions().await.unwrap();
        let expected: Vec<&SessionId> = names.iter().rev().filter(|name| **name != names[50]).collect();
        assert_eq!(listed.iter().map(|info| &info.id).collect::<Vec<_>>(), expected);
        assert!(listed.iter().all(|info| info.record.count == 3 && info.record.updated_at.millis() >= BEGIN + 2000));
        // A session of the same name begins anew.
        memory.append(&names[50], None, &[said(0)]).await.unwrap();
        assert_eq!(seen(&storage, &memory, &names[50]).await, {
            let fresh = at_once(&[said(0)]).await;
            let now = Timestamp::from_millis("now", world.millis()).unwrap();
            SessionRecord { created_at: now, updated_at: now, ..fresh }
        });
    });
}

#[test]
fn f20_a_failure_or_a_crash_at_any_append_leaves_exact_counts() {
    for fault in [Fault::Fail(StoreError::QuotaExceeded), Fault::Crash, Fault::CrashAfter] {
        for number in 0..20 {
            block_on(async {
                let (storage, world, s) = (MemStore::new(), Scripted::new(BEGIN, 1), session("s"));
                let store = Rc::new(FaultyStore::new(storage.connect()));
                let memory = open(Rc::clone(&store), &world).await;
                let mut all = Vec::new();
                for at in 0..number {
                    memory.append(&s, None, &[said(at)]).await.unwrap();
                    all.push(said(at));
                }
                store.break_at(1, fault.clone());
                let kept = memory.append(&s, None, &[said(number)]).await.is_ok();
                let after = open(storage.connect(), &world).await;
                let count = after.messages(&s, 1000, None).await.unwrap().total;
                assert!(!kept || count == number + 1);
                all.extend((count > number).then(|| said(number)));
                all.push(said(number + 1));
                after.append(&s, None, &[said(number + 1)]).await.unwrap();
                assert_eq!(seen(&storage, &after, &s).await, at_once(&all).await);
            });
        }
    }
}

/// A store that remembers the changes of each commit that it has written.
struct Watched(MemStore, RefCell<Vec<Vec<Op>>>);

impl Store for Watched {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.0.get(space, keys).await
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        self.0.scan(space, range, limit).await
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        let ops = batch.ops.clone();
        let revision = self.0.commit(batch).await?;
        self.1.borrow_mut().push(ops);
        Ok(revision)
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.0.close().await
    }
}

#[test]
fn an_append_writes_the_message_and_its_page_of_the_log_and_seldom_more() {
    block_on(async {
        let store = Rc::new(Watched(MemStore::new(), RefCell::default()));
        let memory = open(Rc::clone(&store), &Scripted::new(BEGIN, 1)).await;
        for number in 0..ENOUGH {
            memory.append(&session("s"), None, &[said(number)]).await.unwrap();
        }
        let least = |ops: &&Vec<Op>| matches!(ops[..], [Op::Add(Space::Records, ..), Op::Put(Space::Log, ..)]);
        let commits = store.1.borrow();
        assert!(commits.iter().flatten().all(|op| matches!(op, Op::Put(..) | Op::Add(..))));
        assert_eq!(
            commits.len() - commits.iter().filter(least).count(),
            1 + ENOUGH as usize / 8,
            "the first one, and one of eight"
        );
    });
}

#[test]
fn what_is_said_to_be_new_is_new_and_nothing_is_put_over_it() {
    block_on(async {
        let store = Rc::new(Watched(MemStore::new(), RefCell::default()));
        let worlds = [1, 2].map(|seed| Scripted::new(BEGIN, seed));
        let [one, two] = [open(Rc::clone(&store), &worlds[0]).await, open(Rc::clone(&store), &worlds[1]).await];
        for round in 0..3 {
            for number in 0..ENOUGH {
                // Two at once: one of them plans again, in another place.
                let (s, both) = (session("s"), [said(number), said(number + 1)]);
                let (first, second) =
                    join(one.append(&s, None, &both[..1]), two.append(&s, None, &both[..1 + round % 2])).await;
                let (first, _) = (first.unwrap(), second.unwrap());
                let to = session(&format!("fork {round}"));
                if number == 20 {
                    one.fork(&s, &first[0].id, &to).await.unwrap();
                    two.append(&to, None, &both).await.unwrap();
                }
            }
            two.set_title(&session("s"), "a title").await.unwrap();
            one.delete_session(&session("s"), false).await.unwrap();
        }
        let mut added: Vec<(Space, Key)> = Vec::new();
        for op in store.1.borrow().iter().flatten() {
            match op {
                Op::Add(space, key, _) => {
                    assert!(!added.contains(&(*space, key.clone())), "it was there: {key:?}");
                    added.push((*space, key.clone()));
                }
                Op::Put(space, key, _) => assert!(!added.contains(&(*space, key.clone())), "put over: {key:?}"),
                Op::Delete(space, key) => added.retain(|(of, known)| (of, known) != (space, key)),
                Op::DeleteRange(space, range) => added.retain(|(of, known)| of != space || !range.contains(known)),
            }
        }
        assert!(added.iter().all(|(space, _)| *space == Space::Records));
        assert_eq!(added.len() as u64, {
            let forks = one.sessions().await.unwrap();
            forks.iter().map(|fork| fork.record.count).sum::<u64>()
        });
    });
}
