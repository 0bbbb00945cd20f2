//! Promotion: the only way to raise the trust in an entry, with its author and reason in the entry and so in the log.

use crate::memory::engine::plan::{New, Plan};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Entry, EntryId, Invalid, Promotion, Trust};
use crate::store::{Durability, Store};

/// The most bytes of the author and of the reason.
const MAX_BY_BYTES: usize = 256;
const MAX_WHY_BYTES: usize = 1024;

impl<S: Store, E: Env> Memory<S, E> {
    /// Raises the trust in an entry. It is a new version of the entry: the log has its hash, and its history the trust
    /// before.
    pub async fn promote(&self, id: &EntryId, trust: Trust, by: &str, why: &str) -> Result<Entry, Error> {
        for (field, text, most) in [("by", by, MAX_BY_BYTES), ("why", why, MAX_WHY_BYTES)] {
            if text.trim().is_empty() {
                return Err(Invalid::value(field, "must not be empty").into());
            }
            if text.len() > most {
                return Err(Invalid::too_large(field, most, text.len()).into());
            }
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            self.load_shelf().await?;
            let old = self.read_stored(id).await?.filter(|old| !old.record.entry.is_expired(plan.now));
            let old = old.ok_or(Error::NO_ENTRY)?;
            let before = &old.record.entry;
            if trust <= before.trust {
                return Err(Invalid::value("trust", "must be higher than before; `update` lowers it").into());
            }
            let (by, why) = (by.to_owned(), why.to_owned());
            let entry = Entry {
                trust,
                promoted: Some(Promotion { from: before.trust, by, why, at: plan.now }),
                version: before.version + 1,
                updated_at: plan.now,
                ..before.clone()
            };
            let (content, vector) = (old.content()?, self.read_vector(&old.record).await?);
            let words = self.words(&entry, &content);
            let new =
                New { entry: entry.clone(), content: &content, words: Some(&words), vector, salts: self.salts()? };
            plan.update(&old, new);
            self.plan_note(plan, || id.as_str().into())?;
            Ok(entry)
        })
        .await
    }
}
