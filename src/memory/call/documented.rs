//! The documented functions (D9–D18), with their documented names and answers.

use super::search;
use super::verb::Documented;
use super::verbs::id;
use crate::codec::json::{self, Fields};
use crate::index::Ranking;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::Hit;
use crate::model::{EntryId, Json};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Runs a documented function. Failures are returned as answers.
    pub(super) async fn documented_verbs(&self, verb: Documented, args: Json) -> Json {
        let answer = match verb {
            Documented::MemoryAdd => self.memory_add(args).await,
            Documented::MemorySearch => self.memory_search(args).await,
            Documented::MemoryStats => self.memory_stats().await,
            Documented::MemoryClearShortTerm => self.memory_clear_short_term().await,
            Documented::MemoryClearAll => self.clear(None).await.map(|count| success(vec![("cleared", count.into())])),
            Documented::MemoryCleanup => self.cleanup().await.map(|count| {
                let were = if count == 1 { "entry was" } else { "entries were" };
                let message = format!("{count} expired {were} deleted");
                success(vec![("cleaned", count.into()), ("message", message.into())])
            }),
            Documented::MemoryDelete => self.memory_delete(args).await,
            Documented::MemoryGetContent => self.memory_get_content(args).await,
        };
        answer
            .unwrap_or_else(|error| Json::object(vec![("success", false.into()), ("error", error.to_string().into())]))
    }

    async fn memory_add(&self, args: Json) -> Result<Json, Error> {
        let entry = self.add(json::draft(args)?).await?;
        let length = Json::from(entry.content_chars);
        let mut message = format!("Stored in {} memory", entry.namespace);
        if !entry.secrets.is_empty() {
            let kinds: Vec<&str> = entry.secrets.iter().map(|kind| kind.name()).collect();
            message.push_str(&format!(". Secrets were left out: {}", kinds.join(", ")));
        }
        let data = Json::object(vec![
            ("id", entry.id.as_str().into()),
            ("namespace", entry.namespace.as_str().into()),
            ("contentLength", length.clone()),
            ("summary", entry.summary.as_str().into()),
            ("message", message.into()),
        ]);
        // Flat, as documented, and nested, as the documented system answers (D9, D10).
        Ok(Json::object(vec![
            ("success", true.into()),
            ("referenceId", entry.id.as_str().into()),
            ("summary", entry.summary.as_str().into()),
            ("contentLength", length),
            ("data", data),
        ]))
    }

    async fn memory_search(&self, args: Json) -> Result<Json, Error> {
        let mut fields = Fields::of("options", args);
        let mut options = search::read(&mut fields);
        fields.finish()?;
        // The formula scores words only, and a reranker orders hits of `best`.
        let best = options.embedding.is_some() || !options.ranked.is_empty();
        options.ranking = if best { Ranking::Best } else { Ranking::Formula };
        let mut results = Vec::new();
        // A query that is an id finds that entry. It has no score (D11, D16), and the filter by namespace applies.
        let exact = match EntryId::new("query", options.query.as_str()) {
            Ok(id) => self.read_record(&id).await?.map(|record| record.entry),
            Err(_) => None,
        };
        let now = self.now()?;
        let wanted = |namespace: &str| options.namespace.as_deref().is_none_or(|wanted| wanted == namespace);
        match exact.filter(|entry| !entry.is_expired(now) && wanted(entry.namespace.as_str())) {
            Some(entry) => {
                let preview = if self.shows_content(&options) { self.content_preview(&entry.id).await? } else { None };
                results.push(Json::object(vec![
                    ("id", entry.id.as_str().into()),
                    ("namespace", entry.namespace.as_str().into()),
                    ("summary", entry.summary.as_str().into()),
                    ("tags", entry.tags.as_slice().into()),
                    ("createdAt", entry.created_at.to_string().into()),
                    ("contentPreview", preview.into()),
                ]));
            }
            None => results.extend(self.search(&options).await?.iter().map(result)),
        }
        let found = !results.is_empty();
        let message = if found { Json::Null } else { "No matching memories".into() };
        Ok(success(vec![
            ("found", found.into()),
            ("total", results.len().into()),
            ("results", Json::Array(results)),
            ("query", options.query.as_str().into()),
            ("message", message),
        ]))
    }

    async fn memory_stats(&self) -> Result<Json, Error> {
        let stats = self.stats().await?;
        let of =
            |name: &str| stats.namespaces.iter().find(|(known, _)| known.as_str() == name).map(|(_, count)| *count);
        let counts = vec![
            ("total", Json::from(stats.total)),
            ("shortTerm", of("short-term").into()),
            ("longTerm", of("long-term").into()),
        ];
        let mut flat = vec![("success", true.into())];
        flat.extend(counts.clone());
        flat.push(("data", Json::object(counts)));
        Ok(Json::object(flat))
    }

    async fn memory_clear_short_term(&self) -> Result<Json, Error> {
        let cleared = self.clear(Some("short-term")).await?;
        Ok(success(vec![("cleared", cleared.into()), ("remaining", self.count(None).await?.into())]))
    }

    async fn memory_delete(&self, args: Json) -> Result<Json, Error> {
        let deleted = self.delete(&id(args)?).await?;
        Ok(success(vec![("deleted", deleted.into())]))
    }

    async fn memory_get_content(&self, args: Json) -> Result<Json, Error> {
        let id = id(args)?;
        let (entry, content) = self.get(&id).await?.ok_or(Error::NO_ENTRY)?;
        Ok(success(vec![("id", entry.id.as_str().into()), ("content", content.into())]))
    }
}

fn success(data: Vec<(&str, Json)>) -> Json {
    Json::object(vec![("success", true.into()), ("data", Json::object(data))])
}

fn result(hit: &Hit) -> Json {
    Json::object(vec![
        ("id", hit.id.as_str().into()),
        ("namespace", hit.namespace.as_str().into()),
        ("summary", hit.summary.as_str().into()),
        ("tags", hit.tags.as_slice().into()),
        ("score", percent(hit.score).into()),
        ("createdAt", hit.created_at.to_string().into()),
        ("contentPreview", hit.content_preview.as_deref().into()),
    ])
}

/// A score with one decimal (D16). Integer arithmetic, because formatting a double to a precision costs five kilobytes.
fn percent(score: f64) -> String {
    let tenths = (score * 1000.0).round() as u32;
    format!("{}.{}%", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn d16_scores_have_one_decimal() {
        assert_eq!(percent(0.85), "85.0%");
        assert_eq!(percent(0.1234), "12.3%");
        assert_eq!(percent(1.0), "100.0%");
        assert_eq!(percent(0.0), "0.0%");
    }
}
