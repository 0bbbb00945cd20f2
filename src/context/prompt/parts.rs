//! Input and output of the context compiler: candidates, prompts, and the result for each candidate.

use super::groups::LeftOutReason;
use crate::model::Message;
use std::borrow::Cow;

/// The kind of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The app's own instructions. They are not quoted, so they must not contain text of others.
    System,
    /// A standing instruction of the user.
    Instruction,
    /// A fact about the user.
    Profile,
    /// A summary of messages before the turns.
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
    /// All kinds, in the order of a prompt (B24).
    pub const ORDER: [Self; 8] = [
        Self::System,
        Self::Instruction,
        Self::Profile,
        Self::Summary,
        Self::Turn,
        Self::Skill,
        Self::Document,
        Self::Memory,
    ];

    /// Whether it stays the same from turn to turn.
    pub(super) fn is_stable(self) -> bool {
        matches!(self, Self::System | Self::Instruction | Self::Profile | Self::Summary | Self::Skill)
    }
}

/// A candidate that is a text.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// Its kind; not a turn.
    pub kind: Kind,
    /// Its name, for reports and ordering.
    pub reference: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Its relative value.
    pub value: f64,
    /// Whether its trust is low: it gets a block that says so.
    pub low: bool,
}

/// A candidate that is a message.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The message.
    pub message: &'a Message,
    /// Its relative value: usually higher the newer it is.
    pub value: f64,
}

/// The input of the compiler.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Texts, in any order.
    pub items: &'a [Item<'a>],
    /// Messages, in order.
    pub turns: &'a [Turn<'a>],
    /// The most tokens of prompt and messages together.
    pub budget: u32,
    /// The kinds to include, in order: [`Kind::ORDER`] unless the caller wants fewer. Stable kinds always come before
    /// the others.
    pub order: &'a [Kind],
    /// Counts the tokens of a text.
    pub count: &'a dyn Fn(&str) -> u32,
}

/// A prompt, and the result for each candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled<'a> {
    /// The text before the messages; may be empty.
    pub prompt: String,
    /// The chosen messages, in order; a large one may be shortened.
    pub messages: Vec<Cow<'a, Message>>,
    /// The tokens of the prompt and of each message's `spoken` text: at most the budget.
    pub tokens: u32,
    /// The chosen candidates: first the prompt's parts, then the messages.
    pub used: Vec<Used<'a>>,
    /// The candidates left out, with reasons, in their order: texts, then messages.
    pub left: Vec<Left<'a>>,
}

/// A candidate that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used<'a> {
    /// Its name.
    pub reference: &'a str,
    /// Its kind.
    pub kind: Kind,
    /// Its own tokens. Those of the block around it are only in the total.
    pub tokens: u32,
    /// Whether it is cut to its beginning and its end.
    pub shortened: bool,
}

/// A candidate that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left<'a> {
    /// Its name.
    pub reference: &'a str,
    /// Its kind.
    pub kind: Kind,
    /// The reason.
    pub why: LeftOutReason,
}

/// The last user message, which is always included whole, does not fit into the budget.
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
