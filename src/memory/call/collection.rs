//! JSON verbs of collections: decode, call, encode.

use super::verb::Collections;
use crate::codec::json::Fields;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::stores::collection::{Edit, FoundValue};
use crate::model::{Invalid, Json};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Verbs of collections.
    pub(super) async fn collection_verbs(&self, verb: Collections, mut fields: Fields) -> Result<Json, Error> {
        let collection = fields.required_text("collection");
        match verb {
            Collections::Values => {
                let keys = fields.texts("keys");
                fields.finish()?;
                // A stored `null` differs from a missing value.
                let shown = |value: Option<Json>| value.map_or(Json::Null, |value| Json::Array(vec![value]));
                Ok(Json::Array(self.values(&collection, &keys).await?.into_iter().map(shown).collect()))
            }
            Collections::EditValues => {
                let (changes, expect) = (fields.list("changes"), fields.list("expect"));
                fields.finish()?;
                let edits = changes.into_iter().enumerate().map(edit).collect::<Result<Vec<_>, _>>()?;
                let expect = expect.into_iter().enumerate().map(expected).collect::<Result<Vec<_>, _>>()?;
                Ok(self.edit_values(&collection, &edits, &expect).await?.into())
            }
            Collections::ListValues => {
                let (prefix, after) = (fields.text("prefix").unwrap_or_default(), fields.text("after"));
                let limit = fields.count("limit").unwrap_or(100);
                fields.finish()?;
                let found = self.list_values(&collection, &prefix, after.as_deref(), limit).await?;
                let item = |(key, value): (String, Json)| Json::Array(vec![key.into(), value]);
                Ok(Json::Array(found.into_iter().map(item).collect()))
            }
            Collections::SearchValues => {
                let (query, prefix) = (fields.required_text("query"), fields.text("prefix").unwrap_or_default());
                let limit = fields.count("limit").unwrap_or(10);
                fields.finish()?;
                let found = self.search_values(&collection, &query, &prefix, limit).await?;
                let hit =
                    |FoundValue { key, value, score }: FoundValue| Json::Array(vec![key.into(), value, score.into()]);
                Ok(Json::Array(found.into_iter().map(hit).collect()))
            }
        }
    }
}

fn edit((at, change): (usize, Json)) -> Result<Edit, Invalid> {
    let outer = format!("changes[{at}]");
    let mut fields = Fields::of("", change);
    let (key, prefix, text) = (fields.text("key"), fields.text("prefix"), fields.text("text"));
    let value = any_value(&mut fields);
    let deletes = fields.flag("delete").unwrap_or_default();
    fields.finish().map_err(|mistake| mistake.within(&outer))?;
    match (key, prefix, value, deletes) {
        (Some(key), None, Some(value), false) => Ok(Edit::Set { key, value, text }),
        (Some(key), None, None, true) => Ok(Edit::Delete(key)),
        (None, Some(prefix), None, true) => Ok(Edit::DeleteAll(prefix)),
        _ => Err(Invalid::value(outer, "must have a key and a value, or a key or a prefix and `delete`")),
    }
}

fn expected((at, pair): (usize, Json)) -> Result<(String, Option<Json>), Invalid> {
    let outer = format!("expect[{at}]");
    let mut fields = Fields::of("", pair);
    let key = fields.required_text("key");
    let value = any_value(&mut fields);
    fields.finish().map_err(|mistake| mistake.within(&outer))?;
    Ok((key, value))
}

/// A value that may be `null`, which differs from a missing value.
fn any_value(fields: &mut Fields) -> Option<Json> {
    let null = fields.is_null("value").then_some(Json::Null);
    fields.value("value").or(null)
}
