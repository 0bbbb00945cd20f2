//! JSON verbs of conversations: decode, call, encode.

use super::digest::{digest, digest_options};
use super::prompt::{context, context_options};
use super::search::{hit, keyword_options, recall_options, receipt, retrieve_options};
use super::verb::{Session, Sessions, Translation};
use crate::codec::json::{self, Fields, each};
use crate::context::compress::{Progressive, Strategy, TreeReduce};
use crate::context::formats::Format;
use crate::context::{Kind as ItemKind, lines};
use crate::index::DocKind;
use crate::memory::dialog::compression::{Ends, Progress, SummaryRequest, ViewContent, ViewItem};
use crate::memory::dialog::messages::{SessionInfo, Window};
use crate::memory::dialog::talk_embedding::UnembeddedTalk;
use crate::memory::engine::talk::History;
use crate::memory::engine::talk::trust_of;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::sources::IngestOptions;
use crate::memory::prompt::digest::DigestOptions;
use crate::memory::prompt::forget::{ForgetOptions, forgotten};
use crate::memory::prompt::long_term::{Origin, Outcome, Recorded};
use crate::memory::prompt::recall::Recalled;
use crate::memory::prompt::understood::{Understood, UnderstoodFact};
use crate::model::{
    AgentId, Embedding, Invalid, Json, Message, MessageDraft, MessageId, SessionId, Tags, Timestamp, Trust,
};
use crate::store::Store;
use crate::text;

impl<S: Store, E: Env> Memory<S, E> {
    /// Verbs of one session.
    pub(super) async fn session_verbs(&self, verb: Session, mut fields: Fields) -> Result<Json, Error> {
        let session = &SessionId::new("session", fields.required_text("session"))?;
        match verb {
            Session::Append => {
                let agent = fields.made("agent", AgentId::new);
                let drafts = drafts(&mut fields, "messages");
                fields.finish()?;
                let kept = self.append(session, agent.as_ref(), &drafts?).await?;
                Ok(messages(&kept))
            }
            Session::Messages => {
                let limit = fields.count("limit").unwrap_or(30) as u64;
                let before = fields.made("before", MessageId::new);
                fields.finish()?;
                Ok(window(&self.messages(session, limit, before.as_ref()).await?))
            }
            Session::Message => {
                let id = fields.required_text("id");
                fields.finish()?;
                let found = self.message(session, &MessageId::new("id", id)?).await?;
                Ok(found.as_ref().map_or(Json::Null, json::message))
            }
            Session::Session => {
                fields.finish()?;
                Ok(self.session(session).await?.as_ref().map_or(Json::Null, info))
            }
            Session::SetTitle => {
                let title = fields.required_text("title");
                fields.finish()?;
                Ok(info(&self.set_title(session, &title).await?))
            }
            Session::Fork => {
                let (at, to) = (fields.required_text("at"), fields.required_text("to"));
                fields.finish()?;
                let (at, to) = (MessageId::new("at", at)?, SessionId::new("to", to)?);
                Ok(info(&self.fork(session, &at, &to).await?))
            }
            Session::DeleteSession => {
                let keep_entries = fields.flag("keepEntries").unwrap_or_default();
                fields.finish()?;
                Ok(self.delete_session(session, keep_entries).await?.into())
            }
            Session::View => {
                fields.finish()?;
                let view = self.session_view(session).await?;
                Ok(Json::Array(view.iter().map(view_item).collect()))
            }
            Session::Compress => {
                let way = way(fields.value("way").unwrap_or_default(), self.tree_reduce());
                let hook = fields.flag("hook").unwrap_or_default();
                fields.finish()?;
                Ok(progress(&self.compress(session, &way?, hook).await?))
            }
            Session::Histories => {
                fields.finish()?;
                Ok(Json::Array(self.histories_with_ends(session).await?.iter().map(history).collect()))
            }
            Session::Context => {
                let (options, format) = context_options(fields)?;
                let made = self.context(session, &options).await?;
                let mut answer = context(&made);
                if let (Some(format), Json::Object(fields)) = (format, &mut answer) {
                    let sent = self.sent(format, &made, options.system.as_deref())?;
                    fields
                        .iter_mut()
                        .filter(|(name, _)| name == "messages")
                        .for_each(|(_, value)| *value = sent.clone());
                }
                Ok(answer)
            }
            Session::LastAsked => {
                fields.finish()?;
                Ok(self.last_asked(session).await?.into())
            }
            Session::LogExport => {
                fields.finish()?;
                Ok(Json::Array(self.export_log(session).await?.into_iter().map(Json::String).collect()))
            }
            Session::Hide => {
                let refs = fields.texts("refs");
                fields.finish()?;
                Ok(self.hide(session, &refs).await?.into())
            }
            Session::ClearView => {
                fields.finish()?;
                Ok(self.clear_view(session).await?.into())
            }
            Session::RestoreView => {
                let agent = fields.made("agent", AgentId::new);
                let drafts = drafts(&mut fields, "messages");
                fields.finish()?;
                Ok(self.restore_view(session, agent.as_ref(), &drafts?).await?.into())
            }
            Session::Hidden => {
                fields.finish()?;
                let hidden = self.hidden(session).await?;
                Ok(Json::Array(hidden.iter().map(|id| id.as_str().into()).collect()))
            }
            Session::ViewMessages => {
                fields.finish()?;
                Ok(draft_list(self.view_messages(session).await?))
            }
            Session::SaveComponents => {
                let components = fields.value("components").unwrap_or_default();
                fields.finish()?;
                self.save_components(session, &components).await.map(|()| Json::Null)
            }
            Session::LoadComponents => {
                fields.finish()?;
                Ok(self.components(session).await?.unwrap_or_default())
            }
        }
    }

