//! Idempotent writes: a write under an idempotency key is applied once, however often it is retried. For callers that
//! lost the response.

use super::verb::{Checks, Collections, Entries, Session, Sessions, Verb};
use crate::codec::hex;
use crate::codec::json::Fields;
use crate::log::hash;
use crate::memory::audit::rollback::{Rollback, rolled_back};
use crate::memory::engine::note::{NOTES, Note};
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::prompt::forget::{Forgotten, forgotten};
use crate::model::{Invalid, Json};
use crate::store::{Durability, Store};

/// How long the record of a key is kept.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// How many expired records are deleted at a time. One write in this many checks for them.
const SWEEP: usize = 100;

/// The verb of this name, if it is a write that supports idempotency keys.
fn once_verb(name: &str) -> Option<Verb> {
    Verb::named(name).filter(|verb| match verb {
        Verb::Entries(verb) => matches!(verb, Entries::Add | Entries::Update | Entries::Delete | Entries::Clear),
        Verb::Session(verb) => matches!(verb, Session::Append | Session::SetTitle | Session::DeleteSession),
        Verb::Sessions(verb) => *verb == Sessions::Forget,
        Verb::Collections(verb) => *verb == Collections::EditValues,
        Verb::Checks(verb) => matches!(verb, Checks::AddMany | Checks::Promote | Checks::Rollback | Checks::Resolve),
        _ => false,
    })
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Runs the write `verb`, unless the same `request` was applied under the same key: then it returns the first
    /// answer. Another request under that key is refused.
    pub(in crate::memory) async fn once(&self, args: Json) -> Result<Json, Error> {
        let mut fields = Fields::of("args", args);
        let key = fields.required_text("idempotencyKey");
        let (request, verb) = (fields.required_text("request"), fields.required_text("verb"));
        let args = fields.value("args").unwrap_or_default();
        fields.finish()?;
        if key.is_empty() {
            return Err(Invalid::value("idempotencyKey", "must not be empty").into());
        }
        let Some(what) = once_verb(&verb) else {
            return Err(Invalid::value("verb", "is not a write that can be made once").into());
        };
        let hashed = |text: &str| hex::encode(&hash(text.as_bytes()));
        let note = Note { name: hashed(&key), request: hashed(&request), ..Note::default() };
        let watched = self.inner.work.borrow().clone();
        let work = watched.clone().unwrap_or_default();
        let note = work.note.get_or_init(|| note);
        let session = args.get("session").clone();
        // A preview of a rollback leaves no note: it is to change nothing, and a retry may make it again.
        let preview = args.get("preview") == &Json::Bool(true);
        let making = async {
            self.check_note().await?;
            let answer = self.call(&verb, args).await?;
            if !note.planned.get() && !preview {
                // Nothing had to be written. A retry gets the same answer.
                drop(
                    self.write(Durability::Relaxed, async |plan: &mut Plan| self.plan_note(plan, || 0u64.into())).await,
                );
            }
            Ok(answer)
        };
        let made = match watched {
            Some(_) => Box::pin(making).await.map(Some),
            None => self.watched(&work, Box::pin(making)).await,
        };
        if let Some(earlier) = note.earlier.take() {
            return self.made(what, &session, note, &earlier).await;
        }
        let made = made?;
        let [chance] = self.entropy()?;
        if usize::from(chance) < 256 / SWEEP {
            drop(self.sweep_notes().await);
        }
        Ok(made.unwrap_or_default())
    }

    /// The answer to a write that an earlier call applied.
    async fn made(&self, verb: Verb, session: &Json, note: &Note, earlier: &Json) -> Result<Json, Error> {
        if earlier.get("request").as_str() != Some(&note.request) {
            return Err(Invalid::value("idempotencyKey", "was used for another request").into());
        }
        let answer = earlier.get("answer");
        let call = |verb: &'static str, args: Vec<(&str, Json)>| {
            let args = Json::object(args);
            Box::pin(async move { self.call(verb, args).await })
        };
        let session = || ("session", session.clone());
        match verb {
            Verb::Entries(Entries::Add | Entries::Update) | Verb::Checks(Checks::Promote) => {
                call("get", vec![("id", answer.clone())]).await.and_then(without_content)
            }
            Verb::Checks(Checks::AddMany) => {
                let mut entries = Vec::new();
                for id in answer.as_array().unwrap_or_default() {
                    entries.push(without_content(call("get", vec![("id", id.clone())]).await?)?);
                }
                Ok(Json::Array(entries))
            }
            Verb::Session(Session::Append) => {
                let mut messages = Vec::new();
                for id in answer.as_array().unwrap_or_default() {
                    messages.push(call("message", vec![session(), ("id", id.clone())]).await?);
                }
                if messages.contains(&Json::Null) { Err(Error::NO_MESSAGE) } else { Ok(Json::Array(messages)) }
            }
            Verb::Session(Session::SetTitle) => match call("session", vec![session()]).await? {
                Json::Null => Err(Error::NO_SESSION),
                found => Ok(found),
            },
            Verb::Entries(Entries::Delete) => Ok((answer.as_i64() > Some(0)).into()),
            Verb::Collections(Collections::EditValues) => Ok((*answer == Json::Bool(true)).into()),
            // Nothing had to be forgotten or taken back.
            Verb::Sessions(Sessions::Forget) if answer.as_i64().is_some() => Ok(forgotten(&Forgotten::default())),
            Verb::Checks(Checks::Rollback) if answer.as_i64().is_some() => Ok(rolled_back(&Rollback::default())),
            // The count of `clear` or `deleteSession`, the answer of `forget`, `rollback` or `resolve`.
            _ => Ok(answer.clone()),
        }
    }

    /// Deletes records older than a day.
    pub(super) async fn sweep_notes(&self) -> Result<(), Error> {
        let until = format!("t/{}", self.now()?.millis().saturating_sub(DAY_MS));
        loop {
            let listed = self.stored_values(NOTES, "t/", None, SWEEP).await?;
            let old: Vec<&str> = listed.iter().map(|(key, _)| key.as_str()).filter(|key| **key < *until).collect();
            if old.is_empty() {
                return Ok(());
            }
            self.write(Durability::Relaxed, async |plan: &mut Plan| {
                for key in &old {
                    let name = key.rsplit('/').next().unwrap_or_default();
                    plan.take_beside(self.inner.keys.value(NOTES, key));
                    plan.take_beside(self.inner.keys.value(NOTES, &format!("k/{name}")));
                }
                Ok(())
            })
            .await?;
        }
    }
}

/// An entry as a write returns it.
fn without_content(entry: Json) -> Result<Json, Error> {
    match entry {
        Json::Object(mut fields) => {
            fields.retain(|(name, _)| name != "content");
            Ok(Json::Object(fields))
        }
        _ => Err(Error::NO_ENTRY),
    }
}
