//! What is used of a service's limits, second by second, and what is counted.

use crate::engine::{Engine, Limit, Op, Scope, Then};
use crate::world::World;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How much unused allowance a partition may save up, in seconds. Services promise less than they do.
const SAVED_S: f64 = 1.0;

/// One allowance: of a partition or of the whole, for reads or for writes.
#[derive(Debug, Default)]
struct Pot {
    used_up: f64,
    at_us: u64,
    second: u64,
    in_second: f64,
    peak: f64,
    /// When what stands in line is done.
    free_us: u64,
}

impl Pot {
    /// Whether there is enough for one more. A request larger than the allowance of a second goes if nothing is used up.
    fn allows(&mut self, now: u64, units: f64, per_second: f64) -> bool {
        self.used_up = (self.used_up - (now - self.at_us) as f64 / 1e6 * per_second).max(0.0);
        self.at_us = now;
        self.used_up == 0.0 || self.used_up + units <= per_second * SAVED_S
    }

    fn take(&mut self, now: u64, units: f64) {
        self.used_up += units;
        if now / 1_000_000 != self.second {
            (self.second, self.in_second) = (now / 1_000_000, 0.0);
        }
        self.in_second += units;
        self.peak = self.peak.max(self.in_second);
    }

    /// How long one waits until its turn has passed.
    fn queue(&mut self, now: u64, units: f64, per_second: f64) -> u64 {
        self.free_us = self.free_us.max(now) + (units / per_second * 1e6) as u64;
        self.free_us - now
    }
}

/// What operations of one kind have come to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) calls: u64,
    pub(crate) bytes: u64,
}

/// What is used on keys of one class.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Use {
    pub(crate) calls: u64,
    pub(crate) units: [f64; 2],
}

/// All counts of a run.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    pots: RefCell<BTreeMap<(String, usize), Pot>>,
    pub(crate) ops: RefCell<BTreeMap<Op, Count>>,
    pub(crate) classes: RefCell<BTreeMap<&'static str, Use>>,
    pub(crate) throttled: RefCell<u64>,
    pub(crate) lost_swaps: RefCell<u64>,
    pub(crate) largest: RefCell<usize>,
}

/// What a key is for; only the first belongs to nobody in particular.
pub(crate) const CONFIG: &str = "keepsake.config";
/// What is asked of all partitions at once.
pub(crate) const EVERY: &str = "every partition";
/// A tenant's object.
pub(crate) const OBJECT: &str = "the tenant's object";

pub(crate) fn class(key: &str) -> &'static str {
    const BY_MARK: [(&str, &str); 14] = [
        ("m", "the tenant's manifest"),
        ("h", "the tenant's hint"),
        ("c", "the tenant's counter of slots"),
        ("p", "a slot"),
        ("s", "a claim"),
        ("o", "a block"),
        ("r", "the tenant's pace"),
        ("n", "a count of answers"),
        ("l", "a mark of a count"),
        ("f", "a claim of the first manifest"),
        ("g", "a choice of the first manifest"),
        ("e", "where the manifest is"),
        ("q", "the tenant's tickets"),
        ("t", "the tenant's turn"),
    ];
    if let Some(itself) = [CONFIG, EVERY, OBJECT].into_iter().find(|known| *known == key) {
        return itself;
    }
    let mark = key.split('.').nth(2).unwrap_or_default();
    BY_MARK.iter().find(|(known, _)| *known == mark).map_or("the tenant's token", |(_, class)| class)
}

/// A key, whose it is, and what it costs.
#[derive(Debug)]
pub(crate) struct Bill<'a> {
    pub(crate) key: &'a str,
    pub(crate) tenant: usize,
    pub(crate) units: [f64; 2],
}

impl Bill<'_> {
    /// How many partitions pay this.
    fn times(&self, engine: &Engine) -> f64 {
        if self.key == EVERY { engine.fan_out.1 as f64 } else { 1.0 }
    }

    fn partition(&self, scope: Scope) -> String {
        match scope {
            Scope::Whole => String::new(),
            Scope::Partition if [CONFIG, EVERY].contains(&self.key) => self.key.to_owned(),
            Scope::Partition => format!("{}/{}", self.tenant, self.key),
        }
    }
}

impl Meter {
    /// Whether all of it is allowed now. If it is, it is taken, and the answer is how long it stands in line.
    pub(crate) fn admit(&self, engine: &Engine, world: &World, bills: &[Bill<'_>]) -> Option<u64> {
        let mut pots = self.pots.borrow_mut();
        let now = world.micros();
        let mut due = Vec::new();
        for limit in engine.limits {
            for bill in bills {
                let units = bill.units[limit.pot] * if limit.scope == Scope::Whole { bill.times(engine) } else { 1.0 };
                if units > 0.0 {
                    due.push((limit, (bill.partition(limit.scope), limit.pot), units));
                }
            }
        }
        let mut allowed = |(limit, pot, units): &(&Limit, (String, usize), f64)| {
            limit.then == Then::Queue || pots.entry(pot.clone()).or_default().allows(now, *units, limit.per_second)
        };
        if !due.iter().all(&mut allowed) {
            *self.throttled.borrow_mut() += 1;
            return None;
        }
        let mut wait = 0;
        for (limit, pot, units) in due {
            let pot = pots.entry(pot).or_default();
            pot.take(now, units);
            if limit.then == Then::Queue {
                wait = wait.max(pot.queue(now, units, limit.per_second));
            }
        }
        let mut classes = self.classes.borrow_mut();
        for bill in bills {
            let used = classes.entry(class(bill.key)).or_default();
            used.calls += 1;
            used.units[0] += bill.units[0];
            used.units[1] += bill.units[1];
        }
        Some(wait)
    }

    pub(crate) fn count(&self, op: Op, bytes: usize) {
        let mut ops = self.ops.borrow_mut();
        let count = ops.entry(op).or_default();
        count.calls += 1;
        count.bytes += bytes as u64;
        let mut largest = self.largest.borrow_mut();
        *largest = bytes.max(*largest);
    }

    /// The partition that came nearest to its limit: what it is, what it took in its busiest second, and of how much.
    pub(crate) fn busiest(&self, engine: &Engine) -> Option<(String, f64, f64)> {
        let pots = self.pots.borrow();
        let of_limit = |limit: &Limit| {
            let mine = pots
                .iter()
                .filter(|((name, pot), _)| *pot == limit.pot && name.is_empty() == (limit.scope == Scope::Whole));
            let peaks = mine.map(|((name, _), pot)| (name.clone(), pot.peak, limit.per_second));
            peaks.max_by(|(_, peak, _), (_, other, _)| peak.total_cmp(other))
        };
        let most = engine.limits.iter().filter_map(|limit| Some((of_limit(limit)?, limit)));
        let most =
            most.max_by(|((_, peak, of), _), ((_, other, of_other), _)| (peak / of).total_cmp(&(other / of_other)));
        most.map(|((name, peak, of), limit)| {
            let key = name.split_once('/').map_or(name.as_str(), |(_, key)| key);
            let what = if key.is_empty() { "the whole" } else { class(key) };
            (format!("{what}, {}", limit.what), peak, of)
        })
    }
}
