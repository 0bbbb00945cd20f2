//! The lines of a log export: how they are written, and how a check finds the first damage.
//!
//! The log decides which messages belong in an export: the messages of the session up to the head that the header
//! names, except those erased by then. A check walks lines and log in parallel, so a missing, swapped or duplicated
//! line is found even if the header was forged to match. A message whose text was forgotten is in the export by the link
//! of that change.

use super::frozen::{Damage, LogCursor, LogProblem, Verdict};
use crate::codec::json::parse;
use crate::codec::{CodecError, Frame, Kind, SALT, StoredMessage, hex};
use crate::context::lines;
use crate::log::{Change, Hash, Head, Link, hash};
use crate::memory::engine::keys::Named;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Invalid, Json, Message, SessionId, Timestamp};
use crate::store::Store;

/// The version of the format.
const VERSION: i64 = 1;

/// The first line of an export.
pub(super) struct Header {
    session: SessionId,
    pub(in crate::memory) links: u64,
    first: Option<Head>,
    last: Option<Head>,
    /// The head of the log at the time of the export.
    log: Head,
}

impl Header {
    pub(in crate::memory) fn new(session: &SessionId, log: Head) -> Self {
        Self { session: session.clone(), links: 0, first: None, last: None, log }
    }

    /// Counts an exported link.
    pub(in crate::memory) fn count(&mut self, link: Head) {
        self.links += 1;
        self.first.get_or_insert(link);
        self.last = Some(link);
    }

    pub(in crate::memory) fn to_json(&self) -> Json {
        let link = |head: &Head| Json::object(vec![("seq", head.seq.into()), ("hash", hex::encode(&head.hash).into())]);
        Json::object(vec![
            ("type", lines::HEADER.into()),
            ("version", VERSION.into()),
            ("session", self.session.as_str().into()),
            ("links", self.links.into()),
            ("first", self.first.as_ref().map_or(Json::Null, link)),
            ("last", self.last.as_ref().map_or(Json::Null, link)),
            ("log", link(&self.log)),
        ])
    }

    /// Parses the header's session and end of the log; the other fields are compared with the lines.
    fn read(line: &Json) -> Option<Self> {
        let log = line.get("log");
        let head = Head { seq: number(log, "seq")?, hash: hex::decode(log.get("hash").as_str()?)? };
        Some(Self::new(&SessionId::new("session", line.get("session").as_str()?).ok()?, head))
    }
}

/// The lines of one message; the first has the data to recompute its link.
pub(super) fn lines_of(bytes: &[u8], link: &Link, before: Head) -> Result<Vec<String>, CodecError> {
    let stored = StoredMessage::decode(bytes)?;
    let mut written = lines::write(&stored.message, true);
    let salt = Frame::open(Kind::Message, bytes)?.payload.get(..SALT).unwrap_or(&[]);
    let parts = written.len();
    if let Some(Json::Object(fields)) = written.first_mut() {
        fields.push((lines::LINK.to_owned(), link_json(link, before, salt, &stored, Some(parts))));
    }
    Ok(written.iter().map(Json::to_string).collect())
}

/// `parts` is the number of lines of the message, if it is more than one.
fn link_json(link: &Link, before: Head, salt: &[u8], stored: &StoredMessage, parts: Option<usize>) -> Json {
    Json::object(vec![
        ("seq", (before.seq + 1).into()),
        ("at", link.at.millis().into()),
        ("key", hex::encode(&link.key).into()),
        ("salt", hex::encode(salt).into()),
        ("place", stored.place.into()),
        ("tokens", u64::from(stored.tokens).into()),
        ("parts", parts.filter(|parts| *parts > 1).into()),
        ("before", hex::encode(&before.hash).into()),
        ("payload", hex::encode(&link.payload).into()),
        // Only of a message that was changed: the place of its first link, which its record names.
        ("changes", Some(stored.seq).filter(|seq| *seq != before.seq + 1).into()),
    ])
}

