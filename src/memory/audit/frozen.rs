//! The frozen log: verifies the hash chain, and exports a session as JSON Lines.

use super::inspect::Seen;
use super::log_lines::{Header, lines_of};
use crate::codec::CodecError;
use crate::log::{Change, Head, Link, Page, hash};
use crate::memory::engine::keys::Named;
use crate::memory::engine::slices::{LINK, RECORD};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::SessionId;
use crate::store::{Key, KeyRange, Revision, Space, Store};

/// The number of log pages per read.
const PAGE: usize = 256;

/// The most attempts of an export whose session is erased meanwhile.
const EXPORT_TRIES: usize = 3;

/// The result of a check of the log, or of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The number of links that were verified before the first problem.
    pub links: u64,
    /// The first problem.
    pub problem: Option<LogProblem>,
}

/// The first place where a log or an export is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogProblem {
    /// The kind of damage.
    pub damage: Damage,
    /// The sequence number of the link; 0 if it is unknown.
    pub seq: u64,
    /// The line, counted from 1, if lines were checked. One past the last line if the end is missing.
    pub line: Option<usize>,
    /// A description of the damage.
    pub text: &'static str,
}

/// How a log or an export is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The content was modified.
    Changed,
    /// Something is missing.
    Missing,
    /// Lines are out of order.
    Swapped,
    /// A line is duplicated.
    Doubled,
    /// Lines at the end are missing.
    CutOff,
    /// A line does not belong to this export.
    Added,
    /// The log has no such link: the line was modified, or comes from another log.
    NotInLog,
    /// Everything present is intact, but an export without a header does not say where it ends.
    EndUnknown,
}

impl Damage {
    /// The public name.
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
    /// Verifies the whole log: each link must continue the chain, and its record must be stored unmodified unless a
    /// later link deleted it.
    pub async fn verify_log(&self) -> Result<Verdict, Error> {
        self.refresh().await?;
        // Each link is checked twice: in the chain, and against the storage.
        let total = 2 * self.inner.state.borrow().head.seq as usize;
        let mut seen = Seen { total, ..Seen::default() };
        self.read_links(&mut seen).await?;
        let mut keys: Vec<Vec<u8>> = seen.last.keys().cloned().collect();
        while seen.breaks.is_empty() {
            let doubts = self.doubts(&seen, &keys).await?;
            let Some(first) = doubts.first() else { break };
            // A record that was changed meanwhile differs from the link read before: a later link describes it.
            let (problem, known) = (first.problem(), seen.revision);
            self.read_links(&mut seen).await?;
            if seen.revision == known {
                return Ok(Verdict { links: seen.head.seq, problem: Some(problem) });
            }
            keys = doubts.into_iter().map(|doubt| doubt.key).collect();
        }
        let problem = seen.breaks.first().copied();
        Ok(Verdict { links: problem.map_or(seen.head.seq, |problem| problem.seq - 1), problem })
    }

    /// The messages of a session as lines of the documented formats (C6), each with its link. The header names the
    /// number of links, the first and the last, and the head of the log at that time.
    pub async fn export_log(&self, session: &SessionId) -> Result<Vec<String>, Error> {
        self.refresh().await?;
        // If the session is erased during the export, there would be gaps. The log then says that it is deleted.
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
        let mut log = LogCursor::new(self);
        let mut said: Vec<(Named, Head, Link)> = Vec::new();
        while let Some((before, link)) = log.next(self).await? {
            match Named::of(&link.key) {
                Some(Named::Message(of, place)) if of == *session => {
                    let named = Named::Message(of, place);
                    // The text was forgotten later: only the last link describes the record.
                    if link.change == Change::Update {
                        said.retain(|(known, ..)| *known != named);
                    }
                    said.push((named, before, link));
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

/// Reads the log from its beginning, page by page.
pub(super) struct LogCursor {
    rest: Option<KeyRange>,
    pages: std::vec::IntoIter<Page>,
    links: std::vec::IntoIter<Link>,
    /// The head of the chain so far.
    pub(in crate::memory) head: Head,
}

impl LogCursor {
    pub(in crate::memory) fn new<S: Store, E: Env>(memory: &Memory<S, E>) -> Self {
        let rest = Some(memory.inner.keys.log_after(Revision::default()));
        Self { rest, pages: Vec::new().into_iter(), links: Vec::new().into_iter(), head: Head::default() }
    }

    /// The next link, and the head of the chain before it.
    pub(in crate::memory) async fn next<S: Store, E: Env>(
        &mut self,
        memory: &Memory<S, E>,
    ) -> Result<Option<(Head, Link)>, Error> {
        loop {
            if let Some(link) = self.links.next() {
                let before = self.head;
                self.head = before.then(&link);
                memory.breathe(LINK).await;
                return Ok(Some((before, link)));
            }
            if let Some(page) = self.pages.next() {
                self.head = page.before;
                self.links = page.links.into_iter();
                continue;
            }
            let Some(range) = self.rest.take() else { return Ok(None) };
            let found = memory.page(Space::Log, &range, PAGE).await?;
            let pages: Result<Vec<Page>, CodecError> =
                found.items.iter().map(|(_, bytes)| Page::decode(bytes)).collect();
            self.pages = pages?.into_iter();
            self.rest = found.next.map(|next| range.from(next));
        }
    }
}
