//! Long-term memory as agents use it: what is worth keeping of a conversation, and what is told of it later (E12–E17).

use super::{Env, Error, Memory, SearchOptions};
use crate::context::prompt::{self, Item, Kind, Request};
use crate::index::Ranking;
use crate::model::{AgentId, Draft, Embedding, Entry, Invalid, Message, Role, SessionId, Speaker};
use crate::store::Store;
use crate::text;

const LONG_TERM: &str = "long-term";

/// Two texts that share at least so much of their words say the same.
const SAME: f64 = 0.8;

/// Where something to record comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The conversation.
    pub session: Option<SessionId>,
    /// The agent that records.
    pub agent: Option<AgentId>,
    /// Where it came from, in words.
    pub source: Option<String>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Keeps what is worth keeping of what the user and the model said (E17), unless it is known already.
    pub async fn record(&self, messages: &[Message], origin: &Origin) -> Result<Vec<Entry>, Error> {
        let mut kept = Vec::new();
        for message in messages.iter().filter(|message| matches!(message.role, Role::User | Role::Assistant)) {
            let said = message.text();
            let speaker = message.name.as_deref().unwrap_or(message.role.as_str());
            for sentence in text::salient(&said) {
                kept.extend(self.record_text(sentence, Some(speaker), origin).await?);
            }
        }
        Ok(kept)
    }

    /// Keeps these texts as they are, unless they are known already.
    pub async fn record_texts(&self, texts: &[String], origin: &Origin) -> Result<Vec<Entry>, Error> {
        let mut kept = Vec::new();
        for content in texts.iter().filter(|content| !content.trim().is_empty()) {
            kept.extend(self.record_text(content, None, origin).await?);
        }
        Ok(kept)
    }

    async fn record_text(&self, content: &str, speaker: Option<&str>, origin: &Origin) -> Result<Option<Entry>, Error> {
        let known = SearchOptions {
            query: text::cut(content, 1000).to_owned(),
            ranking: Ranking::Best,
            limit: Some(5),
            namespace: Some(LONG_TERM.to_owned()),
            ..SearchOptions::default()
        };
        if self.search(&known).await?.iter().any(|hit| alike(&hit.summary, content) >= SAME) {
            return Ok(None);
        }
        let draft = Draft {
            content: content.to_owned(),
            namespace: Some(LONG_TERM.to_owned()),
            session: origin.session.clone(),
            agent: origin.agent.clone(),
            source: origin.source.clone(),
            speaker: speaker.map(|name| Speaker::new("speaker", name)).transpose()?,
            ..Draft::default()
        };
        self.add(draft).await.map(Some)
    }

    /// The block of memories that bear on a text (E14); empty if there is none.
    pub async fn retrieve(
        &self,
        query: &str,
        limit: usize,
        agent: Option<&AgentId>,
        embedding: Option<Embedding>,
    ) -> Result<String, Error> {
        let options = SearchOptions {
            query: query.to_owned(),
            ranking: Ranking::Best,
            limit: Some(limit),
            agent: agent.map(ToString::to_string),
            embedding,
            ..SearchOptions::default()
        };
        let hits = self.search(&options).await?;
        let item = |hit: &'_ super::Hit| (hit.id.to_string(), hit.summary.clone(), hit.score);
        let found: Vec<(String, String, f64)> = hits.iter().map(item).collect();
        let items: Vec<Item<'_>> = found
            .iter()
            .map(|(reference, text, value)| Item { kind: Kind::Memory, reference, text, value: *value })
            .collect();
        let count = |text: &str| self.count_tokens(text);
        let request = Request { items: &items, turns: &[], budget: u32::MAX, order: &[Kind::Memory], count: &count };
        let compiled = prompt::compile(&request).map_err(|small| Invalid::value("budget", small.to_string()))?;
        Ok(compiled.prompt)
    }

    /// What the tool `record_to_memory` answers (E15).
    pub async fn record_to_memory(&self, content: &[String]) -> Result<&'static str, Error> {
        if content.iter().all(|text| text.trim().is_empty()) {
            return Ok("No content provided to record");
        }
        self.record_texts(content, &Origin::default()).await?;
        Ok("Successfully recorded to long-term memory")
    }

    /// What the tool `retrieve_from_memory` answers (E15).
    pub async fn retrieve_from_memory(&self, keywords: &[String]) -> Result<String, Error> {
        let found = self.retrieve(&keywords.join(" "), 5, None, None).await?;
        Ok(if found.is_empty() { "No relevant memories found".to_owned() } else { found })
    }
}

/// Which part of the words of two texts they share.
fn alike(one: &str, other: &str) -> f64 {
    let words = |text: &str| -> Vec<String> {
        let mut words = Vec::new();
        text::terms(text, &mut |term| {
            if matches!(term.role, text::Role::Word | text::Role::Pair | text::Role::Lone) {
                words.push(term.text.to_owned());
            }
        });
        words
    };
    let (one, other) = (words(one), words(other));
    let shared = one.iter().filter(|word| other.contains(word)).count();
    shared as f64 / one.len().max(other.len()).max(1) as f64
}
