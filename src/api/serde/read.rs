//! Reads answers from JSON: what the codec only writes, because no other door reads it. Fields of later versions are
//! ignored.

use crate::api::EntryWithContent;
use crate::codec::json::{self as codec, Fields};
use crate::memory::json as answers;
use crate::memory::{Document, Forgotten, Graph, Stats};
use crate::model::{
    AgentId, Embedding, Entry, EntryId, FactKey, Importance, Invalid, Json, Message, MessageId, Metadata, Namespace,
    Promotion, SecretKind, SessionId, SkillDraft, Speaker, Step, StepDraft, Tags, Timestamp, Trust,
};

/// The fields of an answer; those of a later version are no mistake.
fn done<T>(fields: Fields, value: Option<T>, required: &'static str) -> Result<T, Invalid> {
    fields.others()?;
    value.ok_or_else(|| Invalid::value(required, "is required"))
}

pub(super) fn texts(name: &'static str, json: Json) -> Result<Vec<String>, Invalid> {
    let mut fields = Fields::of(name, Json::object(vec![(name, json)]));
    let texts = fields.texts(name);
    fields.finish().map(|()| texts)
}

pub(super) fn embedding(json: Json) -> Result<Embedding, Invalid> {
    let mut fields = Fields::of("embedding", Json::object(vec![("embedding", json)]));
    let embedding = codec::embedding(&mut fields);
    done(fields, embedding, "embedding")
}

pub(super) fn entry(json: Json) -> Result<Entry, Invalid> {
    let mut fields = Fields::of("entry", json);
    let entry = read_entry(&mut fields);
    done(fields, entry, "id")
}

pub(super) fn entry_with_content(json: Json) -> Result<EntryWithContent, Invalid> {
    let mut fields = Fields::of("entry", json);
    let content = fields.required_text("content");
    let entry = read_entry(&mut fields);
    Ok((done(fields, entry, "id")?, content).into())
}

fn required<T>(fields: &mut Fields, name: &'static str, value: Option<T>) -> Option<T> {
    if value.is_none() {
        fields.refuse(Invalid::value(name, "is required"));
    }
    value
}

fn time(fields: &mut Fields, name: &'static str) -> Option<Timestamp> {
    let at = fields.time(name);
    required(fields, name, at)
}

fn small(fields: &mut Fields, name: &'static str) -> Option<u32> {
    fields.count(name).map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}

fn read_entry(fields: &mut Fields) -> Option<Entry> {
    let id = fields.made("id", EntryId::new);
    let namespace = fields.made("namespace", Namespace::new);
    let namespace = required(fields, "namespace", namespace);
    let summary = fields.required_text("summary");
    let tags = Tags::new("tags", fields.texts("tags"));
    let importance = Importance::new("importance", fields.number("importance").unwrap_or_default());
    let metadata = fields.value("metadata").map_or(Ok(Metadata::default()), |value| Metadata::new("metadata", value));
    let secrets = fields.texts("secrets");
    let secrets: Option<Vec<SecretKind>> = secrets.iter().map(|name| SecretKind::named(name)).collect();
    let promoted = fields.value("promoted").map(promotion);
    let [at, created_at, updated_at, expires_at] =
        ["at", "createdAt", "updatedAt", "expiresAt"].map(|name| time(fields, name));
    Some(Entry {
        id: id?,
        namespace: namespace?,
        summary,
        content_chars: fields.count("contentLength").unwrap_or_default(),
        truncated: fields.flag("truncated").unwrap_or_default(),
        tags: fields.accept(tags)?,
        importance: fields.accept(importance)?,
        source: fields.text("source"),
        metadata: fields.accept(metadata)?,
        key: fields.made("key", FactKey::new),
        session: fields.made("session", SessionId::new),
        agent: fields.made("agent", AgentId::new),
        speaker: fields.made("speaker", Speaker::new),
        at: at?,
        valid_from: fields.time("validFrom"),
        valid_until: fields.time("validUntil"),
        replaces: fields.made("replaces", EntryId::new),
        trust: trust(fields),
        // An unknown kind of secret is one of a later version.
        secrets: fields.accept(secrets.ok_or_else(|| Invalid::value("secrets", "has an unknown kind")))?,
        promoted: match promoted {
            Some(promoted) => Some(fields.accept(promoted)?),
            None => None,
        },
        count: small(fields, "count").unwrap_or(1),
        seen_at: fields.time("seenAt"),
        version: small(fields, "version").unwrap_or(1),
        created_at: created_at?,
        updated_at: updated_at?,
        expires_at: expires_at?,
    })
}

