//! The frozen log from outside: whether it still holds together, and what it says of a session, line by line.

use super::keys::Named;
use super::{Env, Error, Memory};
use crate::codec::json::parse;
use crate::codec::{CodecError, Frame, Kind, Record, SALT, StoredMessage, hex};
use crate::context::lines;
use crate::log::{Change, Hash, Head, Link, Page, hash};
use crate::model::{Json, Message, SessionId, Timestamp};
use crate::store::{Key, Revision, Space, Store};

/// How many pages are read at once.
const PAGE: usize = 256;

/// What a look at the log has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// How many links hold.
    pub links: u64,
    /// The first thing that does not: the link, the line if lines were looked at, and what is wrong.
    pub problem: Option<(u64, Option<usize>, &'static str)>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Goes through the whole log: each link must go on where the one before ended, and what it speaks of must be there
    /// as it was written, unless a later link says that it is gone.
    pub async fn verify_log(&self) -> Result<Verdict, Error> {
        self.refresh().await?;
        let mut head = Head::default();
        let mut revision = Revision::default();
        let mut range = self.inner.keys.log_after(revision);
        // The last link of each thing, by key.
        let mut last: Vec<(Vec<u8>, u64, Change, Hash)> = Vec::new();
        loop {
            let page = self.page(Space::Log, &range, PAGE).await?;
            for (key, bytes) in &page.items {
                revision = revision.next();
                let broken = |problem| Ok(Verdict { links: head.seq, problem: Some((head.seq + 1, None, problem)) });
                let Ok(links) = Page::decode(bytes) else { return broken("a page of the log cannot be read") };
                if *key != self.inner.keys.log_page(revision) {
                    return broken("a page of the log is missing");
                }
                if links.before != head {
                    return broken("a link does not go on where the one before ended");
                }
                for link in links.links {
                    head = head.then(&link);
                    let place = last.partition_point(|(known, ..)| *known < link.key);
                    let entry = (link.key, head.seq, link.change, link.payload);
                    match last.get(place).is_some_and(|(known, ..)| *known == entry.0) {
                        true => last[place] = entry,
                        false => last.insert(place, entry),
                    }
                }
            }
            match page.next {
                Some(next) => range = range.from(next),
                None => break,
            }
        }
        let problem = self.verify_payloads(&last).await?;
        Ok(Verdict { links: head.seq, problem: problem.map(|(seq, problem)| (seq, None, problem)) })
    }

    async fn verify_payloads(
        &self,
        last: &[(Vec<u8>, u64, Change, Hash)],
    ) -> Result<Option<(u64, &'static str)>, Error> {
        let erased: Vec<(SessionId, u64)> = last
            .iter()
            .filter(|(_, _, change, _)| *change == Change::Delete)
            .filter_map(|(key, seq, ..)| match Named::of(key)? {
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
        for chunk in last.chunks(PAGE) {
            // A session's own record counts its messages, and changes without a link.
            let there: Vec<(Named, u64, Hash)> = chunk
                .iter()
                .filter(|(_, _, change, _)| *change != Change::Delete)
                .filter_map(|(key, seq, _, payload)| Some((Named::of(key)?, *seq, *payload)))
                .filter(|(named, seq, _)| !matches!(named, Named::Session(_)) && !is_erased(named, *seq))
                .collect();
            let keys: Vec<_> = there.iter().map(|(named, ..)| self.inner.keys.named(named)).collect();
            let values = self.fetch(Space::Records, &keys).await?;
            let (mut keys, mut contents) = (Vec::new(), Vec::new());
            for ((named, seq, payload), value) in there.iter().zip(values) {
                let Some(value) = value else { return Ok(Some((*seq, "what it speaks of is not there"))) };
                if hash(&value) != *payload {
                    return Ok(Some((*seq, "what it speaks of is not as it was written")));
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
                    return Ok(Some((seq, "its content is not as it was written")));
                }
            }
        }
        Ok(None)
    }

    /// What was said in a session, as lines of the documented shapes (C6), each with the link that vouches for it.
    pub async fn export_log(&self, session: &SessionId) -> Result<Vec<String>, Error> {
        self.refresh().await?;
        let mut exported = Vec::new();
        let mut rest = Some(self.inner.keys.log_after(Revision::default()));
        while let Some(range) = rest {
            let page = self.page(Space::Log, &range, PAGE).await?;
            let links = links_of(&page)?.into_iter();
            let said: Vec<(Named, Head, Link)> = links
                .filter_map(|(before, link)| Some((Named::of(&link.key)?, before, link)))
                .filter(|(named, ..)| matches!(named, Named::Message(of, _) if of == session))
                .collect();
            let keys: Vec<Key> = said.iter().map(|(named, ..)| self.inner.keys.named(named)).collect();
            for ((_, before, link), value) in said.iter().zip(self.fetch(Space::Records, &keys).await?) {
                // One that is not there has been erased; its link says nothing of what it was.
                if let Some(bytes) = value.filter(|bytes| hash(bytes) == link.payload) {
                    exported.extend(exported_lines(&bytes, link, *before)?);
                }
            }
            rest = page.next.map(|next| range.from(next));
        }
        Ok(exported)
    }

    /// Whether lines that were exported are as they were, and whether the log still vouches for them.
    pub async fn check_lines(&self, exported: &[String]) -> Result<Verdict, Error> {
        let mut verdict = Verdict::default();
        let heads = self.heads().await?;
        let mut at = 0;
        while at < exported.len() {
            let Ok(first) = parse(&exported[at]) else { return Ok(verdict.at(0, at, "the line is not JSON")) };
            let seq = first.get("link").get("seq").as_i64().unwrap_or(0).unsigned_abs();
            let mut parsed = vec![first];
            // The further blocks of the same message.
            let further = exported[at + 1..].iter().map_while(|line| parse(line).ok());
            parsed.extend(further.take_while(|line| line.get("part").as_i64().is_some()));
            let count = parsed.len();
            let Some((head, message)) = read_back(&parsed) else {
                return Ok(verdict.at(seq, at, "the line is not as it was written"));
            };
            match message {
                Some(true) => {}
                _ => return Ok(verdict.at(seq, at, "the line is not as it was written")),
            }
            if heads.get(head.seq as usize) != Some(&head.hash) {
                return Ok(verdict.at(seq, at, "the log has another link in this place"));
            }
            verdict.links += 1;
            at += count;
        }
        Ok(verdict)
    }

    /// The hash of every link, by its number; what is before the first is the first of these.
    async fn heads(&self) -> Result<Vec<Hash>, Error> {
        let mut heads = vec![Hash::default()];
        let mut rest = Some(self.inner.keys.log_after(Revision::default()));
        while let Some(range) = rest {
            let page = self.page(Space::Log, &range, PAGE).await?;
            heads.extend(links_of(&page)?.iter().map(|(before, link)| before.then(link).hash));
            rest = page.next.map(|next| range.from(next));
        }
        Ok(heads)
    }
}

impl Verdict {
    fn at(mut self, seq: u64, line: usize, problem: &'static str) -> Self {
        self.problem = Some((seq, Some(line + 1), problem));
        self
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

/// The lines of one message; the first says what its link needs to be made again.
fn exported_lines(bytes: &[u8], link: &Link, before: Head) -> Result<Vec<String>, CodecError> {
    let stored = StoredMessage::decode(bytes)?;
    let mut written = lines::write(&stored.message, true);
    let salt = Frame::open(Kind::Message, bytes)?.payload.get(..SALT).unwrap_or(&[]);
    if let Some(Json::Object(fields)) = written.first_mut() {
        let link = Json::object(vec![
            ("seq", (before.seq + 1).into()),
            ("at", link.at.millis().into()),
            ("key", hex::encode(&link.key).into()),
            ("salt", hex::encode(salt).into()),
            ("place", stored.place.into()),
            ("tokens", u64::from(stored.tokens).into()),
            ("before", hex::encode(&before.hash).into()),
            ("payload", hex::encode(&link.payload).into()),
        ]);
        fields.push(("link".to_owned(), link));
    }
    Ok(written.iter().map(Json::to_string).collect())
}

/// The end of the chain that these lines lead to, and whether the message in them is the one that the link speaks of.
fn read_back(exported: &[Json]) -> Option<(Head, Option<bool>)> {
    let mut plain = exported.to_vec();
    let Some(Json::Object(fields)) = plain.first_mut() else { return None };
    let at = fields.iter().position(|(name, _)| name == "link")?;
    let (_, link) = fields.remove(at);
    let number = |name: &str| u64::try_from(link.get(name).as_i64()?).ok();
    let text = |name: &str| link.get(name).as_str();
    let seq = number("seq")?;
    let before = Head { seq: seq.checked_sub(1)?, hash: hex::decode(text("before")?)? };
    let payload: Hash = hex::decode(text("payload")?)?;
    let rebuilt = Link {
        at: Timestamp::from_millis("at", link.get("at").as_i64()?).ok()?,
        change: Change::Add,
        key: hex::decode_all(text("key")?)?,
        payload,
    };
    let same = || {
        let draft = lines::read(plain.clone()).ok()?.into_iter().next()?;
        let (id, at) = (draft.id.clone()?, draft.at?);
        let message: Message = draft.into_message(id, at);
        // What a line says twice must be the same twice.
        if lines::write(&message, true) != plain {
            return None;
        }
        let tokens = u32::try_from(number("tokens")?).ok()?;
        let stored = StoredMessage { seq, place: number("place")?, tokens, message };
        Some(hash(&stored.encode(hex::decode(text("salt")?)?)) == payload)
    };
    Some((before.then(&rebuilt), same()))
}
