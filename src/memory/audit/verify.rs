//! Checks everything stored, against the log and for consistency, and repairs what can be rebuilt.

use super::frozen::Damage;
use super::inspect::{Doubt, Part, Seen, given_up};
use super::thing::Thing;
use crate::codec::{CodecError, Frame, Kind, SessionRecord, StoredMessage};
use crate::memory::dialog::session_record::unwritten;
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::slices::LINK;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::SessionId;
use crate::store::{Durability, Key, Op, Revision, Space, Store};
use std::collections::BTreeSet;

/// The number of sessions per read.
const SESSIONS: usize = 64;

/// The number of indexed documents per check.
const INDEXED: usize = 256;

/// The most attempts of a check when others write meanwhile.
const TRIES: usize = 3;

/// The result of a check of everything stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// The number of records that the log says are stored.
    pub checked: u64,
    /// All problems found.
    pub problems: Vec<StoredProblem>,
}

/// A stored thing that differs from what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredProblem {
    /// The kind of thing: `entry`, `message`, `session`, `file`, `index`, `log` …
    pub kind: &'static str,
    /// Its id, path, key or place; empty for singletons.
    pub name: String,
    /// The session that it belongs to.
    pub session: Option<SessionId>,
    /// Whether it is missing or modified.
    pub damage: Damage,
    /// A description of the problem.
    pub text: &'static str,
    /// Whether it was repaired: rebuilt, or given up if nothing is left of it.
    pub repaired: bool,
}

/// A problem, and the way to repair it.
struct Found {
    problem: StoredProblem,
    repair: Repair,
}

enum Repair {
    /// The chain of the log cannot be repaired: each link contains the previous hash.
    Impossible,
    /// Nothing is left of it: it is deleted, with a link. With its place in the index.
    Forget(Vec<u8>, u64),
    /// It was deleted before: the leftover is deleted again.
    Sweep(Vec<u8>),
    Part(Part),
    Session(SessionId),
    Index,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Checks everything stored: the chain of the log, every record that it names with its parts, the counts of
    /// sessions, the index, and whether deleted data is gone. With `repair`, the index, counts and ids are rebuilt, and
    /// lost records are given up so that they block nothing; the result names each.
    pub async fn verify(&self, repair: bool) -> Result<Verification, Error> {
        let (mut checked, mut found) = (0, Vec::new());
        for _ in 0..TRIES {
            let revision;
            (revision, checked, found) = self.inspect().await?;
            self.refresh().await?;
            // If others wrote between two reads, only a second check can tell damage from change.
            if found.is_empty() || self.inner.state.borrow().revision == revision {
                break;
            }
        }
        if repair && found.iter().any(|found| !matches!(found.repair, Repair::Impossible)) {
            found = self.repair().await?;
        }
        Ok(Verification { checked, problems: found.into_iter().map(|found| found.problem).collect() })
    }

    /// The checked revision, the number of records that the log says are stored, and the problems.
    async fn inspect(&self) -> Result<(Revision, u64, Vec<Found>), Error> {
        self.refresh().await?;
        let total = 2 * self.inner.state.borrow().head.seq as usize;
        let mut seen = Seen { total, ..Seen::default() };
        self.read_links(&mut seen).await?;
        let mut found: Vec<Found> = seen.breaks.iter().map(|problem| broken(problem.damage, problem.text)).collect();
        let mut keys: Vec<Vec<u8>> = Vec::new();
        for key in seen.last.keys() {
            keys.extend(seen.there(key).map(|_| key.clone()));
            self.breathe(LINK).await;
        }
        let mut doubts = self.doubts(&seen, &keys).await?;
        doubts.extend(self.leftovers(&seen).await?);
        let gone: BTreeSet<&[u8]> =
            doubts.iter().filter(|doubt| doubt.part == Part::Record).map(|doubt| doubt.key.as_slice()).collect();
        let first = |key: &[u8]| seen.there(key).map_or(0, |last| last.first);
        found.extend(doubts.iter().map(|doubt| doubted(doubt, first(&doubt.key))));
        self.inspect_sessions(&self.sessions_of(&seen).await, &mut found).await?;
        self.inspect_index(&seen, &keys, &gone, &mut found).await?;
        Ok((seen.revision, keys.len() as u64, found))
    }

