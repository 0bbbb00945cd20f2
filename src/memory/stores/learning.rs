//! Learning from experience (B25–B28): successes become skills, failures become guards. One task type at a time, each
//! in one commit, so that learning can stop and resume at any point.

use crate::codec::{hex, json};
use crate::index::DocKind;
use crate::learn::{self, Settings, Standing, standing};
use crate::log::hash;
use crate::memory::engine::kept::task_of;
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Evidence, Invalid, Json, Skill, SkillDraft, SkillKind, ToolStep, Trace, Trust};
use crate::store::{Durability, Store};

/// The number of latest traces of a task type to learn from.
const TRACES: usize = 500;

/// The number of traces per task type that are remembered as seen by the app's own learner.
const SEEN: usize = 2_000;

/// The prefix of the ids of learned skills.
const LEARNED: &str = "learned-";

/// The number of latest traces following a skill that decide whether it is demoted.
const LATEST: usize = 20;

/// The options of learning.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearnOptions {
    /// Only this task type; otherwise one with new steps.
    pub task_type: Option<String>,
    /// The fewest traces behind a skill. So many runs with the same tools are then enough, even one; without it more
    /// runs are needed, so that coincidence can be ruled out.
    pub min_support: Option<u32>,
    /// The smallest share of traces that confirm it.
    pub min_confidence: Option<f64>,
}

/// The result of learning about one task type.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Lessons {
    /// The task type; `None` if there were no new steps.
    pub task_type: Option<String>,
    /// The number of traces used.
    pub traces: usize,
    /// Learned skills.
    pub skills: Vec<Skill>,
    /// Learned guards.
    pub guards: Vec<Skill>,
    /// The ids of demoted skills.
    pub demoted: Vec<String>,
    /// Whether other task types have new steps.
    pub more: bool,
}

/// Traces that the app's own learner has not seen yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Unlearned {
    /// The task type.
    pub task_type: String,
    /// The traces, oldest first.
    pub traces: Vec<Trace>,
}

impl Unlearned {
    /// The number of the last step in them.
    pub fn up_to(&self) -> u64 {
        self.traces.iter().map(Trace::last).max().unwrap_or(0)
    }
}

/// The learner: the built-in one, or the app's own.
#[derive(Clone, Copy)]
enum Learner {
    Ours,
    Apps,
}

