//! Skills: the sequences of steps in successful runs of one task type.

use super::action::action;
use super::align::Aligner;
use super::alphabet::{Alphabet, good};
use super::cover::{Cover, Run};
use super::grow::procedures;
use super::names::head;
use super::trace::{Set, Settings, Step, steps};
use crate::model::sorted;

/// The most steps of a skill that is a whole run.
const MAX_WHOLE: usize = 64;

/// A sequence of steps that led to success.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedSkill {
    /// Its task type.
    pub task_type: String,
    /// A name for it.
    pub title: String,
    /// The situation to use it in.
    pub use_when: String,
    /// The steps, in order.
    pub steps: Vec<SkillStep>,
    /// The number of traces that followed it, successful or not.
    pub support: u32,
    /// The number of successful ones.
    pub successes: u32,
    /// The share of successful ones.
    pub confidence: f64,
    /// The latest successful traces that followed it, at most 20.
    pub traces: Vec<String>,
}

/// One step of a skill.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillStep {
    /// The tool.
    pub tool: String,
    /// The action: the arguments that were equal in all traces, and named slots, as `<name>`, for others.
    pub action: Option<String>,
}

impl LearnedSkill {
    /// One sentence for a prompt.
    pub fn text(&self) -> String {
        let mut text = format!("For `{}`: ", self.task_type);
        for (at, step) in self.steps.iter().enumerate() {
            text.push_str(if at == 0 { "" } else { ", then " });
            text.push_str(&format!("`{}`", step.tool));
            if let Some(action) = &step.action {
                text.push_str(&format!(" ({action})"));
            }
        }
        text.push_str(&format!(". It went well in {} of {} runs.", self.successes, self.support));
        text
    }
}

/// The skills of each task type, those with the most support first.
pub(super) fn find(set: &Set<'_>, settings: &Settings) -> Vec<LearnedSkill> {
    let mut found = Vec::new();
    for places in &set.types {
        let mut skills = in_type(set, places, settings);
        let support = |at: usize| skills.get(at).map_or(0, |skill| skill.successes);
        let order = sorted(skills.len(), &|one, other| support(other).cmp(&support(one)));
        let mut slots: Vec<Option<LearnedSkill>> = skills.drain(..).map(Some).collect();
        let best = order.into_iter().take(settings.max_skills);
        found.extend(best.filter_map(|at| slots.get_mut(at).and_then(Option::take)));
    }
    found
}

fn in_type(set: &Set<'_>, places: &[usize], settings: &Settings) -> Vec<LearnedSkill> {
    let won = |at: &usize| set.trace(*at).is_some_and(|trace| trace.success);
    if places.iter().filter(|at| won(at)).count() < settings.min_support as usize {
        return Vec::new();
    }
    let alphabet = Alphabet::new(set, places, settings);
    let runs: Vec<Run> = places.iter().filter(|at| won(at)).map(|at| alphabet.run(set, *at, false)).collect();
    let aligner = Aligner::new(alphabet.bits(&runs), settings.max_gap);
    let mut cover = Cover::new(runs, aligner);
    procedures(&mut cover, settings);

    let mut unexplained = Vec::new();
    let mut drafts: Vec<Draft> = cover.procedures.iter().map(|procedure| Draft::new(procedure.steps.len())).collect();
    for at in places {
        // In a failed run the attempted steps count, even the failed one.
        let run = alphabet.run(set, *at, !won(at));
        let follows = cover.follows(&run.symbols);
        if follows.is_empty() && won(at) {
            unexplained.push(*at);
        }
        for (procedure, pairs) in follows {
            if let Some(draft) = drafts.get_mut(procedure) {
                draft.see(set, &run, &pairs, won(at));
            }
        }
    }
    if settings.whole_runs {
        drafts.extend(whole_runs(set, &unexplained, places));
    }
    let task_type = places.first().and_then(|at| set.trace(*at)).map_or("", |trace| head(&trace.task_type));
    drafts.into_iter().filter_map(|draft| draft.finish(set, task_type, settings)).collect()
}

/// A skill being built: the traces that followed it, and their steps.
struct Draft {
    support: u32,
    won: Vec<usize>,
    /// Trace and step of each of its steps, wherever it was followed successfully.
    steps: Vec<Vec<(usize, usize)>>,
}

