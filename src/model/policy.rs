//! Policies: which of the six kinds of memory a flow or an agent may use (B29–B32, X12).

use super::Scope;

/// The policy rules of a flow or an agent. Unset ones are left to the other, or to the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct PolicyRules {
    /// Whether each scope may be read.
    pub reads: [Option<bool>; Scope::ALL.len()],
    /// Whether experience is stored.
    pub write_experience: Option<bool>,
    /// The most turns of the conversation that a read returns.
    pub max_dialog_turns: Option<usize>,
    /// The most documents.
    pub max_docs: Option<usize>,
    /// The most skills.
    pub max_skills: Option<usize>,
}

impl PolicyRules {
    /// The rules where both these and `other` apply: the narrower of each field.
    fn and(&self, other: &Self) -> Self {
        let both = |one: Option<bool>, other: Option<bool>| one.zip(other).map_or(one.or(other), |(a, b)| Some(a && b));
        let less = |one: Option<usize>, other: Option<usize>| one.into_iter().chain(other).min();
        Self {
            reads: std::array::from_fn(|at| both(self.reads[at], other.reads[at])),
            write_experience: both(self.write_experience, other.write_experience),
            max_dialog_turns: less(self.max_dialog_turns, other.max_dialog_turns),
            max_docs: less(self.max_docs, other.max_docs),
            max_skills: less(self.max_skills, other.max_skills),
        }
    }
}

/// The effective policy of a read or a write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    reads: [bool; Scope::ALL.len()],
    /// Whether experience is stored.
    pub write_experience: bool,
    /// The most turns of the conversation that a read returns.
    pub max_dialog_turns: usize,
    /// The most documents.
    pub max_docs: usize,
    /// The most skills.
    pub max_skills: usize,
}

/// The documented defaults (B29); reading states and experience is allowed as well (X12).
impl Default for Policy {
    fn default() -> Self {
        Self { reads: [true; 6], write_experience: true, max_dialog_turns: 20, max_docs: 5, max_skills: 3 }
    }
}

impl Policy {
    /// The policy of `rules`, with the default for every absent field.
    pub fn of(rules: &PolicyRules) -> Self {
        let usual = Self::default();
        let mut reads = usual.reads;
        for (read, said) in reads.iter_mut().zip(rules.reads) {
            *read = said.unwrap_or(*read);
        }
        Self {
            reads,
            write_experience: rules.write_experience.unwrap_or(usual.write_experience),
            max_dialog_turns: rules.max_dialog_turns.unwrap_or(usual.max_dialog_turns),
            max_docs: rules.max_docs.unwrap_or(usual.max_docs),
            max_skills: rules.max_skills.unwrap_or(usual.max_skills),
        }
    }

    /// Whether a scope may be read.
    pub fn reads(&self, scope: Scope) -> bool {
        self.reads[scope as usize]
    }
}

/// The rules of all flows and agents, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Policies {
    /// By flow.
    pub flows: Vec<(String, PolicyRules)>,
    /// By agent.
    pub agents: Vec<(String, PolicyRules)>,
}

impl Policies {
    /// The effective policy for this flow and this agent (B32).
    pub fn of(&self, flow: Option<&str>, agent: Option<&str>) -> Policy {
        Policy::of(&self.rules(flow, agent))
    }

    /// The rules of this flow and this agent, without the defaults: where another limit applies anyway, only a
    /// configured rule narrows it.
    pub fn rules(&self, flow: Option<&str>, agent: Option<&str>) -> PolicyRules {
        let find = |list: &[(String, PolicyRules)], name: Option<&str>| {
            list.iter().find(|(known, _)| Some(known.as_str()) == name).map(|(_, rules)| rules.clone())
        };
        let [flow, agent] = [find(&self.flows, flow), find(&self.agents, agent)].map(Option::unwrap_or_default);
        flow.and(&agent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b32_of_flow_and_agent_the_narrower_wins_field_by_field() {
        let buyer = PolicyRules { max_docs: Some(8), max_skills: Some(5), ..PolicyRules::default() };
        let mut careful = PolicyRules { max_docs: Some(6), write_experience: Some(false), ..PolicyRules::default() };
        careful.reads[Scope::Profile as usize] = Some(false);
        let policies = Policies {
            flows: vec![("smart_buyer".into(), buyer)],
            agents: vec![("careful".into(), careful), ("bold".into(), PolicyRules::default())],
        };
        assert_eq!(policies.of(None, None), Policy::default());
        assert_eq!(policies.of(Some("nobody"), Some("knows")), Policy::default());
        let bold = policies.of(Some("smart_buyer"), Some("bold"));
        assert_eq!((bold.max_docs, bold.max_skills, bold.max_dialog_turns), (8, 5, 20), "B30");
        let both = policies.of(Some("smart_buyer"), Some("careful"));
        assert_eq!((both.max_docs, both.max_skills), (6, 5));
        assert!(!both.write_experience && !both.reads(Scope::Profile) && both.reads(Scope::State));
    }
}
