//! Digests: the sessions' topics, decisions and dates in order, for questions that name no subject. Stored summaries
//! come first; of the other messages only as many are read as the budget can show.

use super::digest_text::{Material, Piece, settle};
use crate::codec::{Beside, Kind as Stored, SessionRecord, StoredMessage};
use crate::context::prompt::spoken;
use crate::context::{Item, Kind, stored};
use crate::index::{DocKind, Ranking};
use crate::memory::engine::keys::{Named, place_of};
use crate::memory::engine::talk::DIALOG;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::SearchOptions;
use crate::model::{Invalid, Message, MessageId, Role, SessionId, Timestamp, Trust, sorted};
use crate::store::{Key, Space, Store};
use crate::text::{self, Question};

/// The default number of tokens.
pub(super) const USUAL: u32 = 1000;

/// The fewest tokens per session: below that, there are fewer sessions.
const LEAST: u32 = 48;

/// The number of sessions per read.
const PAGE: usize = 16;

/// The fewest and the most messages to read of one session.
const READ: (usize, usize) = (16, 256);

/// The most hits of a topic.
const HITS: usize = 512;

/// The longest topic in bytes, as for any query.
const MAX_TOPIC: usize = 64 * 1024;

/// The options of a digest.
#[derive(Clone, Debug, PartialEq)]
pub struct DigestOptions {
    /// Only these sessions; all if empty.
    pub sessions: Vec<SessionId>,
    /// Only messages from this time on.
    pub since: Option<Timestamp>,
    /// Only messages before this time.
    pub until: Option<Timestamp>,
    /// Only messages about this, by its words.
    pub topic: Option<String>,
    /// The most tokens of the digest.
    pub max_tokens: u32,
}

impl Default for DigestOptions {
    fn default() -> Self {
        Self { sessions: Vec::new(), since: None, until: None, topic: None, max_tokens: USUAL }
    }
}

/// An overview of sessions.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Digest {
    /// The sessions, by their last message, oldest first.
    pub sessions: Vec<SessionDigest>,
    /// The number of older sessions that did not fit.
    pub left: usize,
    /// The tokens of [`Digest::told`].
    pub tokens: u32,
}

/// The digest of one session.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SessionDigest {
    /// Its id.
    pub session: SessionId,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// The time of the first message in the digest.
    pub from: Timestamp,
    /// The time of the last message in the digest.
    pub to: Timestamp,
    /// The number of messages in the digest.
    pub messages: usize,
    /// The topics that users raised, in their words and in order.
    pub topics: Vec<String>,
    /// The decisions, in order. A corrected decision is replaced by its correction.
    pub decisions: Vec<Decision>,
    /// The stored summaries, or their most important sentences.
    pub summary: Option<String>,
    /// The lowest trust of the messages and summaries that it is made from.
    pub trust: Trust,
}

/// A decision.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Decision {
    /// The sentence that states it.
    pub text: String,
    /// The time of the message; for a summary, the time of its last message.
    pub at: Timestamp,
    /// The message; `None` if it is from a summary.
    pub id: Option<MessageId>,
}

/// A message in the index.
struct Turn {
    place: u64,
    at: Timestamp,
    /// Whether it is within the requested time and topic.
    within: bool,
    /// Whether its role is the model's.
    model: bool,
}

