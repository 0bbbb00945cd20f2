//! Learning without a language model: traces of an agent's tool steps become skills and rules.
//!
//! A skill is a sequence of steps that comes back in runs which went well; a rule says what failed calls have in common.
//! Both are kept only if they say more about the traces than they cost to write down, so that chance leaves nothing
//! behind. No clock, no randomness, no logarithms of the platform: the same traces teach the same everywhere.

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

/// What a set of traces teaches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    /// Those with the most support first.
    pub skills: Vec<LearnedSkill>,
    /// Those with the most evidence first.
    pub rules: Vec<Rule>,
}

/// Finds skills and rules in `traces`, of which the latest come last. Skills are looked for in each task type on its
/// own; rules in all of them together first, because a tool mostly fails for reasons of its own.
///
/// The work is bounded by `settings`: traces beyond `max_traces` are not looked at, the oldest first, and of a longer
/// trace only the first 256 steps.
pub fn mine(traces: &[Trace], settings: &Settings) -> Learned {
    let settings = settings.bounded();
    let set = Set::new(traces, &settings);
    let mut rules = rules::find(&set, &settings);
    let early = early::find(&set.traces, &rules, settings.max_rules.saturating_sub(rules.len()));
    rules.extend(early);
    Learned { skills: skills::find(&set, &settings), rules }
}