impl Learner {
    fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Apps => "apps",
        }
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Learns from the experience with one task type that has new steps. Idempotent: the result replaces that of
    /// earlier runs on the same traces.
    pub async fn learn(&self, options: &LearnOptions) -> Result<Lessons, Error> {
        if options.min_confidence.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
            return Err(Invalid::value("minConfidence", "must be a number from 0 to 1").into());
        }
        let news = self.news(&self.marks().await?, Learner::Ours).await?;
        let wanted = match &options.task_type {
            Some(task_type) => Some(task_type.clone()),
            None => news.first().map(|(task_type, _)| task_type.clone()),
        };
        let Some(task_type) = wanted else { return Ok(Lessons::default()) };
        let more = news.iter().any(|(other, _)| *other != task_type);
        let usual = Settings { max_traces: TRACES, ..Settings::default() };
        let settings = Settings {
            min_support: options.min_support.unwrap_or(usual.min_support).max(1),
            whole_runs: options.min_support.is_some(),
            min_confidence: options.min_confidence.unwrap_or(usual.min_confidence),
            ..usual
        };
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let mut traces = self.traces(Some(&task_type), TRACES, &|_| true).await?;
            traces.reverse();
            let mut lessons =
                Lessons { task_type: Some(task_type.clone()), traces: traces.len(), more, ..Lessons::default() };
            let mut known = self.skills().await?;
            known.retain(|skill| skill.id.starts_with(LEARNED) && skill.draft.task_type == lessons.task_type);
            let mut taught = taught(&task_type, &traces, &settings);
            taught.iter_mut().for_each(|draft| draft.trust = trust_of(draft, &traces));
            for draft in &taught {
                known.retain(|skill| draft.id.as_ref() != Some(&skill.id));
                let (mut skill, before) = self.skill_to_be(plan, draft).await?;
                skill.demoted = fails(&skill, &traces);
                self.plan_learned(plan, &skill, before.as_ref())?;
                match skill.draft.kind {
                    _ if skill.demoted => lessons.demoted.push(skill.id),
                    SkillKind::Sop => lessons.skills.push(skill),
                    SkillKind::Guard => lessons.guards.push(skill),
                }
            }
            for mut skill in known {
                // A guard without evidence is obsolete; a skill may only be out of use.
                let replaced = taught.iter().any(|draft| says_more(draft, &skill.draft));
                let demoted = skill.draft.kind == SkillKind::Guard || replaced || fails(&skill, &traces);
                if demoted != skill.demoted {
                    skill.demoted = demoted;
                    let before = self.kept(self.inner.keys.named(&Named::Skill(skill.id.clone()))).await?;
                    self.plan_learned(plan, &skill, before.as_ref())?;
                }
                if demoted {
                    lessons.demoted.push(skill.id);
                }
            }
            let last = traces.iter().map(Trace::last).max().unwrap_or(0);
            self.plan_mark(plan, Learner::Ours, &task_type, last, &[]).await?;
            Ok(lessons)
        })
        .await
    }

    fn plan_learned(&self, plan: &mut Plan, skill: &Skill, before: Option<&Json>) -> Result<(), Error> {
        self.plan_known(plan, &Named::Skill(skill.id.clone()), json::stored_skill(skill), before)
    }

    /// Traces of one task type that the app's own learner has not seen yet.
    pub async fn unlearned(&self, wanted: Option<&str>) -> Result<Option<Unlearned>, Error> {
        let marks = self.marks().await?;
        let news = self.news(&marks, Learner::Apps).await?.into_iter();
        for (task_type, mark) in news.filter(|(task_type, _)| wanted.is_none_or(|wanted| wanted == task_type)) {
            let seen = marks.get(Learner::Apps.name()).get(&task_type).get("seen").clone();
            let is_seen =
                |id: &str| seen.as_array().is_some_and(|seen| seen.iter().any(|known| known.as_str() == Some(id)));
            let unseen = |trace: &Trace| trace.last() > mark && !is_seen(&trace.id);
            let mut traces = self.traces(Some(&task_type), TRACES, &unseen).await?;
            traces.reverse();
            if !traces.is_empty() {
                return Ok(Some(Unlearned { task_type, traces }));
            }
        }
        Ok(None)
    }

    /// Stores the skills of the app's own learner, and marks the traces as seen: both or neither.
    pub async fn taught_by_app(
        &self,
        task_type: &str,
        up_to: u64,
        traces: &[String],
        drafts: &[SkillDraft],
    ) -> Result<Vec<Skill>, Error> {
        super::flow::check_name("taskType", task_type)?;
        let mut checked = Vec::with_capacity(drafts.len());
        for (at, draft) in drafts.iter().enumerate() {
            let draft = draft.clone().checked().map_err(|mistake: Invalid| mistake.within(&format!("skills[{at}]")))?;
            let evidence = Evidence {
                support: traces.len() as u32,
                confidence: 1.0,
                traces: traces.iter().take(LATEST).cloned().collect(),
            };
            let task_type = draft.task_type.clone().or_else(|| Some(task_type.to_owned()));
            let id = draft.id.clone().or_else(|| Some(name("taught", task_type.as_deref().unwrap_or(""), &draft)));
            checked.push(SkillDraft { id, task_type, evidence: Some(evidence), ..draft });
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let mut skills = Vec::with_capacity(checked.len());
            // A trace that can no longer be read may have been of low trust, but then its skills are the app's word alone.
            let named = |trace: &Trace| traces.contains(&trace.id);
            let least = self.traces(Some(task_type), TRACES, &named).await?.iter().map(Trace::trust).min();
            for draft in &checked {
                let trust = draft.trust.min(least.unwrap_or(draft.trust));
                skills.push(self.plan_skill(plan, &SkillDraft { trust, ..draft.clone() }).await?);
            }
            self.plan_mark(plan, Learner::Apps, task_type, up_to, traces).await?;
            Ok(skills)
        })
        .await
    }

    /// The task types with steps that a learner has not seen, each with the last one seen.
    async fn news(&self, marks: &Json, learner: Learner) -> Result<Vec<(String, u64)>, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        let now = self.now()?;
        let marks = marks.get(learner.name());
        let mut newest: Vec<(String, u64)> = Vec::new();
        self.with_shelf(|shelf| {
            for found in shelf.index.newest_of(DocKind::Step, now, None, None) {
                let Some(task_type) = task_of(found.namespace) else { continue };
                if !newest.iter().any(|(known, _)| known == task_type) {
                    newest.push((task_type.to_owned(), found.seq));
                }
            }
        });
        let mark = |task_type: &str| marks.get(task_type).get("last").as_i64().unwrap_or(0) as u64;
        newest.retain(|(task_type, last)| *last > mark(task_type));
        Ok(newest.into_iter().map(|(task_type, _)| (task_type.clone(), mark(&task_type))).collect())
    }

    async fn marks(&self) -> Result<Json, Error> {
        Ok(self.kept(self.inner.keys.learned()).await?.unwrap_or_default())
    }

    /// Adds the progress of a learner to a plan.
    async fn plan_mark(
        &self,
        plan: &mut Plan,
        learner: Learner,
        task_type: &str,
        last: u64,
        traces: &[String],
    ) -> Result<(), Error> {
        let mut marks = self.marks().await?;
        let mut seen: Vec<Json> =
            marks.get(learner.name()).get(task_type).get("seen").as_array().unwrap_or(&[]).to_vec();
        seen.extend(traces.iter().map(|id| Json::from(id.as_str())));
        seen.drain(..seen.len().saturating_sub(SEEN));
        let mark = Json::object(vec![("last", last.into()), ("seen", Json::Array(seen))]);
        put(&mut marks, learner.name(), Json::Null);
        if let Json::Object(learners) = &mut marks
            && let Some((_, of_learner)) = learners.iter_mut().find(|(known, _)| known == learner.name())
        {
            put(of_learner, task_type, mark);
        }
        self.plan_kept(plan, self.inner.keys.learned(), &marks)
    }
}