/// A session in the index.
struct Talk {
    session: SessionId,
    turns: Vec<Turn>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The sessions in chronological order, within a budget: topics, decisions and dates. If they do not fit, the
    /// newest are kept.
    pub async fn digest(&self, options: &DigestOptions) -> Result<Digest, Error> {
        options.check()?;
        self.refresh().await?;
        self.load_shelf().await?;
        self.check_sessions(&options.sessions).await?;
        let mut talks = self.talks(options)?;
        if let Some(topic) = &options.topic {
            self.keep_topic(&mut talks, topic, options).await?;
        }
        let order = sorted(talks.len(), &|one, other| {
            talks[other]
                .to()
                .cmp(&talks[one].to())
                .then_with(|| talks[one].session.as_str().cmp(talks[other].session.as_str()))
        });
        let mut newest: Vec<Option<Talk>> = talks.into_iter().map(Some).collect();
        let newest: Vec<Talk> = order.into_iter().filter_map(|at| newest[at].take()).collect();
        let most = (options.max_tokens / LEAST).max(1) as usize;
        let share = options.max_tokens as usize / newest.len().clamp(1, most);
        let read = (share / 4).clamp(READ.0, READ.1);
        let sought = options.topic.as_ref().map(|topic| self.sought(topic)).transpose()?;
        let (mut material, mut left): (Vec<Material>, usize) = (Vec::new(), newest.len());
        let mut rest = newest.into_iter();
        while material.len() < most && left > 0 {
            let page: Vec<Talk> = rest.by_ref().take(PAGE.min(most - material.len())).collect();
            left -= page.len();
            material.extend(self.material(page, read, sought.as_deref()).await?);
        }
        let count = |text: &str| self.count_tokens(text);
        let mut digest = settle(material, options.max_tokens, &count, &|text| self.decomposed(text));
        digest.left += left;
        Ok(digest)
    }

    /// The digest for a question, if it asks for an overview or a chronology.
    pub async fn digest_for(&self, question: &str, options: &DigestOptions) -> Result<Option<Digest>, Error> {
        if !text::asks_for_overview(question) {
            return Ok(None);
        }
        Ok(Some(self.digest(options).await?))
    }

    async fn check_sessions(&self, sessions: &[SessionId]) -> Result<(), Error> {
        let keys: Vec<Key> =
            sessions.iter().map(|session| self.inner.keys.named(&Named::Session(session.clone()))).collect();
        let known = if keys.is_empty() { Vec::new() } else { self.fetch(Space::Records, &keys).await? };
        if known.iter().any(Option::is_none) { Err(Error::NO_SESSION) } else { Ok(()) }
    }

    /// The sessions with messages in the requested time. The index has all times, so nothing is read.
    fn talks(&self, options: &DigestOptions) -> Result<Vec<Talk>, Error> {
        let now = self.now()?;
        let mut named: Vec<&str> = options.sessions.iter().map(SessionId::as_str).collect();
        named.sort_unstable();
        let wanted = |session: &SessionId| named.is_empty() || named.binary_search(&session.as_str()).is_ok();
        let mut turns: Vec<(SessionId, Turn)> = self.with_shelf(|shelf| {
            let said = shelf.index.newest_of(DocKind::Message, now, Some(DIALOG), None);
            // Tool results come from strangers, and system messages from the app.
            let talk =
                said.filter(|found| found.trust != Trust::Low as u8 && found.speaker != Some(Role::System.as_str()));
            let turn = talk.filter_map(|found| {
                let (session, place) = place_of(found.id).filter(|(session, _)| wanted(session))?;
                let within = options.since.is_none_or(|since| since <= found.at)
                    && options.until.is_none_or(|until| found.at < until);
                let model = found.speaker == Some(Role::Assistant.as_str());
                Some((session, Turn { place, at: found.at, within, model }))
            });
            turn.collect()
        });
        let order = sorted(turns.len(), &|one, other| {
            let ((one, first), (other, second)) = (&turns[one], &turns[other]);
            one.as_str().cmp(other.as_str()).then(first.place.cmp(&second.place))
        });
        let mut slots: Vec<Option<(SessionId, Turn)>> = turns.drain(..).map(Some).collect();
        let mut talks: Vec<Talk> = Vec::new();
        for (session, turn) in order.into_iter().filter_map(|at| slots[at].take()) {
            match talks.last_mut().filter(|talk| talk.session == session) {
                Some(talk) => talk.turns.push(turn),
                None => talks.push(Talk { session, turns: vec![turn] }),
            }
        }
        talks.retain(|talk| talk.turns.iter().any(|turn| turn.within));
        Ok(talks)
    }

