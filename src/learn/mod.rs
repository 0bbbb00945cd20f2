//! Learning without a language model: traces of an agent's tool steps become skills and rules.
//!
//! A skill is a sequence of steps that recurs in successful runs; a rule says what failed calls have in common. Both
//! are kept only if they save more bits in describing the traces than they cost, so that coincidences are not learned.
//! No clock, no randomness, no platform logarithms: the same traces teach the same everywhere.

mod action;
mod align;
mod alphabet;
mod apart;
mod bits;
mod cover;
mod early;
mod errors;
mod evidence;
mod facts;
mod grow;
mod names;
mod remedy;
mod retry;
mod rule;
mod rules;
mod skills;
mod standing;
mod trace;

pub use errors::error_class;
pub use rule::{Cause, Condition, Rule};
pub use skills::{LearnedSkill, SkillStep};
pub use standing::{Standing, standing};
use trace::Set;
pub use trace::{Settings, Step, Trace};

/// The result of learning from traces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    /// Skills, those with the most support first.
    pub skills: Vec<LearnedSkill>,
    /// Rules, those with the most evidence first.
    pub rules: Vec<Rule>,
}

/// Finds skills and rules in `traces`, of which the latest come last. Skills are mined for each task type separately;
/// rules first in all of them together, because a tool mostly fails for reasons of its own.
///
/// The work is bounded by `settings`: only the latest `max_traces` are used, and of a longer trace only the first 256
/// steps.
pub fn mine(traces: &[Trace], settings: &Settings) -> Learned {
    let settings = settings.bounded();
    let set = Set::new(traces, &settings);
    let mut rules = rules::find(&set, &settings);
    let early = early::find(&set.traces, &rules, settings.max_rules.saturating_sub(rules.len()));
    rules.extend(early);
    Learned { skills: skills::find(&set, &settings), rules }
}
