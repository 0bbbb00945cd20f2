//! Writes that are done once, however often they are asked for: what a client needs that never got its answer.

use super::failure::Refusal;
use super::tenant::hash;
use crate::kv::{Bucket, Head, KvStore};
use keepsake::ErrorCode;
use keepsake::model::Json;

/// Collections of the API's own, which clients do not see.
pub(super) const RESERVED: &str = "keepsake/";

const ANSWERS: &str = "keepsake/answers";
const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// How many old answers go at a time.
const SWEEP: usize = 100;
/// How long a write that somebody else has begun is waited for, and after how long it is given up.
const WAIT_MS: u32 = 50;
const WAITS: usize = 100;
const GIVEN_UP_MS: u64 = 30_000;

/// Adds an entry. Its id follows from the key, so that the entry itself tells that it was added: there is no moment in
/// which the one is stored and the other is not.
pub(super) async fn add<B: Bucket + Clone, H: Head<B>>(
    memory: &super::Kept<B, H>,
    draft: Json,
    key: &str,
) -> Result<Json, Refusal> {
    let named = draft.get("id").clone();
    let id = if named.is_null() { id_of(key).into() } else { named.clone() };
    let content = draft.get("content").clone();
    let Json::Object(mut fields) = draft else { return Err(Refusal::unfit("body", "must be a JSON object")) };
    fields.retain(|(name, _)| name != "id");
    fields.push(("id".into(), id.clone()));
    match memory.call("add", Json::Object(fields)).await {
        Ok(entry) => Ok(entry),
        Err(error) if error.code() == ErrorCode::AlreadyExists => {
            let found = memory.call("get", Json::object(vec![("id", id)])).await?;
            let kept = found.get("content").as_str().unwrap_or_default();
            let content = content.as_str().unwrap_or_default();
            let cut = *found.get("truncated") == Json::Bool(true);
            if !found.is_null() && (content == kept || cut && content.starts_with(kept)) {
                let Json::Object(fields) = found else { return Err(error.into()) };
                return Ok(Json::Object(fields.into_iter().filter(|(name, _)| name != "content").collect()));
            }
            Err(if named.is_null() { mismatch() } else { error.into() })
        }
        Err(error) => Err(error.into()),
    }
}

/// Appends messages, whose ids follow from the key in the same way. They are stored together: one is there, or none.
pub(super) async fn append<B: Bucket + Clone, H: Head<B>>(
    memory: &super::Kept<B, H>,
    session: &str,
    messages: Json,
    agent: Json,
    key: &str,
) -> Result<Json, Refusal> {
    let (id, Json::Array(messages)) = (id_of(key), messages) else { return Err(mismatch()) };
    let unnamed = messages.iter().any(|message| message.get("id").is_null());
    let name = |(at, message): (usize, Json)| match message {
        Json::Object(mut fields) if !fields.iter().any(|(name, value)| name == "id" && !value.is_null()) => {
            fields.push(("id".into(), format!("{id}-{at}").into()));
            Json::Object(fields)
        }
        other => other,
    };
    let named: Vec<Json> = messages.into_iter().enumerate().map(name).collect();
    let args = vec![("session", session.into()), ("agent", agent), ("messages", Json::Array(named.clone()))];
    let error = match memory.call("append", Json::object(args)).await {
        Ok(kept) => return Ok(kept),
        Err(error) if error.code() == ErrorCode::AlreadyExists => error,
        Err(error) => return Err(error.into()),
    };
    let mut found = Vec::new();
    for message in &named {
        let args = vec![("session", session.into()), ("id", message.get("id").clone())];
        let kept = memory.call("message", Json::object(args)).await?;
        let role = message.get("role").as_str().unwrap_or_default().to_lowercase();
        if kept.get("role").as_str() != Some(&role) || text_of(&kept) != text_of(message) {
            return Err(if unnamed { mismatch() } else { error.into() });
        }
        found.push(kept);
    }
    Ok(Json::Array(found))
}