    /// Keeps the messages that match the words of a topic.
    async fn keep_topic(&self, talks: &mut Vec<Talk>, topic: &str, options: &DigestOptions) -> Result<(), Error> {
        let asked = SearchOptions {
            query: topic.to_owned(),
            ranking: Ranking::Best,
            from: options.since,
            until: options.until,
            session: match &options.sessions[..] {
                [one] => Some(one.to_string()),
                _ => None,
            },
            ..SearchOptions::default()
        };
        let hits = self.find_ids(&asked, &[DocKind::Message], DIALOG, HITS).await?;
        let found: Vec<(SessionId, u64)> = hits.iter().filter_map(|(id, _)| place_of(id)).collect();
        for talk in talks.iter_mut() {
            let places: Vec<u64> =
                found.iter().filter(|(session, _)| *session == talk.session).map(|(_, place)| *place).collect();
            talk.turns.iter_mut().for_each(|turn| turn.within &= places.contains(&turn.place));
        }
        talks.retain(|talk| talk.turns.iter().any(|turn| turn.within));
        Ok(())
    }

    /// The search terms of a topic.
    fn sought(&self, topic: &str) -> Result<Vec<String>, Error> {
        let today = self.now()?.millis().div_euclid(86_400_000);
        let question = Question::new(&self.decomposed(topic), today);
        Ok(question.sought.into_iter().map(|sought| sought.text).collect())
    }

    /// The material of some sessions, newest first: summaries, and some of the other messages. A session without any is
    /// skipped.
    async fn material(&self, page: Vec<Talk>, most: usize, sought: Option<&[String]>) -> Result<Vec<Material>, Error> {
        let keys = |talk: &Talk| {
            let session = self.inner.keys.named(&Named::Session(talk.session.clone()));
            [session, self.inner.keys.summary(&talk.session), self.inner.keys.view(&talk.session)]
        };
        let keys: Vec<Key> = page.iter().flat_map(keys).collect();
        let mut values = self.fetch(Space::Records, &keys).await?.into_iter();
        let mut material = Vec::with_capacity(page.len());
        for mut talk in page {
            let mut next = || values.next().flatten();
            let (record, given, view) = (next(), next(), next());
            // Erased meanwhile.
            let Some(record) = record else { continue };
            let title = SessionRecord::decode(&record)?.title;
            let given = given.map(|bytes| Beside::decode(Stored::Kept, &bytes)).transpose()?;
            let view = view.map(|bytes| Beside::decode(Stored::View, &bytes)).transpose()?;
            let view = view.as_ref().and_then(stored::read).unwrap_or_default();
            let low_from = self.low_from(&talk.session).await?;
            talk.turns.retain(|turn| !view.iter().any(|item| item.is_hidden() && item.covers(turn.place)));
            let whole = sought.is_none() && talk.turns.iter().all(|turn| turn.within);
            let told = talk.told(&view, sought.is_none());
            let mut pieces: Vec<Piece> = Vec::new();
            for item in &told {
                pieces.extend(talk.piece(item, low_from));
            }
            let read = self.read_places(&talk.session, &talk.unread(&told, most)).await?;
            let before = pieces.len();
            pieces.extend(read.iter().filter_map(|stored| self.said_piece(stored, sought, low_from)));
            let order = sorted(pieces.len(), &|one, other| pieces[one].place.cmp(&pieces[other].place));
            let matched = pieces.len() - before;
            let mut slots: Vec<Option<Piece>> = pieces.into_iter().map(Some).collect();
            let pieces: Vec<Piece> = order.into_iter().filter_map(|at| slots[at].take()).collect();
            let (Some(from), Some(to)) = talk.span(sought.map(|_| &pieces[..])) else { continue };
            let given = given.as_ref().filter(|_| whole).and_then(|given| given.get("text").as_str());
            let given = given.filter(|given| !given.trim().is_empty()).map(str::to_owned);
            let messages = match sought {
                Some(_) => matched,
                None => talk.turns.iter().filter(|turn| turn.within).count(),
            };
            let low = given.is_some() && low_from.is_some() || pieces.iter().any(|piece| piece.trust == Trust::Low);
            let trust = if low { Trust::Low } else { Trust::Normal };
            material.push(Material { session: talk.session, title, from, to, messages, given, pieces, trust });
        }
        Ok(material)
    }

