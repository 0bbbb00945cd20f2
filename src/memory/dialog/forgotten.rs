//! Erases the text of messages that said something forgotten, and its copies: in tool results, summaries, histories,
//! titles and embeddings. The messages themselves stay, with their places and ids.

use super::compression::line;
use crate::codec::{Beside, Kind as Stored, SessionRecord, StoredMessage};
use crate::context::prompt::spoken;
use crate::context::{Item, Kind};
use crate::judgement::{FORGOTTEN, Meant, Named as Sought, Reading, Stated, Traces};
use crate::log::Change;
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::slices::RECORD;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{AgentId, Block, BlockKind, FileSource, Json, Message, Metadata, Role, SessionId};
use crate::store::{Op, Space, Store};

impl<S: Store, E: Env> Memory<S, E> {
    /// Adds the erased texts of these sessions to a plan. Returns the number of
    /// messages.
    pub(in crate::memory) async fn plan_forgotten_talk(
        &self,
        plan: &mut Plan,
        sessions: &[SessionId],
        traces: Traces,
    ) -> Result<u64, Error> {
        let mut count = 0;
        if !traces.is_empty() {
            for session in sessions {
                count += self.plan_forgotten_session(plan, session, traces.clone()).await?;
            }
        }
        Ok(count)
    }

    /// The sessions that the agent sees, and the traces with the sentences of their messages that the query means.
    pub(in crate::memory) async fn forgotten_talk(
        &self,
        sought: &Sought,
        traces: Traces,
        agent: Option<&AgentId>,
    ) -> Result<(Vec<SessionId>, Traces), Error> {
        let mut sessions = Vec::new();
        for (key, bytes) in self.all(Space::Records, self.inner.keys.sessions()).await? {
            let Some(Named::Session(session)) = self.inner.keys.named_of(&key) else { continue };
            let of = SessionRecord::decode(&bytes)?.agent;
            if agent.is_none() || of.is_none() || of.as_ref() == agent {
                sessions.push(session);
            }
        }
        let traces = self.with_sentences(&sessions, sought, traces).await?;
        Ok((sessions, traces))
    }

    /// The traces with the sentences of messages that the query means. If no entry was meant, the messages alone decide
    /// which.
    async fn with_sentences(
        &self,
        sessions: &[SessionId],
        sought: &Sought,
        mut traces: Traces,
    ) -> Result<Traces, Error> {
        let mut candidates: Vec<Stated> = Vec::new();
        for session in sessions {
            for stored in self.read_messages(session, 0, u64::MAX).await? {
                for text in said(&stored.message) {
                    candidates
                        .extend(self.aside(|| self.judged(text, |judge, prior| judge.stated(text, prior, sought))));
                    self.breathe(RECORD + 4 * text.len()).await;
                }
            }
        }
        if traces.meant() == Meant::Nothing {
            // A request to forget names everything at once, so it must not decide alone.
            let of = |states: bool| candidates.iter().filter(move |one| one.states || !states).map(|one| &one.fact);
            let meant = [true, false].map(|states| sought.meant(of(states)));
            traces.set_meant(meant.into_iter().find(|meant| *meant != Meant::Nothing).unwrap_or(Meant::Nothing));
        }
        for Stated { text, fact, .. } in &candidates {
            if sought.means(fact, traces.meant()) {
                self.aside(|| self.judged(text, |judge, _| traces.add(text, judge)));
            }
        }
        Ok(traces)
    }

    async fn plan_forgotten_session(
        &self,
        plan: &mut Plan,
        session: &SessionId,
        mut traces: Traces,
    ) -> Result<u64, Error> {
        let mut changed: Vec<StoredMessage> = Vec::new();
        for mut stored in self.read_messages(session, 0, u64::MAX).await? {
            let whole = said(&stored.message).map(str::to_owned).collect::<Vec<_>>();
            self.breathe(RECORD).await;
            if !self.forget_in(&mut stored.message, &traces) {
                continue;
            }
            for text in whole.iter().filter(|text| said(&stored.message).all(|kept| kept != *text)) {
                self.aside(|| self.judged(text, |judge, _| traces.add_source(text, judge)));
            }
            stored.tokens = self.count_tokens(&spoken(&stored.message));
            self.plan_forgotten_message(plan, session, &stored).await?;
            changed.push(stored);
        }
        self.plan_forgotten_histories(plan, session, &traces).await?;
        let summary = self.inner.keys.summary(session);
        if let Some(mut value) = self.kept(summary.clone()).await?
            && in_json(&mut value, &|text| self.in_summary(text, &traces))
        {
            self.plan_kept(plan, summary, &value)?;
        }
        self.plan_forgotten_view(plan, session, &changed, &traces).await?;
        Ok(changed.len() as u64)
    }

