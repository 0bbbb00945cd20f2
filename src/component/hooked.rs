//! Functions that call the host's models: summaries, embeddings and skills.

use super::bindings::exports::keepsake::memory::dialog::{Progress, SummaryRequest, Task};
use super::bindings::exports::keepsake::memory::hooked as door;
use super::bindings::keepsake::memory::{embedder, summarizer, teacher};
use super::wire::{Open, Text, Write, Writer, answer, call, fields, part};
use super::{Keepsake, Session};
use crate::model::Invalid;

impl door::Guest for Keepsake {
    fn compress(
        session: door::SessionBorrow<'_>,
        way: Option<door::Strategy>,
    ) -> Result<door::Compressed, door::Error> {
        let Session { memory, id, .. } = session.get::<Session>();
        let mut args = Writer::default();
        args.put("session", id.to_string());
        args.put("way", way);
        args.put("hook", true);
        let mut progress = answer(memory, "compress", args)?;
        loop {
            match progress {
                Progress::Done(done) => return Ok(done),
                Progress::Waiting(waiting) => {
                    let wanted = waiting.requests.len();
                    let passages: Vec<_> = waiting.requests.into_iter().map(passage).collect();
                    let mut summaries = summarizer::summarize(&passages);
                    // With another number of summaries each would be assigned to the wrong request.
                    if summaries.len() != wanted {
                        summaries = vec![None; wanted];
                    }
                    let mut args = Writer::default();
                    args.put("token", waiting.token);
                    args.put("summaries", summaries);
                    progress = answer(memory, "compressed", args)?;
                }
            }
        }
    }

    fn embed(memory: door::MemoryBorrow<'_>, limit: u32) -> Result<u64, door::Error> {
        let memory = memory.get::<Open>();
        let (asked, entries) = embed_all(memory, limit as usize, "unembedded", "embed")?;
        let (_, said) = embed_all(memory, (limit as usize).saturating_sub(asked), "unembeddedTalk", "embedTalk")?;
        Ok(entries + said)
    }

    fn search(memory: door::MemoryBorrow<'_>, query: door::Query) -> Result<Vec<door::Hit>, door::Error> {
        let (memory, about) = (memory.get::<Open>(), query.query.clone());
        let given = query.embedding.is_some();
        let mut args = Writer::default();
        query.write(&mut args);
        if !given {
            args.put("embedding", embedded(memory, &about)?);
        }
        answer(memory, "search", args)
    }

    fn query_memory(memory: door::MemoryBorrow<'_>, recall: door::Recall) -> Result<Vec<door::Recalled>, door::Error> {
        let (memory, about) = (memory.get::<Open>(), recall.query.clone());
        let given = recall.embedding.is_some();
        let mut args = Writer::default();
        recall.write(&mut args);
        if !given {
            args.put("embedding", embedded(memory, &about)?);
        }
        part(call(memory, "queryMemory", args)?, "hits")
    }

    fn make_context(
        session: door::SessionBorrow<'_>,
        options: door::ContextOptions,
    ) -> Result<door::Context, door::Error> {
        let Session { memory, id, .. } = session.get::<Session>();
        let (about, given) = (options.query.clone(), options.embedding.is_some());
        let mut args = Writer::default();
        args.put("session", id.to_string());
        options.write(&mut args);
        if !given {
            let about = match about {
                Some(query) => Some(query),
                None => {
                    let mut args = Writer::default();
                    args.put("session", id.to_string());
                    answer::<Option<String>>(memory, "lastAsked", args)?
                }
            };
            if let Some(about) = about.filter(|query| !query.is_empty()) {
                args.put("embedding", embedded(memory, &about)?);
            }
        }
        answer(memory, "context", args)
    }