    /// A message as a piece; with a topic, only its sentences about the topic, or `None`.
    fn said_piece(&self, stored: &StoredMessage, sought: Option<&[String]>, low_from: Option<u64>) -> Option<Piece> {
        let Message { role, at, id, .. } = &stored.message;
        let said = spoken(&Message { name: None, ..stored.message.clone() });
        let text = match sought {
            Some(sought) => text::about(&said, sought, &|text| self.decomposed(text)),
            None => said,
        };
        let own = *role == Role::User;
        let told = !matches!(role, Role::Tool | Role::System) && !text.trim().is_empty();
        let repeats = *role == Role::Assistant && low_from.is_some_and(|from| from < stored.place);
        let trust = if repeats { Trust::Low } else { Trust::Normal };
        told.then(|| Piece { place: stored.place, at: *at, id: Some(id.clone()), own, text, trust })
    }
}

impl DigestOptions {
    fn check(&self) -> Result<(), Invalid> {
        if self.max_tokens == 0 {
            return Err(Invalid::value("maxTokens", "must be a positive integer"));
        }
        if let (Some(since), Some(until)) = (self.since, self.until)
            && since >= until
        {
            return Err(Invalid::value("since", "must be before `until`"));
        }
        match &self.topic {
            Some(topic) if topic.trim().is_empty() => {
                Err(Invalid::value("topic", "must not be empty; omit it for all topics"))
            }
            Some(topic) if topic.len() > MAX_TOPIC => Err(Invalid::too_large("topic", MAX_TOPIC, topic.len())),
            _ => Ok(()),
        }
    }
}

impl Talk {
    /// The time of the last requested message.
    fn to(&self) -> Option<Timestamp> {
        self.turns.iter().filter(|turn| turn.within).map(|turn| turn.at).max()
    }

    /// The times of the first and of the last message with content.
    fn span(&self, only: Option<&[Piece]>) -> (Option<Timestamp>, Option<Timestamp>) {
        let told = |turn: &&Turn| match only {
            Some(pieces) => pieces.iter().any(|piece| piece.place == turn.place),
            None => turn.within,
        };
        let times = || self.turns.iter().filter(told).map(|turn| turn.at);
        (times().min(), times().max())
    }

    /// The summaries of a view that cover only requested messages, and no hidden ones.
    fn told<'a>(&self, view: &'a [Item], wanted: bool) -> Vec<&'a Item> {
        let hidden = |item: &Item| view.iter().any(|other| other.is_hidden() && other.overlaps(&item.spans));
        let within = |item: &Item| {
            let mut inside = self.turns.iter().filter(|turn| item.covers(turn.place)).peekable();
            inside.peek().is_some() && inside.all(|turn| turn.within)
        };
        view.iter().filter(|item| wanted && item.is_told() && !hidden(item) && within(item)).collect()
    }

    fn piece(&self, item: &Item, low_from: Option<u64>) -> Option<Piece> {
        let (Kind::Summary(text) | Kind::History(_, text)) = &item.kind else {
            return None;
        };
        let at = self.turns.iter().filter(|turn| item.covers(turn.place)).map(|turn| turn.at).max()?;
        let trust = item.trust(low_from);
        Some(Piece { place: item.first(), at, id: None, own: false, text: text.clone(), trust })
    }

    /// The places of the messages to read: those without a summary. If there are too many, only user messages, and of
    /// those an even sample from beginning to end.
    fn unread(&self, told: &[&Item], most: usize) -> Vec<u64> {
        let open = |turn: &&Turn| turn.within && !told.iter().any(|item| item.covers(turn.place));
        let all: Vec<&Turn> = self.turns.iter().filter(open).collect();
        let people: Vec<&Turn> = all.iter().copied().filter(|turn| !turn.model).collect();
        let chosen = if all.len() > most && !people.is_empty() { people } else { all };
        let step = |at: usize| chosen.get(at * chosen.len() / chosen.len().clamp(1, most)).map(|turn| turn.place);
        (0..chosen.len().min(most)).filter_map(step).collect()
    }
}
