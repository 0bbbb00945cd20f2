//! The verbs by name, with JSON in and out: what the web door and the scenarios speak. Decode, call, encode.

use super::search;
#[cfg(feature = "full")]
use crate::codec::hex;
use crate::codec::json::{self, Fields};
use crate::memory::engine::plan::Evicted;
use crate::memory::engine::{Env, Error, Memory};
#[cfg(feature = "full")]
use crate::memory::entries::embedding::Unembedded;
use crate::memory::entries::reading::{ListOptions, Stats};
#[cfg(feature = "full")]
use crate::model::Embedding;
use crate::model::{Entry, EntryId, Invalid, Json};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Does what `verb` says with `args`.
    pub async fn call(&self, verb: &str, args: Json) -> Result<Json, Error> {
        match verb {
            "add" => Ok(json::entry(&self.add(json::draft(args)?).await?)),
            "update" => {
                let (id, changes) = json::update(args)?;
                Ok(json::entry(&self.update(&id, &changes).await?))
            }
            "get" => Ok(self.get(&id(args)?).await?.as_ref().map_or(Json::Null, with_content)),
            "history" => Ok(Json::Array(self.history(&id(args)?).await?.iter().map(with_content).collect())),
            "delete" => Ok(self.delete(&id(args)?).await?.into()),
            "list" => Ok(Json::Array(self.list(&list_options(args)?).await?.iter().map(json::entry).collect())),
            "search" => {
                let hits = self.search(&search::search_options(args)?).await?;
                Ok(Json::Array(hits.iter().map(search::hit).collect()))
            }
            "toEmbed" => {
                let mut fields = Fields::of("args", args);
                let query = fields.required_text("query");
                fields.finish()?;
                Ok(self.to_embed(&query).await?.into())
            }
            "count" => Ok(self.count(namespace(args)?.as_deref()).await?.into()),
            "stats" => Ok(stats(&self.stats().await?)),
            "clear" => Ok(self.clear(namespace(args)?.as_deref()).await?.into()),
            "cleanup" => {
                #[cfg(feature = "full")]
                self.sweep_notes().await?;
                Ok(self.cleanup().await?.into())
            }
            "hint" => {
                self.hint();
                Ok(Json::Null)
            }
            "evicted" => {
                let item = |evicted: &Evicted| {
                    Json::object(vec![
                        ("id", evicted.id.as_str().into()),
                        ("namespace", evicted.namespace.as_str().into()),
                    ])
                };
                Ok(Json::Array(self.evicted().iter().map(item).collect()))
            }
            "flush" => self.flush().await.map(|()| Json::Null),
            "close" => self.close().await.map(|()| Json::Null),
            _ => self.call_more(verb, args).await,
        }
    }

    /// The small module of the web has no more than that.
    #[cfg(not(feature = "full"))]
    async fn call_more(&self, _: &str, _: Json) -> Result<Json, Error> {
        Err(unknown())
    }

    /// The verbs that a page does not need first.
    #[cfg(feature = "full")]
    async fn call_more(&self, verb: &str, args: Json) -> Result<Json, Error> {
        if verb == "useMeaning" {
            return self.use_meaning(&meaning_bytes(args)?).map(|()| Json::Null);
        }
        if verb == "unembedded" {
            let mut fields = Fields::of("options", args);
            let limit = fields.count("limit").unwrap_or(32);
            fields.finish()?;
            return Ok(unembedded(&self.unembedded(limit).await?));
        }
        if verb == "embed" {
            return Ok(self.embed(&embeddings(args)?).await?.into());
        }
        let args = match self.watching(verb, args).await {
            Ok(answer) => return answer,
            Err(args) => args,
        };
        if verb == "explainMiss" {
            let mut fields = Fields::of("options", args);
            let id = fields.required_text("id");
            let options = search::read(&mut fields);
            fields.finish()?;
            let id = EntryId::new("id", id)?;
            return Ok(search::miss(&self.explain_miss(&id, &options).await?));
        }
        if verb == "candidates" {
            return self.candidates(args).await;
        }
        // The documented functions are all called after the memory; its tool for models is none of them.
        if verb.starts_with("memory") && verb != "memoryTool" {
            return self.documented(verb, args).await.ok_or_else(unknown);
        }
        // Each group of verbs does its own, and gives back what it does not know.
        let args = match self.converse(verb, args).await {
            Ok(answer) => return answer,
            Err(args) => args,
        };
        let args = match self.stores(verb, args).await {
            Ok(answer) => return answer,
            Err(args) => args,
        };
        let args = match self.know(verb, args).await {
            Ok(answer) => return answer,
            Err(args) => args,
        };
        let args = match self.file_verbs(verb, args).await {
            Ok(answer) => return answer,
            Err(args) => args,
        };
        let args = match self.collection_verbs(verb, args).await {
            Ok(answer) => return answer,
            Err(args) => args,
        };
        self.tool_verbs(verb, args).await.map_err(|_| unknown())?
    }
}

fn unknown() -> Error {
    Invalid::value("verb", "is not known").into()
}

/// Bytes in JSON: hexadecimal.
#[cfg(feature = "full")]
fn meaning_bytes(args: Json) -> Result<Vec<u8>, Invalid> {
    let mut fields = Fields::of("args", args);
    let meaning = fields.required_text("meaning");
    fields.finish()?;
    hex::decode_all(&meaning).ok_or_else(|| Invalid::value("meaning", "must be the bytes of a file of word meanings"))
}

fn with_content((entry, content): &(Entry, String)) -> Json {
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
    };
    fields.finish()?;
    Ok(options)
}

fn stats(stats: &Stats) -> Json {
    let counts = stats.namespaces.iter().map(|(name, count)| (name.as_str(), Json::from(*count))).collect();
    Json::object(vec![("total", stats.total.into()), ("namespaces", Json::object(counts))])
}
