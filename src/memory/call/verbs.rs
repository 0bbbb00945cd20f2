//! The JSON verbs by name, for the web module and the scenarios: decode, call, encode.

use super::search;
#[cfg(feature = "full")]
use super::verb::Models;
use super::verb::{Entries, Verb};
#[cfg(feature = "full")]
use crate::codec::hex;
use crate::codec::json::{self, Fields};
use crate::memory::engine::plan::Evicted;
use crate::memory::engine::{Env, Error, Memory};
#[cfg(feature = "full")]
use crate::memory::entries::embedding::Unembedded;
use crate::memory::entries::reading::{ListOptions, Stats};
#[cfg(feature = "full")]
use crate::memory::prompt::forget::ForgetOptions;
#[cfg(feature = "full")]
use crate::model::Embedding;
use crate::model::{Entry, EntryId, Invalid, Json};
use crate::store::Store;
#[cfg(feature = "full")]
use std::pin::Pin;

impl<S: Store, E: Env> Memory<S, E> {
    /// Calls the verb of this name.
    pub async fn call(&self, verb: &str, args: Json) -> Result<Json, Error> {
        let unknown = || Error::from(Invalid::value("verb", "is not known"));
        #[cfg(feature = "full")]
        let fields = |args| Fields::of("args", args);
        // Behind a pointer: as one function all groups are 220 KB, which an engine compiles before the first answer.
        #[cfg(feature = "full")]
        let group: Pin<Box<dyn Future<Output = Result<Json, Error>>>> = match Verb::named(verb).ok_or_else(unknown)? {
            Verb::Entries(verb) => Box::pin(self.entry_verbs(verb, args)),
            Verb::Documented(verb) => Box::pin(async move { Ok(self.documented_verbs(verb, args).await) }),
            Verb::Translation(verb) => return self.translation_verbs(verb, fields(args)),
            Verb::Models(verb) => Box::pin(self.model_verbs(verb, args)),
            Verb::Calls(verb) => Box::pin(self.call_verbs(verb, args)),
            Verb::Session(verb) => Box::pin(self.session_verbs(verb, fields(args))),
            Verb::Sessions(verb) => Box::pin(self.sessions_verbs(verb, fields(args))),
            Verb::Checks(verb) => Box::pin(self.check_verbs(verb, fields(args))),
            Verb::Facade(verb) => Box::pin(self.facade_verbs(verb, fields(args))),
            Verb::State(verb) => Box::pin(self.state_verbs(verb, fields(args))),
            Verb::Skills(verb) => Box::pin(self.skill_verbs(verb, fields(args))),
            Verb::Learning(verb) => Box::pin(self.learning_verbs(verb, fields(args))),
            Verb::Experience(verb) => Box::pin(self.experience_verbs(verb, fields(args))),
            Verb::Documents(verb) => Box::pin(self.document_verbs(verb, fields(args))),
            Verb::Graph(verb) => Box::pin(self.graph_verbs(verb, fields(args))),
            Verb::Files(verb) => Box::pin(self.file_verbs(verb, fields(args))),
            Verb::FileChanges(verb) => Box::pin(self.file_change_verbs(verb, fields(args))),
            Verb::Agents(verb) => Box::pin(self.agent_verbs(verb, fields(args))),
            Verb::SessionFiles(verb) => Box::pin(self.session_file_verbs(verb, fields(args))),
            Verb::Team(verb) => Box::pin(self.team_verbs(verb, fields(args))),
            Verb::Collections(verb) => Box::pin(self.collection_verbs(verb, fields(args))),
            Verb::Tools(verb) => Box::pin(self.tool_verbs(verb, fields(args))),
        };
        #[cfg(not(feature = "full"))]
        let group = match Verb::named(verb).ok_or_else(unknown)? {
            Verb::Entries(verb) => self.entry_verbs(verb, args),
            _ => return Err(unknown()),
        };
        group.await
    }

    /// Verbs of entries: those of the small module.
    async fn entry_verbs(&self, verb: Entries, args: Json) -> Result<Json, Error> {
        match verb {
            Entries::Add => Ok(json::entry(&self.add(json::draft(args)?).await?)),
            Entries::Update => {
                let (id, changes) = json::update(args)?;
                Ok(json::entry(&self.update(&id, &changes).await?))
            }
            Entries::Get => Ok(self.get(&id(args)?).await?.as_ref().map_or(Json::Null, with_content)),
            Entries::History => Ok(Json::Array(self.history(&id(args)?).await?.iter().map(with_content).collect())),
            Entries::Delete => Ok(self.delete(&id(args)?).await?.into()),
            Entries::List => Ok(Json::Array(self.list(&list_options(args)?).await?.iter().map(json::entry).collect())),
            Entries::Search => {
                let hits = self.search(&search::search_options(args)?).await?;
                Ok(Json::Array(hits.iter().map(search::hit).collect()))
            }
            Entries::ToEmbed => {
                let mut fields = Fields::of("args", args);
                let query = fields.required_text("query");
                fields.finish()?;
                Ok(self.to_embed(&query).await?.into())
            }
            Entries::Count => Ok(self.count(namespace(args)?.as_deref()).await?.into()),
            Entries::Stats => Ok(stats(&self.stats().await?)),
            Entries::Clear => Ok(self.clear(namespace(args)?.as_deref()).await?.into()),
            Entries::Cleanup => {
                #[cfg(feature = "full")]
                self.sweep_notes().await?;
                Ok(self.cleanup().await?.into())
            }
            Entries::Hint => {
                self.hint();
                Ok(Json::Null)
            }
            Entries::Evicted => {
                let item = |evicted: &Evicted| {
                    Json::object(vec![
                        ("id", evicted.id.as_str().into()),
                        ("namespace", evicted.namespace.as_str().into()),
                    ])
                };
                Ok(Json::Array(self.evicted().iter().map(item).collect()))
            }
            Entries::Flush => self.flush().await.map(|()| Json::Null),
            Entries::Close => self.close().await.map(|()| Json::Null),
        }
    }