fn number(value: &Json, name: &str) -> Option<u64> {
    u64::try_from(value.get(name).as_i64()?).ok()
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Whether exported lines are unmodified, complete, in order, and known to the log. Lines that are no export at all
    /// are refused.
    pub async fn check_lines(&self, exported: &[String]) -> Result<Verdict, Error> {
        self.refresh().await?;
        let mut check = Check::begin(exported, LogCursor::new(self))?;
        while check.at < exported.len() && check.problem.is_none() {
            check.message(self, exported).await?;
        }
        check.finish(self, exported).await
    }
}

/// A message of the log that is not in its place among the lines.
struct Gap {
    seq: u64,
    /// Its place in the session.
    place: u64,
    /// The line where it belongs.
    line: usize,
    /// Whether it came later.
    came: bool,
}

/// A check in progress.
struct Check {
    log: LogCursor,
    header: Option<(Header, Json)>,
    session: Option<SessionId>,
    /// The header computed from the lines.
    counted: Option<Header>,
    /// The next line, counted from 0.
    at: usize,
    /// The last link that a line named.
    last: u64,
    /// In the order of the log.
    gaps: Vec<Gap>,
    /// The first problem that is not a gap.
    problem: Option<LogProblem>,
    links: u64,
}

impl Check {
    fn begin(exported: &[String], log: LogCursor) -> Result<Self, Error> {
        let first = exported.first().and_then(|line| parse(line).ok()).unwrap_or_default();
        let mut check = Self {
            log,
            header: None,
            session: None,
            counted: None,
            at: 0,
            last: 0,
            gaps: Vec::new(),
            problem: None,
            links: 0,
        };
        if lines::is_header(&first) {
            if first.get("version").as_i64().is_some_and(|version| version > VERSION) {
                return Err(Invalid::value("lines", "are of a newer version; update keepsake").into());
            }
            match Header::read(&first).filter(|_| first.get("version").as_i64() == Some(VERSION)) {
                Some(header) => {
                    check.session = Some(header.session.clone());
                    check.header = Some((header, first));
                }
                None => check.fail(Damage::Changed, 0, 0, "the header was modified"),
            }
            check.at = 1;
        } else if !exported.is_empty() && !exported.iter().any(|line| is_of_an_export(line)) {
            return Err(Invalid::value("lines", "must be the lines of a log export").into());
        }
        Ok(check)
    }

    fn fail(&mut self, damage: Damage, seq: u64, line: usize, text: &'static str) {
        self.problem.get_or_insert(LogProblem { damage, seq, line: Some(line + 1), text });
    }

    /// Checks the message that begins at the next line.
    async fn message<S: Store, E: Env>(&mut self, memory: &Memory<S, E>, exported: &[String]) -> Result<(), Error> {
        let start = self.at;
        let Some(Ok(first)) = exported.get(start).map(|line| parse(line)) else {
            self.fail(Damage::Changed, 0, start, "the line is not JSON");
            return Ok(());
        };
        if lines::is_header(&first) {
            let again = start > 0 && exported.get(start) == exported.first();
            let damage = if again { Damage::Doubled } else { Damage::Added };
            self.fail(damage, 0, start, "a header is between the lines");
            return Ok(());
        }
        let id = first.get("id").clone();
        if is_part(&first) {
            let comes = exported.get(start + 1).and_then(|line| parse(line).ok());
            let swapped = comes.is_some_and(|line| *line.get("id") == id && lines::is_link(line.get(lines::LINK)));
            let damage = if swapped { Damage::Swapped } else { Damage::Missing };
            self.fail(damage, 0, start, "the first line of this message is missing");
            return Ok(());
        }
        let further = exported.get(start + 1..).unwrap_or_default().iter().map_while(|line| parse(line).ok());
        let mut message = vec![first];
        message.extend(further.take_while(|line| is_part(line) && *line.get("id") == id));
        self.at += message.len();
        let seq = message.first().and_then(|first| number(first.get(lines::LINK), "seq")).unwrap_or(0);
        let Some((head, key)) = read_back(&message) else {
            let parts = damage_of_parts(&message);
            if parts.is_some() {
                // Only the lines of this message are out of order: its place in the log can still be trusted.
                self.pass(memory, seq.saturating_sub(1), start).await?;
            }
            let (damage, line) = parts.unwrap_or((Damage::Changed, 0));
            let rest = exported.get(self.at..).unwrap_or_default();
            let damage = match damage {
                Damage::Missing if rest.is_empty() => Damage::CutOff,
                Damage::Missing if rest.first() == exported.get(start) => Damage::Doubled,
                Damage::Missing if rest.iter().any(|line| is_part_of(line, &id)) => Damage::Swapped,
                other => other,
            };
            self.fail(damage, seq, start + line, "the message was modified");
            return Ok(());
        };
        let Some(Named::Message(of, place)) = Named::of(&key) else {
            self.fail(Damage::Added, seq, start, "the link is not of a message");
            return Ok(());
        };
        if *self.session.get_or_insert_with(|| of.clone()) != of {
            self.fail(Damage::Added, seq, start, "the line belongs to another session");
            return Ok(());
        }
        if head.seq <= self.log.head.seq {
            match self.gaps.first_mut() {
                Some(gap) if gap.seq == head.seq => gap.came = true,
                Some(_) => {}
                None => self.fail(Damage::Doubled, seq, start, "the message is duplicated"),
            }
            return Ok(());
        }
        self.pass(memory, head.seq - 1, start).await?;
        let found = self.log.next(memory).await?.map(|_| self.log.head);
        if found != Some(head) {
            self.fail(Damage::NotInLog, seq, start, "the log has no such link");
            return Ok(());
        }
        self.last = head.seq;
        // This link replaces the earlier one of the same message.
        self.gaps.retain(|gap| gap.place != place);
        self.counted.get_or_insert_with(|| Header::new(&of, Head::default())).count(head);
        if self.gaps.is_empty() {
            self.links += 1;
        }
        Ok(())
    }

