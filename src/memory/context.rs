//! What goes into the next prompt: the window of a session, and what is remembered of all else that bears on it.

use super::compression::{insert, line};
use super::keys::place_of;
use super::{Env, Error, Hit, Memory, SearchOptions};
use crate::codec::StoredMessage;
use crate::context::prompt::{self, Kind, Request, Turn};
use crate::context::{Item, Kind as ItemKind, window};
use crate::index::{DocKind, Owner, Ranking};
use crate::model::{Draft, Embedding, Invalid, Json, Message, Metadata, Role, Scope, SessionId, Tags};
use crate::store::Store;
use crate::text;

/// How many messages of a window are read beyond its size, so that tool pairs at its beginning are whole.
const MARGIN: u64 = 16;

/// What a prompt is to be made of.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextOptions {
    /// What the prompt is about; what the user said last, if not said.
    pub query: Option<String>,
    /// The most tokens it may have.
    pub budget: u32,
    /// Which kinds to include, in this order.
    pub order: Vec<Kind>,
    /// How many of the last messages are candidates.
    pub window: usize,
    /// How many memories and documents are.
    pub limit: usize,
    /// Instructions of the app, which stand first.
    pub system: Option<String>,
    /// Where the query lies, as the embedder sees it that has seen the entries.
    pub embedding: Option<Embedding>,
    /// The kind of task, which skills are for.
    pub task_type: Option<String>,
    /// Who asks: its policies hold, and entries of other agents are left out.
    pub agent: Option<String>,
    /// In which flow.
    pub flow: Option<String>,
}

/// How to look through everything there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecallOptions {
    /// At most this many.
    pub limit: usize,
    /// Only this conversation.
    pub session: Option<SessionId>,
    /// How hits are ordered.
    pub ranking: Ranking,
    /// Where the query lies.
    pub embedding: Option<Embedding>,
    /// Who asks: entries of other agents are left out. Everything if not said.
    pub agent: Option<String>,
}

/// A prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// What goes before the messages.
    pub prompt: String,
    /// The messages.
    pub messages: Vec<Message>,
    /// The tokens of both together.
    pub tokens: u32,
    /// What is in it, by its reference: what it is, and its tokens.
    pub used: Vec<(String, Kind, u32)>,
    /// What is not, and why.
    pub left: Vec<(String, Kind, prompt::Why)>,
}

