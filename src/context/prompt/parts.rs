//! What the context compiler takes and what it gives: candidates, prompts, and what became of each candidate.

use super::groups::LeftOutReason;
use crate::model::Message;
use std::borrow::Cow;

/// What a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The app's own instructions. They stand as they are: nothing that others wrote may be one.
    System,
    /// Something known about the user.
    Profile,
    /// What was said before the turns.
    Summary,
    /// A message of the conversation.
    Turn,
    /// A procedure that worked before.
    Skill,
    /// A passage of a document.
    Document,
    /// A memory.
    Memory,
}

impl Kind {
    /// All of them, in the order of a prompt (B24).
    pub const ORDER: [Self; 7] =
        [Self::System, Self::Profile, Self::Summary, Self::Turn, Self::Skill, Self::Document, Self::Memory];

    /// Whether it stays the same from turn to turn.
    pub(super) fn is_stable(self) -> bool {
        matches!(self, Self::System | Self::Profile | Self::Summary | Self::Skill)
    }
}

/// A candidate that is a text.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// What it is; not a turn.
    pub kind: Kind,
    /// Its name, by which it is reported and ordered.
    pub reference: &'a str,
    /// What it says.
    pub text: &'a str,
    /// What it is worth beside the others.
    pub value: f64,
}

/// A candidate that is a message.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The message.
    pub message: &'a Message,
    /// What it is worth beside the others: usually more, the newer it is.
    pub value: f64,
}

/// What to make a prompt of.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Texts, in any order.
    pub items: &'a [Item<'a>],
    /// Messages, in the order in which they were said.
    pub turns: &'a [Turn<'a>],
    /// The most tokens that prompt and messages may have together.
    pub budget: u32,
    /// The kinds to include, in their order: [`Kind::ORDER`] unless the caller wants less. Stable kinds come before the
    /// others whatever the order says.
    pub order: &'a [Kind],
    /// Counts the tokens of a text.
    pub count: &'a dyn Fn(&str) -> u32,
}

/// A prompt, and what became of each candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled<'a> {
    /// What goes before the messages; empty if nothing does.
    pub prompt: String,
    /// The messages that were chosen, in their order; a large one may be shortened.
    pub messages: Vec<Cow<'a, Message>>,
    /// What the counter says of the prompt and of each message's `spoken` text: at most the budget.
    pub tokens: u32,
    /// What is in it, in order: first the prompt's parts, then the messages.
    pub used: Vec<Used<'a>>,
    /// What is not, and why, in the order of the candidates: texts, then messages.
    pub left: Vec<Left<'a>>,
}

/// A candidate that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used<'a> {
    /// Its name.
    pub reference: &'a str,
    /// What it is.
    pub kind: Kind,
    /// Its own tokens. Those of the block around it are in the total only.
    pub tokens: u32,
    /// Whether only its beginning and its end are in.
    pub shortened: bool,
}

/// A candidate that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left<'a> {
    /// Its name.
    pub reference: &'a str,
    /// What it is.
    pub kind: Kind,
    /// Why not.
    pub why: LeftOutReason,
}

/// The last user message, which is always in whole, does not fit into the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetTooSmall {
    /// The tokens that it needs.
    pub needed: u32,
    /// The budget.
    pub given: u32,
}

impl std::fmt::Display for BudgetTooSmall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the last user message needs {} tokens, and the budget is {}", self.needed, self.given)
    }
}

impl std::error::Error for BudgetTooSmall {}
