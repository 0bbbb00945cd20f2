//! Experience: logged steps, their statistics, and what is learned from them.

use super::{Memory, call, handle};
use crate::memory::{Env, Error, LearnOptions, Lessons, Tally};
use crate::model::{Step, StepDraft, Trace};
use crate::store::Store;

handle! {
    /// The steps that agents logged, and how they ended.
    ExperienceMemory
}

call! {
    /// Lists failed steps; see [`ExperienceMemory::failures`].
    Failures((Option<String>, usize)) -> Vec<Step>, |memory, given| {
        memory.failures(given.0.as_deref(), given.1).await
    }
}

impl<S, E> Failures<S, E> {
    /// Only those of this task type.
    pub fn task_type(self, task_type: impl Into<String>) -> Self {
        self.edit(|(given, _)| *given = Some(task_type.into()))
    }

    /// The most steps. Default: 50.
    pub fn limit(self, limit: usize) -> Self {
        self.edit(|(_, most)| *most = limit)
    }
}

call! {
    /// Lists traces that succeeded; see [`ExperienceMemory::successful_traces`].
    SuccessfulTraces((Option<String>, usize)) -> Vec<Trace>, |memory, given| {
        memory.successful_traces(given.0.as_deref(), given.1).await
    }
}

impl<S, E> SuccessfulTraces<S, E> {
    /// Only those of this task type.
    pub fn task_type(self, task_type: impl Into<String>) -> Self {
        self.edit(|(given, _)| *given = Some(task_type.into()))
    }

    /// The most traces. Default: 50.
    pub fn limit(self, limit: usize) -> Self {
        self.edit(|(_, most)| *most = limit)
    }
}

call! {
    /// Learns from logged steps; see [`Memory::learn`].
    Learn(LearnOptions) -> Lessons, |memory, options| memory.learn(&options).await
}

impl<S, E> Learn<S, E> {
    /// Only this task type. Default: one with new steps.
    pub fn task_type(self, task_type: impl Into<String>) -> Self {
        self.edit(|options| options.task_type = Some(task_type.into()))
    }

    /// The fewest traces behind a skill.
    pub fn min_support(self, traces: u32) -> Self {
        self.edit(|options| options.min_support = Some(traces))
    }

    /// The smallest share of traces that confirm it.
    pub fn min_confidence(self, share: f64) -> Self {
        self.edit(|options| options.min_confidence = Some(share))
    }
}

impl<S: Store, E: Env> ExperienceMemory<S, E> {
    /// Logs a step of an agent.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory, types::StepDraft};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let experience = memory.experience();
    /// experience.log_step(StepDraft::success("deploy", "build").trace("t-1")).await?;
    /// experience.log_step(StepDraft::failure("deploy", "push", "no permission").trace("t-1")).await?;
    /// assert_eq!(experience.failures().task_type("deploy").await?.len(), 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub async fn log_step(&self, step: StepDraft) -> Result<Step, Error> {
        self.memory.log_step(&step).await
    }

    /// The failed steps, newest first.
    pub fn failures(&self) -> Failures<S, E> {
        Failures::new(&self.memory, (None, 50))
    }

    /// The traces that succeeded in the end, newest first.
    pub fn successful_traces(&self) -> SuccessfulTraces<S, E> {
        SuccessfulTraces::new(&self.memory, (None, 50))
    }

    /// Statistics by task type and by tool, of one task type or of all.
    pub async fn stats(&self, task_type: Option<&str>) -> Result<Vec<Tally>, Error> {
        self.memory.experience_stats(task_type).await
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Learns skills and warnings from the logged steps of one task type. Call it again while there is `more`.
    pub fn learn(&self) -> Learn<S, E> {
        Learn::new(&self.core, LearnOptions::default())
    }
}