/// Something that was found among everything there is: entries, messages of all sessions, histories.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled {
    /// What it is.
    pub kind: DocKind,
    /// The id of the entry or of the message, or the name of the history.
    pub reference: String,
    /// The hit. Its id is the entry's, or says the place in the session.
    pub hit: Hit,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Makes a prompt for the next reply in a session (B24).
    pub async fn context(&self, session: &SessionId, options: &ContextOptions) -> Result<Context, Error> {
        let record = self.session_record(session).await?;
        let (count, fixed) = record.as_ref().map_or((0, &[][..]), |record| (record.count, record.fixed.as_slice()));
        let first = count.saturating_sub(options.window as u64 + MARGIN);
        let before: Vec<u64> = fixed.iter().copied().filter(|place| *place < first).collect();
        let mut read = self.read_places(session, &before).await?;
        read.extend(self.read_messages(session, first, count).await?);
        let stand_ins = if record.is_some() { self.stand_ins(session).await? } else { Vec::new() };
        let (turns, mut texts) = self.candidates(session, &read, &stand_ins, options.window).await?;
        let last_said =
            turns.iter().rev().find(|message| message.role == Role::User && message.answers().next().is_none());
        let query = options.query.clone().or_else(|| last_said.map(Message::text)).unwrap_or_default();
        texts.extend(options.system.iter().map(|text| (Kind::System, "system".to_owned(), text.clone(), 1.0)));
        let wants = |kind: Kind| options.order.contains(&kind);
        let policy = self.inner.config.policies.of(options.flow.as_deref(), options.agent.as_deref());
        if wants(Kind::Profile) && policy.reads(Scope::Profile) {
            let told = told(&self.profile().await?.value);
            if !told.is_empty() {
                texts.push((Kind::Profile, "profile".to_owned(), told, 1.0));
            }
        }
        if wants(Kind::Skill) && policy.reads(Scope::Procedural) {
            for (skill, score) in self.skills_for(options.task_type.as_deref(), &query, policy.max_skills).await? {
                texts.push((Kind::Skill, skill.id.clone(), skill.told(), 0.7 + 0.3 * score));
            }
        }
        let recalls = options.limit > 0 && policy.reads(Scope::Semantic);
        if !query.trim().is_empty() && recalls && (wants(Kind::Memory) || wants(Kind::Document)) {
            let asked = RecallOptions {
                limit: options.limit + turns.len(),
                ranking: Ranking::Best,
                embedding: options.embedding.clone(),
                agent: options.agent.clone(),
                ..RecallOptions::default()
            };
            for recalled in self.recall(&query, &asked).await? {
                if texts.iter().filter(|(kind, ..)| matches!(kind, Kind::Memory | Kind::Document)).count()
                    >= options.limit
                {
                    break;
                }
                let here = recalled.kind != DocKind::Entry
                    && place_of(recalled.hit.id.as_str()).is_some_and(|(of, place)| {
                        let is_read = read.iter().any(|stored| stored.place == place);
                        of == *session && (recalled.kind == DocKind::History || is_read)
                    });
                if here {
                    continue;
                }
                let kind =
                    if recalled.hit.tags.iter().any(|tag| tag == SOURCE_TAG) { Kind::Document } else { Kind::Memory };
                let told = match (&recalled.hit.speaker, recalled.kind) {
                    (Some(speaker), DocKind::Message) => format!("{speaker}: {}", recalled.hit.summary),
                    _ => recalled.hit.summary.clone(),
                };
                texts.push((kind, recalled.reference, told, recalled.hit.score));
            }
        }
        self.compile(&turns, &texts, options)
    }

    fn compile(&self, turns: &[Message], texts: &[Text], options: &ContextOptions) -> Result<Context, Error> {
        let items: Vec<prompt::Item<'_>> = texts
            .iter()
            .map(|(kind, reference, text, value)| prompt::Item { kind: *kind, reference, text, value: *value })
            .collect();
        // The newer a turn, the more it is worth; the last is worth as much as the best memory.
        let worth = |at: usize| 1.0 - (turns.len() - 1 - at) as f64 / (turns.len().max(1) as f64);
        let candidates: Vec<Turn<'_>> =
            turns.iter().enumerate().map(|(at, message)| Turn { message, value: worth(at) }).collect();
        let count = |text: &str| self.count_tokens(text);
        let request =
            Request { items: &items, turns: &candidates, budget: options.budget, order: &options.order, count: &count };
        let compiled =
            prompt::compile(&request).map_err(|small| Invalid::value("budget", format!("is too small: {small}")))?;
        Ok(Context {
            messages: compiled.messages.into_iter().cloned().collect(),
            used: compiled.used.iter().map(|used| (used.reference.to_owned(), used.kind, used.tokens)).collect(),
            left: compiled.left.iter().map(|left| (left.reference.to_owned(), left.kind, left.why)).collect(),
            prompt: compiled.prompt,
            tokens: compiled.tokens,
        })
    }

    /// The messages of a window, and the texts that stand for earlier ones.
    async fn candidates(
        &self,
        session: &SessionId,
        read: &[StoredMessage],
        stand_ins: &[Item],
        size: usize,
    ) -> Result<(Vec<Message>, Vec<Text>), Error> {
        let mut view: Vec<Item> = stand_ins.to_vec();
        for stored in read {
            if !stand_ins.iter().any(|item| item.covers(stored.place)) {
                insert(&mut view, Item::of(&stored.message, stored.place, stored.tokens));
            }
        }
        let start = window::last_messages(&view, size);
        let (mut turns, mut texts) = (Vec::new(), Vec::new());
        for item in window::shown(&view, start) {
            match &item.kind {
                ItemKind::Message(_) => {
                    let found = read.iter().find(|stored| stored.place == item.first());
                    turns.extend(found.map(|stored| stored.message.clone()));
                }
                ItemKind::Offload(id, preview) => {
                    let told = format!("{}: {preview} [more: message {id}]", item.role.as_str());
                    texts.push((Kind::Summary, item.name(), told, 0.5));
                }
                ItemKind::Merge => {
                    let messages = self.told_by(session, std::slice::from_ref(item)).await?;
                    let told: Vec<String> = messages.iter().map(|stored| line(&stored.message)).collect();
                    texts.push((Kind::Summary, item.name(), told.join("\n"), 0.5));
                }
                ItemKind::Summary(text) | ItemKind::History(_, text) => {
                    texts.push((Kind::Summary, item.name(), text.clone(), 0.9));
                }
            }
        }
        Ok((turns, texts))
    }

    /// Searches everything there is: entries, the messages of all sessions, histories (C22).
    pub async fn recall(&self, query: &str, asked: &RecallOptions) -> Result<Vec<Recalled>, Error> {
        let options = SearchOptions {
            query: query.to_owned(),
            ranking: asked.ranking,
            limit: Some(asked.limit),
            session: asked.session.as_ref().map(ToString::to_string),
            embedding: asked.embedding.clone(),
            ..SearchOptions::default()
        };
        let owner = asked.agent.as_deref().map_or(Owner::Anybody, Owner::SeenBy);
        let found = self.find_owned(&options, &[DocKind::Entry, DocKind::Message, DocKind::History], owner).await?;
        let recalled = found.into_iter().map(|(kind, hit)| {
            // Messages and histories have their own names where entries have where they came from.
            let name = hit.source.clone().filter(|_| kind != DocKind::Entry);
            Recalled { kind, reference: name.unwrap_or_else(|| hit.id.to_string()), hit }
        });
        Ok(recalled.collect())
    }

    /// Takes in a document: in pieces, at meaning (C17, C18). A document of the same source makes room for it. Answers how
    /// many pieces it has, and how many went.
    pub async fn ingest(&self, source: &str, content: &str, options: &IngestOptions) -> Result<(usize, usize), Error> {
        if source.is_empty() {
            return Err(Invalid::value("source", "must not be empty").into());
        }
        let drafts = pieces(source, content, options)?;
        let count = drafts.len();
        let went = self.replace_sources(&[(source.to_owned(), drafts)]).await?;
        Ok((count, went.first().copied().unwrap_or(0)))
    }
}

