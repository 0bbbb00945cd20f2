//! The calls of the interface `stores`.

use crate::instance::{Call, Instance};
use crate::wit_stores::{
    DialogContext, Document, DocumentAdded, FlowState, FoundSkill, Graph, GraphCounts, Knowledge, LearnOptions,
    Lessons, MemoryPolicy, MemoryQuery, MemoryResultItem, MemoryWriteEvent, SemanticQuery, Skill, SkillDraft,
    SkillQuery, StateSnapshot, StateVersion, Step, StepDraft, StepLog, Tallies, TaskStep, Trace, Unlearned,
    UserProfile,
};
use wasmtime::component::ResourceAny;

/// Calls a function.
macro_rules! function {
    ($instance:ident.$call:ident($($argument:expr),*)) => {
        $instance.exports.keepsake_memory_stores().$call(&mut $instance.store, $($argument),*)
    };
}

impl Instance {
    /// Calls `read`.
    pub fn read(&mut self, memory: ResourceAny, query: &MemoryQuery) -> Call<Vec<MemoryResultItem>> {
        function!(self.call_read(memory, query))
    }

    /// Calls `write`.
    pub fn write(&mut self, memory: ResourceAny, event: &MemoryWriteEvent) -> Call<bool> {
        function!(self.call_write(memory, event))
    }

    /// Calls `delete-session`, which `session.delete` is without a session to be opened.
    pub fn erase_session(&mut self, memory: ResourceAny, session: &str, keep_entries: bool) -> Call<u64> {
        function!(self.call_delete_session(memory, &session.to_owned(), keep_entries))
    }

    /// Calls `policy`.
    pub fn policy(&mut self, memory: ResourceAny, flow: Option<&str>, agent: Option<&str>) -> Call<MemoryPolicy> {
        function!(self.call_policy(memory, flow, agent))
    }

    /// Calls `get-context`.
    pub fn get_context(&mut self, memory: ResourceAny, session: &str, turns: Option<u32>) -> Call<DialogContext> {
        function!(self.call_get_context(memory, &session.to_owned(), turns))
    }

    /// Calls `update-summary`.
    pub fn update_summary(
        &mut self,
        memory: ResourceAny,
        session: &str,
        summary: &str,
        metadata: Option<&str>,
    ) -> Call<()> {
        let metadata = metadata.map(str::to_owned);
        function!(self.call_update_summary(memory, &session.to_owned(), summary, metadata.as_ref()))
    }

    /// Calls `get-profile`.
    pub fn get_profile(&mut self, memory: ResourceAny) -> Call<UserProfile> {
        function!(self.call_get_profile(memory))
    }

    /// Calls `update-profile`.
    pub fn update_profile(
        &mut self,
        memory: ResourceAny,
        changes: &str,
        source: Option<&str>,
        metadata: Option<&str>,
    ) -> Call<UserProfile> {
        let metadata = metadata.map(str::to_owned);
        function!(self.call_update_profile(memory, &changes.to_owned(), source, metadata.as_ref()))
    }

    /// Calls `get-state`.
    pub fn get_state(
        &mut self,
        memory: ResourceAny,
        flow: &str,
        session: &str,
        version: Option<u64>,
    ) -> Call<Option<StateSnapshot>> {
        function!(self.call_get_state(memory, flow, &session.to_owned(), version))
    }

    /// Calls `save-state`.
    pub fn save_state(
        &mut self,
        memory: ResourceAny,
        flow: &str,
        session: &str,
        state: &FlowState,
        expect: Option<u64>,
        metadata: Option<&str>,
    ) -> Call<StateSnapshot> {
        let metadata = metadata.map(str::to_owned);
        function!(self.call_save_state(memory, flow, &session.to_owned(), state, expect, metadata.as_ref()))
    }

    /// Calls `state-versions`.
    pub fn state_versions(&mut self, memory: ResourceAny, flow: &str, session: &str) -> Call<Vec<StateVersion>> {
        function!(self.call_state_versions(memory, flow, &session.to_owned()))
    }

    /// Calls `log-task-step`.
    pub fn log_task_step(&mut self, memory: ResourceAny, step: &TaskStep) -> Call<StepLog> {
        function!(self.call_log_task_step(memory, step))
    }

    /// Calls `task-steps`.
    pub fn task_steps(&mut self, memory: ResourceAny, task: &str, session: Option<&str>) -> Call<Vec<StepLog>> {
        function!(self.call_task_steps(memory, task, session.map(str::to_owned).as_ref()))
    }

    /// Calls `add-documents`.
    pub fn add_documents(&mut self, memory: ResourceAny, documents: &[Document]) -> Call<Vec<DocumentAdded>> {
        function!(self.call_add_documents(memory, documents))
    }