    async fn plan_forgotten_message(
        &self,
        plan: &mut Plan,
        session: &SessionId,
        stored: &StoredMessage,
    ) -> Result<(), Error> {
        let named = Named::Message(session.clone(), stored.place);
        self.plan_without_vector(plan, &named).await?;
        let bytes = stored.encode(self.entropy()?);
        let change = self.leaf_of_talk(&self.inner.keys.named(&named), &bytes, &[]).await?;
        plan.touch(stored.seq);
        // A storage may keep a new message inside its page of the log. Only a deletion takes it out of there.
        plan.ops.push(Op::Delete(Space::Records, self.inner.keys.named(&named)));
        plan.put_named(Change::Update, &named, bytes, None);
        plan.docs.extend(change);
        Ok(())
    }

    async fn plan_forgotten_histories(
        &self,
        plan: &mut Plan,
        session: &SessionId,
        traces: &Traces,
    ) -> Result<(), Error> {
        for (key, bytes) in self.all(Space::Records, self.inner.keys.histories(Some(session))).await? {
            let mut value = Beside::decode(Stored::History, &bytes)?;
            let said = value.get("text").as_str().and_then(|text| self.in_summary(text, traces));
            let (Some(text), Some(named)) = (said, self.inner.keys.named_of(&key)) else { continue };
            let seq = value.get("seq").as_i64().and_then(|seq| u64::try_from(seq).ok());
            let tokens = self.count_tokens(&text);
            if let Json::Object(fields) = &mut value {
                for (name, value) in fields {
                    match name.as_str() {
                        "text" => *value = text.as_str().into(),
                        "tokens" => *value = u64::from(tokens).into(),
                        _ => {}
                    }
                }
            }
            self.plan_without_vector(plan, &named).await?;
            let leaf = self.history_leaf(session, &value, &[]);
            plan.touch(seq.unwrap_or_default());
            plan.put_named(Change::Update, &named, Beside::encode(Stored::History, &value, self.entropy()?), leaf);
        }
        Ok(())
    }

    /// Deletes the vector of a message or a history, which the plan rewrites.
    async fn plan_without_vector(&self, plan: &mut Plan, named: &Named) -> Result<(), Error> {
        if let Some(vector) = named.vector()
            && self.fetch_one(Space::Records, self.inner.keys.named(&vector)).await?.is_some()
        {
            plan.forget(&vector, None);
        }
        Ok(())
    }

    /// Rewrites the view, the title and the counts of a session, if they change.
    async fn plan_forgotten_view(
        &self,
        plan: &mut Plan,
        session: &SessionId,
        changed: &[StoredMessage],
        traces: &Traces,
    ) -> Result<(), Error> {
        let Some(mut record) = self.planned_record(session).await? else { return Ok(()) };
        let title = record.title.as_deref().is_some_and(|title| self.in_summary(title, traces).is_some());
        if title {
            record.title = Some(FORGOTTEN.to_owned());
        }
        let mut view = self.whole_view(session, &record).await?;
        let mut differs = false;
        for item in &mut view {
            let mut of = changed.iter().filter(|stored| item.covers(stored.place));
            let text = match &item.kind {
                Kind::Message(_) => {
                    if let Some(stored) = of.next() {
                        *item = Item::of(&stored.message, stored.place, stored.tokens);
                    }
                    continue;
                }
                Kind::Offload(_, text) if of.next().is_none() => self.in_summary(text, traces),
                Kind::Offload(..) => Some(FORGOTTEN.to_owned()),
                Kind::Summary(text) | Kind::History(_, text) => self.in_summary(text, traces),
                Kind::Merge if of.next().is_some() => Some(self.merged_without(session, item, changed).await?),
                Kind::Merge | Kind::Deleted | Kind::Cleared => None,
            };
            let Some(text) = text else { continue };
            differs = true;
            item.tokens = self.count_tokens(&text);
            item.chars = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            item.kind = match &item.kind {
                Kind::Offload(id, _) => Kind::Offload(id.clone(), text),
                Kind::History(number, _) => Kind::History(*number, text),
                Kind::Summary(_) => Kind::Summary(text),
                kind => kind.clone(),
            };
        }
        if differs {
            return self.plan_view(plan, session, record, &view);
        }
        if title || !changed.is_empty() {
            record.tokens = view.iter().filter(|item| !item.is_hidden()).map(|item| u64::from(item.tokens)).sum();
            self.plan_session(plan, session, record, true)?;
        }
        Ok(())
    }