    /// Verbs across sessions.
    pub(super) async fn sessions_verbs(&self, verb: Sessions, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            Sessions::Sessions => {
                fields.finish()?;
                Ok(Json::Array(self.sessions().await?.iter().map(info).collect()))
            }
            Sessions::Digest => Ok(digest(&self.digest(&digest_options(fields)?).await?)),
            Sessions::Compressed => {
                let token = fields.count("token").unwrap_or_default() as u64;
                let texts = fields.list("summaries");
                fields.finish()?;
                let text = |text: Json| if let Json::String(text) = text { Some(text) } else { None };
                Ok(progress(&self.compressed(token, texts.into_iter().map(text).collect()).await?))
            }
            Sessions::QueryMemory => {
                let (query, asked) = recall_options(fields)?;
                let found = self.recall(&query, &asked).await?;
                let hits = Json::Array(found.iter().map(recalled).collect());
                let sessions = asked.session.into_iter().collect();
                let most = DigestOptions { sessions, ..DigestOptions::default() };
                let overview = match self.digest_for(&query, &most).await {
                    // A session that does not exist has no hits.
                    Err(Error::NotFound { .. }) => None,
                    overview => overview?,
                };
                Ok(match overview {
                    Some(overview) => Json::object(vec![("hits", hits), ("digest", digest(&overview))]),
                    None => hits,
                })
            }
            Sessions::Ingest => {
                let (source, content) = (fields.required_text("source"), fields.required_text("text"));
                let tags = Tags::new("tags", fields.texts("tags"));
                let options = IngestOptions {
                    namespace: fields.text("namespace"),
                    tags: fields.accept(tags).unwrap_or_default(),
                    target_chars: fields.count("targetChars").unwrap_or(1200),
                    trust: fields.made("trust", |field, word| Trust::new(field, &word)),
                    ..IngestOptions::default()
                };
                fields.finish()?;
                let (chunks, replaced) = self.ingest(&source, &content, &options).await?;
                Ok(Json::object(vec![("chunks", chunks.into()), ("replaced", replaced.into())]))
            }
            Sessions::Record => {
                let origin = origin(&mut fields);
                let texts = fields.texts("texts");
                let drafts = drafts(&mut fields, "messages");
                let understood = understood(&mut fields);
                fields.finish()?;
                let (said, understood) = (self.said(drafts?)?, understood?);
                // Texts may be taken from any of the messages.
                let least = said.iter().map(trust_of).min().unwrap_or_default();
                let mut kept = self.record_texts(&texts, &Origin { trust: least, ..origin.clone() }).await?;
                kept.extend(self.record(&said, &understood, &origin).await?);
                Ok(Json::Array(kept.iter().map(recorded).collect()))
            }
            Sessions::Forget => {
                let query = fields.required_text("query");
                let messages = fields.flag("messages").unwrap_or_default();
                let agent = fields.made("agent", AgentId::new);
                fields.finish()?;
                // Boxed: its many reads would be part of the future of every verb.
                Ok(forgotten(&Box::pin(self.forget(&ForgetOptions { query, messages, agent })).await?))
            }
            Sessions::Retrieve => {
                let (options, agent, instructions) = retrieve_options(fields)?;
                let block = if instructions { self.standing_block(agent.as_ref()).await? } else { String::new() };
                let found = self.retrieve_by(&options, agent.as_ref()).await?;
                let gap = if block.is_empty() || found.is_empty() { "" } else { "\n" };
                Ok([block.as_str(), gap, found.as_str()].concat().into())
            }
            Sessions::Instructions => {
                let agent = fields.text("agent");
                fields.finish()?;
                Ok(Json::Array(self.instructions(agent.as_deref()).await?.iter().map(hit).collect()))
            }
            Sessions::UnembeddedTalk => {
                let limit = fields.count("limit").unwrap_or(32);
                fields.finish()?;
                let (items, total) = self.unembedded_talk(limit).await?;
                let items = Json::Array(items.iter().map(unembedded_talk).collect());
                Ok(Json::object(vec![("items", items), ("total", total.into())]))
            }
            Sessions::EmbedTalk => {
                let items = fields.list("items");
                fields.finish()?;
                let embeddings = items.into_iter().map(embedded_talk).collect::<Result<Vec<_>, _>>()?;
                Ok(self.embed_talk(&embeddings).await?.into())
            }
            Sessions::RecordToMemory => {
                fields.value("thinking");
                let (content, origin) = (fields.texts("content"), origin(&mut fields));
                fields.finish()?;
                Ok(self.record_to_memory(&content, &origin).await?.into())
            }
            Sessions::QuoteMemories => {
                let texts = fields.texts("texts");
                fields.finish()?;
                Ok(self.quote_memories(&texts)?.into())
            }
            Sessions::RetrieveFromMemory => {
                let (options, agent) = keyword_options(fields)?;
                Ok(self.retrieve_from_memory(&options, agent.as_ref()).await?.into())
            }
        }
    }

    /// Verbs that convert their arguments, without stored data.
    pub(super) fn translation_verbs(&self, verb: Translation, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            Translation::CountTokens => Ok(u64::from(self.count_tokens(&only_text(fields)?)).into()),
            Translation::EstimateTokens => Ok(u64::from(text::estimate_documented(&only_text(fields)?)).into()),
            Translation::ToFormat => {
                let format = fields.required_text("format");
                let drafts = drafts(&mut fields, "messages");
                fields.finish()?;
                Ok(Format::from_name("format", &format)?.write(&self.said(drafts?)?))
            }
            Translation::FromFormat => {
                let format = fields.required_text("format");
                let value = fields.value("value").unwrap_or_default();
                fields.finish()?;
                Ok(draft_list(Format::from_name("format", &format)?.read(&value)?))
            }
            Translation::ToLines => {
                let ids = fields.flag("ids").unwrap_or_default();
                let drafts = drafts(&mut fields, "messages");
                fields.finish()?;
                let said = self.said(drafts?)?;
                Ok(Json::Array(said.iter().flat_map(|message| lines::write(message, ids)).collect()))
            }
            Translation::FromLines => {
                let given = fields.value("lines").unwrap_or_default();
                fields.finish()?;
                Ok(draft_list(lines::read(line_list(given)?)?))
            }
        }
    }
}

