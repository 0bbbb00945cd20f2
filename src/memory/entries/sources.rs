//! Documents in chunks: each chunk is an entry, and the chunks of a source are replaced together.

use super::writing::{check_source, place};
use crate::index::{DocKind, Found};
use crate::memory::engine::plan::Plan;
use crate::memory::engine::slices::{READ, RECORD};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Draft, EntryId, Invalid, Metadata, Tags, Trust};
use crate::store::{Durability, Store};
use crate::text;

/// The tag of chunks.
pub(in crate::memory) const SOURCE_TAG: &str = "source";

/// The approximate length of a chunk.
pub(in crate::memory) const PIECE_CHARS: usize = 1200;

/// The number of index entries to check before yielding.
const LOOKED_AT: usize = 256;

/// The options of an ingestion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IngestOptions {
    /// The namespace of the chunks; `long-term` if `None`.
    pub namespace: Option<String>,
    /// Further tags.
    pub tags: Tags,
    /// The approximate length of a chunk.
    pub target_chars: usize,
    /// The document's title, stored with each chunk.
    pub title: Option<String>,
    /// The app's own data, stored with each chunk.
    pub metadata: Metadata,
    /// The trust in the document; low if `None`, because its author is not the user.
    pub trust: Option<Trust>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Stores a document in chunks, split at boundaries of meaning (C17, C18). It replaces the document of the same
    /// source. Returns the numbers of its chunks and of replaced ones.
    pub async fn ingest(&self, source: &str, content: &str, options: &IngestOptions) -> Result<(usize, usize), Error> {
        if source.is_empty() {
            return Err(Invalid::value("source", "must not be empty").into());
        }
        let drafts = self.pieces(source, content, options).await?;
        let count = drafts.len();
        let went = self.replace_sources(&[(source.to_owned(), drafts)]).await?;
        Ok((count, went.first().copied().unwrap_or(0)))
    }

    /// A document as entries, one for each chunk.
    pub(in crate::memory) async fn pieces(
        &self,
        source: &str,
        content: &str,
        options: &IngestOptions,
    ) -> Result<Vec<Draft>, Invalid> {
        // A large text has just been handed over and parsed.
        self.breathe(content.len() / 64).await;
        let target = options.target_chars.max(1);
        let mut tags = options.tags.as_slice().to_vec();
        tags.push(SOURCE_TAG.to_owned());
        let tags = Tags::new("tags", tags)?;
        let namespace = options.namespace.clone().unwrap_or_else(|| "long-term".to_owned());
        let mut drafts = Vec::new();
        let mut chunker = text::Chunker::new(content, target, target.saturating_mul(4));
        while let Some(size) = chunker.step() {
            self.breathe(READ + size / 8).await;
        }
        for chunk in chunker.finish() {
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
                trust: options.trust.unwrap_or(Trust::Low),
                metadata: options.metadata.clone().of_chunk(drafts.len(), options.title.as_deref()),
                ..Draft::default()
            });
            self.breathe(READ).await;
        }
        Ok(drafts)
    }

    /// Replaces everything from the same sources by drafts, all at once. Returns the number of replaced chunks of each.
    pub(in crate::memory) async fn replace_sources(
        &self,
        sources: &[(String, Vec<Draft>)],
    ) -> Result<Vec<usize>, Error> {
        for (source, _) in sources {
            check_source(Some(source))?;
        }
        self.refresh().await?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            self.load_shelf().await?;
            let mut went = Vec::with_capacity(sources.len());
            let (mut done, total) = (0, sources.iter().map(|(_, drafts)| drafts.len()).sum());
            for (source, drafts) in sources {
                let mut old = self.pieces_of(source).await;
                // Chunks that were evicted for an earlier document of this batch are already deleted.
                old.retain(|(_, seq)| !plan.touches(*seq));
                for (id, seq) in &old {
                    plan.delete(id, *seq);
                    self.breathe(RECORD).await;
                }
                for draft in drafts {
                    self.plan_add(plan, draft, &[]).await?;
                    done += 1;
                    self.report(done, total);
                    self.breathe(RECORD + draft.content.len()).await;
                }
                went.push(old.len());
            }
            Ok(went)
        })
        .await
    }

    /// The chunks of the document from a source.
    pub(in crate::memory) async fn pieces_of(&self, source: &str) -> Vec<(EntryId, u64)> {
        let (mut pieces, mut at) = (Vec::new(), 0);
        loop {
            let seen = self.with_shelf(|shelf| {
                let some = shelf.index.from_source(DocKind::Entry, source, at).take(LOOKED_AT);
                let some: Vec<Found<'_>> = some.collect();
                let of_it = some.iter().filter(|found| found.tags.contains(&SOURCE_TAG));
                pieces.extend(of_it.filter_map(place));
                some.len()
            });
            self.breathe(seen).await;
            if seen < LOOKED_AT {
                return pieces;
            }
            at += seen;
        }
    }
}