/// Sets a field; `null` only ensures that it exists.
fn put(object: &mut Json, name: &str, value: Json) {
    if !matches!(object, Json::Object(_)) {
        *object = Json::Object(Vec::new());
    }
    let Json::Object(fields) = object else { return };
    match fields.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) if !value.is_null() => *known = value,
        Some(_) => {}
        None => fields.push((name.to_owned(), value)),
    }
}

/// Whether a skill fails too often: by its recorded uses, or without any, by the traces that followed it.
fn fails(skill: &Skill, traces: &[Trace]) -> bool {
    let followed: Vec<bool> = traces.iter().filter_map(|trace| followed(trace, &skill.draft.tool_sops)).collect();
    let went = if skill.outcomes.is_empty() { &followed } else { &skill.outcomes };
    !skill.draft.tool_sops.is_empty() && standing(&went[went.len().saturating_sub(LATEST)..]) == Standing::Demoted
}

/// Whether a skill extends another by actions: earlier versions learned only names, and repeated ones once.
fn says_more(skill: &SkillDraft, than: &SkillDraft) -> bool {
    let tools = |draft: &SkillDraft| {
        let mut tools: Vec<String> = draft.tool_sops.iter().map(|step| step.tool.clone()).collect();
        tools.dedup();
        tools
    };
    let named = |draft: &SkillDraft| draft.tool_sops.iter().any(|step| step.action.is_some());
    !than.tool_sops.is_empty() && named(skill) && !named(than) && tools(skill) == tools(than)
}

