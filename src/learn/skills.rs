//! Skills: the sequences of steps that runs of one task type follow when they go well.

use super::align::Aligner;
use super::alphabet::Alphabet;
use super::cover::{Cover, Run};
use super::grow::procedures;
use super::names::head;
use super::trace::{Set, Settings, Step};
use crate::model::sorted;

/// A sequence of steps that led to success.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedSkill {
    /// The kind of task it was seen in.
    pub task_type: String,
    /// A name for it.
    pub title: String,
    /// When to use it.
    pub use_when: String,
    /// What to do, in order.
    pub steps: Vec<SkillStep>,
    /// How many traces followed it, well or not.
    pub support: u32,
    /// How many of them went well.
    pub successes: u32,
    /// The share that went well.
    pub confidence: f64,
    /// The latest traces that followed it and went well, at most 20.
    pub traces: Vec<String>,
}

/// One step of a skill.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillStep {
    /// The tool.
    pub tool: String,
    /// What is done with it, if most traces say the same.
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

    let mut drafts: Vec<Draft> = cover.procedures.iter().map(|procedure| Draft::new(procedure.steps.len())).collect();
    for at in places {
        // What was tried counts in a run that failed, even if that is what failed.
        let run = alphabet.run(set, *at, !won(at));
        for (procedure, pairs) in cover.follows(&run.symbols) {
            if let Some(draft) = drafts.get_mut(procedure) {
                draft.see(set, &run, &pairs, won(at));
            }
        }
    }
    let task_type = places.first().and_then(|at| set.trace(*at)).map_or("", |trace| head(&trace.task_type));
    drafts.into_iter().filter_map(|draft| draft.finish(set, task_type, settings)).collect()
}

/// A skill on its way: who followed it, and with which steps.
struct Draft {
    support: u32,
    won: Vec<usize>,
    /// Trace and step of each of its steps, wherever it was followed with success.
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

/// What these steps of traces have in common: the tool, and the action if enough of them say the same.
fn step(set: &Set<'_>, seen: &[(usize, usize)]) -> Option<SkillStep> {
    let steps: Vec<&Step> = seen.iter().filter_map(|(trace, at)| set.trace(*trace)?.steps.get(*at)).collect();
    let action = |at: usize| steps.get(at).and_then(|step| step.action.as_deref()).unwrap_or("");
    let mut best = ("", 0);
    let mut run = ("", 0);
    for at in sorted(steps.len(), &|one, other| action(one).cmp(action(other))) {
        run = if action(at) == run.0 { (run.0, run.1 + 1) } else { (action(at), 1) };
        if run.1 > best.1 && !run.0.is_empty() {
            best = run;
        }
    }
    let common = best.1 * 3 >= steps.len();
    Some(SkillStep {
        tool: head(&steps.first()?.tool).to_owned(),
        action: common.then(|| head(best.0).to_owned()).filter(|text| !text.is_empty()),
    })
}
