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
use crate::memory::{ContextOptions, Memory, Progress, SearchOptions, ToTell, ToolBeside};
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
        let vectors = embedded(&texts)?.unwrap_or_default();
        let embeddings = items.into_iter().zip(vectors).map(|(item, vector)| (item.id, item.version, vector));
        let entries = ready(memory.embed(&embeddings.collect::<Vec<_>>()))?;
        let (items, _) = ready(memory.unembedded_talk((limit as usize).saturating_sub(texts.len())))?;
        let texts: Vec<String> = items.iter().map(|item| item.text.clone()).collect();
        let vectors = embedded(&texts)?.unwrap_or_default();
        let embeddings = items.into_iter().zip(vectors).map(|(item, vector)| (item.kind, item.id, vector));
        let said = ready(memory.embed_talk(&embeddings.collect::<Vec<_>>()))?;
        Ok((entries + said) as u64)
    }

    fn search(memory: door::MemoryBorrow<'_>, query: door::Query) -> Result<Vec<door::Hit>, door::Error> {
        let memory = memory.get::<Open>();
        let mut options = SearchOptions::try_from(query)?;
        if options.embedding.is_none() {
            options.embedding = about(memory, &options.query)?;
        }
        let hits = ready(memory.search(&options))?;
        Ok(hits.into_iter().map(Into::into).collect())
    }

    fn query_memory(memory: door::MemoryBorrow<'_>, recall: door::Recall) -> Result<Vec<door::Recalled>, door::Error> {
        let memory = memory.get::<Open>();
        let (query, mut options) = twins::recall(recall)?;
        if options.embedding.is_none() {
            options.embedding = about(memory, &query)?;
        }
        let found = ready(memory.recall(&query, &options))?;
        Ok(found.into_iter().map(Into::into).collect())
    }

    fn make_context(
        session: door::SessionBorrow<'_>,
        options: door::ContextOptions,
    ) -> Result<door::Context, door::Error> {
        let Session { memory, id, .. } = session.get::<Session>();
        let mut options = ContextOptions::try_from(options)?;
        if options.embedding.is_none() {
            let query = match &options.query {
                Some(query) => Some(query.clone()),
                None => ready(memory.last_asked(id))?,
            };
            options.embedding = match query.filter(|query| !query.is_empty()) {
                Some(query) => about(memory, &query)?,
                None => None,
            };
        }
        let context = ready(memory.context(id, &options))?;
        Ok(context.into())
    }

    fn call_tool(
        memory: door::MemoryBorrow<'_>,
        name: String,
        args: door::Json,
        scope: door::ToolScope,
    ) -> Result<door::ToolAnswer, door::Error> {
        let memory = memory.get::<Open>();
        let args = convert::value("args", &args)?;
        let embedding = match ready(memory.tool_query(&name, &args))? {
            Some(text) => embedded(&[text])?.and_then(|mut vectors| vectors.pop()),
            None => None,
        };
        let beside = ToolBeside { embedding, ..ToolBeside::default() };
        let answer = ready(memory.call_tool_with(&name, args, &scope.into(), &beside))?;
        Ok(answer.into())
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

/// Where a query lies, if the host says so.
fn about(memory: &Open, query: &str) -> Result<Option<Embedding>, door::Error> {
    let text = ready(memory.to_embed(query))?;
    Ok(embedded(&[text])?.and_then(|mut vectors| vectors.pop()))
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
