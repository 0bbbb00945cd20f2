//! JSON verbs of the facade and of its stores: decode, call, encode.

use super::facade::{MemoryQuery, MemoryResultItem, MemoryWriteEvent};
use super::knowledge::either_count;
use super::verb::{Experience, Facade, Learning, Skills, State};
use crate::codec::json::{self, Fields};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::stores::experience::Tally;
use crate::memory::stores::flow::TaskStep;
use crate::memory::stores::learning::LearnOptions;
use crate::memory::stores::procedural::SkillQuery;
use crate::model::{AgentId, Invalid, Json, ProfileSource, Scope, SessionId, Skill, Snapshot, TaskStatus};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Verbs of the facade.
    pub(super) async fn facade_verbs(&self, verb: Facade, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            Facade::Read => {
                let (session_id, agent_id) = who(&mut fields);
                let scopes = fields.texts("scopes");
                let query = MemoryQuery {
                    user_id: fields.either("userId", "user_id"),
                    flow_id: fields.either("flowId", "flow_id"),
                    node_id: fields.either("nodeId", "node_id"),
                    query: fields.text("query"),
                    task_type: fields.either("taskType", "task_type"),
                    embedding: json::embedding(&mut fields),
                    extra: fields.value("extra").unwrap_or_default(),
                    scopes: Vec::new(),
                    session_id: session_id?,
                    agent_id: agent_id?,
                };
                fields.finish()?;
                let scope = |(at, word): (usize, &String)| Scope::new(&format!("scopes[{at}]"), word);
                let scopes = scopes.iter().enumerate().map(scope).collect::<Result<Vec<_>, _>>()?;
                let items = self.read(&MemoryQuery { scopes, ..query }).await?;
                let item = |MemoryResultItem { scope, payload }: MemoryResultItem| {
                    Json::object(vec![("scope", scope.as_str().into()), ("payload", payload)])
                };
                Ok(Json::Array(items.into_iter().map(item).collect()))
            }
            Facade::Write => {
                let (session_id, agent_id) = who(&mut fields);
                let scope = fields.required_text("scope");
                let event = MemoryWriteEvent {
                    user_id: fields.either("userId", "user_id"),
                    flow_id: fields.either("flowId", "flow_id"),
                    node_id: fields.either("nodeId", "node_id"),
                    scope: Scope::new("scope", &scope)?,
                    data: fields.value("data").unwrap_or_default(),
                    meta: fields.value("meta").unwrap_or_default(),
                    session_id: session_id?,
                    agent_id: agent_id?,
                };
                fields.finish()?;
                let written = self.write_event(&event).await?;
                Ok(Json::object(vec![("written", written.into())]))
            }
            Facade::Policy => {
                let (flow, agent) = (fields.either("flowId", "flow_id"), fields.either("agentId", "agent_id"));
                fields.finish()?;
                Ok(json::policy(&self.policy(flow.as_deref(), agent.as_deref())))
            }
            Facade::GetContext => {
                let session = session(&mut fields);
                let turns = either_count(&mut fields, "limitTurns", "limit_turns").unwrap_or(20);
                fields.finish()?;
                Ok(self.dialog_context(&session?, turns).await?.to_json())
            }
            Facade::UpdateSummary => {
                let (session, summary) = (session(&mut fields), fields.required_text("summary"));
                let metadata = json::metadata(&mut fields);
                fields.finish()?;
                self.update_summary(&session?, &summary, &metadata).await.map(|()| Json::Null)
            }
        }
    }

    /// Verbs of the profile, of states and of tasks.
    pub(super) async fn state_verbs(&self, verb: State, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            State::GetProfile => {
                fields.finish()?;
                Ok(json::profile(&self.profile().await?))
            }
            State::UpdateProfile => {
                let changes = fields.value("changes").unwrap_or_default();
                let source =
                    ProfileSource { source: fields.either("source", "agent"), metadata: json::metadata(&mut fields) };
                fields.finish()?;
                Ok(json::profile(&self.update_profile(&changes, &source).await?))
            }
            State::GetState => {
                let (flow, session) = (fields.required_text("flow"), session(&mut fields));
                let version = fields.count("version").map(|version| version as u64);
                fields.finish()?;
                let session = session?;
                let found = self.state(&flow, &session, version).await?;
                Ok(found.map_or(Json::Null, |found| json::snapshot(&flow, session.as_str(), &found)))
            }
            State::SaveState => {
                let (flow, session) = (fields.required_text("flow"), session(&mut fields));
                let state = json::flow_state("state", fields.value("state").unwrap_or_default());
                let expect = fields.count("expect").map(|version| version as u64);
                let metadata = json::metadata(&mut fields);
                fields.finish()?;
                let session = session?;
                let saved = self.save_state(&flow, &session, &state?, expect, &metadata).await?;
                Ok(json::snapshot(&flow, session.as_str(), &saved))
            }
            State::StateVersions => {
                let (flow, session) = (fields.required_text("flow"), session(&mut fields));
                fields.finish()?;
                let version = |saved: &Snapshot| {
                    Json::object(vec![
                        ("version", saved.version.into()),
                        ("savedAt", saved.saved_at.to_string().into()),
                        ("status", saved.state.status.as_deref().into()),
                    ])
                };
                Ok(Json::Array(self.state_versions(&flow, &session?).await?.iter().map(version).collect()))
            }
            State::TaskSteps => {
                let (task, session) = task_of(&mut fields);
                fields.finish()?;
                Ok(Json::Array(self.task_steps(&task, session.as_ref()).await?))
            }
            State::LogTaskStep => {
                let (task, session) = task_of(&mut fields);
                let step = TaskStep { flow: fields.text("flow"), ..task_step(&mut fields) };
                fields.finish()?;
                self.log_task_step(&task, session.as_ref(), &step).await
            }
        }
    }

    /// Verbs of skills.
    pub(super) async fn skill_verbs(&self, verb: Skills, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            Skills::AddSkill => {
                let draft = json::skill_draft(&mut fields);
                fields.finish()?;
                Ok(json::skill(&self.add_skill(&draft).await?))
            }
            Skills::SearchSkills => {
                let asked = SkillQuery {
                    task_type: fields.either("taskType", "task_type"),
                    query: fields.text("query").unwrap_or_default(),
                    top_k: either_count(&mut fields, "topK", "top_k").unwrap_or(3),
                    kind: fields.made("kind", |field, word| crate::model::SkillKind::new(field, &word)),
                    include_demoted: fields.flag("includeDemoted").unwrap_or_default(),
                };
                fields.finish()?;
                Ok(Json::Array(self.search_skills(&asked).await?.iter().map(with_score).collect()))
            }
            Skills::Skills => {
                fields.finish()?;
                Ok(skills(&self.skills().await?))
            }
            Skills::GetSkill => {
                let (id, version) = (fields.required_text("id"), fields.count("version"));
                fields.finish()?;
                let found = self.skill(&id, version.map(|version| version as u32)).await?;
                Ok(found.as_ref().map_or(Json::Null, json::skill))
            }
            Skills::SkillVersions => Ok(skills(&self.skill_versions(&skill_id(fields)?).await?)),
            Skills::DeleteSkill => Ok(self.delete_skill(&skill_id(fields)?).await?.into()),
            Skills::RecordSkillUse => {
                let (id, success) = (fields.required_text("id"), fields.flag("success"));
                fields.finish()?;
                let success = success.ok_or_else(|| Invalid::value("success", "is required"))?;
                Ok(json::skill(&self.record_skill_use(&id, success).await?))
            }
        }
    }

    /// Verbs of experience.
    pub(super) async fn experience_verbs(&self, verb: Experience, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            Experience::LogStep => {
                let draft = json::step_draft(&mut fields);
                fields.finish()?;
                Ok(json::step(&self.log_step(&draft).await?))
            }
            Experience::GetFailures => {
                let (task_type, limit) = task_type_and_limit(fields)?;
                let found = self.failures(task_type.as_deref(), limit).await?;
                Ok(Json::Array(found.iter().map(json::step).collect()))
            }
            Experience::GetSuccessfulTraces => {
                let (task_type, limit) = task_type_and_limit(fields)?;
                let found = self.successful_traces(task_type.as_deref(), limit).await?;
                Ok(Json::Array(found.iter().map(json::trace).collect()))
            }
            Experience::ExperienceStats => {
                let task_type = fields.either("taskType", "task_type");
                fields.finish()?;
                let tallies = self.experience_stats(task_type.as_deref()).await?;
                let (tasks, tools): (Vec<&Tally>, Vec<&Tally>) =
                    tallies.iter().partition(|tally| tally.tool_name.is_none());
                let sum = |read: fn(&Tally) -> u64| tasks.iter().map(|tally| read(tally)).sum::<u64>();
                let list = |tallies: &[&Tally]| Json::Array(tallies.iter().map(|tally| tally.to_json()).collect());
                Ok(Json::object(vec![
                    ("steps", sum(|tally| tally.steps).into()),
                    ("failures", sum(|tally| tally.failures).into()),
                    ("tasks", list(&tasks)),
                    ("tools", list(&tools)),
                ]))
            }
        }
    }

    /// Verbs of learning.
    pub(super) async fn learning_verbs(&self, verb: Learning, mut fields: Fields) -> Result<Json, Error> {
        let task_type = fields.either("taskType", "task_type");
        match verb {
            Learning::Learn => {
                let options = LearnOptions {
                    task_type,
                    min_support: fields.count("minSupport").map(|count| count as u32),
                    min_confidence: fields.number("minConfidence"),
                };
                fields.finish()?;
                let lessons = self.learn(&options).await?;
                Ok(Json::Object(vec![
                    ("taskType".to_owned(), lessons.task_type.as_deref().into()),
                    ("traces".to_owned(), lessons.traces.into()),
                    ("skills".to_owned(), skills(&lessons.skills)),
                    ("guards".to_owned(), skills(&lessons.guards)),
                    ("demoted".to_owned(), lessons.demoted.as_slice().into()),
                    ("more".to_owned(), lessons.more.into()),
                ]))
            }
            Learning::LearnTraces => {
                fields.finish()?;
                let Some(unlearned) = self.unlearned(task_type.as_deref()).await? else { return Ok(Json::Null) };
                Ok(Json::object(vec![
                    ("taskType", unlearned.task_type.as_str().into()),
                    ("upTo", unlearned.up_to().into()),
                    ("traces", Json::Array(unlearned.traces.iter().map(json::trace).collect())),
                ]))
            }
            Learning::LearnApply => {
                let up_to = fields.count("upTo").unwrap_or(0) as u64;
                let traces = fields.texts("traces");
                let mut drafts = Vec::new();
                for (at, item) in fields.list("skills").into_iter().enumerate() {
                    let mut skill = Fields::of("skills", item);
                    drafts.push(json::skill_draft(&mut skill));
                    fields.accept(skill.finish().map_err(|mistake| mistake.within(&format!("skills[{at}]"))));
                }
                fields.finish()?;
                let task_type = task_type.ok_or_else(|| Invalid::value("taskType", "is required"))?;
                let kept = self.taught_by_app(&task_type, up_to, &traces, &drafts).await?;
                Ok(Json::object(vec![("skills", skills(&kept))]))
            }
        }
    }
}

