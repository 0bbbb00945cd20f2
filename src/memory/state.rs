//! What an open memory holds of its storage, and how it moves from one revision to the next.

use crate::codec::Record;
use crate::index::Catalog;
use crate::log::Head;
use crate::model::EntryId;
use crate::store::Revision;

/// What became of one entry; `None` if it is gone. To apply the same one twice is the same as once.
pub(super) type EntryChange = (EntryId, Option<Record>);

/// A picture of the storage at one revision.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) revision: Revision,
    pub(super) head: Head,
    /// Not there until something asks for it: opening must not cost what it does not need.
    pub(super) catalog: Option<Catalog>,
}

/// A step from one revision to a later one.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) from: Revision,
    pub(super) to: Revision,
    pub(super) head: Head,
    pub(super) entries: Vec<EntryChange>,
}

impl State {
    /// Moves on. A step that begins elsewhere does nothing: whoever moved the state first has seen the same log.
    pub(super) fn apply(&mut self, step: &Step) {
        if step.from != self.revision {
            return;
        }
        self.revision = step.to;
        self.head = step.head;
        if let Some(catalog) = &mut self.catalog {
            for (id, record) in &step.entries {
                match record {
                    Some(record) => catalog.put(record),
                    None => catalog.remove(id),
                }
            }
        }
    }
}