    /// Walks the log up to a link. Messages of the session on the way are missing at `line`, unless the session was
    /// erased later.
    async fn pass<S: Store, E: Env>(&mut self, memory: &Memory<S, E>, to: u64, line: usize) -> Result<(), Error> {
        while self.log.head.seq < to {
            let Some((before, link)) = self.log.next(memory).await? else { break };
            let named = Named::of(&link.key);
            match (named, link.change) {
                (Some(Named::Message(of, place)), _) if Some(&of) == self.session.as_ref() => {
                    self.gaps.retain(|gap| gap.place != place);
                    self.gaps.push(Gap { seq: before.seq + 1, place, line, came: false });
                }
                (Some(Named::Session(of)), Change::Delete) if Some(&of) == self.session.as_ref() => self.gaps.clear(),
                _ => {}
            }
        }
        Ok(())
    }

    async fn finish<S: Store, E: Env>(mut self, memory: &Memory<S, E>, exported: &[String]) -> Result<Verdict, Error> {
        let end = self.header.as_ref().map(|(header, _)| header.log);
        let was_behind = end.is_none_or(|end| self.log.head.seq <= end.seq);
        self.pass(memory, end.map_or(self.last, |end| end.seq), exported.len()).await?;
        if let Some(gap) = self.gaps.first() {
            // A line that is only out of place is also somewhere after the first problem.
            let came = gap.came || exported.get(gap.line..).unwrap_or_default().iter().any(|line| names(line, gap.seq));
            let (damage, text) = match gap.line == exported.len() {
                _ if came => (Damage::Swapped, "a message is out of order"),
                true => (Damage::CutOff, "messages at the end are missing"),
                false => (Damage::Missing, "a message before this line is missing"),
            };
            let found = LogProblem { damage, seq: gap.seq, line: Some(gap.line + 1), text };
            let is_first = self.problem.is_none_or(|problem| problem.line > found.line);
            // A modified line is where the log expects it; its own damage is the better description.
            let is_same = self.problem.is_some_and(|problem| problem.line == found.line);
            if is_first && !is_same {
                self.problem = Some(found);
            }
        }
        if self.problem.is_none() {
            self.compare_header(end, was_behind);
        }
        Ok(Verdict { links: self.links, problem: self.problem })
    }

