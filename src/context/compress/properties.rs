//! Properties of every history, however odd: checked on 100,000 random ones that are compressed again and again.

use super::super::item::{Item, Kind, restore, tokens};
use super::super::pairs::Shape;
use super::super::story::finish;
use super::super::window::{last_messages, last_turns, shown};
use super::{Compression, Progressive, Rejected, Request, Strategy, TreeReduce, plan};
use crate::model::{MessageId, Role};

/// The number of histories per strategy.
const HISTORIES: u64 = 50_000;

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end.max(1)
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }
}

/// A growing session: the open calls, and how often it is odd.
struct Session {
    random: Random,
    open: Vec<u64>,
    used: u64,
    seq: u64,
    odd: u64,
}

impl Session {
    fn tokens(&mut self) -> u32 {
        let tokens = match self.random.below(12) {
            0 => 0,
            1 => 1500 + self.random.below(1000),
            2 => 300 + self.random.below(200),
            _ => self.random.below(60),
        };
        tokens as u32
    }

    /// The next message: questions, answers, parallel calls, results in any order, together or apart, twice or never.
    fn next(&mut self) -> Item {
        let odd = self.odd;
        let (mut calls, mut answers, mut role) = (Vec::new(), Vec::new(), Role::Tool);
        if self.random.one_in(8 * odd) {
            answers.push(self.random.below(self.used + 3).to_string());
        } else if !self.open.is_empty() && !self.random.one_in(4) {
            if self.random.one_in(5) {
                role = Role::User;
            }
            for _ in 0..=self.random.below(2).min(self.open.len() as u64 - 1) {
                let at = self.random.below(self.open.len() as u64) as usize;
                answers.push(self.open.swap_remove(at).to_string());
            }
        } else if self.random.one_in(3) {
            role = Role::Assistant;
            for _ in 0..=self.random.below(3) {
                // Some providers restart their ids in each turn.
                let id = if self.random.one_in(odd) { self.random.below(3) } else { self.used };
                self.used += 1;
                calls.push(id.to_string());
                self.open.push(id);
            }
        } else if self.random.one_in(20 * odd) {
            role = Role::System;
        } else {
            role = if self.random.one_in(2) { Role::User } else { Role::Assistant };
        }
        if self.random.one_in(12) {
            self.open.clear();
        }
        let tokens = self.tokens();
        let spans = vec![(self.seq, self.seq)];
        let kind = Kind::Message(MessageId::new("id", self.seq.to_string()).unwrap());
        self.seq += 1;
        Item { spans, kind, role, tokens, chars: tokens * 4, calls, answers, pinned: self.random.one_in(10 * odd) }
    }

    fn tree_reduce(&mut self) -> Strategy {
        Strategy::TreeReduce(TreeReduce {
            context_tokens: 100 + self.random.below(8000) as u32,
            compression_threshold: (1 + self.random.below(10)) as f64 / 10.0,
            chunk_size: 1 + self.random.below(12) as usize,
            ..TreeReduce::default()
        })
    }

    fn progressive(&mut self) -> Strategy {
        let msg_threshold = 1 + self.random.below(40) as usize;
        Strategy::Progressive(Progressive {
            context_tokens: 100 + self.random.below(8000) as u32,
            msg_threshold,
            token_ratio: (1 + self.random.below(10)) as f64 / 10.0,
            last_keep: self.random.below(msg_threshold as u64 + 1) as usize,
            large_payload: 1000,
            preview: 50,
        })
    }
}

/// The positions of calls and their results, computed independently of the compression.
fn pairs(messages: &[Item]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (at, result) in messages.iter().enumerate() {
        for id in &result.answers {
            let mut others = (0..at).rev().chain(at..messages.len());
            let call = others.find(|other| messages[*other].calls.contains(id));
            pairs.extend(call.map(|call| (call, at)));
        }
    }
    pairs
}