    /// The text of merged messages, which is made of the changed ones when it is shown.
    async fn merged_without(
        &self,
        session: &SessionId,
        item: &Item,
        changed: &[StoredMessage],
    ) -> Result<String, Error> {
        let places: Vec<u64> = item.spans.iter().flat_map(|(from, to)| *from..=*to).collect();
        let messages = self.read_places(session, &places).await?;
        let now = |old: &StoredMessage| line(&changed.iter().find(|new| new.place == old.place).unwrap_or(old).message);
        Ok(messages.iter().map(now).collect::<Vec<_>>().join("\n"))
    }

    /// A summary or a title without what is forgotten; `None` if it has nothing of it.
    fn in_summary(&self, text: &str, traces: &Traces) -> Option<String> {
        self.aside(|| self.judged(text, |judge, prior| traces.without_parts(Reading { text, judge, prior })))
    }

    /// Erases the texts of a message that say something forgotten, and copies in its other strings. The app's
    /// instructions and the results of tools are not the user's words: only copies in them are erased. Returns whether
    /// it has changed.
    fn forget_in(&self, message: &mut Message, traces: &Traces) -> bool {
        let talks = matches!(message.role, Role::User | Role::Assistant);
        let copies = |text: &str| {
            self.aside(|| self.judged(text, |judge, prior| traces.without_copies(Reading { text, judge, prior })))
        };
        let whole = |text: &str| {
            let meant = |text: &str| {
                self.aside(|| self.judged(text, |judge, prior| traces.is_meant(Reading { text, judge, prior })))
            };
            if talks { meant(text).then(|| FORGOTTEN.to_owned()) } else { copies(text) }
        };
        let mut changed = false;
        for block in &mut message.content {
            changed |= in_block(block, &whole, &copies);
        }
        let mut metadata = message.metadata.to_json();
        if in_json(&mut metadata, &copies)
            && let Ok(kept) = Metadata::new("metadata", metadata)
        {
            message.metadata = kept;
            changed = true;
        }
        changed
    }
}

/// The texts of the user and the model in a message.
fn said(message: &Message) -> impl Iterator<Item = &str> {
    let talks = matches!(message.role, Role::User | Role::Assistant);
    message.content.iter().filter(move |_| talks).filter_map(|block| match &block.kind {
        BlockKind::Text(text) | BlockKind::Thought(text) => Some(text.as_str()),
        _ => None,
    })
}

/// A text without what is forgotten; `None` if it has nothing of it.
type Cut<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Cuts the strings of a block: its own text by `whole`, and all others by `copies`. Returns whether it has changed.
fn in_block(block: &mut Block, whole: Cut<'_>, copies: Cut<'_>) -> bool {
    let mut changed = false;
    for (_, value) in &mut block.extra {
        changed |= in_json(value, copies);
    }
    changed
        | match &mut block.kind {
            BlockKind::Text(text) | BlockKind::Thought(text) => in_text(text, whole),
            BlockKind::ToolUse { input, .. } => in_json(input, copies),
            BlockKind::ToolResult { output, .. } => {
                output.iter_mut().fold(false, |changed, block| in_block(block, copies, copies) | changed)
            }
            BlockKind::File { name, source, .. } => {
                let named = name.as_mut().is_some_and(|name| in_text(name, copies));
                match source {
                    FileSource::Url(url) => in_text(url, copies) | named,
                    FileSource::Base64(_) | FileSource::Id(_) => named,
                }
            }
            BlockKind::Other(value) => in_json(value, copies),
        }
}

fn in_text(text: &mut String, cut: Cut<'_>) -> bool {
    match cut(text) {
        Some(kept) => {
            *text = kept;
            true
        }
        None => false,
    }
}

/// Cuts every string of a value. Returns whether it has changed.
fn in_json(value: &mut Json, cut: Cut<'_>) -> bool {
    match value {
        Json::String(text) => in_text(text, cut),
        Json::Array(items) => items.iter_mut().fold(false, |changed, item| in_json(item, cut) | changed),
        Json::Object(fields) => fields.iter_mut().fold(false, |changed, (_, value)| in_json(value, cut) | changed),
        _ => false,
    }
}