    /// Each session with messages must have a record, which counts its messages.
    async fn inspect_sessions(&self, ends: &[(SessionId, u64)], found: &mut Vec<Found>) -> Result<(), Error> {
        for some in ends.chunks(SESSIONS) {
            let named = |(session, _): &(SessionId, u64)| self.inner.keys.named(&Named::Session(session.clone()));
            let records: Vec<Key> = some.iter().map(named).collect();
            for ((session, end), bytes) in some.iter().zip(self.fetch(Space::Records, &records).await?) {
                let (damage, text) = match bytes.as_deref().map(SessionRecord::decode) {
                    None => (Damage::Missing, "its record is missing"),
                    Some(Err(_)) => (Damage::Changed, "its record was modified"),
                    // Messages after the record was last written are found without it.
                    Some(Ok(record)) if (record.count..=unwritten(&record).end).contains(end) => continue,
                    Some(Ok(_)) => (Damage::Changed, "its message count is wrong"),
                };
                let problem = StoredProblem {
                    kind: "session",
                    name: session.to_string(),
                    session: Some(session.clone()),
                    damage,
                    text,
                    repaired: false,
                };
                found.push(Found { problem, repair: Repair::Session(session.clone()) });
            }
        }
        Ok(())
    }

    /// The index must have every stored entry, and nothing else.
    async fn inspect_index(
        &self,
        seen: &Seen,
        keys: &[Vec<u8>],
        gone: &BTreeSet<&[u8]>,
        found: &mut Vec<Found>,
    ) -> Result<(), Error> {
        match self.load_shelf().await {
            // A damaged index is built from the records, which may be damaged as well.
            Err(Error::Codec(CodecError::Corrupt { .. })) => {
                let problem = problem("index", Damage::Changed, "it cannot be rebuilt from the records");
                found.push(Found { problem, repair: Repair::Index });
                return Ok(());
            }
            loaded => loaded?,
        }
        let (mut lacks, mut stale) = (false, false);
        for key in keys.iter().filter(|key| !gone.contains(key.as_slice())) {
            if let Some(Named::Entry(id)) = Named::of(key) {
                lacks |= !self.with_shelf(|shelf| shelf.index.get(id.as_str()).is_some());
            }
            self.breathe(LINK).await;
        }
        let count = self.with_shelf(|shelf| shelf.index.len());
        for at in (0..count).step_by(INDEXED) {
            // An indexed document must be stored, or its loss must be reported already.
            stale |= self.with_shelf(|shelf| {
                let mut docs = shelf.index.everything(at).take(INDEXED);
                docs.any(|found| {
                    Named::of_doc(found.kind, found.id).is_some_and(|it| seen.there(&it.suffix()).is_none())
                })
            });
            self.breathe(INDEXED * LINK).await;
        }
        if lacks || stale {
            let text = if lacks { "it lacks a stored document" } else { "it has a deleted document" };
            let damage = if lacks { Damage::Missing } else { Damage::Changed };
            found.push(Found { problem: problem("index", damage, text), repair: Repair::Index });
        }
        Ok(())
    }

    /// Repairs in one write what a fresh check finds.
    async fn repair(&self) -> Result<Vec<Found>, Error> {
        let repaired = self
            .write(Durability::Strict, async |plan: &mut Plan| {
                let (.., mut found) = self.inspect().await?;
                for Found { problem, repair } in &mut found {
                    problem.repaired = !matches!(repair, Repair::Impossible);
                    self.plan_repair(plan, repair).await?;
                }
                // The index is rebuilt from the records in any case.
                plan.ops.push(Op::DeleteRange(Space::Index, self.inner.keys.index()));
                self.inner.state.borrow_mut().shelf = None;
                Ok(found)
            })
            .await?;
        self.inner.state.borrow_mut().shelf = None;
        self.inner.dropped.set(self.inner.dropped.get() + 1);
        Ok(repaired)
    }

