//! Documents in pieces: each piece is an entry, and the pieces of a source are replaced together.

use super::writing::{check_source, place};
use crate::index::{DocKind, Found};
use crate::memory::engine::plan::Plan;
use crate::memory::engine::slices::{READ, RECORD};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Draft, EntryId, Invalid, Metadata, Tags};
use crate::store::{Durability, Store};
use crate::text;

/// The label of pieces of documents.
pub(in crate::memory) const SOURCE_TAG: &str = "source";

/// About how long a piece of a document is.
pub(in crate::memory) const PIECE_CHARS: usize = 1200;

/// How many entries of the index are looked at before others have their turn.
const LOOKED_AT: usize = 256;

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

impl<S: Store, E: Env> Memory<S, E> {
    /// Takes in a document: in pieces, at meaning (C17, C18). A document of the same source makes room for it. Answers how
    /// many pieces it has, and how many went.
    pub async fn ingest(&self, source: &str, content: &str, options: &IngestOptions) -> Result<(usize, usize), Error> {
        if source.is_empty() {
            return Err(Invalid::value("source", "must not be empty").into());
        }
        let drafts = self.pieces(source, content, options).await?;
        let count = drafts.len();
        let went = self.replace_sources(&[(source.to_owned(), drafts)]).await?;
        Ok((count, went.first().copied().unwrap_or(0)))
    }

    /// A document as entries: one for each piece.
    pub(in crate::memory) async fn pieces(
        &self,
        source: &str,
        content: &str,
        options: &IngestOptions,
    ) -> Result<Vec<Draft>, Invalid> {
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
                metadata: options.metadata.clone().of_chunk(drafts.len(), options.title.as_deref()),
                ..Draft::default()
            });
            self.breathe(READ).await;
        }
        Ok(drafts)
    }

    /// Puts drafts in place of everything that came from the same sources, all together. Answers how many went of each.
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
                // Pieces that have made room for an earlier document of this batch are gone already.
                old.retain(|(_, seq)| !plan.touches(*seq));
                for (id, seq) in &old {
                    plan.delete(id, *seq);
                    self.breathe(RECORD).await;
                }
                for draft in drafts {
                    self.plan_add(plan, draft).await?;
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

    /// The pieces of the document that came from a source.
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
