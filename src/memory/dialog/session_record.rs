//! Session records: cached in a handle, or stored, and brought up to date with the messages after them.

use crate::codec::{SessionRecord, StoredMessage};
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::SessionId;
use crate::store::{Key, Space, Store};

/// The most messages after a stored session record. The record is written when so many are complete, or when it changes
/// in a way that messages do not show; readers add the messages after it. With every message it would be one of five
/// requests of an append.
pub(super) const UNWRITTEN: u64 = 8;

/// The number of sessions per read.
const SESSIONS: usize = 32;

impl<S: Store, E: Env> Memory<S, E> {
    /// The session record at the revision of the plan.
    pub(super) async fn planned_record(&self, session: &SessionId) -> Result<Option<SessionRecord>, Error> {
        match self.known_record(session) {
            Some(record) => Ok(Some(record)),
            None => self.stored_record(session).await,
        }
    }

    /// The session record as the plan has left it.
    pub(super) async fn record_in(&self, plan: &Plan, session: &SessionId) -> Result<Option<SessionRecord>, Error> {
        match plan.sessions.iter().find(|(known, _)| known == session) {
            Some((_, record)) => Ok(record.clone()),
            None => self.planned_record(session).await,
        }
    }

    /// The current session record of the storage.
    pub(in crate::memory) async fn session_record(&self, session: &SessionId) -> Result<Option<SessionRecord>, Error> {
        self.check_open()?;
        if self.known_record(session).is_some() {
            // Comparing the revision costs less than reading the record and the messages after it.
            self.refresh().await?;
        }
        self.planned_record(session).await
    }

    /// The cached session record, if this handle wrote it and no later write is known.
    fn known_record(&self, session: &SessionId) -> Option<SessionRecord> {
        let state = self.inner.state.borrow();
        state.sessions.iter().find(|(known, _)| known == session).map(|(_, record)| record.clone())
    }

    async fn stored_record(&self, session: &SessionId) -> Result<Option<SessionRecord>, Error> {
        let key = self.inner.keys.named(&Named::Session(session.clone()));
        let found = self.fetch_one(Space::Records, key).await?;
        self.check_found(found.is_some()).await?;
        let Some(bytes) = found else { return Ok(None) };
        let stored = vec![(session.clone(), SessionRecord::decode(&bytes)?)];
        Ok(self.followed(stored).await?.pop().map(|(_, record)| record))
    }

    /// Brings stored session records up to date with the messages after them.
    pub(super) async fn followed(
        &self,
        mut stored: Vec<(SessionId, SessionRecord)>,
    ) -> Result<Vec<(SessionId, SessionRecord)>, Error> {
        let mut followed = Vec::with_capacity(stored.len());
        while !stored.is_empty() {
            let some = stored.split_off(stored.len().saturating_sub(SESSIONS));
            // A record and the messages after it are consistent if one request reads them.
            let keys = some.iter().flat_map(|(session, record)| {
                let said = unwritten(record).map(|place| Named::Message(session.clone(), place));
                std::iter::once(Named::Session(session.clone())).chain(said)
            });
            let keys: Vec<Key> = keys.map(|named| self.inner.keys.named(&named)).collect();
            let mut values = self.fetch(Space::Records, &keys).await?.into_iter();
            for (session, known) in some {
                let found = values.next().flatten();
                let said: Vec<_> = values.by_ref().take(unwritten(&known).count()).collect();
                // Deleted meanwhile.
                let Some(bytes) = found else { continue };
                let mut record = SessionRecord::decode(&bytes)?;
                if record.count != known.count {
                    // Rewritten meanwhile: other messages come after it now.
                    stored.push((session, record));
                    continue;
                }
                for bytes in said.into_iter().flatten() {
                    record.follow(&StoredMessage::decode(&bytes)?);
                }
                followed.push((session, record));
            }
        }
        Ok(followed)
    }
}

/// The places of the messages that may follow the stored record of a session.
pub(in crate::memory) fn unwritten(record: &SessionRecord) -> std::ops::Range<u64> {
    record.count..(record.count / UNWRITTEN + 1) * UNWRITTEN - 1
}