    async fn plan_repair(&self, plan: &mut Plan, repair: &Repair) -> Result<(), Error> {
        let keys = &self.inner.keys;
        match repair {
            Repair::Impossible | Repair::Index => {}
            Repair::Forget(suffix, first) => {
                match Named::of(suffix) {
                    Some(Named::Entry(id)) => plan.delete(&id, *first),
                    Some(named) => plan.forget(&named, Some(*first)),
                    None => {
                        // The content of a past version has the same key.
                        plan.ops.push(Op::Delete(Space::Bodies, keys.of_suffix(suffix)));
                        plan.take_beside(keys.of_suffix(suffix));
                    }
                }
                if let Some(link) = plan.links.last_mut() {
                    link.payload = given_up();
                }
            }
            // The log already has the deletion; another link would restart an erased session.
            Repair::Sweep(suffix) => {
                let swept = [Space::Records, Space::Bodies].map(|space| Op::Delete(space, keys.of_suffix(suffix)));
                plan.ops.extend(swept);
            }
            Repair::Part(Part::Record | Part::Leftover) => {}
            Repair::Part(Part::Content(id)) => {
                let Some(record) = self.read_record(id).await? else { return Ok(()) };
                let words = self.words(&record.entry, &record.entry.summary);
                plan.summarise(record, &words, self.entropy()?);
            }
            Repair::Part(Part::Vector(id)) => {
                let Some(stored) = self.read_stored(id).await? else { return Ok(()) };
                let content = stored.content().unwrap_or_else(|_| stored.record.entry.summary.clone());
                let words = self.words(&stored.record.entry, &content);
                plan.keep(stored.record, &words, None, [self.entropy()?, self.entropy()?]);
            }
            Repair::Part(Part::Pointer(session, id, place)) => {
                let pointer = Frame::seal(Kind::Message, &place.to_be_bytes());
                plan.ops.push(Op::Put(Space::Records, keys.message_id(session, id), pointer));
            }
            Repair::Session(session) => self.plan_counted(plan, session).await?,
        }
        Ok(())
    }

    /// Rebuilds a session record from its messages. Title and agent are lost, and so is the compressed view, which
    /// cannot be interpreted without the record.
    async fn plan_counted(&self, plan: &mut Plan, session: &SessionId) -> Result<(), Error> {
        let keys = &self.inner.keys;
        let mut record = SessionRecord::new(plan.now);
        let messages = self.all(Space::Records, keys.messages(Some(session))).await?;
        // Unreadable messages are given up in the same write.
        let readable = messages.iter().filter_map(|(_, bytes)| StoredMessage::decode(bytes).ok());
        for (at, stored) in readable.enumerate() {
            if at == 0 {
                record.created_at = stored.message.at;
            }
            record.follow(&stored);
        }
        record.histories = self.all(Space::Records, keys.histories(Some(session))).await?.len() as u32;
        let view = keys.view(session);
        if self.fetch_one(Space::Records, view.clone()).await?.is_some() {
            plan.take_beside(view);
        }
        self.plan_session(plan, session, record, true)
    }
}

fn problem(kind: &'static str, damage: Damage, text: &'static str) -> StoredProblem {
    StoredProblem { kind, name: String::new(), session: None, damage, text, repaired: false }
}

fn broken(damage: Damage, text: &'static str) -> Found {
    Found { problem: problem("log", damage, text), repair: Repair::Impossible }
}

fn doubted(doubt: &Doubt, first: u64) -> Found {
    let thing = Thing::of(&doubt.key);
    let problem = StoredProblem {
        kind: thing.kind,
        name: thing.name,
        session: thing.session,
        damage: doubt.damage,
        text: doubt.text(),
        repaired: false,
    };
    let repair = match &doubt.part {
        Part::Record => Repair::Forget(doubt.key.clone(), first),
        Part::Leftover => Repair::Sweep(doubt.key.clone()),
        part => Repair::Part(part.clone()),
    };
    Found { problem, repair }
}