fn only_text(mut fields: Fields) -> Result<String, Invalid> {
    let text = fields.required_text("text");
    fields.finish()?;
    Ok(text)
}

fn drafts(fields: &mut Fields, name: &'static str) -> Result<Vec<MessageDraft>, Invalid> {
    each(fields.list(name), name, json::message_draft)
}

/// Lines as an array of objects, or as the string of an export.
fn line_list(given: Json) -> Result<Vec<Json>, Invalid> {
    match given {
        Json::Array(lines) => Ok(lines),
        Json::String(text) => text
            .lines()
            .enumerate()
            .map(|(at, line)| json::parse(line).map_err(|_| Invalid::value(format!("lines[{at}]"), "must be JSON")))
            .collect(),
        _ => Err(Invalid::value("lines", "must be an array of lines, or a text of lines")),
    }
}

fn draft_list(drafts: Vec<MessageDraft>) -> Json {
    Json::Array(drafts.into_iter().map(draft).collect())
}

/// A draft as JSON, without its unset fields.
pub(crate) fn draft(draft: MessageDraft) -> Json {
    let (id, at) = (draft.id.is_some(), draft.at.is_some());
    let Ok(nobody) = MessageId::new("id", "-") else { return Json::Null };
    let mut value = json::message(&draft.into_message(nobody, Timestamp::MAX));
    if let Json::Object(fields) = &mut value {
        fields.retain(|(name, _)| (name != "id" || id) && (name != "at" || at));
    }
    value
}