fn task_of(fields: &mut Fields) -> (String, Option<SessionId>) {
    (fields.either("taskId", "task_id").unwrap_or_default(), fields.made("session", SessionId::new))
}

fn skill_id(mut fields: Fields) -> Result<String, Invalid> {
    let id = fields.required_text("id");
    fields.finish()?;
    Ok(id)
}

fn task_type_and_limit(mut fields: Fields) -> Result<(Option<String>, usize), Invalid> {
    let (task_type, limit) = (fields.either("taskType", "task_type"), fields.count("limit").unwrap_or(50));
    fields.finish()?;
    Ok((task_type, limit))
}

/// Decodes a step of a task, without its flow and session.
pub(in crate::memory) fn task_step(fields: &mut Fields) -> TaskStep {
    TaskStep {
        step: fields.required_text("step"),
        status: fields.made("status", |field, word| TaskStatus::new(field, &word)).unwrap_or_default(),
        error: json::thrown(fields).0,
        metadata: json::metadata(fields),
        ..TaskStep::default()
    }
}

pub(in crate::memory) fn skills(skills: &[Skill]) -> Json {
    Json::Array(skills.iter().map(json::skill).collect())
}

fn session(fields: &mut Fields) -> Result<SessionId, Invalid> {
    let name = fields.required_text("session");
    SessionId::new("session", name)
}

fn who(fields: &mut Fields) -> (Result<SessionId, Invalid>, Result<AgentId, Invalid>) {
    let missing = |name| Invalid::value(name, "is required");
    let session = fields.either("sessionId", "session_id").ok_or_else(|| missing("sessionId"));
    let agent = fields.either("agentId", "agent_id").ok_or_else(|| missing("agentId"));
    let session = session.and_then(|name| SessionId::new("sessionId", name));
    (session, agent.and_then(|name| AgentId::new("agentId", name)))
}

/// A skill with its score, as JSON.
pub(super) fn with_score((skill, score): &(Skill, f64)) -> Json {
    let mut value = json::skill(skill);
    if let Json::Object(fields) = &mut value {
        fields.push(("score".to_owned(), (*score).into()));
    }
    value
}
