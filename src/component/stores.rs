//! The facade and its six stores, through the WIT door. Decode, call, encode.

use super::bindings::exports::keepsake::memory::stores as door;
use super::env::HostEnv;
use super::ready::ready;
use super::store::HostStore;
use super::{Keepsake, convert, dialog_convert, knowhow_convert as knowhow, stores_convert as twins};
use crate::memory::{Memory, MemoryQuery, MemoryWriteEvent};
use crate::model::{ProfileSource, SessionId, SkillDraft};

type Open = Memory<HostStore, HostEnv>;

/// How much is answered if nobody says: turns of a conversation, steps and traces, things of the graph.
const TURNS: u32 = 20;
const STEPS: u32 = 50;
const THINGS: u32 = 10;

impl door::Guest for Keepsake {
    fn read(
        memory: door::MemoryBorrow<'_>,
        query: door::MemoryQuery,
    ) -> Result<Vec<door::MemoryResultItem>, door::Error> {
        let query = MemoryQuery::try_from(query)?;
        let items = ready(memory.get::<Open>().read(&query))?;
        Ok(all(items))
    }

    fn write(memory: door::MemoryBorrow<'_>, event: door::MemoryWriteEvent) -> Result<bool, door::Error> {
        let event = MemoryWriteEvent::try_from(event)?;
        Ok(ready(memory.get::<Open>().write_event(&event))?)
    }

    fn delete_session(
        memory: door::MemoryBorrow<'_>,
        session: door::SessionId,
        keep_entries: bool,
    ) -> Result<u64, door::Error> {
        let session = SessionId::new("session", session)?;
        Ok(ready(memory.get::<Open>().delete_session(&session, keep_entries))?)
    }

    fn policy(memory: door::MemoryBorrow<'_>, flow_id: Option<String>, agent_id: Option<String>) -> door::MemoryPolicy {
        memory.get::<Open>().policy(flow_id.as_deref(), agent_id.as_deref()).into()
    }

    fn get_context(
        memory: door::MemoryBorrow<'_>,
        session: door::SessionId,
        limit_turns: Option<u32>,
    ) -> Result<door::DialogContext, door::Error> {
        let session = SessionId::new("session", session)?;
        let context = ready(memory.get::<Open>().dialog_context(&session, limit_turns.unwrap_or(TURNS) as usize))?;
        Ok(door::DialogContext {
            summary: context.summary,
            summary_metadata: convert::told_metadata(&context.summary_metadata),
            messages: dialog_convert::messages(context.messages),
            facts: all(context.facts),
        })
    }

    fn update_summary(
        memory: door::MemoryBorrow<'_>,
        session: door::SessionId,
        summary: String,
        metadata: Option<door::JsonObject>,
    ) -> Result<(), door::Error> {
        let session = SessionId::new("session", session)?;
        let metadata = convert::some_metadata("metadata", metadata)?;
        Ok(ready(memory.get::<Open>().update_summary(&session, &summary, &metadata))?)
    }

    fn get_profile(memory: door::MemoryBorrow<'_>) -> Result<door::UserProfile, door::Error> {
        let profile = ready(memory.get::<Open>().profile())?;
        Ok(profile.into())
    }

    fn update_profile(
        memory: door::MemoryBorrow<'_>,
        changes: door::JsonObject,
        source: Option<String>,
        metadata: Option<door::JsonObject>,
    ) -> Result<door::UserProfile, door::Error> {
        let changes = convert::object("changes", &changes)?;
        let source = ProfileSource { source, metadata: convert::some_metadata("metadata", metadata)? };
        let profile = ready(memory.get::<Open>().update_profile(&changes, &source))?;
        Ok(profile.into())
    }

    fn get_state(
        memory: door::MemoryBorrow<'_>,
        flow: String,
        session: door::SessionId,
        version: Option<u64>,
    ) -> Result<Option<door::StateSnapshot>, door::Error> {
        let session = SessionId::new("session", session)?;
        let found = ready(memory.get::<Open>().state(&flow, &session, version))?;
        Ok(found.map(|found| twins::snapshot(flow, &session, found)))
    }