pub(in crate::memory) fn messages(messages: &[Message]) -> Json {
    Json::Array(messages.iter().map(json::message).collect())
}

pub(crate) fn window(window: &Window) -> Json {
    Json::object(vec![
        ("messages", messages(&window.messages)),
        ("total", window.total.into()),
        ("more", (window.before > 0).into()),
    ])
}

pub(crate) fn info(SessionInfo { id, record }: &SessionInfo) -> Json {
    let origin = record.forked_from.as_ref().map(|(session, message)| {
        Json::object(vec![("session", session.as_str().into()), ("message", message.as_str().into())])
    });
    Json::object(vec![
        ("id", id.as_str().into()),
        ("title", record.title.as_deref().into()),
        ("agent", record.agent.as_ref().map(AgentId::as_str).into()),
        ("createdAt", record.created_at.to_string().into()),
        ("updatedAt", record.updated_at.to_string().into()),
        ("messages", record.count.into()),
        ("tokens", record.tokens.into()),
        ("histories", u64::from(record.histories).into()),
        ("forkedFrom", origin.unwrap_or_default()),
    ])
}

pub(crate) fn view_item(ViewItem { item, says }: &ViewItem) -> Json {
    let kind = match &item.kind {
        ItemKind::Message(_) => "message",
        ItemKind::Offload(..) => "offload",
        ItemKind::Merge => "merge",
        ItemKind::Summary(_) => "summary",
        ItemKind::History(..) => "history",
        ItemKind::Deleted | ItemKind::Cleared => "hidden",
    };
    let (text, message) = match says {
        ViewContent::Message(message) => (Json::Null, json::message(message)),
        ViewContent::Text(text) => (text.as_str().into(), Json::Null),
    };
    Json::object(vec![
        ("kind", kind.into()),
        ("ref", item.name().into()),
        ("role", item.role.as_str().into()),
        ("tokens", u64::from(item.tokens).into()),
        ("text", text),
        ("message", message),
        ("messages", item.messages().into()),
    ])
}

/// Decodes a compression strategy. Missing settings of tree-reduce are those of `usual`.
fn way(value: Json, usual: TreeReduce) -> Result<Strategy, Invalid> {
    let mut fields = Fields::of("way", value);
    let kind = fields.text("type").unwrap_or_else(|| "tree-reduce".to_owned());
    let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let way = match kind.as_str() {
        "progressive" => {
            let usual = Progressive::default();
            let settings = Progressive {
                context_tokens: fields.count("contextTokens").map_or(usual.context_tokens, small),
                msg_threshold: fields.count("msgThreshold").unwrap_or(usual.msg_threshold),
                token_ratio: fields.number("tokenRatio").unwrap_or(usual.token_ratio),
                last_keep: fields.count("lastKeep").unwrap_or(usual.last_keep),
                large_payload: fields.count("largePayload").map_or(usual.large_payload, small),
                preview: fields.count("preview").map_or(usual.preview, small),
            };
            settings.checked().map(Strategy::Progressive)
        }
        "tree-reduce" => {
            // The documented names are accepted too (C27).
            let threshold = fields.named("compressionThreshold", "compression_threshold");
            let chunk = fields.named("chunkSize", "chunk_size");
            let hot = fields.named("hotWindowSize", "hot_window_size");
            let settings = TreeReduce {
                context_tokens: fields.count("contextTokens").map_or(usual.context_tokens, small),
                compression_threshold: fields.number(threshold).unwrap_or(usual.compression_threshold),
                chunk_size: fields.count(chunk).unwrap_or(usual.chunk_size),
                hot_window_size: fields.count(hot).or(usual.hot_window_size),
            };
            settings.checked().map(Strategy::TreeReduce)
        }
        _ => Err(Invalid::value("type", "must be one of: tree-reduce, progressive")),
    };
    let finished = fields.finish();
    way.and_then(|way| finished.map(|()| way)).map_err(|mistake| mistake.within("way"))
}

fn progress(progress: &Progress) -> Json {
    match progress {
        Progress::Done { changed, items, history } => Json::object(vec![
            ("done", true.into()),
            ("changed", (*changed).into()),
            ("items", (*items).into()),
            ("history", history.as_deref().into()),
        ]),
        Progress::Needs { token, texts } => Json::object(vec![
            ("done", false.into()),
            ("token", (*token).into()),
            ("requests", Json::Array(texts.iter().map(to_tell).collect())),
        ]),
    }
}

