//! Compresses a session's view: reads what `context/compress` plans, gets summaries, and puts them in the place of
//! messages. The messages themselves stay.

use crate::codec::{Beside, Kind as Stored, SessionRecord, StoredMessage};
use crate::context::compress::{self, Compression, Request, Strategy, Task, TreeReduce, Written};
use crate::context::prompt::spoken;
use crate::context::{Item, Kind, request, stored};
use crate::log::Change;
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::slices::RECORD;
use crate::memory::engine::state::Pending;
use crate::memory::engine::talk::{History, read_history};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Invalid, Json, Message, MessageId, SessionId, Trust, sorted};
use crate::store::{Durability, Space, Store};
use crate::text::{self};

/// The progress of a compression.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Progress {
    /// Nothing is left to do.
    Done {
        /// Whether the view has changed.
        changed: bool,
        /// The number of its items.
        items: usize,
        /// The new history, if there is one.
        history: Option<String>,
    },
    /// The app has to write these summaries, and pass them to [`Memory::compressed`].
    Needs {
        /// The token of this compression.
        token: u64,
        /// The requested summaries.
        texts: Vec<SummaryRequest>,
    },
}

/// A request for a summary.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SummaryRequest {
    /// Whether it merges several summaries into one.
    pub merge: bool,
    /// The most tokens of the summary.
    pub max_tokens: u32,
    /// The messages to summarise.
    pub messages: Vec<Message>,
    /// The messages, or earlier summaries, as strings.
    pub texts: Vec<String>,
}

/// The ids of the first and of the last message that a history replaces; `None` for a missing one.
pub type Ends = [Option<MessageId>; 2];

/// An item of a session's view, with its content.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ViewItem {
    /// The item.
    pub item: Item,
    /// Its content.
    pub says: ViewContent,
}

