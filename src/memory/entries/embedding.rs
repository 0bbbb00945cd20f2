//! Embeddings of entries: stored with the entry, or added later.

use crate::codec::Record;
use crate::index::DocKind;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::vectors::same_dimensions;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Embedding, Entry, EntryId};
use crate::store::{Durability, Key, Store};
use crate::text;

/// An entry without an embedding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unembedded {
    /// Its id.
    pub id: EntryId,
    /// The version of the entry: an embedding of another version is refused.
    pub version: u32,
    /// The text to embed: the content, without the name of the speaker.
    pub text: String,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Up to `limit` entries without an embedding, oldest first, and their total number.
    pub async fn unembedded(&self, limit: usize) -> Result<(Vec<Unembedded>, usize), Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        let now = self.now()?;
        let (keys, all) = self.with_shelf(|shelf| {
            let key = |id: &str| EntryId::new("id", id).ok().map(|id| self.inner.keys.entry(&id));
            let keys = shelf.index.without_vector(now, &[DocKind::Entry]).take(limit).filter_map(|found| key(found.id));
            (keys.collect::<Vec<Key>>(), shelf.index.without_vector(now, &[DocKind::Entry]).count())
        });
        let read = self.fetch_entries(&keys).await?.into_iter();
        let unembedded = read.filter_map(|(Record { entry, .. }, content)| {
            let content = content?;
            let said = entry
                .speaker
                .as_ref()
                .and_then(|speaker| content.strip_prefix(speaker.as_str())?.strip_prefix([':', '：']));
            let text = said.map_or(content.as_str(), str::trim_start).to_owned();
            Some(Unembedded { id: entry.id, version: entry.version, text })
        });
        Ok((unembedded.collect(), all))
    }

    /// The part of a query to embed: without names of speakers, which say who is meant and not what.
    pub async fn to_embed(&self, query: &str) -> Result<String, Error> {
        self.refresh_if_told().await?;
        self.load_shelf().await?;
        let kept = self.with_shelf(|shelf| {
            let named = |word: &&str| {
                let word = word.trim_matches(|c: char| text::is_pause(c) || matches!(c, '.' | ':' | '\'' | '’'));
                let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
                shelf.index.is_speaker(&text::key(&self.decomposed(word)))
            };
            query.split_whitespace().filter(|word| !named(word)).collect::<Vec<_>>().join(" ")
        });
        Ok(if kept.is_empty() { query.to_owned() } else { kept })
    }

    /// Stores the embeddings of entries, all at once. Entries that were deleted or changed are skipped. Returns the
    /// number stored.
    pub async fn embed(&self, embeddings: &[(EntryId, u32, Embedding)]) -> Result<usize, Error> {
        let Some((_, _, first)) = embeddings.first() else { return Ok(0) };
        for (_, _, embedding) in embeddings {
            same_dimensions(Some(first.as_slice().len()), embedding)?;
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            self.load_shelf().await?;
            let mut count = 0;
            for (id, version, embedding) in embeddings {
                let vector = self.vector(Some(embedding))?.unwrap_or_default();
                let stored = self.read_stored(id).await?;
                let same = |entry: &Entry| entry.version == *version && !entry.is_expired(plan.now);
                let Some(stored) = stored.filter(|stored| same(&stored.record.entry)) else { continue };
                let words = self.words(&stored.record.entry, &stored.content()?);
                plan.keep(stored.record, &words, Some(&vector), self.salts()?);
                count += 1;
            }
            Ok(count)
        })
        .await
    }
}
