//! Standing instructions of the user, such as "always answer in French": in every prompt, within a budget of their own.

use super::candidates::Text;
use crate::context::prompt::{Kind, cost};
use crate::index::{DocKind, Index, Owner};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::repeated::LONG_TERM;
use crate::memory::entries::search::{Hit, SearchOptions};
use crate::memory::entries::writing::INSTRUCTION_TAG;
use crate::model::Trust;
use crate::store::Store;

/// The most instructions that are looked at, and the most tokens of them in a prompt: a part of its budget.
const MOST: usize = 100;
const MOST_TOKENS: u32 = 400;
const PART: u32 = 8;

impl<S: Store, E: Env> Memory<S, E> {
    /// The standing instructions that hold now for an agent, the oldest first. Only words of the user's own are.
    pub async fn instructions(&self, agent: Option<&str>) -> Result<Vec<Hit>, Error> {
        let options = SearchOptions {
            limit: Some(MOST),
            namespace: Some(LONG_TERM.to_owned()),
            all_tags: vec![INSTRUCTION_TAG.to_owned()],
            min_trust: Some(Trust::Normal),
            ..SearchOptions::default()
        };
        let owner = agent.map_or(Owner::Anybody, Owner::SeenBy);
        let newest = self.find_by(&options, &[DocKind::Entry], owner, Index::latest).await?;
        Ok(newest.into_iter().rev().map(|(_, hit)| hit).collect())
    }

    /// The newest of them that fit, in the order of their time, as one text.
    pub(super) async fn standing(&self, agent: Option<&str>, budget: u32) -> Result<Option<Text>, Error> {
        let mut room = (budget / PART).min(MOST_TOKENS);
        let mut lines = Vec::new();
        for hit in self.instructions(agent).await?.into_iter().rev() {
            let tokens = cost(Kind::Instruction, &hit.summary, &|text| self.count_tokens(text));
            let Some(left) = room.checked_sub(tokens) else { break };
            room = left;
            lines.push(hit.summary);
        }
        lines.reverse();
        Ok((!lines.is_empty()).then(|| Text::new(Kind::Instruction, "instructions", lines.join("\n"), 1.0)))
    }
}