/// The skills that traces teach.
fn taught(task_type: &str, traces: &[Trace], settings: &Settings) -> Vec<SkillDraft> {
    let given: Vec<learn::Trace> = traces.iter().map(given).collect();
    let learned = learn::mine(&given, settings);
    let mut drafts = Vec::new();
    for skill in learned.skills {
        let tool_sops = skill
            .steps
            .into_iter()
            .map(|step| ToolStep { tool: step.tool, action: step.action, ..ToolStep::default() })
            .collect();
        drafts.push(SkillDraft {
            task_type: Some(task_type.to_owned()),
            use_when: skill.use_when,
            tool_sops,
            evidence: Some(Evidence { support: skill.support, confidence: skill.confidence, traces: skill.traces }),
            ..SkillDraft::default()
        });
    }
    for rule in learned.rules {
        drafts.push(SkillDraft {
            task_type: Some(task_type.to_owned()),
            use_when: rule.text(),
            kind: SkillKind::Guard,
            evidence: Some(Evidence { support: rule.support, confidence: rule.confidence, traces: rule.traces }),
            ..SkillDraft::default()
        });
    }
    let mut ids: Vec<String> = Vec::new();
    for draft in &mut drafts {
        let mut id = format!("{LEARNED}{}", name(draft.kind.as_str(), task_type, draft));
        // Actions may change as more is learned, so they are part of the id only to distinguish skills with the same
        // tools.
        if ids.contains(&id) {
            let actions: Vec<&str> = draft.tool_sops.iter().filter_map(|step| step.action.as_deref()).collect();
            id.push_str(&format!("-{}", hex::encode(&hash(actions.join("\u{0}").as_bytes())[..6])));
        }
        ids.push(id.clone());
        draft.id = Some(id);
    }
    drafts
}

/// The lowest trust of the traces that a skill can have been learned from: those with all of its tools. A guard quotes
/// errors and inputs of any of them.
fn trust_of(draft: &SkillDraft, traces: &[Trace]) -> Trust {
    let uses = |trace: &Trace, tool: &str| trace.steps.iter().any(|step| step.draft.tool_name == tool);
    let from = traces.iter().filter(|trace| draft.tool_sops.iter().all(|step| uses(trace, &step.tool)));
    from.map(Trace::trust).min().unwrap_or_default()
}

/// An id made from the content, so that the same skill is found again when it is learned again.
fn name(kind: &str, task_type: &str, draft: &SkillDraft) -> String {
    let mut said = vec![task_type];
    match draft.kind {
        SkillKind::Sop => said.extend(draft.tool_sops.iter().map(|step| step.tool.as_str())),
        SkillKind::Guard => said.push(&draft.use_when),
    }
    format!("{kind}-{}", hex::encode(&hash(said.join("\u{0}").as_bytes())[..6]))
}

fn given(trace: &Trace) -> learn::Trace {
    let step = |step: &crate::model::Step| learn::Step {
        tool: step.draft.tool_name.clone(),
        action: None,
        input: step.draft.input.clone(),
        error: step.draft.error.clone(),
        error_type: step.draft.error_type.clone(),
        success: step.draft.success,
    };
    learn::Trace {
        id: trace.id.clone(),
        task_type: trace.task_type().to_owned(),
        steps: trace.steps.iter().map(step).collect(),
        success: trace.success(),
    }
}

/// The outcome of a trace that followed a skill: to its end, or until a step failed. `None` if it did something else.
fn followed(trace: &Trace, steps: &[ToolStep]) -> Option<bool> {
    let mut rest = steps.iter();
    let mut next = rest.next();
    let mut matched = 0;
    let mut failed_at_one = false;
    for step in &trace.steps {
        failed_at_one = false;
        if next.is_some_and(|wanted| wanted.tool == step.draft.tool_name) {
            failed_at_one = !step.draft.success;
            if step.draft.success {
                matched += 1;
                next = rest.next();
            }
        }
    }
    match next {
        None => Some(trace.success()),
        Some(_) if failed_at_one && matched > 0 && !trace.success() => Some(false),
        Some(_) => None,
    }
}
