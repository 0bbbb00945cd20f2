//! The frozen log from outside: whether the chain of links is intact, and the export of a session as lines.

use super::keys::Named;
use super::log_lines::{Header, lines_of};
use super::slices::{READ, RECORD};
use super::{Env, Error, Memory};
use crate::codec::{CodecError, Record};
use crate::log::{Change, Hash, Head, Link, Page, hash};
use crate::model::SessionId;
use crate::store::{Key, KeyRange, Revision, Space, Store};
use std::collections::BTreeMap;

/// How many pages are read at once.
const PAGE: usize = 256;

/// How often an export begins anew because its session was erased meanwhile.
const EXPORT_TRIES: usize = 3;

/// The result of a check of the log, or of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// How many links were verified before the first problem.
    pub links: u64,
    /// The first problem.
    pub problem: Option<LogProblem>,
}

/// The first place where a log or an export is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogProblem {
    /// The kind of damage.
    pub damage: Damage,
    /// The sequence number of the link; 0 if it is unknown.
    pub seq: u64,
    /// The line, counted from 1, if lines were checked. One past the last line if the end is missing.
    pub line: Option<usize>,
    /// A sentence about it.
    pub text: &'static str,
}

/// How a log or an export is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It is not as it was written.
    Changed,
    /// Something that was written is not there.
    Missing,
    /// Lines are out of order.
    Swapped,
    /// A line is there twice.
    Doubled,
    /// Lines at the end are not there.
    CutOff,
    /// A line does not belong to this export.
    Added,
    /// The log has no such link: the line was changed, or comes from another log.
    NotInLog,
    /// Everything that is there is intact, but an export without a header does not tell where it ends.
    EndUnknown,
}

impl Damage {
    /// The name at every door.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Missing => "missing",
            Self::Swapped => "swapped",
            Self::Doubled => "doubled",
            Self::CutOff => "cut-off",
            Self::Added => "added",
            Self::NotInLog => "not-in-log",
            Self::EndUnknown => "end-unknown",
        }
    }
}

/// The log as far as it was read.
#[derive(Default)]
struct Seen {
    /// How many links are looked at in all, for those who watch.
    total: usize,
    revision: Revision,
    head: Head,
    /// The last link of each thing, by its key: its place, what it did, and the hash of what it wrote.
    last: BTreeMap<Vec<u8>, (u64, Change, Hash)>,
    /// Where sessions were deleted with all that was said in them. One of the same name may have begun since.
    erased: BTreeMap<SessionId, u64>,
}

impl Seen {
    fn take(&mut self, link: Link) {
        self.head = self.head.then(&link);
        if link.change == Change::Delete
            && let Some(Named::Session(session)) = Named::of(&link.key)
        {
            self.erased.insert(session, self.head.seq);
        }
        self.last.insert(link.key, (self.head.seq, link.change, link.payload));
    }