    /// Calls `delete-document`.
    pub fn delete_document(&mut self, memory: ResourceAny, id: &str) -> Call<u64> {
        function!(self.call_delete_document(memory, id))
    }

    /// Calls `semantic-search`.
    pub fn semantic_search(&mut self, memory: ResourceAny, query: &SemanticQuery) -> Call<Vec<Knowledge>> {
        function!(self.call_semantic_search(memory, query))
    }

    /// Calls `graph-add`.
    pub fn graph_add(&mut self, memory: ResourceAny, graph: &Graph) -> Call<GraphCounts> {
        function!(self.call_graph_add(memory, graph))
    }

    /// Calls `graph-delete`.
    pub fn graph_delete(&mut self, memory: ResourceAny, graph: &Graph) -> Call<GraphCounts> {
        function!(self.call_graph_delete(memory, graph))
    }

    /// Calls `graph-open`.
    pub fn graph_open(&mut self, memory: ResourceAny, names: &[String]) -> Call<Graph> {
        function!(self.call_graph_open(memory, names))
    }

    /// Calls `graph-read`.
    pub fn graph_read(&mut self, memory: ResourceAny) -> Call<Graph> {
        function!(self.call_graph_read(memory))
    }

    /// Calls `graph-search`.
    pub fn graph_search(
        &mut self,
        memory: ResourceAny,
        query: &str,
        limit: Option<u32>,
        steps: Option<u32>,
    ) -> Call<Graph> {
        function!(self.call_graph_search(memory, query, limit, steps))
    }

    /// Calls `add-skill`.
    pub fn add_skill(&mut self, memory: ResourceAny, skill: &SkillDraft) -> Call<Skill> {
        function!(self.call_add_skill(memory, skill))
    }

    /// Calls `search-skills`.
    pub fn search_skills(&mut self, memory: ResourceAny, query: &SkillQuery) -> Call<Vec<FoundSkill>> {
        function!(self.call_search_skills(memory, query))
    }

    /// Calls `get-skill`.
    pub fn get_skill(&mut self, memory: ResourceAny, id: &str, version: Option<u32>) -> Call<Option<Skill>> {
        function!(self.call_get_skill(memory, id, version))
    }

    /// Calls `skills`.
    pub fn skills(&mut self, memory: ResourceAny) -> Call<Vec<Skill>> {
        function!(self.call_skills(memory))
    }

    /// Calls `skill-versions`.
    pub fn skill_versions(&mut self, memory: ResourceAny, id: &str) -> Call<Vec<Skill>> {
        function!(self.call_skill_versions(memory, id))
    }

    /// Calls `delete-skill`.
    pub fn delete_skill(&mut self, memory: ResourceAny, id: &str) -> Call<bool> {
        function!(self.call_delete_skill(memory, id))
    }

    /// Calls `record-skill-use`.
    pub fn record_skill_use(&mut self, memory: ResourceAny, id: &str, success: bool) -> Call<Skill> {
        function!(self.call_record_skill_use(memory, id, success))
    }

    /// Calls `log-step`.
    pub fn log_step(&mut self, memory: ResourceAny, step: &StepDraft) -> Call<Step> {
        function!(self.call_log_step(memory, step))
    }

    /// Calls `get-failures`.
    pub fn get_failures(&mut self, memory: ResourceAny, task: Option<&str>, limit: Option<u32>) -> Call<Vec<Step>> {
        function!(self.call_get_failures(memory, task, limit))
    }

    /// Calls `get-successful-traces`.
    pub fn get_successful_traces(
        &mut self,
        memory: ResourceAny,
        task: Option<&str>,
        limit: Option<u32>,
    ) -> Call<Vec<Trace>> {
        function!(self.call_get_successful_traces(memory, task, limit))
    }

    /// Calls `experience-stats`.
    pub fn experience_stats(&mut self, memory: ResourceAny, task: Option<&str>) -> Call<Tallies> {
        function!(self.call_experience_stats(memory, task))
    }

    /// Calls `learn`.
    pub fn learn(&mut self, memory: ResourceAny, options: &LearnOptions) -> Call<Lessons> {
        function!(self.call_learn(memory, options))
    }

    /// Calls `learn-traces`.
    pub fn learn_traces(&mut self, memory: ResourceAny, task: Option<&str>) -> Call<Option<Unlearned>> {
        function!(self.call_learn_traces(memory, task))
    }

    /// Calls `learn-apply`.
    pub fn learn_apply(
        &mut self,
        memory: ResourceAny,
        task: &str,
        up_to: u64,
        traces: &[String],
        skills: &[SkillDraft],
    ) -> Call<Vec<Skill>> {
        function!(self.call_learn_apply(memory, task, up_to, traces, skills))
    }
}