/// A document as entries: one for each piece.
pub(super) fn pieces(source: &str, content: &str, options: &IngestOptions) -> Result<Vec<Draft>, Invalid> {
    let target = options.target_chars.max(1);
    let mut tags = options.tags.as_slice().to_vec();
    tags.push(SOURCE_TAG.to_owned());
    let tags = Tags::new("tags", tags)?;
    let namespace = options.namespace.clone().unwrap_or_else(|| "long-term".to_owned());
    let mut drafts = Vec::new();
    for chunk in text::chunks(content, target, target.saturating_mul(4)) {
        let said = content.get(chunk.range).unwrap_or("").trim();
        if said.is_empty() {
            continue;
        }
        let path = chunk.heading_path.join(" > ");
        let content =
            if path.is_empty() || said.starts_with('#') { said.to_owned() } else { format!("{path}\n\n{said}") };
        drafts.push(Draft {
            content,
            namespace: Some(namespace.clone()),
            tags: tags.clone(),
            source: Some(source.to_owned()),
            metadata: options.metadata.clone().of_chunk(drafts.len(), options.title.as_deref()),
            ..Draft::default()
        });
    }
    Ok(drafts)
}

/// A profile in lines, one for each value.
fn told(value: &Json) -> String {
    fn tell(value: &Json, path: &mut Vec<String>, lines: &mut Vec<String>) {
        match value {
            Json::Object(fields) => {
                for (name, value) in fields {
                    path.push(name.clone());
                    tell(value, path, lines);
                    path.pop();
                }
            }
            Json::String(text) => lines.push(format!("{}: {text}", path.join("."))),
            other => lines.push(format!("{}: {other}", path.join("."))),
        }
    }
    let mut lines = Vec::new();
    tell(value, &mut Vec::new(), &mut lines);
    lines.join("\n")
}

/// A text on its way into a prompt: what it is, its reference, what it says, and what it is worth.
type Text = (Kind, String, String, f64);

/// The label of pieces of documents.
pub(super) const SOURCE_TAG: &str = "source";

/// How a document is taken in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IngestOptions {
    /// Where its pieces belong; `long-term` if not said.
    pub namespace: Option<String>,
    /// Further labels.
    pub tags: Tags,
    /// About how long a piece is.
    pub target_chars: usize,
    /// The document's title, which goes with each piece.
    pub title: Option<String>,
    /// The app's own data, which goes with each piece.
    pub metadata: Metadata,
}
