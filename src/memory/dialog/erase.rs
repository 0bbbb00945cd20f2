//! Erases a session: all keys that begin with it, and all of its indexed documents (X1).

use crate::index::DocKind;
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{EntryId, SessionId};
use crate::store::{Space, Store};

impl<S: Store, E: Env> Memory<S, E> {
    /// Erases a session: messages, histories, states, experience, entries made from it, and their index. With
    /// `keep_entries` the entries stay. Returns the number of its messages.
    pub async fn delete_session(&self, session: &SessionId, keep_entries: bool) -> Result<u64, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        if self.of_session(session, keep_entries).is_empty() && !self.is_anything_of(session).await? {
            return Ok(0);
        }
        self.write_erasing(async |plan: &mut Plan| {
            self.load_shelf().await?;
            let count = self.planned_record(session).await?.map_or(0, |record| record.count);
            let mut talk = Vec::new();
            for (kind, id, seq) in self.of_session(session, keep_entries) {
                match (kind, EntryId::new("id", id.as_str()), id.parse()) {
                    (DocKind::Entry, Ok(entry), _) => plan.delete(&entry, seq),
                    (DocKind::Step, _, Ok(number)) => plan.forget(&Named::Step(number), Some(seq)),
                    _ => talk.push((kind, id, seq)),
                }
            }
            plan.erase_session(session, talk);
            self.plan_note(plan, || count.into())?;
            Ok(count)
        })
        .await
    }

    /// The indexed documents of a session.
    pub(in crate::memory) fn of_session(&self, session: &SessionId, keep_entries: bool) -> Vec<(DocKind, String, u64)> {
        self.with_shelf(|shelf| {
            let turns = shelf.index.session(session.as_str());
            let turns = turns.filter(|found| !keep_entries || found.kind != DocKind::Entry);
            let steps = shelf.index.from_source(DocKind::Step, session.as_str(), 0);
            turns.chain(steps).map(|found| (found.kind, found.id.to_owned(), found.seq)).collect()
        })
    }

    /// Whether anything of a session is stored.
    async fn is_anything_of(&self, session: &SessionId) -> Result<bool, Error> {
        for range in self.inner.keys.of_session(session) {
            if !self.page(Space::Records, &range, 1).await?.items.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
