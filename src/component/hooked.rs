//! What the host's models do for a memory, through the WIT door: the sans-IO halves of the library, brought together.

use super::Keepsake;
use super::bindings::exports::keepsake::memory::hooked as door;
use super::bindings::keepsake::memory::{embedder, summarizer, teacher};
use super::dialog::Session;
use super::env::HostEnv;
use super::ready::ready;
use super::store::HostStore;
use super::{convert, dialog_convert as twins};
use crate::codec::json::{self, Fields};
use crate::memory::{Memory, Progress, SearchOptions, ToTell};
use crate::model::{Embedding, Invalid};

type Open = Memory<HostStore, HostEnv>;

impl door::Guest for Keepsake {
    fn compress(session: door::SessionBorrow<'_>, way: Option<door::Way>) -> Result<door::Compressed, door::Error> {
        let Session { memory, id, .. } = session.get::<Session>();
        let way = twins::way(way, memory.tree_reduce())?;
        let mut progress = ready(memory.compress(id, &way, true))?;
        loop {
            match progress {
                Progress::Done { changed, items, history } => {
                    return Ok(door::Compressed { changed, items: items as u64, history });
                }
                Progress::Needs { token, texts } => {
                    let wanted = texts.len();
                    let mut told = summarizer::summarize(&texts.into_iter().map(passage).collect::<Vec<_>>());
                    // One too many or too few would stand for something else.
                    if told.len() != wanted {
                        told = vec![None; wanted];
                    }
                    progress = ready(memory.compressed(token, told))?;
                }
            }
        }
    }

    fn embed(memory: door::MemoryBorrow<'_>, limit: u32) -> Result<u64, door::Error> {
        let memory = memory.get::<Open>();
        let (items, _) = ready(memory.unembedded(limit as usize))?;
        let texts: Vec<String> = items.iter().map(|item| item.text.clone()).collect();
        let Some(vectors) = embedded(&texts)? else { return Ok(0) };
        let embeddings = items.into_iter().zip(vectors).map(|(item, vector)| (item.id, item.version, vector));
        Ok(ready(memory.embed(&embeddings.collect::<Vec<_>>()))? as u64)
    }

    fn search(memory: door::MemoryBorrow<'_>, query: door::Query) -> Result<Vec<door::Hit>, door::Error> {
        let memory = memory.get::<Open>();
        let mut options = SearchOptions::try_from(query)?;
        if options.embedding.is_none() {
            let text = ready(memory.to_embed(&options.query))?;
            options.embedding = embedded(&[text])?.and_then(|mut vectors| vectors.pop());
        }
        let hits = ready(memory.search(&options))?;
        Ok(hits.into_iter().map(Into::into).collect())
    }

    fn learn(memory: door::MemoryBorrow<'_>, task_type: Option<String>) -> Result<Vec<door::Skill>, door::Error> {
        let memory = memory.get::<Open>();
        let Some(news) = ready(memory.unlearned(task_type.as_deref()))? else { return Ok(Vec::new()) };
        let traces: Vec<String> = news.traces.iter().map(|trace| json::trace(trace).to_string()).collect();
        let Some(taught) = teacher::teach(&news.task_type, &traces) else { return Ok(Vec::new()) };
        let mut drafts = Vec::with_capacity(taught.len());
        for skill in taught {
            let mut fields = Fields::of("skills", convert::value("skills", &skill)?);
            let draft = json::skill_draft(&mut fields);
            fields.finish()?;
            drafts.push(draft);
        }
        let ids: Vec<String> = news.traces.iter().map(|trace| trace.id.clone()).collect();
        let skills = ready(memory.taught_by_app(&news.task_type, news.up_to(), &ids, &drafts))?;
        Ok(skills.into_iter().map(Into::into).collect())
    }
}

fn passage(told: ToTell) -> summarizer::Passage {
    summarizer::Passage { texts: told.texts, are_summaries: told.merge, max_tokens: told.max_tokens }
}

/// Where these texts lie, if the host says so.
fn embedded(texts: &[String]) -> Result<Option<Vec<Embedding>>, Invalid> {
    let Some(vectors) = (if texts.is_empty() { None } else { embedder::embed(texts) }) else { return Ok(None) };
    if vectors.len() != texts.len() {
        return Err(Invalid::value("embedding", "must be one for each text"));
    }
    let made = vectors.into_iter().map(|vector| Embedding::new("embedding", vector));
    made.collect::<Result<_, _>>().map(Some)
}