    fn save_state(
        memory: door::MemoryBorrow<'_>,
        flow: String,
        session: door::SessionId,
        state: door::FlowState,
        expect: Option<u64>,
        metadata: Option<door::JsonObject>,
    ) -> Result<door::StateSnapshot, door::Error> {
        let (session, state) = (SessionId::new("session", session)?, twins::flow_state(state)?);
        let metadata = convert::some_metadata("metadata", metadata)?;
        let saved = ready(memory.get::<Open>().save_state(&flow, &session, &state, expect, &metadata))?;
        Ok(twins::snapshot(flow, &session, saved))
    }

    fn state_versions(
        memory: door::MemoryBorrow<'_>,
        flow: String,
        session: door::SessionId,
    ) -> Result<Vec<door::StateVersion>, door::Error> {
        let session = SessionId::new("session", session)?;
        let versions = ready(memory.get::<Open>().state_versions(&flow, &session))?;
        Ok(all(versions))
    }

    fn log_task_step(memory: door::MemoryBorrow<'_>, step: door::TaskStep) -> Result<door::StepLog, door::Error> {
        let (task, session, step) = twins::task_step(step)?;
        let logged = ready(memory.get::<Open>().log_task_step(&task, session.as_ref(), &step))?;
        Ok(twins::step_log(&logged)?)
    }

    fn task_steps(
        memory: door::MemoryBorrow<'_>,
        task_id: String,
        session: Option<door::SessionId>,
    ) -> Result<Vec<door::StepLog>, door::Error> {
        let session = session.map(|id| SessionId::new("session", id)).transpose()?;
        let logged = ready(memory.get::<Open>().task_steps(&task_id, session.as_ref()))?;
        Ok(logged.iter().map(twins::step_log).collect::<Result<_, _>>()?)
    }

    fn add_documents(
        memory: door::MemoryBorrow<'_>,
        documents: Vec<door::Document>,
    ) -> Result<Vec<door::DocumentAdded>, door::Error> {
        let documents = knowhow::documents(documents)?;
        let added = ready(memory.get::<Open>().add_documents(&documents))?;
        Ok(all(added))
    }

    fn delete_document(memory: door::MemoryBorrow<'_>, id: String) -> Result<u64, door::Error> {
        let pieces = ready(memory.get::<Open>().delete_document(&id))?;
        Ok(pieces as u64)
    }

    fn semantic_search(
        memory: door::MemoryBorrow<'_>,
        query: door::SemanticQuery,
    ) -> Result<Vec<door::Knowledge>, door::Error> {
        let asked = knowhow::knowledge_query(query)?;
        let found = ready(memory.get::<Open>().knowledge(&asked))?;
        Ok(all(found))
    }

    fn graph_add(memory: door::MemoryBorrow<'_>, graph: door::Graph) -> Result<door::GraphCounts, door::Error> {
        let new = ready(memory.get::<Open>().add_to_graph(&graph.into()))?;
        Ok(new.into())
    }

    fn graph_delete(memory: door::MemoryBorrow<'_>, graph: door::Graph) -> Result<door::GraphCounts, door::Error> {
        let gone = ready(memory.get::<Open>().delete_from_graph(&graph.into()))?;
        Ok(gone.into())
    }

    fn graph_open(memory: door::MemoryBorrow<'_>, names: Vec<String>) -> Result<door::Graph, door::Error> {
        let graph = ready(memory.get::<Open>().open_graph(&names))?;
        Ok(graph.into())
    }

    fn graph_read(memory: door::MemoryBorrow<'_>) -> Result<door::Graph, door::Error> {
        let graph = ready(memory.get::<Open>().graph())?;
        Ok(graph.into())
    }

    fn graph_search(
        memory: door::MemoryBorrow<'_>,
        query: String,
        limit: Option<u32>,
        steps: Option<u32>,
    ) -> Result<door::Graph, door::Error> {
        let (limit, steps) = (limit.unwrap_or(THINGS) as usize, steps.unwrap_or(0) as usize);
        let graph = ready(memory.get::<Open>().search_graph(&query, limit, steps))?;
        Ok(graph.into())
    }

    fn add_skill(memory: door::MemoryBorrow<'_>, skill: door::SkillDraft) -> Result<door::Skill, door::Error> {
        let draft = SkillDraft::try_from(skill)?;
        let skill = ready(memory.get::<Open>().add_skill(&draft))?;
        Ok(skill.into())
    }

    fn search_skills(
        memory: door::MemoryBorrow<'_>,
        query: door::SkillQuery,
    ) -> Result<Vec<door::FoundSkill>, door::Error> {
        let found = ready(memory.get::<Open>().search_skills(&query.into()))?;
        Ok(all(found))
    }

