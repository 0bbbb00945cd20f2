//! The note of an idempotent write, which says that it was made. Note and write are one commit, so neither exists
//! without the other. A note holds ids and counts, no memory content: deleted content is really gone.

use super::plan::Plan;
use super::{Env, Error, Memory};
use crate::codec::{Beside, Kind};
use crate::model::Json;
use crate::store::{Key, Space, Store};
use std::cell::{Cell, RefCell};

/// The collection of the notes. A server does not show it to its clients.
pub(in crate::memory) const NOTES: &str = "keepsake/answers";

/// The note of an idempotent write.
#[derive(Debug, Default)]
pub(in crate::memory) struct Note {
    /// The hash of the key.
    pub(in crate::memory) name: String,
    /// The hash of the request: tells another request under the same key apart.
    pub(in crate::memory) request: String,
    /// Whether a plan holds the note.
    pub(in crate::memory) planned: Cell<bool>,
    /// The note of an earlier write under the same key.
    pub(in crate::memory) earlier: RefCell<Option<Json>>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Looks for the note of an earlier write before this one is planned.
    pub(in crate::memory) async fn check_note(&self) -> Result<(), Error> {
        let work = self.inner.work.borrow().clone();
        let Some(note) = work.as_ref().and_then(|work| work.note.get()) else { return Ok(()) };
        let stored = self.fetch_one(Space::Records, self.note_key(note)).await?;
        let earlier = stored.map(|bytes| Beside::decode(Kind::Kept, &bytes)).transpose()?;
        let earlier = earlier.filter(|earlier| !earlier.get("answer").is_null());
        let found = earlier.is_some();
        *note.earlier.borrow_mut() = earlier;
        if found { Err(Error::AlreadyExists { field: "idempotencyKey".to_owned() }) } else { Ok(()) }
    }

    /// Adds the note to the plan of its write, with the ids from which the answer can be rebuilt.
    pub(in crate::memory) fn plan_note(&self, plan: &mut Plan, answer: impl FnOnce() -> Json) -> Result<(), Error> {
        if self.is_noted() { self.put_note(plan, answer()) } else { Ok(()) }
    }

    /// Whether the write is idempotent. The small module has no such writes.
    pub(in crate::memory) fn is_noted(&self) -> bool {
        cfg!(feature = "full") && self.inner.work.borrow().as_ref().is_some_and(|work| work.note.get().is_some())
    }

    #[inline(never)]
    fn put_note(&self, plan: &mut Plan, answer: Json) -> Result<(), Error> {
        let work = self.inner.work.borrow().clone();
        let Some(note) = work.as_ref().and_then(|work| work.note.get()) else { return Ok(()) };
        note.planned.set(true);
        let at = plan.now.millis();
        let value =
            Json::object(vec![("at", at.into()), ("request", note.request.as_str().into()), ("answer", answer)]);
        self.plan_kept(plan, self.note_key(note), &value)?;
        // Also under its time, to find old notes. The number has a fixed length until the year 2286.
        self.plan_kept(plan, self.inner.keys.value(NOTES, &format!("t/{at}/{}", note.name)), &Json::Null)
    }

    fn note_key(&self, note: &Note) -> Key {
        self.inner.keys.value(NOTES, &format!("k/{}", note.name))
    }
}