/// The item that each message is in: exactly one.
fn holders(view: &[Item], messages: usize) -> Vec<&Item> {
    let mut holders = vec![None; messages];
    for item in view {
        for seq in item.spans.iter().flat_map(|span| span.0..=span.1) {
            assert!(holders[seq as usize].replace(item).is_none(), "no message is in the view twice");
        }
    }
    holders.into_iter().map(|holder| holder.expect("every message is in the view")).collect()
}

fn is_single(item: &Item) -> bool {
    matches!(item.kind, Kind::Message(_) | Kind::Offload(..))
}

/// The properties of `after`, the result of compressing `before`.
fn check(messages: &[Item], before: &[Item], after: &[Item]) {
    // Recoverable, and in order.
    let [was, is] = [before, after].map(|view| holders(view, messages.len()));
    assert!(after.windows(2).all(|two| two[0].first() < two[1].first()));
    assert!(after.iter().all(|item| item.spans.windows(2).all(|two| two[0].1 + 1 < two[1].0)));

    // No new split pairs.
    for (call, result) in pairs(messages) {
        if is_single(was[call]) && is_single(was[result]) {
            let (call, result) = (is[call], is[result]);
            assert!(is_single(call) && is_single(result) || call == result, "split: {call:?} {result:?}");
        }
    }

    // The part that stays is unchanged.
    let spoken = messages.iter().rposition(|message| message.role == Role::Assistant).unwrap_or(0);
    for (at, message) in messages.iter().enumerate() {
        let unread = at > spoken && (message.role == Role::Tool || !message.answers.is_empty());
        let pending = at >= spoken && !message.calls.is_empty();
        let newest = at + 1 == messages.len();
        if message.pinned || message.role == Role::System || unread || pending || newest {
            assert_eq!(is[at], message);
        }
    }
}

/// The limits of a strategy: tokens, items, and the number of last items that must stay.
fn limits(way: &Strategy) -> (u64, usize, usize) {
    match way {
        Strategy::TreeReduce(way) => (way.limit(), usize::MAX, 1),
        Strategy::Progressive(way) => (way.limit(), way.msg_threshold, way.last_keep.max(1)),
    }
}

fn is_over(view: &[Item], way: &Strategy) -> bool {
    let (most, count, _) = limits(way);
    tokens(view) > most || view.len() > count
}

/// Whether the part that stays leaves no room for a summary.
fn is_hopeless(view: &[Item], way: &Strategy) -> bool {
    let (most, count, keep) = limits(way);
    let movable = Shape::of(view, keep, &|_| false).movable();
    let moved: u64 = movable.iter().map(|at| u64::from(view[*at].tokens)).sum();
    tokens(view) - moved >= most || view.len() - movable.len() + 1 > count
}

/// A session and its view.
struct Run {
    session: Session,
    way: Strategy,
    messages: Vec<Item>,
    view: Vec<Item>,
    stored: Vec<Item>,
}

impl Run {
    fn go_on(&mut self, count: u64) {
        for _ in 0..count {
            let message = self.session.next();
            self.messages.push(message.clone());
            self.view.push(message);
        }
    }

    fn finish(&mut self, compression: Compression, length: &dyn Fn(&Request) -> Option<u32>) -> Result<(), Rejected> {
        let done = finish(compression, length);
        let after = done.apply(&self.view)?;
        check(&self.messages, &self.view, &after);
        let keep = self.view.len().saturating_sub(limits(&self.way).2);
        assert!(after.ends_with(&self.view[keep..]), "the last are untouched");
        assert!(tokens(&after) <= tokens(&self.view) && after.len() <= self.view.len());
        assert!(done.stand_ins().next().is_none() || done.apply(&after).is_err(), "not twice");
        self.stored.extend(done.stand_ins().cloned());
        self.view = after;
        Ok(())
    }
}

