//! Compressing a session's view: what `context/compress` plans is read, told, and put in place of messages. The messages
//! stay where they are.

use super::dialog::{DIALOG, Talk};
use super::keys::Named;
use super::plan::Plan;
use super::state::Leaf;
use super::{Env, Error, Memory};
use crate::codec::{Beside, Kind as Stored, SessionRecord, StoredMessage};
use crate::context::compress::{self, Compression, Request, Task, TreeReduce, Way, Written};
use crate::context::prompt::spoken;
use crate::context::{Item, Kind, stored};
use crate::index::DocKind;
use crate::log::Change;
use crate::model::{Invalid, Json, Message, MessageId, Role, SessionId, Timestamp, Trust};
use crate::store::{Durability, Op, Space, Store};
use crate::text;

/// A compression that waits for an app's texts.
#[derive(Debug)]
pub(super) struct Pending {
    token: u64,
    session: SessionId,
    compression: Compression,
}

/// How far a compression has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// Nothing is left to do.
    Done {
        /// Whether the view is another one now.
        changed: bool,
        /// How many items it has.
        items: usize,
        /// The history that was made.
        history: Option<String>,
    },
    /// These texts are needed, for [`Memory::compressed`].
    Needs {
        /// What to call it by.
        token: u64,
        /// What is to be told.
        texts: Vec<ToTell>,
    },
}

/// What a summary is to be made of.
#[derive(Clone, Debug, PartialEq)]
pub struct ToTell {
    /// Whether these are summaries that become one.
    pub merge: bool,
    /// How long it may be.
    pub max_tokens: u32,
    /// The messages.
    pub messages: Vec<Message>,
    /// The same, or earlier summaries, as texts.
    pub texts: Vec<String>,
}

/// A history of a session (C13, C15).
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Its number, from 1 on.
    pub number: u32,
    /// What it tells.
    pub text: String,
    /// Its tokens.
    pub tokens: u32,
    /// The places of the messages it stands for.
    pub spans: Vec<(u64, u64)>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The ids of the first and of the last message that a history stands for; none for one that is not there.
pub type Ends = [Option<MessageId>; 2];

/// An item of a session's view, and what it says.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The item.
    pub item: Item,
    /// What it says.
    pub says: Says,
}