    /// The record to store of a thing, if there is one.
    fn there<'k>(&self, key: &'k Vec<u8>) -> Option<(&'k Vec<u8>, Named, u64, Hash)> {
        let (seq, change, payload) = self.last.get(key)?;
        let named = Named::of(key)?;
        let erased = match &named {
            // A session's own record counts its messages, and changes without a link.
            Named::Session(_) => true,
            Named::Message(session, _)
            | Named::History(session, _)
            | Named::MessageVector(session, _)
            | Named::HistoryVector(session, _) => self.erased.get(session).is_some_and(|at| at > seq),
            _ => false,
        };
        (*change != Change::Delete && !erased).then_some((key, named, *seq, *payload))
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Goes through the whole log: each link must go on where the one before ended, and what it speaks of must be there
    /// as it was written, unless a later link says that it is gone.
    pub async fn verify_log(&self) -> Result<Verdict, Error> {
        self.refresh().await?;
        // Each link is looked at once in the chain and once against what is stored.
        let total = 2 * self.inner.state.borrow().head.seq as usize;
        let mut seen = Seen { total, ..Seen::default() };
        let mut problem = self.read_links(&mut seen).await?;
        let mut keys: Vec<Vec<u8>> = seen.last.keys().cloned().collect();
        while problem.is_none() {
            let doubts = self.verify_payloads(&seen, &keys).await?;
            let Some((_, first)) = doubts.first() else { break };
            // A record changed meanwhile differs from the link read before: a later link speaks of it.
            let (first, known) = (*first, seen.revision);
            problem = self.read_links(&mut seen).await?;
            if seen.revision == known {
                problem = problem.or(Some(first));
            }
            keys = doubts.into_iter().map(|(key, _)| key).collect();
        }
        Ok(Verdict { links: seen.head.seq, problem })
    }

    /// Reads on to the end of the log. Answers what is wrong with the chain, if anything is.
    async fn read_links(&self, seen: &mut Seen) -> Result<Option<LogProblem>, Error> {
        let mut range = self.inner.keys.log_after(seen.revision);
        loop {
            let page = self.page(Space::Log, &range, PAGE).await?;
            for (key, bytes) in &page.items {
                let broken = |damage, text| Ok(Some(LogProblem { damage, seq: seen.head.seq + 1, line: None, text }));
                let Ok(links) = Page::decode(bytes) else {
                    return broken(Damage::Changed, "a page of the log cannot be read");
                };
                if *key != self.inner.keys.log_page(seen.revision.next()) {
                    return broken(Damage::Missing, "a page of the log is missing");
                }
                if links.before != seen.head {
                    return broken(Damage::Changed, "a link does not go on where the one before ended");
                }
                seen.revision = seen.revision.next();
                for link in links.links {
                    seen.take(link);
                    self.report(seen.head.seq as usize, seen.total);
                    self.breathe(READ).await;
                }
            }
            match page.next {
                Some(next) => range = range.from(next),
                None => return Ok(None),
            }
        }
    }

    /// The things of these keys that are not stored as their last link says, each with what is wrong.
    async fn verify_payloads(&self, seen: &Seen, keys: &[Vec<u8>]) -> Result<Vec<(Vec<u8>, LogProblem)>, Error> {
        let mut wrong = Vec::new();
        for (at, chunk) in keys.chunks(PAGE).enumerate() {
            self.report((seen.total / 2 + at * PAGE).min(seen.total), seen.total);
            let there: Vec<(&Vec<u8>, Named, u64, Hash)> = chunk.iter().filter_map(|key| seen.there(key)).collect();
            let keys: Vec<_> = there.iter().map(|(_, named, ..)| self.inner.keys.named(named)).collect();
            let values = self.fetch(Space::Records, &keys).await?;
            let mut doubt = |key: &Vec<u8>, damage, seq, text| {
                wrong.push((key.clone(), LogProblem { damage, seq, line: None, text }));
            };
            let (mut keys, mut contents) = (Vec::new(), Vec::new());
            for ((key, named, seq, payload), value) in there.iter().zip(values) {
                match value {
                    None => doubt(key, Damage::Missing, *seq, "its record is not there"),
                    Some(value) if hash(&value) != *payload => {
                        doubt(key, Damage::Changed, *seq, "its record is not as it was written");
                    }
                    Some(value) => {
                        if let Named::Entry(id) = named
                            && let Ok(Record { body: Some(body), .. }) = Record::decode(&value)
                        {
                            keys.push(self.inner.keys.entry(id));
                            contents.push((*key, *seq, body));
                        }
                    }
                }
            }
            for ((key, seq, body), found) in contents.into_iter().zip(self.fetch(Space::Bodies, &keys).await?) {
                if found.is_none_or(|bytes| hash(&bytes) != body) {
                    doubt(key, Damage::Changed, seq, "its content is not as it was written");
                }
            }
        }
        Ok(wrong)
    }

    /// The messages of a session as lines of the documented shapes (C6), each with its link, after a header that names
    /// how many links there are, the first, the last, and the end of the log at that time.
    pub async fn export_log(&self, session: &SessionId) -> Result<Vec<String>, Error> {
        self.refresh().await?;
        // Erased while it was exported, a session would leave gaps; then the log by now says that it is gone.
        let mut exported = self.export_once(session).await?;
        for _ in 1..EXPORT_TRIES {
            if exported.1 {
                break;
            }
            exported = self.export_once(session).await?;
        }
        Ok(exported.0)
    }

    /// An export, and whether it has every message that is not erased.
    async fn export_once(&self, session: &SessionId) -> Result<(Vec<String>, bool), Error> {
        let (mut log, mut said) = (LogCursor::new(self), Vec::new());
        while let Some((before, link)) = log.next(self).await? {
            match Named::of(&link.key) {
                Some(Named::Message(of, place)) if of == *session => {
                    said.push((Named::Message(of, place), before, link));
                }
                Some(Named::Session(erased)) if erased == *session && link.change == Change::Delete => said.clear(),
                _ => {}
            }
        }
        let mut header = Header::new(session, log.head);
        let mut exported = vec![String::new()];
        for chunk in said.chunks(PAGE) {
            let keys: Vec<Key> = chunk.iter().map(|(named, ..)| self.inner.keys.named(named)).collect();
            for ((_, before, link), value) in chunk.iter().zip(self.fetch(Space::Records, &keys).await?) {
                if let Some(bytes) = value.filter(|bytes| hash(bytes) == link.payload) {
                    self.breathe(RECORD + bytes.len()).await;
                    exported.extend(lines_of(&bytes, link, *before)?);
                    header.count(before.then(link));
                }
            }
        }
        let complete = header.links == said.len() as u64;
        exported[0] = header.to_json().to_string();
        Ok((exported, complete))
    }
}

/// Reads the log from its beginning, a few pages at a time.
pub(super) struct LogCursor {
    rest: Option<KeyRange>,
    links: std::vec::IntoIter<(Head, Link)>,
    /// The end of the chain that was read.
    pub(super) head: Head,
}

impl LogCursor {
    pub(super) fn new<S: Store, E: Env>(memory: &Memory<S, E>) -> Self {
        let rest = Some(memory.inner.keys.log_after(Revision::default()));
        Self { rest, links: Vec::new().into_iter(), head: Head::default() }
    }

    /// The next link, and the end of the chain before it.
    pub(super) async fn next<S: Store, E: Env>(
        &mut self,
        memory: &Memory<S, E>,
    ) -> Result<Option<(Head, Link)>, Error> {
        loop {
            if let Some((before, link)) = self.links.next() {
                self.head = before.then(&link);
                return Ok(Some((before, link)));
            }
            let Some(range) = self.rest.take() else { return Ok(None) };
            let page = memory.page(Space::Log, &range, PAGE).await?;
            self.links = links_of(&page)?.into_iter();
            self.rest = page.next.map(|next| range.from(next));
        }
    }
}

/// The links of a piece of the log, each with the end of the chain before it.
fn links_of(pages: &crate::store::Page) -> Result<Vec<(Head, Link)>, CodecError> {
    let mut links = Vec::new();
    for (_, bytes) in &pages.items {
        let page = Page::decode(bytes)?;
        let mut head = page.before;
        for link in page.links {
            let after = head.then(&link);
            links.push((head, link));
            head = after;
        }
    }
    Ok(links)
}