/// Counts how often the interesting cases occurred.
#[derive(Default)]
struct Seen {
    planned: u64,
    under: u64,
    hopeless: u64,
    stale: u64,
    offloaded: u64,
}

fn rules_hold(way: fn(&mut Session) -> Strategy) -> Seen {
    let mut seen = Seen::default();
    for seed in 1..=HISTORIES {
        let random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut session = Session { random, open: Vec::new(), used: 0, seq: 0, odd: 1 };
        session.odd = 1 + session.random.below(6);
        let way = way(&mut session);
        let most = if session.random.one_in(40) { 120 } else { 24 };
        let rounds = 1 + session.random.below(3);
        let mut run = Run { session, way, messages: Vec::new(), view: Vec::new(), stored: Vec::new() };
        for _ in 0..rounds {
            let more = run.session.random.below(most / rounds + 1);
            run.go_on(more);
            let over = is_over(&run.view, &run.way);
            let Some(compression) = plan(&run.view, &run.way) else {
                assert!(!over || is_hopeless(&run.view, &run.way), "a plan if it can help");
                continue;
            };
            assert!(over, "no plan without need");
            seen.planned += 1;
            match run.session.random.below(4) {
                // Some texts are too long, or missing.
                0 => {
                    let fate = run.session.random.below(1000) as u32;
                    let length = |request: &Request| match (fate + request.max_tokens) % 3 {
                        0 => None,
                        1 => Some(request.max_tokens * 3),
                        _ => Some(request.max_tokens / 2),
                    };
                    run.finish(compression, &length).expect("it is the planned view");
                }
                // The session continued meanwhile.
                1 => {
                    let more = 1 + run.session.random.below(4);
                    run.go_on(more);
                    let applied = run.finish(compression, &|request| Some(request.max_tokens));
                    seen.stale += u64::from(applied.is_err());
                }
                // Everything succeeds: one compression is enough.
                _ => {
                    let hopeless = is_hopeless(&run.view, &run.way);
                    run.finish(compression, &|request| Some(request.max_tokens)).expect("it is the planned view");
                    assert!(plan(&run.view, &run.way).is_none(), "once is enough");
                    assert!(hopeless || !is_over(&run.view, &run.way), "under the limit");
                    seen.under += u64::from(!hopeless);
                    seen.hopeless += u64::from(hopeless);
                }
            }
        }
        let restored = restore(run.messages, run.stored);
        assert_eq!(restored.as_ref(), Ok(&run.view), "what was stored gives the view again");
        seen.offloaded += run.view.iter().filter(|item| matches!(item.kind, Kind::Offload(..))).count() as u64;
        windows(&run.view, &mut run.session.random);
    }
    assert!(seen.planned > HISTORIES / 4 && seen.under > HISTORIES / 10, "most histories outgrow their window");
    assert!(seen.hopeless > 100 && seen.stale > 10, "and odd things happen");
    seen
}

#[test]
fn c8_c14_e23_x8_x11_tree_reduce_keeps_the_rules_whatever_the_history() {
    rules_hold(Session::tree_reduce);
}

#[test]
fn e6_e8_e23_x8_x11_progressive_compression_keeps_the_rules_whatever_the_history() {
    assert!(rules_hold(Session::progressive).offloaded > 100);
}

/// No window splits a pair, and none is shorter than requested.
fn windows(view: &[Item], random: &mut Random) {
    let count = random.below(12) as usize;
    let pairs = pairs(view);
    for start in [last_messages(view, count), last_turns(view, count)] {
        assert!(start <= view.len());
        let seen = shown(view, start);
        assert!(seen.len() == view.len() && seen[start..].iter().all(|seen| *seen));
        for (call, result) in &pairs {
            assert!((*call < start) == (*result < start), "a pair is cut in two");
            assert_eq!(seen[*call], seen[*result], "a pair is cut in two");
        }
    }
    assert!(view.len() - last_messages(view, count) >= count.min(view.len()));
}
