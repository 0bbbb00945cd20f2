//! Fading: a statement that is not stated again and not used loses rank among the answers, never its place in memory. One
//! that an answer of the assistant uses becomes more important, and so fades less.

use super::long_term::Origin;
use crate::index::{DocKind, Part};
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::repeated::{LONG_TERM, gains_by_use};
use crate::memory::entries::search::Hit;
use crate::model::{EntryId, Timestamp, sorted};
use crate::store::{Durability, Store};

/// In this time an entry of no importance loses half of the share of its score that can fade.
const HALF_LIFE_MS: f64 = 90.0 * 24.0 * 60.0 * 60.0 * 1000.0;

/// The share of a score that can fade. It is small: words say more than age.
const SHARE: f64 = 0.25;

/// The label of the part of a receipt.
pub(super) const FADING: &str = "fading";

/// The most recalled entries that are remembered until the answer.
const RECALLED: usize = 64;

/// Takes from the scores of statements what has faded, and puts the hits in order.
pub(super) fn fade(found: Vec<(DocKind, Hit)>, now: Timestamp) -> Vec<(DocKind, Hit)> {
    let mut found = found;
    let mut faded = false;
    for (kind, hit) in &mut found {
        let age = now.millis().saturating_sub(hit.created_at.millis()) as f64;
        if *kind != DocKind::Entry || hit.namespace != LONG_TERM || age <= 0.0 || hit.score <= 0.0 {
            continue;
        }
        let lost = hit.score * SHARE * (1.0 - hit.importance) * (1.0 - (-age / HALF_LIFE_MS).exp2());
        if lost > 0.0 {
            faded = true;
            hit.score -= lost;
            hit.receipt.push(Part { label: FADING, term: String::new(), value: -lost });
        }
    }
    if !faded {
        return found;
    }
    let order = sorted(found.len(), &|one, other| found[other].1.score.total_cmp(&found[one].1.score));
    let mut found: Vec<Option<(DocKind, Hit)>> = found.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| found[at].take()).collect()
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Remembers the statements that were recalled, until the assistant has answered.
    pub(super) fn note_recalled(&self, answers: &[(DocKind, Hit)]) {
        let statements = answers.iter().filter(|(kind, hit)| *kind == DocKind::Entry && hit.namespace == LONG_TERM);
        let ids = statements.map(|(_, hit)| hit.id.clone()).take(RECALLED).collect();
        self.inner.judging.borrow_mut().recalled = ids;
    }

    /// Makes the recalled statements stronger that an answer of the assistant uses: it has a word of theirs that is no
    /// common one, such as a name or a value.
    pub(super) async fn reinforce(&self, answer: &str, origin: &Origin) -> Result<(), Error> {
        let recalled = std::mem::take(&mut self.inner.judging.borrow_mut().recalled);
        let said = self.stems_of(answer, None);
        let mut used: Vec<EntryId> = Vec::new();
        let now = self.now()?;
        for id in recalled {
            let old = self.read_stored(&id).await?;
            let Some(old) = old.filter(|old| gains_by_use(&old.record.entry, now)) else { continue };
            let content = old.content()?;
            let described = self.described(&content, None);
            let is_own = old.record.entry.agent.is_none() || old.record.entry.agent == origin.agent;
            if is_own && described.fact.own.iter().any(|stem| said.contains(stem)) {
                used.push(id);
            }
        }
        if used.is_empty() {
            return Ok(());
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            for id in &used {
                self.plan_used(plan, id).await?;
            }
            Ok(())
        })
        .await
    }
}