/// The text of a message, without what else is in it.
fn text_of(message: &Json) -> String {
    match message.get("content") {
        Json::String(text) => text.clone(),
        Json::Array(blocks) => {
            let text = |block: &&Json| block.get("type").as_str() == Some("text");
            let texts = blocks.iter().filter(text).map(|block| block.get("text").as_str().unwrap_or_default());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// What `write` answers, or has answered to the same request under the same key. Who comes while another is at it waits;
/// if that one is dead, it is given up after a while, and the next one tries.
pub(super) async fn answer<B: Bucket + Clone, H: Head<B>>(
    memory: &super::Kept<B, H>,
    store: &KvStore<B, H>,
    key: &str,
    asks: &str,
    write: impl AsyncFnOnce() -> Result<Json, Refusal>,
) -> Result<Json, Refusal> {
    let (name, print) = (hash(key.as_bytes()), hash(asks.as_bytes()));
    let place = format!("k/{name}");
    let bucket = store.bucket();
    let mut waits = 0;
    let mine = loop {
        store.refresh();
        let now = bucket.now();
        let kept = kept(memory, &place).await?;
        if let Some(kept) = &kept {
            if kept.get("print").as_str() != Some(&print) {
                return Err(mismatch());
            }
            if !kept.get("body").is_null() {
                return Ok(kept.get("body").clone());
            }
            let begun = kept.get("at").as_i64().and_then(|at| u64::try_from(at).ok()).unwrap_or(0);
            if begun + GIVEN_UP_MS > now {
                waits += 1;
                if waits > WAITS {
                    let message = "the same request is being done: try again";
                    return Err(Refusal::new(503, "conflict", message, Some("Idempotency-Key")));
                }
                bucket.pause(WAIT_MS).await;
                continue;
            }
        }
        let mine = Json::object(vec![("at", now.into()), ("print", print.as_str().into())]);
        let set = change(&place, Some(mine.clone()));
        if edit(memory, vec![set], Some((&place, kept))).await? {
            break (now, mine);
        }
    };
    let (at, begun) = mine;
    match write().await {
        Ok(body) => {
            let done = Json::Object(vec![
                ("at".into(), at.into()),
                ("print".into(), print.into()),
                ("body".into(), body.clone()),
            ]);
            // Under its time as well, by which it is found when it is old: of one length until the year 2286.
            let changes = vec![change(&place, Some(done)), change(&format!("t/{at}/{name}"), Some(Json::Null))];
            // What was written is written: a failure to note it is no failure of the write.
            drop(edit(memory, changes, None).await);
            if usize::from(bucket.chance()[0]) < 256 / SWEEP {
                drop(sweep(memory, at).await);
            }
            Ok(body)
        }
        Err(refusal) => {
            // Nothing was done: the next one may try.
            if !refusal.is(ErrorCode::StorageFailed) {
                drop(edit(memory, vec![change(&place, None)], Some((&place, Some(begun)))).await);
            }
            Err(refusal)
        }
    }
}

async fn kept<B: Bucket + Clone, H: Head<B>>(memory: &super::Kept<B, H>, place: &str) -> Result<Option<Json>, Refusal> {
    let args = vec![("collection", ANSWERS.into()), ("keys", Json::Array(vec![place.into()]))];
    let found = memory.call("values", Json::object(args)).await?;
    let item = found.as_array().and_then(|found| found.first()).and_then(Json::as_array);
    Ok(item.and_then(|item| item.first()).cloned())
}

fn change(key: &str, value: Option<Json>) -> Json {
    let what = value.map_or(("delete".to_owned(), Json::Bool(true)), |value| ("value".to_owned(), value));
    Json::Object(vec![("key".to_owned(), key.into()), what])
}

/// Changes values, if one is still what was seen of it.
async fn edit<B: Bucket + Clone, H: Head<B>>(
    memory: &super::Kept<B, H>,
    changes: Vec<Json>,
    expect: Option<(&str, Option<Json>)>,
) -> Result<bool, Refusal> {
    let expect = expect.map(|(key, value)| {
        let value = value.map(|value| ("value".to_owned(), value));
        Json::Array(vec![Json::Object([("key".to_owned(), key.into())].into_iter().chain(value).collect())])
    });
    let args =
        vec![("collection", ANSWERS.into()), ("changes", Json::Array(changes)), ("expect", expect.unwrap_or_default())];
    Ok(memory.call("editValues", Json::object(args)).await? == Json::Bool(true))
}

/// Takes away answers that are older than a day.
async fn sweep<B: Bucket + Clone, H: Head<B>>(memory: &super::Kept<B, H>, now: u64) -> Result<(), Refusal> {
    let args = vec![("collection", ANSWERS.into()), ("prefix", "t/".into()), ("limit", SWEEP.into())];
    let page = memory.call("listValues", Json::object(args)).await?;
    let until = format!("t/{}", now.saturating_sub(DAY_MS));
    let keys = page.as_array().unwrap_or_default().iter().filter_map(|item| item.as_array()?.first()?.as_str());
    let old: Vec<&str> = keys.filter(|key| **key < *until).collect();
    let gone = old.iter().flat_map(|key| {
        let name = key.rsplit('/').next().unwrap_or_default();
        [change(key, None), change(&format!("k/{name}"), None)]
    });
    let gone: Vec<Json> = gone.collect();
    if !gone.is_empty() {
        edit(memory, gone, None).await?;
    }
    Ok(())
}

fn mismatch() -> Refusal {
    let message = "`Idempotency-Key` was used for another request";
    Refusal::new(422, "invalid-input", message, Some("Idempotency-Key"))
}

fn id_of(key: &str) -> String {
    hash(format!("id:{key}").as_bytes())[..32].to_owned()
}