    fn compare_header(&mut self, end: Option<Head>, was_behind: bool) {
        let Some((header, written)) = self.header.take() else {
            let text = "an export without a header does not tell where it ends";
            self.problem = Some(LogProblem { damage: Damage::EndUnknown, seq: 0, line: None, text });
            return;
        };
        if end != Some(self.log.head) {
            let damage = if was_behind { Damage::NotInLog } else { Damage::Changed };
            return self.fail(damage, header.log.seq, 0, "the log does not have the head that the header names");
        }
        let mut counted = self.counted.take().unwrap_or_else(|| Header::new(&header.session, header.log));
        counted.log = header.log;
        if counted.to_json() != written {
            self.fail(Damage::Changed, 0, 0, "the header does not match the lines");
        }
    }
}

/// Whether a line is a header, or a message with its link.
fn is_of_an_export(line: &str) -> bool {
    parse(line).is_ok_and(|line| lines::is_header(&line) || lines::is_link(line.get(lines::LINK)))
}

/// Whether a line belongs to the message with this link.
fn names(line: &str, seq: u64) -> bool {
    parse(line).is_ok_and(|line| number(line.get(lines::LINK), "seq") == Some(seq))
}

/// Whether a line is a further block of a message.
fn is_part(line: &Json) -> bool {
    line.get("part").as_i64().is_some() && line.get(lines::LINK).is_null()
}

/// Whether a line is a further block of the message with this id.
fn is_part_of(line: &str, id: &Json) -> bool {
    parse(line).is_ok_and(|line| is_part(&line) && line.get("id") == id)
}

/// The damage in the order of a message's lines, and the index of the damaged line.
fn damage_of_parts(message: &[Json]) -> Option<(Damage, usize)> {
    let parts: Vec<u64> = message.iter().map(|line| number(line, "part").unwrap_or(0)).collect();
    let wrong = parts.iter().enumerate().position(|(at, part)| *part != at as u64);
    if let Some(at) = wrong {
        let part = parts.get(at).copied().unwrap_or(0);
        let damage = match () {
            () if part < at as u64 => Damage::Doubled,
            () if parts.contains(&(at as u64)) => Damage::Swapped,
            () => Damage::Missing,
        };
        return Some((damage, at));
    }
    let wanted = number(message.first()?.get(lines::LINK), "parts")? as usize;
    (parts.len() < wanted).then_some((Damage::Missing, parts.len()))
}

/// The head of the chain that the lines of a message lead to, and its key; `None` if they contradict each other.
fn read_back(exported: &[Json]) -> Option<(Head, Vec<u8>)> {
    let mut plain = exported.to_vec();
    let Some(Json::Object(fields)) = plain.first_mut() else { return None };
    let at = fields.iter().position(|(name, _)| name == lines::LINK)?;
    let (_, link) = fields.remove(at);
    let text = |name: &str| link.get(name).as_str();
    let seq = number(&link, "seq")?;
    let before = Head { seq: seq.checked_sub(1)?, hash: hex::decode(text("before")?)? };
    let payload: Hash = hex::decode(text("payload")?)?;
    let first = number(&link, "changes");
    let rebuilt = Link {
        at: Timestamp::from_millis("at", link.get("at").as_i64()?).ok()?,
        change: if first.is_some() { Change::Update } else { Change::Add },
        key: hex::decode_all(text("key")?)?,
        payload,
    };
    let draft = lines::read(plain.clone()).ok()?.into_iter().next()?;
    let (id, at) = (draft.id.clone()?, draft.at?);
    let message: Message = draft.into_message(id, at);
    // Duplicate fields of a line must agree.
    if lines::write(&message, true) != plain {
        return None;
    }
    let tokens = u32::try_from(number(&link, "tokens")?).ok()?;
    let stored = StoredMessage { seq: first.unwrap_or(seq), place: number(&link, "place")?, tokens, message };
    let salt = hex::decode(text("salt")?)?;
    // Exports without a header do not say how many lines a message has.
    let parts = number(&link, "parts").map(|parts| parts as usize);
    let is_whole = parts.is_none_or(|parts| parts == exported.len());
    let same = is_whole && link_json(&rebuilt, before, &salt, &stored, parts) == link;
    (same && hash(&stored.encode(salt)) == payload).then(|| (before.then(&rebuilt), rebuilt.key))
}
