//! The effective revision of a guard: its stored value or the last page of its log, whichever is newer. A commit that
//! adds a log page does not write the guard.

use super::bytes::{key_from_js, to_js};
use super::carried::page_of;
use super::transaction::{Issued, Source, Transaction};
use crate::store::{Key, Revision, Space};
use std::cell::RefCell;
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;
use web_sys::IdbKeyRange;

/// The length of a revision in bytes. The key of a log page is the key of its guard, followed by the revision.
const REVISION: usize = 8;

/// The number of pages that are listed, where the last of them is wanted.
const NEWEST: u32 = 32;

/// The number of guards of which the last revision is remembered.
const REMEMBERED: usize = 64;

/// Whether a log page with this key implies the guard value `next`.
pub(super) fn says(page: &Key, guard: &Key, next: Revision) -> bool {
    *page == guard.clone().number(next.0)
}

/// The object stores to open with a space: the log has effective revisions, and records inside its pages.
pub(super) fn read_with(space: Space) -> &'static [Space] {
    match space {
        Space::Meta => &[Space::Meta, Space::Log],
        Space::Records => &[Space::Records, Space::Log],
        Space::Bodies => &[Space::Bodies],
        Space::Log => &[Space::Log],
        Space::Index => &[Space::Index],
    }
}

/// The last revisions that were seen: where a search for the last page begins. They need not be true: a database may
/// have been emptied since.
#[derive(Default)]
pub(super) struct Seen(RefCell<BTreeMap<Key, Revision>>);

impl Seen {
    /// Remembers the revision of a guard.
    pub(super) fn note(&self, guard: &Key, revision: Revision) {
        let mut seen = self.0.borrow_mut();
        if seen.len() >= REMEMBERED && !seen.contains_key(guard) {
            seen.clear();
        }
        seen.insert(guard.clone(), revision);
    }

    fn of(&self, guard: &Key) -> Option<Revision> {
        self.0.borrow().get(guard).copied()
    }
}

/// The effective revision of a guard whose stored value has been asked for.
///
/// rexie has no cursor over keys, and one over values would read a page: so the keys from the last known page on are
/// listed, which are one or few.
pub(super) async fn current<T: Transaction>(
    transaction: &T,
    guard: &Key,
    seen: &Seen,
    held: Issued<JsValue>,
) -> Result<Option<Vec<u8>>, JsValue> {
    let list = |known| transaction.keys(Source::Of(Space::Log), &pages(guard, known)?.into(), NEWEST);
    let newer = seen.of(guard).map(list);
    let held = answer_of(held).await;
    let newer = match newer {
        Some(newer) => answer_of(newer).await?,
        None => Vec::new(),
    };
    let mut last = newer.last().cloned().filter(|_| newer.len() < NEWEST as usize);
    if last.is_none() {
        last = answer_of(transaction.last_page(&pages(guard, Revision(0))?)).await?;
    }
    let current = later(guard, page_of(&held?), last.map(|key| key_from_js(&key)));
    if let Some(revision) = current.as_deref().and_then(|bytes| Revision::from_bytes(Some(bytes)).ok()) {
        seen.note(guard, revision);
    }
    Ok(current)
}

async fn answer_of<T>(issued: Issued<T>) -> Result<T, JsValue> {
    issued?.await
}

/// The keys of a guard's pages, from a revision on.
fn pages(guard: &Key, from: Revision) -> Result<IdbKeyRange, JsValue> {
    let end = |revision: u64| to_js(guard.clone().number(revision).as_bytes());
    IdbKeyRange::bound(&end(from.0), &end(u64::MAX))
}

/// The effective revision of a guard: its stored value, or that of the last page, which may be newer.
fn later(guard: &Key, held: Option<Vec<u8>>, last: Option<Key>) -> Option<Vec<u8>> {
    let Some(last) = last else { return held };
    let revision = last.as_bytes().get(guard.as_bytes().len()..).unwrap_or_default();
    let is_revision = revision.len() == REVISION;
    let is_newer = match &held {
        Some(held) => held.len() == REVISION && revision > held.as_slice(),
        // Also if the guard is missing: the log proves that the data is stored.
        None => true,
    };
    if is_revision && is_newer { Some(revision.to_vec()) } else { held }
}
