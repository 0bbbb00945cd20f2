//! The verbs by name, with JSON in and out: what the web door and the scenarios speak. Decode, call, encode.

use super::{Env, Error, ListOptions, Memory};
use crate::codec::json::{self, Fields};
use crate::model::{EntryId, Invalid, Json};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Does what `verb` says with `args`.
    pub async fn call(&self, verb: &str, args: Json) -> Result<Json, Error> {
        match verb {
            "add" => Ok(json::entry(&self.add(json::draft(args)?).await?)),
            "get" => {
                let mut fields = Fields::of("args", args)?;
                let id = EntryId::new("id", fields.required_text("id")?)?;
                fields.finish()?;
                let found = self.get(&id).await?;
                Ok(found.map_or(Json::Null, |(entry, content)| json::entry_with_content(&entry, &content)))
            }
            "list" => {
                let entries = self.list(&list_options(args)?).await?;
                Ok(Json::Array(entries.iter().map(json::entry).collect()))
            }
            "flush" => self.flush().await.map(|()| Json::Null),
            "close" => self.close().await.map(|()| Json::Null),
            _ => Err(Invalid::value("verb", "is not known").into()),
        }
    }
}

fn list_options(args: Json) -> Result<ListOptions, Invalid> {
    let mut fields = Fields::of("options", args)?;
    let options = ListOptions {
        namespace: fields.text("namespace")?,
        limit: fields.count("limit")?,
        after: fields.text("after")?.map(|id| EntryId::new("after", id)).transpose()?,
    };
    fields.finish()?;
    Ok(options)
}