impl Draft {
    fn new(steps: usize) -> Self {
        Self { support: 0, won: Vec::new(), steps: vec![Vec::new(); steps] }
    }

    fn see(&mut self, set: &Set<'_>, run: &Run, pairs: &[(u8, u8)], won: bool) {
        if won && self.won.last() == Some(&run.trace) {
            return;
        }
        self.support += 1;
        if !won || set.trace(run.trace).is_none() {
            return;
        }
        self.won.push(run.trace);
        for (place, step) in pairs {
            let Some(at) = run.steps.get(usize::from(*place)) else { continue };
            if let Some(seen) = self.steps.get_mut(usize::from(*step)) {
                seen.push((run.trace, usize::from(*at)));
            }
        }
    }

    fn finish(self, set: &Set<'_>, task_type: &str, settings: &Settings) -> Option<LearnedSkill> {
        let successes = self.won.len() as u32;
        let confidence = f64::from(successes) / f64::from(self.support.max(1));
        if successes < settings.min_support.max(1) || confidence < settings.min_confidence {
            return None;
        }
        let steps: Vec<SkillStep> = self.steps.iter().filter_map(|seen| step(set, seen)).collect();
        let mut title = String::new();
        for step in &steps {
            title.push_str(if title.is_empty() { "" } else { " → " });
            title.push_str(&step.tool);
        }
        let use_when = format!("The task is `{task_type}`.");
        let (support, traces) = (self.support, set.origins(&self.won));
        Some(LearnedSkill {
            task_type: task_type.to_owned(),
            title,
            use_when,
            steps,
            support,
            successes,
            confidence,
            traces,
        })
    }
}

/// The common tool and action of these steps.
fn step(set: &Set<'_>, seen: &[(usize, usize)]) -> Option<SkillStep> {
    let steps: Vec<&Step> = seen.iter().filter_map(|(trace, at)| set.trace(*trace)?.steps.get(*at)).collect();
    Some(SkillStep { tool: head(&steps.first()?.tool).to_owned(), action: action(&steps) })
}

/// Successful runs that nothing else describes, by the tools that they used from beginning to end.
fn whole_runs(set: &Set<'_>, unexplained: &[usize], places: &[usize]) -> Vec<Draft> {
    let tools = |trace: usize, steps: &[usize]| -> Vec<usize> {
        let step = |at: &usize| set.trace(trace).and_then(|trace| trace.steps.get(*at));
        steps.iter().filter_map(step).map(|step| set.tools.find(&step.tool)).collect()
    };
    let mut found: Vec<(Vec<usize>, Draft)> = Vec::new();
    for trace in unexplained {
        let steps = once(set, *trace);
        if !(2..=MAX_WHOLE).contains(&steps.len()) {
            continue;
        }
        let tools = tools(*trace, &steps);
        let known = found.iter().position(|(known, _)| *known == tools).unwrap_or_else(|| {
            found.push((tools, Draft::new(steps.len())));
            found.len() - 1
        });
        if let Some((_, draft)) = found.get_mut(known) {
            draft.support += 1;
            draft.won.push(*trace);
            for (seen, at) in draft.steps.iter_mut().zip(&steps) {
                seen.push((*trace, *at));
            }
        }
    }
    for trace in places.iter().filter(|at| set.trace(**at).is_some_and(|trace| !trace.success)) {
        let tried: Vec<usize> = (0..set.trace(*trace).map_or(0, |trace| trace.steps.len())).collect();
        let tried = tools(*trace, &tried);
        for (_, draft) in found.iter_mut().filter(|(tools, _)| *tools == tried) {
            draft.support += 1;
        }
    }
    found.into_iter().map(|(_, draft)| draft).collect()
}

/// The successful steps of a run; a call repeated with the same arguments counts once.
fn once(set: &Set<'_>, trace: usize) -> Vec<usize> {
    let steps = set.trace(trace).map_or(&[][..], steps);
    let mut taken: Vec<usize> = Vec::new();
    for at in good(steps) {
        let call = |at: usize| steps.get(at).map(|step| (&step.tool, &step.action, &step.input));
        if taken.last().is_none_or(|last| call(*last) != call(at)) {
            taken.push(at);
        }
    }
    taken
}
