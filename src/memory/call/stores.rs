//! The verbs of the facade and of its stores by name, with JSON in and out. Decode, call, encode.

use super::facade::{MemoryQuery, MemoryResultItem, MemoryWriteEvent};
use super::knowledge::either_count;
use crate::codec::json::{self, Fields};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::stores::experience::Tally;
use crate::memory::stores::flow::TaskStep;
use crate::memory::stores::learning::LearnOptions;
use crate::memory::stores::procedural::SkillQuery;
use crate::model::{AgentId, Invalid, Json, ProfileSource, Scope, SessionId, Skill, Snapshot, TaskStatus};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Does what `verb` says with `args`; gives them back if it is none of these.
    pub(super) async fn stores(&self, verb: &str, args: Json) -> Result<Result<Json, Error>, Json> {
        Ok(match verb {
            "read" | "write" | "policy" | "getContext" | "updateSummary" => {
                self.through_facade(verb, Fields::of("args", args)).await
            }
            "getProfile" | "updateProfile" | "getState" | "saveState" | "stateVersions" | "logTaskStep"
            | "taskSteps" => self.where_things_stand(verb, Fields::of("args", args)).await,
            "addSkill" | "searchSkills" | "getSkill" | "skills" | "skillVersions" | "deleteSkill"
            | "recordSkillUse" => self.skilled(verb, Fields::of("args", args)).await,
            "learn" | "learnTraces" | "learnApply" => self.learning(verb, Fields::of("args", args)).await,
            "logStep" | "getFailures" | "getSuccessfulTraces" | "experienceStats" => {
                self.experienced(verb, Fields::of("args", args)).await
            }
            _ => return Err(args),
        })
    }

    async fn through_facade(&self, verb: &str, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            "read" => {
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
            "write" => {
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
            "policy" => {
                let (flow, agent) = (fields.either("flowId", "flow_id"), fields.either("agentId", "agent_id"));
                fields.finish()?;
                Ok(json::policy(&self.policy(flow.as_deref(), agent.as_deref())))
            }
            "getContext" => {
                let session = session(&mut fields);
                let turns = either_count(&mut fields, "limitTurns", "limit_turns").unwrap_or(20);
                fields.finish()?;
                Ok(self.dialog_context(&session?, turns).await?.to_json())
            }
            _ => {
                let (session, summary) = (session(&mut fields), fields.required_text("summary"));
                let metadata = json::metadata(&mut fields);
                fields.finish()?;
                self.update_summary(&session?, &summary, &metadata).await.map(|()| Json::Null)
            }
        }
    }

    async fn where_things_stand(&self, verb: &str, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            "getProfile" => {
                fields.finish()?;
                Ok(json::profile(&self.profile().await?))
            }
            "updateProfile" => {
                let changes = fields.value("changes").unwrap_or_default();
                let source =
                    ProfileSource { source: fields.either("source", "agent"), metadata: json::metadata(&mut fields) };
                fields.finish()?;
                Ok(json::profile(&self.update_profile(&changes, &source).await?))
            }
            "getState" => {
                let (flow, session) = (fields.required_text("flow"), session(&mut fields));
                let version = fields.count("version").map(|version| version as u64);
                fields.finish()?;
                let session = session?;
                let found = self.state(&flow, &session, version).await?;
                Ok(found.map_or(Json::Null, |found| json::snapshot(&flow, session.as_str(), &found)))
            }
            "saveState" => {
                let (flow, session) = (fields.required_text("flow"), session(&mut fields));
                let state = json::flow_state("state", fields.value("state").unwrap_or_default());
                let expect = fields.count("expect").map(|version| version as u64);
                let metadata = json::metadata(&mut fields);
                fields.finish()?;
                let session = session?;
                let saved = self.save_state(&flow, &session, &state?, expect, &metadata).await?;
                Ok(json::snapshot(&flow, session.as_str(), &saved))
            }
            "stateVersions" => {
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
            _ => {
                let task = fields.either("taskId", "task_id").unwrap_or_default();
                let session = fields.made("session", SessionId::new);
                if verb == "taskSteps" {
                    fields.finish()?;
                    return Ok(Json::Array(self.task_steps(&task, session.as_ref()).await?));
                }
                let step = TaskStep { flow: fields.text("flow"), ..task_step(&mut fields) };
                fields.finish()?;
                self.log_task_step(&task, session.as_ref(), &step).await
            }
        }
    }

    async fn skilled(&self, verb: &str, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            "addSkill" => {
                let draft = json::skill_draft(&mut fields);
                fields.finish()?;
                Ok(json::skill(&self.add_skill(&draft).await?))
            }
            "searchSkills" => {
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
            "skills" => {
                fields.finish()?;
                Ok(skills(&self.skills().await?))
            }
            _ => {
                let id = fields.required_text("id");
                let (version, success) = (fields.count("version"), fields.flag("success"));
                fields.finish()?;
                match (verb, success) {
                    ("getSkill", _) => {
                        let found = self.skill(&id, version.map(|version| version as u32)).await?;
                        Ok(found.as_ref().map_or(Json::Null, json::skill))
                    }
                    ("skillVersions", _) => Ok(skills(&self.skill_versions(&id).await?)),
                    ("deleteSkill", _) => Ok(self.delete_skill(&id).await?.into()),
                    (_, Some(success)) => Ok(json::skill(&self.record_skill_use(&id, success).await?)),
                    (_, None) => Err(Invalid::value("success", "is required").into()),
                }
            }
        }
    }

    async fn experienced(&self, verb: &str, mut fields: Fields) -> Result<Json, Error> {
        if verb == "logStep" {
            let draft = json::step_draft(&mut fields);
            fields.finish()?;
            return Ok(json::step(&self.log_step(&draft).await?));
        }
        let task_type = fields.either("taskType", "task_type");
        let limit = if verb == "experienceStats" { 0 } else { fields.count("limit").unwrap_or(50) };
        fields.finish()?;
        let task_type = task_type.as_deref();
        match verb {
            "getFailures" => Ok(Json::Array(self.failures(task_type, limit).await?.iter().map(json::step).collect())),
            "getSuccessfulTraces" => {
                Ok(Json::Array(self.successful_traces(task_type, limit).await?.iter().map(json::trace).collect()))
            }
            _ => {
                let tallies = self.experience_stats(task_type).await?;
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

    async fn learning(&self, verb: &str, mut fields: Fields) -> Result<Json, Error> {
        let task_type = fields.either("taskType", "task_type");
        match verb {
            "learn" => {
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
            "learnTraces" => {
                fields.finish()?;
                let Some(unlearned) = self.unlearned(task_type.as_deref()).await? else { return Ok(Json::Null) };
                Ok(Json::object(vec![
                    ("taskType", unlearned.task_type.as_str().into()),
                    ("upTo", unlearned.up_to().into()),
                    ("traces", Json::Array(unlearned.traces.iter().map(json::trace).collect())),
                ]))
            }
            _ => {
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

/// Reads a step of a task, without where it belongs.
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

/// A skill with how well it fits, as JSON.
pub(super) fn with_score((skill, score): &(Skill, f64)) -> Json {
    let mut value = json::skill(skill);
    if let Json::Object(fields) = &mut value {
        fields.push(("score".to_owned(), (*score).into()));
    }
    value
}