    /// Verbs that use models of the app.
    #[cfg(feature = "full")]
    async fn model_verbs(&self, verb: Models, args: Json) -> Result<Json, Error> {
        match verb {
            Models::UseMeaning => self.use_meaning(&meaning_bytes(args)?).map(|()| Json::Null),
            Models::UsePack => {
                let mut fields = Fields::of("args", args);
                let pack = fields.required_text("pack");
                fields.finish()?;
                self.use_pack(&pack).map(|()| Json::Null)
            }
            Models::MissingPacks => {
                let mut fields = Fields::of("args", args);
                let texts = fields.texts("texts");
                let forgetting = fields.text("forget");
                let messages = fields.flag("messages").unwrap_or(false);
                fields.finish()?;
                if let Some(query) = forgetting {
                    Box::pin(self.judge_to_forget(&ForgetOptions { query, messages, agent: None })).await?;
                }
                Ok(Json::Array(self.missing_packs(&texts).into_iter().map(Json::from).collect()))
            }
            Models::Unembedded => {
                let mut fields = Fields::of("options", args);
                let limit = fields.count("limit").unwrap_or(32);
                fields.finish()?;
                Ok(unembedded(&self.unembedded(limit).await?))
            }
            Models::Embed => Ok(self.embed(&embeddings(args)?).await?.into()),
            Models::ExplainMiss => {
                let mut fields = Fields::of("options", args);
                let id = fields.required_text("id");
                let options = search::read(&mut fields);
                fields.finish()?;
                let id = EntryId::new("id", id)?;
                Ok(search::miss(&self.explain_miss(&id, &options).await?))
            }
            Models::Candidates => self.candidates(args).await,
        }
    }
}

/// Bytes in JSON, as hexadecimal.
#[cfg(feature = "full")]
fn meaning_bytes(args: Json) -> Result<Vec<u8>, Invalid> {
    let mut fields = Fields::of("args", args);
    let meaning = fields.required_text("meaning");
    fields.finish()?;
    hex::decode_all(&meaning).ok_or_else(|| Invalid::value("meaning", "must be the bytes of a file of word meanings"))
}

pub(crate) fn with_content((entry, content): &(Entry, String)) -> Json {
    json::entry_with_content(entry, content)
}

pub(in crate::memory) fn id(args: Json) -> Result<EntryId, Invalid> {
    let mut fields = Fields::of("args", args);
    let id = fields.required_text("id");
    fields.finish()?;
    EntryId::new("id", id)
}

fn namespace(args: Json) -> Result<Option<String>, Invalid> {
    let mut fields = Fields::of("options", args);
    let namespace = fields.text("namespace");
    fields.finish()?;
    Ok(namespace)
}

#[cfg(feature = "full")]
fn unembedded((items, total): &(Vec<Unembedded>, usize)) -> Json {
    let item = |item: &Unembedded| {
        Json::object(vec![
            ("id", item.id.as_str().into()),
            ("version", u64::from(item.version).into()),
            ("text", item.text.as_str().into()),
        ])
    };
    Json::object(vec![("items", Json::Array(items.iter().map(item).collect())), ("total", (*total).into())])
}

#[cfg(feature = "full")]
fn embeddings(args: Json) -> Result<Vec<(EntryId, u32, Embedding)>, Invalid> {
    let mut fields = Fields::of("args", args);
    let items = fields.list("items");
    fields.finish()?;
    let read = |item: Json| {
        let mut fields = Fields::of("items", item);
        let (id, version) = (fields.required_text("id"), fields.count("version").unwrap_or(1));
        let embedding = json::embedding(&mut fields);
        fields.finish()?;
        let embedding = embedding.ok_or_else(|| Invalid::value("embedding", "must be a list of numbers"))?;
        Ok((EntryId::new("id", id)?, version as u32, embedding))
    };
    items.into_iter().map(read).collect()
}

fn list_options(args: Json) -> Result<ListOptions, Invalid> {
    let mut fields = Fields::of("options", args);
    let options = ListOptions {
        namespace: fields.text("namespace"),
        limit: fields.count("limit"),
        after: fields.made("after", EntryId::new),
        as_of: fields.time("asOf"),
        include_past: fields.flag("includePast").unwrap_or_default(),
    };
    fields.finish()?;
    Ok(options)
}

pub(crate) fn stats(stats: &Stats) -> Json {
    let counts = stats.namespaces.iter().map(|(name, count)| (name.as_str(), Json::from(*count))).collect();
    Json::object(vec![("total", stats.total.into()), ("namespaces", Json::object(counts))])
}
