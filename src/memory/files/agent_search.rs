//! On-demand search of an agent (A27, A29): its learnings, and the static knowledge beside its memory.

use crate::files::{Entry, Kind, Log};
use crate::index::{Doc, DocKind, Index, Query, Ranking, Text};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Importance, Metadata, Timestamp};
use crate::store::Store;
use crate::text::{self, Voice};

/// The approximate and the maximum length of a passage, in characters.
const PASSAGE: usize = 1200;
const LONGEST: usize = 4 * PASSAGE;

/// An entry that was found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FoundEntry {
    /// The entry by field.
    pub entry: Entry,
    /// The text as in its file.
    pub text: String,
    /// Its score.
    pub score: f64,
}

/// A passage of an agent's knowledge that was found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FoundPassage {
    /// Its file.
    pub path: String,
    /// Its headings, the outermost first, with ` > ` between them.
    pub heading: String,
    /// The line where it begins, counted from 1.
    pub line: usize,
    /// The text as in its file.
    pub text: String,
    /// Its score.
    pub score: f64,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The learnings of an agent that match a query, best first (A29). They are read only here.
    pub async fn search_learnings(&self, agent: &str, query: &str, limit: usize) -> Result<Vec<FoundEntry>, Error> {
        let log = Log::parse(Kind::Learnings, self.documented_text(Kind::Learnings, agent).await?);
        let entries = log.entries();
        let texts: Vec<(&str, &str)> =
            entries.iter().map(|entry| (entry.title.as_str(), log.entry_text(entry))).collect();
        let found = self.ranked(&texts, query, limit)?.into_iter().filter_map(|(at, score)| {
            let entry = entries.get(at)?.clone();
            Some(FoundEntry { text: log.entry_text(&entry).to_owned(), score, entry })
        });
        Ok(found.collect())
    }

    /// The passages of an agent's `knowledge/` that match a query, best first (A1). They are never loaded
    /// automatically.
    pub async fn search_knowledge(&self, agent: &str, query: &str, limit: usize) -> Result<Vec<FoundPassage>, Error> {
        let folder = self.home(agent).await?.join("agent", "knowledge")?;
        let files = self.files(Some(&folder)).await?;
        let mut passages = Vec::new();
        for file in &files {
            for chunk in text::chunks(&file.text, PASSAGE, LONGEST) {
                let said = file.text.get(chunk.range.clone()).unwrap_or("");
                let line = file.text.get(..chunk.range.start).unwrap_or("").matches('\n').count() + 1;
                passages.push(FoundPassage {
                    path: file.path.as_str().to_owned(),
                    heading: chunk.heading_path.join(" > "),
                    line,
                    text: said.trim().to_owned(),
                    score: 0.0,
                });
            }
        }
        passages.retain(|passage| !passage.text.is_empty());
        let texts: Vec<(&str, &str)> =
            passages.iter().map(|passage| (passage.heading.as_str(), passage.text.as_str())).collect();
        let found = self.ranked(&texts, query, limit)?.into_iter();
        Ok(found.filter_map(|(at, score)| Some(FoundPassage { score, ..passages.get(at)?.clone() })).collect())
    }

    /// The indexes of the texts that match a query, by the same ranking as everything else. Each has a title and a
    /// body.
    fn ranked(&self, texts: &[(&str, &str)], query: &str, limit: usize) -> Result<Vec<(usize, f64)>, Error> {
        let decompose = |text: &str| self.decomposed(text);
        let (now, metadata) = (self.now()?, Metadata::default());
        let mut index = Index::default();
        for (at, (title, content)) in texts.iter().enumerate() {
            let (id, title, content) = (at.to_string(), decompose(title), decompose(content));
            index.put(&Doc {
                seq: at as u64,
                kind: DocKind::Entry,
                id: &id,
                namespace: "files",
                summary: &title,
                tags: &[],
                importance: Importance::default(),
                created_at: now,
                expires_at: Timestamp::MAX,
                at: now,
                valid: None,
                session: None,
                agent: None,
                speaker: None,
                voice: Voice::Other,
                source: None,
                trust: 0,
                key: None,
                metadata: &metadata,
                vector: &[],
                text: Text { content: &content, summary: &title, ..Text::default() },
            });
        }
        let query = decompose(query);
        let hits = index.search(&Query { limit, ..Query::new(&query, Ranking::Best) }, now);
        Ok(hits.iter().filter_map(|hit| Some((hit.found.id.parse().ok()?, hit.score))).collect())
    }
}
