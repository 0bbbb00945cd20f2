//! Facts that an app's own understanding found in messages, usually with a model. They are recorded instead of those
//! that the rules would find.

use crate::judgement::{Attribute, Attributes, Fact};
use crate::model::{AgentId, FactKey, Invalid, check_readable};

/// The facts of one message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Understood {
    /// The number of the message. The rules do not judge it.
    pub message: usize,
    /// Its facts; none if there is nothing to record.
    pub facts: Vec<UnderstoodFact>,
}

/// A fact that an app found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct UnderstoodFact {
    /// The statement, which can be understood alone.
    pub text: String,
    /// The person or thing that it is about; the speaker if `None`.
    pub who: Option<String>,
    /// The attribute of which `who` has one value: a later fact with the same `who` and `slot` replaces this one. With
    /// `None` the rules decide what it replaces.
    pub slot: Option<String>,
    /// Whether it is a standing instruction.
    pub instruction: bool,
}

impl UnderstoodFact {
    /// The key of its slot: there is one current entry for it.
    pub(super) fn key(&self, agent: Option<&AgentId>) -> Result<Option<FactKey>, Invalid> {
        let Some(slot) = &self.slot else { return Ok(None) };
        let (who, agent) = (self.who.as_deref().unwrap_or(""), agent.map_or("", AgentId::as_str));
        // A part with a colon is told from two parts by their lengths.
        FactKey::new("slot", format!("fact:{}:{}:{agent}{who}:{slot}", agent.len(), who.len())).map(Some)
    }

    /// The fact, described by the rules and by what the app knows of it.
    pub(super) fn marked(&self, described: Fact) -> Fact {
        let instruction = Attributes::of(&[Attribute::Instruction]);
        let attributes = described.attributes.without(instruction);
        let attributes = if self.instruction { attributes.or(instruction) } else { attributes };
        Fact { attributes, ..described }
    }
}

/// Checks the numbers of messages and that no text is blank.
pub(super) fn check_understood(
    understood: &[Understood],
    messages: usize,
    agent: Option<&AgentId>,
) -> Result<(), Invalid> {
    for (at, Understood { message, facts }) in understood.iter().enumerate() {
        if *message >= messages {
            return Err(Invalid::value(format!("understood[{at}].message"), "must be the number of a message, from 0"));
        }
        for (number, fact) in facts.iter().enumerate() {
            let field = |name: &str| format!("understood[{at}].facts[{number}].{name}");
            if fact.text.trim().is_empty() {
                return Err(Invalid::value(field("text"), "must not be empty"));
            }
            check_readable(&field("text"), &fact.text)?;
            for (name, part) in [("who", &fact.who), ("slot", &fact.slot)] {
                if let Some(part) = part
                    && (part.is_empty() || part.len() > MOST_NAME)
                {
                    return Err(Invalid::value(field(name), "must have 1 to 100 bytes"));
                }
            }
            fact.key(agent).map_err(|mistake| mistake.within(&format!("understood[{at}].facts[{number}]")))?;
            if fact.who.is_some() && fact.slot.is_none() {
                return Err(Invalid::value(field("who"), "must be omitted when there is no `slot`"));
            }
        }
    }
    Ok(())
}

/// The most bytes of `who` and of `slot`.
const MOST_NAME: usize = 100;