/// The content of an item of a view.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub enum ViewContent {
    /// A message, unchanged.
    Message(Box<Message>),
    /// A text that replaces messages.
    Text(String),
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The tree-reduce strategy with this memory's settings (C27).
    pub fn tree_reduce(&self) -> TreeReduce {
        TreeReduce::of(&self.inner.config.memory)
    }

    /// Compresses a session's view if it is over its limits. With `hook`, the app is asked for the summaries; otherwise
    /// they are extracted.
    pub async fn compress(&self, session: &SessionId, way: &Strategy, hook: bool) -> Result<Progress, Error> {
        // The cached state is enough: after most messages there is nothing to compress, and reading the storage would
        // delay the next one.
        self.refresh_if_told().await?;
        let record = self.planned_record(session).await?;
        let Some(record) = record else { return Ok(Progress::unchanged(0)) };
        if !may_be_over(way, &record) {
            return Ok(Progress::unchanged(record.items as usize));
        }
        let view = self.view(session, &record).await?;
        let Some(compression) = compress::plan(&view, way) else { return Ok(Progress::unchanged(view.len())) };
        let compression = compression.numbered_after(record.histories);
        let token = self.inner.tokens.get() + 1;
        self.inner.tokens.set(token);
        let most = request::most_tokens(way);
        self.go_on(Pending { token, session: session.clone(), compression, most }, hook).await
    }

    /// Accepts the requested summaries, in order; `None` for one that could not be written. A summary that is longer
    /// than its messages is not used.
    pub async fn compressed(&self, token: u64, told: Vec<Option<String>>) -> Result<Progress, Error> {
        let found = {
            let mut pending = self.inner.pending.borrow_mut();
            pending.iter().position(|pending| pending.token == token).map(|at| pending.swap_remove(at))
        };
        let unknown = || Invalid::value("token", "is unknown or expired");
        let mut pending = found.ok_or_else(unknown)?;
        let mut told = told.into_iter();
        let mut written = Vec::new();
        for request in pending.compression.requests() {
            written.push(match is_preview(request) {
                true => self.write_own(&pending.session, request).await?,
                false => told.next().flatten().and_then(|text| self.written(text)),
            });
        }
        pending.compression.answer(written);
        self.go_on(pending, true).await
    }

    /// Writes the summaries that need no app, which is all of them without a hook, and requests the rest.
    async fn go_on(&self, mut pending: Pending, hook: bool) -> Result<Progress, Error> {
        while !pending.compression.requests().is_empty() {
            let requests = pending.compression.requests();
            let theirs: Vec<Request> =
                requests.iter().filter(|request| hook && !is_preview(request)).cloned().collect();
            if !theirs.is_empty() {
                let mut texts = Vec::with_capacity(theirs.len());
                for request in &theirs {
                    self.breathe(cost(request)).await;
                    texts.push(
                        self.to_tell(&pending.session, request)
                            .await?
                            .within(pending.most, &|text| self.count_tokens(text)),
                    );
                }
                let token = pending.token;
                self.inner.pending.borrow_mut().push(pending);
                return Ok(Progress::Needs { token, texts });
            }
            let mut own = Vec::with_capacity(requests.len());
            for request in requests {
                own.push(self.write_own(&pending.session, request).await?);
                self.report(own.len(), requests.len());
                self.breathe(cost(request)).await;
            }
            pending.compression.answer(own);
        }
        self.apply_compression(&pending.session, &pending.compression).await
    }

    /// A summary that is written without the app.
    async fn write_own(&self, session: &SessionId, request: &Request) -> Result<Option<Written>, Error> {
        let SummaryRequest { texts, max_tokens, .. } = self.to_tell(session, request).await?;
        let count = |text: &str| self.count_tokens(text);
        // Each line of a summary is about another message.
        let lines = || texts.iter().flat_map(|text| text.lines()).collect::<Vec<&str>>();
        let whole = || texts.iter().map(String::as_str).collect::<Vec<&str>>();
        Ok(self.written(match request.task {
            Task::Preview(chars) => text::cut(&texts.join("\n"), chars).to_owned(),
            Task::Merge => text::extract(&lines(), max_tokens, &count),
            Task::Summarise => text::extract(&whole(), max_tokens, &count),
        }))
    }

    fn written(&self, text: String) -> Option<Written> {
        let tokens = self.count_tokens(&text);
        (!text.trim().is_empty()).then_some(Written { text, tokens })
    }

    async fn apply_compression(&self, session: &SessionId, compression: &Compression) -> Result<Progress, Error> {
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let Some(mut record) = self.planned_record(session).await? else { return Ok(Progress::unchanged(0)) };
            let (hidden, view): (Vec<Item>, Vec<Item>) =
                self.whole_view(session, &record).await?.into_iter().partition(Item::is_hidden);
            // Another writer won the race: the planned messages are no longer in the view.
            let Ok(mut after) = compression.apply(&view) else { return Ok(Progress::unchanged(view.len())) };
            if after == view {
                return Ok(Progress::unchanged(view.len()));
            }
            let low_from = self.low_from(session).await?;
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
                        trust: item.trust(low_from),
                    };
                    self.plan_history(plan, session, &made)?;
                    record.histories = *number;
                    history = Some(item.name());
                }
            }
            let items = after.len();
            hidden.into_iter().for_each(|item| insert(&mut after, item));
            self.plan_view(plan, session, record, &after)?;
            Ok(Progress::Done { changed: true, items, history })
        })
        .await
    }

    /// Adds a session's view and the changes of its record to a plan.
    pub(super) fn plan_view(
        &self,
        plan: &mut Plan,
        session: &SessionId,
        mut record: SessionRecord,
        view: &[Item],
    ) -> Result<(), Error> {
        let shown = || view.iter().filter(|item| !item.is_hidden());
        record.items = shown().count() as u64;
        record.tokens = shown().map(|item| u64::from(item.tokens)).sum();
        let bytes = Beside::encode(Stored::View, &stored::write(view), self.entropy()?);
        plan.put_beside(self.inner.keys.view(session), bytes);
        self.plan_session(plan, session, record, true)
    }

    fn plan_history(&self, plan: &mut Plan, session: &SessionId, history: &History) -> Result<(), Error> {
        let span = |span: &(u64, u64)| Json::Array(vec![span.0.into(), span.1.into()]);
        let low = history.trust < Trust::Normal;
        let value = Json::object(vec![
            ("seq", (plan.last_seq() + 1).into()),
            ("number", u64::from(history.number).into()),
            ("text", history.text.as_str().into()),
            ("tokens", u64::from(history.tokens).into()),
            ("spans", Json::Array(history.spans.iter().map(span).collect())),
            ("at", history.created_at.millis().into()),
            ("trust", if low { history.trust.as_str().into() } else { Json::Null }),
        ]);
        let leaf = self.history_leaf(session, &value, &[]);
        let bytes = Beside::encode(Stored::History, &value, self.entropy()?);
        plan.put_named(Change::Add, &Named::History(session.clone(), history.number.into()), bytes, leaf);
        Ok(())
    }

    /// The histories of a session, oldest first.
    pub async fn histories(&self, session: &SessionId) -> Result<Vec<History>, Error> {
        Ok(self.placed_histories(session).await?.into_iter().map(|(_, history)| history).collect())
    }

    /// The histories of a session, each with its place in the log.
    pub(super) async fn placed_histories(&self, session: &SessionId) -> Result<Vec<(u64, History)>, Error> {
        self.check_open()?;
        let mut histories = Vec::new();
        for (_, bytes) in self.all(Space::Records, self.inner.keys.histories(Some(session))).await? {
            let value = Beside::decode(Stored::History, &bytes)?;
            let seq = value.get("seq").as_i64().and_then(|seq| u64::try_from(seq).ok());
            histories.extend(seq.zip(read_history(&value)));
        }
        Ok(histories)
    }

    /// The histories of a session, each with the ids of the first and the last message that it replaces.
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

    /// The whole view of a session, with the content of each item.
    pub async fn session_view(&self, session: &SessionId) -> Result<Vec<ViewItem>, Error> {
        let Some(record) = self.session_record(session).await? else { return Ok(Vec::new()) };
        let mut shown = Vec::new();
        let view = self.view(session, &record).await?;
        let read = self.told_by(session, &view).await?;
        let order = sorted(read.len(), &|one, other| read[one].place.cmp(&read[other].place));
        for item in view {
            let of_span = |span: &(u64, u64)| {
                let [from, to] =
                    [span.0, span.1.saturating_add(1)].map(|place| order.partition_point(|at| read[*at].place < place));
                order[from..to].iter().map(|at| &read[*at].message)
            };
            let mut told = item.spans.iter().flat_map(of_span);
            let says = match &item.kind {
                Kind::Message(_) => match told.next() {
                    Some(message) => ViewContent::Message(Box::new(message.clone())),
                    // Another writer has erased the session since its record was read.
                    None => continue,
                },
                Kind::Merge => ViewContent::Text(told.map(line).collect::<Vec<_>>().join("\n")),
                Kind::Offload(_, text) | Kind::Summary(text) | Kind::History(_, text) => {
                    ViewContent::Text(text.clone())
                }
                Kind::Deleted | Kind::Cleared => continue,
            };
            shown.push(ViewItem { item, says });
        }
        Ok(shown)
    }

    /// The whole view of a session: messages, and the items that replace some.
    pub(in crate::memory) async fn view(
        &self,
        session: &SessionId,
        record: &SessionRecord,
    ) -> Result<Vec<Item>, Error> {
        let mut view = self.whole_view(session, record).await?;
        view.retain(|item| !item.is_hidden());
        Ok(view)
    }

    /// The same, with the hidden items.
    pub(super) async fn whole_view(&self, session: &SessionId, record: &SessionRecord) -> Result<Vec<Item>, Error> {
        let mut view = self.stand_ins(session).await?;
        let mut place = 0;
        while place < record.count {
            // Messages that are replaced or hidden are not read.
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

    /// The items of a session's view that replace or hide messages, in order.
    pub(super) async fn stand_ins(&self, session: &SessionId) -> Result<Vec<Item>, Error> {
        let found = self.fetch_one(Space::Records, self.inner.keys.view(session)).await?;
        let Some(bytes) = found else { return Ok(Vec::new()) };
        Ok(stored::read(&Beside::decode(Stored::View, &bytes)?).unwrap_or_default())
    }

    /// The content of a summary request, read from the storage.
    async fn to_tell(&self, session: &SessionId, request: &Request) -> Result<SummaryRequest, Error> {
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
        Ok(SummaryRequest { merge: request.task == Task::Merge, max_tokens: request.max_tokens, messages, texts })
    }

    /// The messages that items are or preview, in one read; none for other items.
    pub(super) async fn told_by(&self, session: &SessionId, items: &[Item]) -> Result<Vec<StoredMessage>, Error> {
        let told = |item: &&Item| !item.is_hidden() && !matches!(item.kind, Kind::Summary(_) | Kind::History(..));
        let spans = items.iter().filter(told).flat_map(|item| &item.spans);
        let places: Vec<u64> = spans.flat_map(|(from, to)| *from..=*to).collect();
        self.read_places(session, &places).await
    }
}

impl SummaryRequest {
    /// The same within a token limit, for the app's model: large parts keep their beginning and end.
    fn within(self, most: u32, count: &dyn Fn(&str) -> u32) -> Self {
        let texts = request::texts_within(self.texts, most, count);
        Self { messages: request::messages_within(self.messages, most, count), texts, ..self }
    }
}

/// The work of summarising: each byte is weighed, and each sentence is compared with others.
fn cost(request: &Request) -> usize {
    request.items.iter().map(|item| RECORD + 3 * item.chars as usize).sum()
}

/// Whether only the beginning of one message is needed: that takes no model, and none is sent the rest.
fn is_preview(request: &Request) -> bool {
    matches!(request.task, Task::Preview(_))
}

impl Progress {
    fn unchanged(items: usize) -> Self {
        Self::Done { changed: false, items, history: None }
    }
}

/// The role and the text of a message, on one line.
pub(in crate::memory) fn line(message: &Message) -> String {
    let said = spoken(&Message { name: None, ..message.clone() });
    format!("{}: {said}", message.name.as_deref().unwrap_or(message.role.as_str()))
}

/// Whether a view may be over its limits, judged by the record alone.
fn may_be_over(way: &Strategy, record: &SessionRecord) -> bool {
    match way {
        Strategy::TreeReduce(settings) => {
            record.items > settings.most_items() as u64 || record.tokens > settings.limit()
        }
        Strategy::Progressive(settings) => {
            record.items > settings.msg_threshold as u64 || record.tokens > settings.limit()
        }
    }
}

/// Inserts an item at the place of its first message.
pub(in crate::memory) fn insert(view: &mut Vec<Item>, item: Item) {
    let place = view.partition_point(|other| other.first() < item.first());
    view.insert(place, item);
}