    fn call_tool(
        memory: door::MemoryBorrow<'_>,
        name: String,
        args: door::Json,
        scope: door::ToolScope,
    ) -> Result<door::ToolAnswer, door::Error> {
        let memory = memory.get::<Open>();
        let called = |name: &str, args: &str| {
            let mut called = Writer::default();
            called.put("name", name.to_owned());
            called.put("args", Text(args.to_owned()));
            called
        };
        let query: Option<String> = answer(memory, "toolQuery", called(&name, &args))?;
        let mut sent = called(&name, &args);
        scope.write(&mut sent);
        if let Some(query) = query {
            sent.put("embedding", vectors(&[query])?.and_then(|mut vectors| vectors.pop()));
        }
        answer(memory, "callTool", sent)
    }

    fn learn(memory: door::MemoryBorrow<'_>, task_type: Option<String>) -> Result<Vec<door::Skill>, door::Error> {
        let memory = memory.get::<Open>();
        let mut args = Writer::default();
        args.put("taskType", task_type);
        let news = call(memory, "learnTraces", args)?;
        if news.is_null() {
            return Ok(Vec::new());
        }
        let mut news = fields(news)?;
        let task_type: String = news.told("taskType")?;
        let traces = news.value("traces");
        let traces = traces.as_array().unwrap_or_default();
        let texts: Vec<String> = traces.iter().map(ToString::to_string).collect();
        let Some(taught) = teacher::teach(&task_type, &texts) else { return Ok(Vec::new()) };
        let mut args = Writer::default();
        args.put("taskType", task_type);
        args.put("upTo", news.told::<u64>("upTo")?);
        args.put("traces", traces.iter().map(|trace| trace.get("id").clone()).collect::<Vec<_>>());
        args.put("skills", taught.into_iter().map(Text).collect::<Vec<_>>());
        part(call(memory, "learnApply", args)?, "skills")
    }
}

fn passage(request: SummaryRequest) -> summarizer::Passage {
    let are_summaries = matches!(request.task, Task::Merge);
    summarizer::Passage { texts: request.texts, are_summaries, max_tokens: request.max_tokens }
}

/// Embeds the texts that one verb lists, and stores them with the other. Returns the number of texts sent to the host
/// and the number of vectors stored.
fn embed_all(memory: &Open, limit: usize, unembedded: &str, embed: &str) -> Result<(usize, u64), door::Error> {
    let mut args = Writer::default();
    args.put("limit", limit as u64);
    let items = fields(call(memory, unembedded, args)?)?.value("items");
    let items = items.as_array().unwrap_or_default();
    let texts: Vec<String> = items.iter().filter_map(|item| item.get("text").as_str().map(str::to_owned)).collect();
    let vectors = vectors(&texts)?.unwrap_or_default();
    let mut embedded = Vec::with_capacity(vectors.len());
    for (item, vector) in items.iter().zip(vectors) {
        let mut fields = Writer::default();
        // An entry has a version, a message or a history has a kind.
        for key in ["id", "kind", "version"].into_iter().filter(|key| !item.get(key).is_null()) {
            fields.put(key, item.get(key).clone());
        }
        fields.put("embedding", vector);
        embedded.push(fields.finish()?);
    }
    let mut args = Writer::default();
    args.put("items", embedded);
    Ok((items.len(), answer(memory, embed, args)?))
}

/// The embedding of a query, if the host returns one.
fn embedded(memory: &Open, query: &str) -> Result<Option<Vec<f32>>, door::Error> {
    let mut args = Writer::default();
    args.put("query", query.to_owned());
    let text: String = answer(memory, "toEmbed", args)?;
    Ok(vectors(&[text])?.and_then(|mut vectors| vectors.pop()))
}

/// The embeddings of these texts, if the host returns them.
fn vectors(texts: &[String]) -> Result<Option<Vec<Vec<f32>>>, Invalid> {
    let Some(vectors) = (if texts.is_empty() { None } else { embedder::embed(texts) }) else { return Ok(None) };
    if vectors.len() != texts.len() {
        return Err(Invalid::value("embedding", "must be one for each text"));
    }
    Ok(Some(vectors))
}
