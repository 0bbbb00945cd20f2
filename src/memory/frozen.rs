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

/// The last link of something: its place, what it did, and the hash of what it wrote.
type LastLink = (u64, Change, Hash);

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

impl<S: Store, E: Env> Memory<S, E> {
    /// Goes through the whole log: each link must go on where the one before ended, and what it speaks of must be there
    /// as it was written, unless a later link says that it is gone.
    pub async fn verify_log(&self) -> Result<Verdict, Error> {
        self.refresh().await?;
        let mut head = Head::default();
        let mut revision = Revision::default();
        let mut range = self.inner.keys.log_after(revision);
        // Each link is looked at once in the chain and once against what is stored.
        let total = 2 * self.inner.state.borrow().head.seq as usize;
        // The last link of each thing, by key.
        let mut last: BTreeMap<Vec<u8>, LastLink> = BTreeMap::new();
        loop {
            let page = self.page(Space::Log, &range, PAGE).await?;
            for (key, bytes) in &page.items {
                revision = revision.next();
                let broken = |damage, text| {
                    let problem = LogProblem { damage, seq: head.seq + 1, line: None, text };
                    Ok(Verdict { links: head.seq, problem: Some(problem) })
                };
                let Ok(links) = Page::decode(bytes) else {
                    return broken(Damage::Changed, "a page of the log cannot be read");
                };
                if *key != self.inner.keys.log_page(revision) {
                    return broken(Damage::Missing, "a page of the log is missing");
                }
                if links.before != head {
                    return broken(Damage::Changed, "a link does not go on where the one before ended");
                }
                for link in links.links {
                    head = head.then(&link);
                    last.insert(link.key, (head.seq, link.change, link.payload));
                    self.report(head.seq as usize, total);
                    self.breathe(READ).await;
                }
            }
            match page.next {
                Some(next) => range = range.from(next),
                None => break,
            }
        }
        let last: Vec<_> = last.into_iter().collect();
        Ok(Verdict { links: head.seq, problem: self.verify_payloads(&last, total).await? })
    }

    async fn verify_payloads(&self, last: &[(Vec<u8>, LastLink)], total: usize) -> Result<Option<LogProblem>, Error> {
        let problem = |damage, seq, text| Ok(Some(LogProblem { damage, seq, line: None, text }));
        let erased: Vec<(SessionId, u64)> = last
            .iter()
            .filter(|(_, (_, change, _))| *change == Change::Delete)
            .filter_map(|(key, (seq, ..))| match Named::of(key)? {
                Named::Session(session) => Some((session, *seq)),
                _ => None,
            })
            .collect();
        let is_erased = |named: &Named, at: u64| match named {
            Named::Message(session, _)
            | Named::History(session, _)
            | Named::MessageVector(session, _)
            | Named::HistoryVector(session, _) => erased.iter().any(|(known, seq)| known == session && *seq > at),
            _ => false,
        };
        for (at, chunk) in last.chunks(PAGE).enumerate() {
            self.report((total / 2 + at * PAGE).min(total), total);
            // A session's own record counts its messages, and changes without a link.
            let there: Vec<(Named, u64, Hash)> = chunk
                .iter()
                .filter(|(_, (_, change, _))| *change != Change::Delete)
                .filter_map(|(key, (seq, _, payload))| Some((Named::of(key)?, *seq, *payload)))
                .filter(|(named, seq, _)| !matches!(named, Named::Session(_)) && !is_erased(named, *seq))
                .collect();
            let keys: Vec<_> = there.iter().map(|(named, ..)| self.inner.keys.named(named)).collect();
            let values = self.fetch(Space::Records, &keys).await?;
            let (mut keys, mut contents) = (Vec::new(), Vec::new());
            for ((named, seq, payload), value) in there.iter().zip(values) {
                let Some(value) = value else {
                    return problem(Damage::Missing, *seq, "its record is not there");
                };
                if hash(&value) != *payload {
                    return problem(Damage::Changed, *seq, "its record is not as it was written");
                }
                if let Named::Entry(id) = named
                    && let Ok(Record { body: Some(body), .. }) = Record::decode(&value)
                {
                    keys.push(self.inner.keys.entry(id));
                    contents.push((*seq, body));
                }
            }
            for ((seq, body), found) in contents.into_iter().zip(self.fetch(Space::Bodies, &keys).await?) {
                if found.is_none_or(|bytes| hash(&bytes) != body) {
                    return problem(Damage::Changed, seq, "its content is not as it was written");
                }
            }
        }
        Ok(None)
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