fn to_tell(told: &SummaryRequest) -> Json {
    Json::object(vec![
        ("task", if told.merge { "merge" } else { "summarise" }.into()),
        ("maxTokens", u64::from(told.max_tokens).into()),
        ("messages", messages(&told.messages)),
        ("texts", Json::Array(told.texts.iter().map(|text| text.as_str().into()).collect())),
    ])
}

fn history((history, [first, last]): &(History, Ends)) -> Json {
    Json::object(vec![
        ("id", history.name().into()),
        ("text", history.text.as_str().into()),
        ("tokens", u64::from(history.tokens).into()),
        ("messages", history.messages().into()),
        ("first", first.as_ref().map(MessageId::as_str).into()),
        ("last", last.as_ref().map(MessageId::as_str).into()),
        ("createdAt", history.created_at.to_string().into()),
        ("trust", history.trust.as_str().into()),
    ])
}

/// The facts that the app found in messages.
fn understood(fields: &mut Fields) -> Result<Vec<Understood>, Invalid> {
    let read_fact = |value: Json| {
        let mut fields = Fields::of("", value);
        let fact = UnderstoodFact {
            text: fields.required_text("text"),
            who: fields.text("who"),
            slot: fields.text("slot"),
            instruction: fields.flag("instruction").unwrap_or_default(),
        };
        fields.finish()?;
        Ok(fact)
    };
    let read = |value: Json| {
        let mut fields = Fields::of("", value);
        let message = fields.count("message").unwrap_or(usize::MAX);
        let facts = each(fields.list("facts"), "facts", read_fact);
        fields.finish()?;
        Ok(Understood { message, facts: facts? })
    };
    each(fields.list("understood"), "understood", read)
}

fn origin(fields: &mut Fields) -> Origin {
    Origin {
        session: fields.made("session", SessionId::new),
        agent: fields.made("agent", AgentId::new),
        source: fields.text("source"),
        trust: Trust::Normal,
    }
}

pub(crate) fn recorded(Recorded { entry, outcome, replaced }: &Recorded) -> Json {
    let mut value = json::entry(entry);
    if let Json::Object(fields) = &mut value {
        let outcome = match outcome {
            Outcome::New => "new",
            Outcome::Same => "same",
            Outcome::Corrected => "corrected",
        };
        fields.push(("outcome".into(), outcome.into()));
        if !replaced.is_empty() {
            fields.push(("replaced".into(), Json::Array(replaced.iter().map(|id| id.as_str().into()).collect())));
        }
    }
    value
}

pub(crate) fn recalled(recalled: &Recalled) -> Json {
    let hit = &recalled.hit;
    let kind = match recalled.kind {
        DocKind::Entry => "entry",
        DocKind::Message | DocKind::ToolTraffic => "message",
        DocKind::History => "history",
        DocKind::Skill => "skill",
        DocKind::Step => "step",
        DocKind::Entity => "entity",
        DocKind::Value => "value",
    };
    Json::object(vec![
        ("ref", recalled.reference.as_str().into()),
        ("kind", kind.into()),
        ("score", hit.score.into()),
        ("text", hit.summary.as_str().into()),
        ("session", hit.session.as_deref().into()),
        ("speaker", hit.speaker.as_deref().into()),
        ("at", hit.at.to_string().into()),
        ("source", if recalled.kind == DocKind::Entry { hit.source.as_deref().into() } else { Json::Null }),
        ("trust", hit.trust.as_str().into()),
        receipt(&hit.receipt),
    ])
}

fn unembedded_talk(item: &UnembeddedTalk) -> Json {
    let kind = if item.kind == DocKind::History { "history" } else { "message" };
    Json::object(vec![("kind", kind.into()), ("id", item.id.as_str().into()), ("text", item.text.as_str().into())])
}

fn embedded_talk(item: Json) -> Result<(DocKind, String, Embedding), Invalid> {
    let mut fields = Fields::of("items", item);
    let kind = match fields.required_text("kind").as_str() {
        "history" => DocKind::History,
        _ => DocKind::Message,
    };
    let id = fields.required_text("id");
    let embedding = json::embedding(&mut fields);
    fields.finish()?;
    Ok((kind, id, embedding.ok_or_else(|| Invalid::value("embedding", "must be a list of numbers"))?))
}
