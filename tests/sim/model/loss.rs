//! Losses of a disk: the last commits that were not flushed, in a power cut, and everything, when it is emptied.

use super::{Model, Outcome, Write};
use crate::calls::{Call, What};

impl Model {
    /// The power was cut: what was acknowledged after a step, and not flushed, may be gone.
    pub(crate) fn power_cut(&mut self, kept_until: usize) {
        let kept_until = kept_until.max(self.flushed);
        let outcomes = self.registers.values_mut().flatten().map(|write| &mut write.outcome);
        let appended = self.sessions.values_mut().flatten().map(|append| &mut append.outcome);
        for outcome in outcomes.chain(appended) {
            if matches!(outcome, Outcome::Acknowledged(at) if *at > kept_until) {
                *outcome = Outcome::Unknown;
            }
        }
    }

    /// The storage was emptied: what was there is gone, and whoever used it must say so.
    pub(crate) fn emptied(&mut self, now: usize) {
        self.emptied = Some(now);
        self.doubtful.extend(&self.under_way);
        let nothing =
            Write { token: 0, value: None, began: now, outcome: Outcome::Acknowledged(now), sure: true, adds: false };
        for writes in self.registers.values_mut() {
            writes.retain(|write| self.doubtful.contains(&write.token));
            writes.push(nothing.clone());
        }
        self.sessions.values_mut().for_each(|appends| appends.retain(|it| self.doubtful.contains(&it.token)));
        self.deletions.retain(|deletion| self.doubtful.contains(&deletion.token));
    }

    /// Whether a program whose storage was emptied must not answer this call.
    pub(crate) fn must_notice(&self, call: &Call, began: usize) -> bool {
        // With hints, the program answers what it knows until it is told of more.
        let reads_index = matches!(call.what, What::List | What::Search);
        // The documented functions answer that they failed.
        let documented = call.verb().starts_with("memory");
        let asks_storage = !matches!(call.what, What::Other(..) | What::Chain(_)) && !documented;
        asks_storage && !(self.hints && reads_index) && self.emptied.is_some_and(|emptied| began >= emptied)
    }
}
