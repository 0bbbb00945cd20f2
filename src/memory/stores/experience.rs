//! Experience (B21, B22): logged steps, failures, successful traces, and statistics.

use crate::codec::json;
use crate::index::{DocKind, Found};
use crate::memory::engine::kept::steps_of;
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Json, SessionId, Step, StepDraft, Trace};
use crate::store::{Durability, Key, Store};

/// The number of latest steps from which traces are assembled.
pub(super) const WINDOW: usize = 8_192;

/// The number of records per read.
const CHUNK: usize = 256;

/// The statistics of the steps of a tool, or of a task type.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Tally {
    /// The task type.
    pub task_type: String,
    /// The tool; `None` for all tools of the task type.
    pub tool_name: Option<String>,
    /// The number of steps.
    pub steps: u64,
    /// The number of failed steps.
    pub failures: u64,
    /// Their total cost.
    pub cost: f64,
    /// The total duration of the timed steps.
    pub latency_ms: f64,
    /// The number of steps with a duration.
    pub timed: u64,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Stores a step.
    pub async fn log_step(&self, draft: &StepDraft) -> Result<Step, Error> {
        let draft = draft.clone().checked()?;
        if let Some(session) = &draft.session {
            SessionId::new("session", session.as_str())?;
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| self.plan_step(plan, &draft).await).await
    }

    async fn plan_step(&self, plan: &mut Plan, draft: &StepDraft) -> Result<Step, Error> {
        let number = plan.last_seq() + 1;
        let step = Step { number, at: plan.now, draft: draft.clone() };
        self.plan_known(plan, &Named::Step(number), json::step(&step), None)?;
        if let Some(id) = &draft.skill_id {
            self.plan_skill_use(plan, id, draft.success).await?;
        }
        Ok(step)
    }

    /// The failed steps, newest first; of one task type or of all.
    pub async fn failures(&self, task_type: Option<&str>, limit: usize) -> Result<Vec<Step>, Error> {
        self.steps(task_type, limit, &|found| found.tags.contains(&"failure")).await
    }

    /// The successful traces, newest first.
    pub async fn successful_traces(&self, task_type: Option<&str>, limit: usize) -> Result<Vec<Trace>, Error> {
        self.traces(task_type, limit, &Trace::success).await
    }

    /// The latest traces whose last step satisfies `wanted`, newest first. Reading stops after a whole page without a
    /// step of these traces: steps of one run are close together.
    pub(super) async fn traces(
        &self,
        task_type: Option<&str>,
        limit: usize,
        wanted: &dyn Fn(&Trace) -> bool,
    ) -> Result<Vec<Trace>, Error> {
        let keys = self.step_keys(task_type, WINDOW, &|_| true).await?;
        // Each trace with whether it is wanted. Its last step comes first, and has its outcome.
        let mut traces: Vec<(Trace, bool)> = Vec::new();
        let mut found = 0;
        for chunk in keys.chunks(CHUNK) {
            let steps = self.read_steps(chunk).await?;
            let belongs = |step: &Step| traces.iter().any(|(trace, wanted)| *wanted && trace.holds(step));
            if found >= limit && !steps.iter().any(belongs) {
                break;
            }
            for step in steps {
                match traces.iter_mut().rev().find(|(trace, _)| trace.holds(&step)) {
                    Some((trace, _)) => trace.steps.push(step),
                    None => {
                        let trace = Trace::of(step);
                        let is_wanted = found < limit && wanted(&trace);
                        found += usize::from(is_wanted);
                        traces.push((trace, is_wanted));
                    }
                }
            }
        }
        let mut traces: Vec<Trace> = traces.into_iter().filter(|(_, wanted)| *wanted).map(|(trace, _)| trace).collect();
        traces.iter_mut().for_each(|trace| trace.steps.reverse());
        Ok(traces)
    }

    /// The latest steps that satisfy `wanted`, newest first.
    async fn steps(
        &self,
        task_type: Option<&str>,
        limit: usize,
        wanted: &dyn Fn(&Found<'_>) -> bool,
    ) -> Result<Vec<Step>, Error> {
        let mut steps = Vec::new();
        for chunk in self.step_keys(task_type, limit, wanted).await?.chunks(CHUNK) {
            steps.extend(self.read_steps(chunk).await?);
        }
        Ok(steps)
    }

    async fn step_keys(
        &self,
        task_type: Option<&str>,
        limit: usize,
        wanted: &dyn Fn(&Found<'_>) -> bool,
    ) -> Result<Vec<Key>, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        let (namespace, now) = (task_type.map(steps_of), self.now()?);
        Ok(self.with_shelf(|shelf| {
            let newest = shelf.index.newest_of(DocKind::Step, now, namespace.as_deref(), None);
            let numbers = newest.filter(wanted).filter_map(|found| found.id.parse().ok()).take(limit);
            numbers.map(|number| self.inner.keys.named(&Named::Step(number))).collect()
        }))
    }

    async fn read_steps(&self, keys: &[Key]) -> Result<Vec<Step>, Error> {
        Ok(self.kept_of(keys).await?.into_iter().filter_map(json::read_step).collect())
    }

    /// The statistics of steps: for each task type, and for each tool in it.
    pub async fn experience_stats(&self, task_type: Option<&str>) -> Result<Vec<Tally>, Error> {
        let mut tallies: Vec<Tally> = Vec::new();
        for Step { draft, .. } in self.steps(task_type, usize::MAX, &|_| true).await? {
            for tool in [None, Some(&draft.tool_name)] {
                let same = |tally: &Tally| tally.task_type == draft.task_type && tally.tool_name.as_ref() == tool;
                let at = tallies.iter().position(same).unwrap_or_else(|| {
                    let (task_type, tool_name) = (draft.task_type.clone(), tool.cloned());
                    tallies.push(Tally { task_type, tool_name, ..Tally::default() });
                    tallies.len() - 1
                });
                let tally = &mut tallies[at];
                tally.steps += 1;
                tally.failures += u64::from(!draft.success);
                tally.cost += draft.cost.unwrap_or(0.0);
                tally.latency_ms += draft.latency_ms.unwrap_or(0.0);
                tally.timed += u64::from(draft.latency_ms.is_some());
            }
        }
        let of = |tally: &Tally| (tally.task_type.clone(), tally.tool_name.clone());
        let order = crate::model::sorted(tallies.len(), &|one, other| of(&tallies[one]).cmp(&of(&tallies[other])));
        Ok(order.into_iter().map(|at| tallies[at].clone()).collect())
    }
}

impl Tally {
    /// The share of successful steps, if there are steps.
    pub fn success_rate(&self) -> Option<f64> {
        (self.steps > 0).then(|| (self.steps - self.failures) as f64 / self.steps as f64)
    }

    /// The average duration of the timed steps.
    pub fn average_latency_ms(&self) -> Option<f64> {
        (self.timed > 0).then(|| self.latency_ms / self.timed as f64)
    }

    /// As JSON.
    pub(crate) fn to_json(&self) -> Json {
        Json::object(vec![
            ("taskType", self.task_type.as_str().into()),
            ("toolName", self.tool_name.as_deref().into()),
            ("steps", self.steps.into()),
            ("failures", self.failures.into()),
            ("successRate", self.success_rate().into()),
            ("cost", self.cost.into()),
            ("latencyMs", self.average_latency_ms().into()),
        ])
    }
}