/// What an item of a view says.
#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    /// A message, as it was said.
    Message(Box<Message>),
    /// A text that stands for messages.
    Text(String),
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Tree-reduce as this memory's settings have it (C27).
    pub fn tree_reduce(&self) -> TreeReduce {
        TreeReduce::of(&self.inner.config.memory)
    }

    /// Compresses a session's view if it is over its limits. With `hook` the app writes the summaries, and is told which;
    /// otherwise they are extracted.
    pub async fn compress(&self, session: &SessionId, way: &Way, hook: bool) -> Result<Progress, Error> {
        // What is at hand will do: after most messages there is nothing to compress, and reading the storage for that
        // would be in the way of the next one.
        self.refresh_if_told().await?;
        let record = self.planned_record(session).await?;
        let Some(record) = record else { return Ok(Progress::unchanged(0)) };
        if !may_be_over(way, &record) {
            return Ok(Progress::unchanged(record.items as usize));
        }
        let view = self.view(session, &record).await?;
        let Some(mut compression) = compress::plan(&view, way) else { return Ok(Progress::unchanged(view.len())) };
        self.answer_own(session, &mut compression, hook).await?;
        if compression.requests().is_empty() {
            return self.apply_compression(session, &compression).await;
        }
        let token = self.inner.tokens.get() + 1;
        self.inner.tokens.set(token);
        let texts = self.to_tell(session, compression.requests()).await?;
        self.inner.pending.borrow_mut().push(Pending { token, session: session.clone(), compression });
        Ok(Progress::Needs { token, texts })
    }

    /// Takes the texts that were asked for, in their order; none for one that could not be written. What is longer than
    /// what it stands for is not used.
    pub async fn compressed(&self, token: u64, told: Vec<Option<String>>) -> Result<Progress, Error> {
        let found = {
            let mut pending = self.inner.pending.borrow_mut();
            pending.iter().position(|pending| pending.token == token).map(|at| pending.swap_remove(at))
        };
        let unknown = || Invalid::value("token", "is unknown or expired");
        let Pending { session, mut compression, .. } = found.ok_or_else(unknown)?;
        let written = told.into_iter().map(|text| self.written(text?));
        compression.answer(written.collect());
        self.answer_own(&session, &mut compression, true).await?;
        if compression.requests().is_empty() {
            return self.apply_compression(&session, &compression).await;
        }
        let texts = self.to_tell(&session, compression.requests()).await?;
        self.inner.pending.borrow_mut().push(Pending { token, session, compression });
        Ok(Progress::Needs { token, texts })
    }

    /// Answers what needs no app: previews, and without a hook everything.
    async fn answer_own(&self, session: &SessionId, compression: &mut Compression, hook: bool) -> Result<(), Error> {
        loop {
            let requests = compression.requests();
            let theirs = |request: &Request| hook && !matches!(request.task, Task::Preview(_));
            // Those of the app come first or not at all: it sees all of a round, or the round is ours.
            if requests.is_empty() || requests.iter().any(theirs) {
                return Ok(());
            }
            let told = self.to_tell(session, requests).await?;
            let own = requests.iter().zip(told).map(|(request, ToTell { texts, max_tokens, .. })| {
                let count = |text: &str| self.count_tokens(text);
                // Each line of a summary tells of another message.
                let lines = || texts.iter().flat_map(|text| text.lines()).collect::<Vec<&str>>();
                let whole = || texts.iter().map(String::as_str).collect::<Vec<&str>>();
                self.written(match request.task {
                    Task::Preview(chars) => text::cut(&texts.join("\n"), chars).to_owned(),
                    Task::Merge => text::extract(&lines(), max_tokens, &count),
                    Task::Summarise => text::extract(&whole(), max_tokens, &count),
                })
            });
            let own = own.collect();
            compression.answer(own);
        }
    }

    fn written(&self, text: String) -> Option<Written> {
        let tokens = self.count_tokens(&text);
        (!text.trim().is_empty()).then_some(Written { text, tokens })
    }

    async fn apply_compression(&self, session: &SessionId, compression: &Compression) -> Result<Progress, Error> {
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let Some(mut record) = self.planned_record(session).await? else { return Ok(Progress::unchanged(0)) };
            let view = self.view(session, &record).await?;
            // Somebody else was faster: what was planned is no longer there to be told.
            let Ok(after) = compression.apply(&view) else { return Ok(Progress::unchanged(view.len())) };
            if after == view {
                return Ok(Progress::unchanged(view.len()));
            }
            let mut history = None;
            for item in &after {
                if let Kind::History(number, text) = &item.kind
                    && *number > record.histories
                {
                    let made = History {
                        number: *number,
                        text: text.clone(),
                        tokens: item.tokens,
                        spans: item.spans.clone(),
                        created_at: plan.now,
                    };
                    self.plan_history(plan, session, &made)?;
                    record.histories = *number;
                    history = Some(item.name());
                }
            }
            record.items = after.len() as u64;
            record.tokens = after.iter().map(|item| u64::from(item.tokens)).sum();
            let bytes = Beside::encode(Stored::View, &stored::write(&after), self.entropy()?);
            plan.ops.push(Op::Put(Space::Records, self.inner.keys.view(session), bytes));
            self.plan_session(plan, session, record, true)?;
            Ok(Progress::Done { changed: true, items: after.len(), history })
        })
        .await
    }

    fn plan_history(&self, plan: &mut Plan, session: &SessionId, history: &History) -> Result<(), Error> {
        let span = |span: &(u64, u64)| Json::Array(vec![span.0.into(), span.1.into()]);
        let value = Json::object(vec![
            ("seq", (plan.last_seq() + 1).into()),
            ("number", u64::from(history.number).into()),
            ("text", history.text.as_str().into()),
            ("tokens", u64::from(history.tokens).into()),
            ("spans", Json::Array(history.spans.iter().map(span).collect())),
            ("at", history.created_at.millis().into()),
        ]);
        let leaf = self.history_leaf(session, &value, &[]);
        let bytes = Beside::encode(Stored::History, &value, self.entropy()?);
        plan.put_named(Change::Add, &Named::History(session.clone(), history.number.into()), bytes, leaf);
        Ok(())
    }

    /// What the index takes in of a history.
    pub(super) fn history_leaf(&self, session: &SessionId, value: &Json, vector: &[u8]) -> Option<Leaf> {
        let history = read_history(value)?;
        let (id, name) = (format!("{}:{session}", history.number), history.name());
        self.talk_leaf(&Talk {
            kind: DocKind::History,
            id: &id,
            seq: u64::try_from(value.get("seq").as_i64()?).ok()?,
            namespace: DIALOG,
            tags: &[],
            session: Some(session),
            agent: None,
            speaker: Some(Role::System.as_str()),
            source: Some(&name),
            said: &history.text,
            at: history.created_at,
            trust: Trust::Normal,
            vector,
        })
    }

    /// The histories of a session, oldest first.
    pub async fn histories(&self, session: &SessionId) -> Result<Vec<History>, Error> {
        self.check_open()?;
        let mut histories = Vec::new();
        for (_, bytes) in self.all(Space::Records, self.inner.keys.histories(Some(session))).await? {
            histories.extend(read_history(&Beside::decode(Stored::History, &bytes)?));
        }
        Ok(histories)
    }

    /// The same, each with the ids of the first and of the last message that it stands for.
    pub async fn histories_with_ends(&self, session: &SessionId) -> Result<Vec<(History, Ends)>, Error> {
        let mut told = Vec::new();
        for history in self.histories(session).await? {
            let mut ends = [None, None];
            let places = [history.spans.first().map(|span| span.0), history.spans.last().map(|span| span.1)];
            for (end, place) in ends.iter_mut().zip(places.into_iter().flatten()) {
                *end = self.read_messages(session, place, place + 1).await?.pop().map(|stored| stored.message.id);
            }
            told.push((history, ends));
        }
        Ok(told)
    }

    /// All of a session as its window sees it, and what each item says.
    pub async fn session_view(&self, session: &SessionId) -> Result<Vec<Shown>, Error> {
        let Some(record) = self.session_record(session).await? else { return Ok(Vec::new()) };
        let mut shown = Vec::new();
        let view = self.view(session, &record).await?;
        let read = self.told_by(session, &view).await?;
        for item in view {
            let mut told = read.iter().filter(|stored| item.covers(stored.place)).map(|stored| &stored.message);
            let says = match &item.kind {
                Kind::Message(_) => match told.next() {
                    Some(message) => Says::Message(Box::new(message.clone())),
                    // Somebody else has erased the session since its record was read.
                    None => continue,
                },
                Kind::Merge => Says::Text(told.map(line).collect::<Vec<_>>().join("\n")),
                Kind::Offload(_, text) | Kind::Summary(text) | Kind::History(_, text) => Says::Text(text.clone()),
            };
            shown.push(Shown { item, says });
        }
        Ok(shown)
    }

    /// All of a session as its window sees it: messages, and what stands for some.
    pub(super) async fn view(&self, session: &SessionId, record: &SessionRecord) -> Result<Vec<Item>, Error> {
        let mut view = self.stand_ins(session).await?;
        let mut place = 0;
        while place < record.count {
            // Messages that something stands for are not read.
            match view.iter().flat_map(|item| &item.spans).find(|span| span.0 <= place && place <= span.1) {
                Some(span) => place = span.1 + 1,
                None => {
                    let next = view.iter().flat_map(|item| &item.spans).map(|span| span.0).filter(|at| *at > place);
                    let end = next.min().unwrap_or(record.count).min(record.count);
                    for message in self.read_messages(session, place, end).await? {
                        insert(&mut view, Item::of(&message.message, message.place, message.tokens));
                    }
                    place = end;
                }
            }
        }
        Ok(view)
    }

    /// What stands for messages in a session's view, in order.
    pub(super) async fn stand_ins(&self, session: &SessionId) -> Result<Vec<Item>, Error> {
        let found = self.fetch_one(Space::Records, self.inner.keys.view(session)).await?;
        let Some(bytes) = found else { return Ok(Vec::new()) };
        Ok(stored::read(&Beside::decode(Stored::View, &bytes)?).unwrap_or_default())
    }

    /// What each request is about, read from the storage.
    async fn to_tell(&self, session: &SessionId, requests: &[Request]) -> Result<Vec<ToTell>, Error> {
        let mut all = Vec::with_capacity(requests.len());
        for request in requests {
            let read = self.told_by(session, &request.items).await?;
            let mut texts = Vec::new();
            for item in &request.items {
                let told = read.iter().filter(|stored| item.covers(stored.place));
                match &item.kind {
                    Kind::Summary(text) | Kind::History(_, text) => texts.push(text.clone()),
                    _ => texts.extend(told.map(|stored| line(&stored.message))),
                }
            }
            let messages = read.into_iter().map(|stored| stored.message).collect();
            let merge = request.task == Task::Merge;
            all.push(ToTell { merge, max_tokens: request.max_tokens, messages, texts });
        }
        Ok(all)
    }

    /// The messages that items are or show, in one read; none for what is told already.
    pub(super) async fn told_by(&self, session: &SessionId, items: &[Item]) -> Result<Vec<StoredMessage>, Error> {
        let told = |item: &&Item| !matches!(item.kind, Kind::Summary(_) | Kind::History(..));
        let spans = items.iter().filter(told).flat_map(|item| &item.spans);
        let places: Vec<u64> = spans.flat_map(|(from, to)| *from..=*to).collect();
        self.read_places(session, &places).await
    }
}