fn trust(fields: &mut Fields) -> Trust {
    fields.made("trust", |field, word| Trust::new(field, &word)).unwrap_or_default()
}

fn promotion(json: Json) -> Result<Promotion, Invalid> {
    let mut fields = Fields::of("promoted", json);
    let from = fields.made("from", |field, word| Trust::new(field, &word));
    let (by, why, at) = (fields.required_text("by"), fields.required_text("why"), time(&mut fields, "at"));
    let promotion = from.zip(at).map(|(from, at)| Promotion { from, by, why, at });
    done(fields, promotion, "from").map_err(|mistake| mistake.within("promoted"))
}

/// A stored message, which has an id and a time.
pub(super) fn message(json: Json) -> Result<Message, Invalid> {
    let draft = codec::message_draft(json)?;
    let missing = |field| Invalid::value(field, "is required");
    let id: MessageId = draft.id.clone().ok_or_else(|| missing("id"))?;
    let at = draft.at.ok_or_else(|| missing("at"))?;
    Ok(draft.into_message(id, at))
}

pub(super) fn stats(json: Json) -> Result<Stats, Invalid> {
    let mut fields = Fields::of("stats", json);
    let total = fields.count("total");
    let counts = match fields.value("namespaces") {
        Some(Json::Object(counts)) => counts,
        _ => return Err(Invalid::value("namespaces", "must be an object")),
    };
    let count = |(name, count): (String, Json)| {
        let count = count.as_i64().and_then(|count| usize::try_from(count).ok());
        let count = count.ok_or_else(|| Invalid::value("namespaces", "must be numbers of entries"))?;
        Ok((Namespace::new("namespaces", name)?, count))
    };
    let namespaces = counts.into_iter().map(count).collect::<Result<Vec<_>, Invalid>>()?;
    done(fields, total, "total").map(|total| Stats { total, namespaces })
}

pub(super) fn forgotten(json: Json) -> Result<Forgotten, Invalid> {
    let mut fields = Fields::of("forgotten", json);
    let ids = fields.texts("entries").into_iter().enumerate();
    let ids = ids.map(|(at, id)| EntryId::new(&format!("entries[{at}]"), id)).collect::<Result<Vec<_>, _>>();
    let messages = fields.count("messages");
    let forgotten = Some(Forgotten { entries: ids?, messages: messages.unwrap_or_default() as u64 });
    done(fields, forgotten, "entries")
}

pub(super) fn graph(json: Json) -> Result<Graph, Invalid> {
    let mut fields = Fields::of("graph", json);
    let graph = answers::read_graph(&mut fields, false);
    fields.finish().map(|()| graph)
}

pub(super) fn skill_draft(json: Json) -> Result<SkillDraft, Invalid> {
    codec::whole_skill(json)
}

pub(super) fn step_draft(json: Json) -> Result<StepDraft, Invalid> {
    let mut fields = Fields::of("step", json);
    let draft = codec::step_draft(&mut fields);
    fields.finish()?;
    draft.checked()
}

pub(super) fn step(json: Json) -> Result<Step, Invalid> {
    codec::read_step(json).ok_or_else(|| Invalid::value("step", "must be a stored step, with `n` and `at`"))
}

pub(super) fn document(json: Json) -> Result<Document, Invalid> {
    let mut documents = answers::documents(vec![json])?;
    documents.pop().ok_or_else(|| Invalid::value("document", "is required"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_in_an_answer_is_named_by_its_field() {
        let refused = |text: &str| entry(text.parse().unwrap()).unwrap_err().field().to_owned();
        assert_eq!(refused("{}"), "namespace");
        assert_eq!(refused(r#"{"id":"a","namespace":"short-term","summary":"s"}"#), "at");
        assert_eq!(refused("[]"), "entry");
        assert_eq!(message(r#"{"role":"user","content":"hi"}"#.parse().unwrap()).unwrap_err().field(), "id");
        assert_eq!(texts("tags", Json::Bool(true)).unwrap_err().field(), "tags");
    }
}