    fn get_skill(
        memory: door::MemoryBorrow<'_>,
        id: String,
        version: Option<u32>,
    ) -> Result<Option<door::Skill>, door::Error> {
        let found = ready(memory.get::<Open>().skill(&id, version))?;
        Ok(found.map(Into::into))
    }

    fn skills(memory: door::MemoryBorrow<'_>) -> Result<Vec<door::Skill>, door::Error> {
        let skills = ready(memory.get::<Open>().skills())?;
        Ok(all(skills))
    }

    fn skill_versions(memory: door::MemoryBorrow<'_>, id: String) -> Result<Vec<door::Skill>, door::Error> {
        let versions = ready(memory.get::<Open>().skill_versions(&id))?;
        Ok(all(versions))
    }

    fn delete_skill(memory: door::MemoryBorrow<'_>, id: String) -> Result<bool, door::Error> {
        Ok(ready(memory.get::<Open>().delete_skill(&id))?)
    }

    fn record_skill_use(memory: door::MemoryBorrow<'_>, id: String, success: bool) -> Result<door::Skill, door::Error> {
        let skill = ready(memory.get::<Open>().record_skill_use(&id, success))?;
        Ok(skill.into())
    }

    fn log_step(memory: door::MemoryBorrow<'_>, step: door::StepDraft) -> Result<door::Step, door::Error> {
        let draft = knowhow::step_draft(step)?;
        let step = ready(memory.get::<Open>().log_step(&draft))?;
        Ok(step.into())
    }

    fn get_failures(
        memory: door::MemoryBorrow<'_>,
        task_type: Option<String>,
        limit: Option<u32>,
    ) -> Result<Vec<door::Step>, door::Error> {
        let limit = limit.unwrap_or(STEPS) as usize;
        let steps = ready(memory.get::<Open>().failures(task_type.as_deref(), limit))?;
        Ok(all(steps))
    }

    fn get_successful_traces(
        memory: door::MemoryBorrow<'_>,
        task_type: Option<String>,
        limit: Option<u32>,
    ) -> Result<Vec<door::Trace>, door::Error> {
        let limit = limit.unwrap_or(STEPS) as usize;
        let traces = ready(memory.get::<Open>().successful_traces(task_type.as_deref(), limit))?;
        Ok(all(traces))
    }

    fn experience_stats(
        memory: door::MemoryBorrow<'_>,
        task_type: Option<String>,
    ) -> Result<door::Tallies, door::Error> {
        let tallies = ready(memory.get::<Open>().experience_stats(task_type.as_deref()))?;
        Ok(knowhow::tallies(tallies))
    }

    fn learn(memory: door::MemoryBorrow<'_>, options: door::LearnOptions) -> Result<door::Lessons, door::Error> {
        let lessons = ready(memory.get::<Open>().learn(&options.into()))?;
        Ok(lessons.into())
    }

    fn learn_traces(
        memory: door::MemoryBorrow<'_>,
        task_type: Option<String>,
    ) -> Result<Option<door::Unlearned>, door::Error> {
        let found = ready(memory.get::<Open>().unlearned(task_type.as_deref()))?;
        Ok(found.map(|unlearned| door::Unlearned {
            up_to: unlearned.up_to(),
            task_type: unlearned.task_type,
            traces: all(unlearned.traces),
        }))
    }

    fn learn_apply(
        memory: door::MemoryBorrow<'_>,
        task_type: String,
        up_to: u64,
        traces: Vec<String>,
        skills: Vec<door::SkillDraft>,
    ) -> Result<Vec<door::Skill>, door::Error> {
        let draft = |(at, skill): (usize, door::SkillDraft)| {
            SkillDraft::try_from(skill).map_err(|mistake| mistake.within(&format!("skills[{at}]")))
        };
        let drafts = skills.into_iter().enumerate().map(draft).collect::<Result<Vec<_>, _>>()?;
        let skills = ready(memory.get::<Open>().taught_by_app(&task_type, up_to, &traces, &drafts))?;
        Ok(all(skills))
    }
}

/// The twins of all these values.
fn all<T, U: From<T>>(values: impl IntoIterator<Item = T>) -> Vec<U> {
    values.into_iter().map(Into::into).collect()
}