impl Progress {
    fn unchanged(items: usize) -> Self {
        Self::Done { changed: false, items, history: None }
    }
}

impl History {
    /// `history-001` (C13).
    pub fn name(&self) -> String {
        format!("history-{:03}", self.number)
    }

    /// How many messages it stands for.
    pub fn messages(&self) -> u64 {
        self.spans.iter().map(|(from, to)| to - from + 1).sum()
    }
}

/// Who says it, and what.
pub(super) fn line(message: &Message) -> String {
    let said = spoken(&Message { name: None, ..message.clone() });
    format!("{}: {said}", message.name.as_deref().unwrap_or(message.role.as_str()))
}

/// Whether a view may be over its limits, by what is known without reading it.
fn may_be_over(way: &Way, record: &SessionRecord) -> bool {
    match way {
        Way::TreeReduce(settings) => record.items > settings.most_items() as u64 || record.tokens > settings.limit(),
        Way::Progressive(settings) => record.items > settings.msg_threshold as u64 || record.tokens > settings.limit(),
    }
}

pub(super) fn read_history(value: &Json) -> Option<History> {
    let number = |value: &Json| u64::try_from(value.as_i64()?).ok();
    let span = |span: &Json| match span.as_array()? {
        [from, to] => Some((number(from)?, number(to)?)),
        _ => None,
    };
    Some(History {
        number: u32::try_from(number(value.get("number"))?).ok()?,
        text: value.get("text").as_str()?.to_owned(),
        tokens: u32::try_from(number(value.get("tokens"))?).ok()?,
        spans: value.get("spans").as_array()?.iter().map(span).collect::<Option<Vec<_>>>()?,
        created_at: Timestamp::from_millis("at", value.get("at").as_i64()?).ok()?,
    })
}

/// Puts an item where its first message belongs.
pub(super) fn insert(view: &mut Vec<Item>, item: Item) {
    let place = view.partition_point(|other| other.first() < item.first());
    view.insert(place, item);
}
