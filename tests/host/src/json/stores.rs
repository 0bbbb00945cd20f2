//! The verbs of the facade and its stores by name, with JSON in and out.

use super::told::{
    context, graph, knowledge, policy, profile, skill, snapshot, step, step_log, tallies, trace, version, with_score,
};
use super::{limit_of, refused};
use crate::instance::{Call, Instance};
use crate::wit_stores::{
    Document, Entity, ExternalDocument, FlowState, Graph, LearnOptions, Lessons, MemoryQuery, MemoryWriteEvent,
    Relation, Scope, SemanticFilters, SemanticQuery, SkillDraft, SkillKind, SkillQuery, StepDraft, TaskState, TaskStep,
    ToolStep,
};
use keepsake::codec::json::{
    Fields, SKILL_FIELDS, STEP_FIELDS, TASK_FIELDS, TOOL_STEP_FIELDS, metadata, parse, thrown,
};
use keepsake::model::{Invalid, Json, Metadata};
use serde_json::{Value, json};
use wasmtime::component::ResourceAny;

/// A call whose arguments have been read.
type Ready = Box<dyn FnOnce(&mut Instance, ResourceAny) -> Call<Value>>;

/// Does what `verb` says with `args`; nothing if it is none of these.
pub(super) fn call(instance: &mut Instance, memory: ResourceAny, verb: &str, args: Json) -> Option<Call<Value>> {
    let mut fields = Fields::of("args", args);
    let read = facade(verb, &mut fields)
        .or_else(|| states(verb, &mut fields))
        .or_else(|| knowledge_of(verb, &mut fields))
        .or_else(|| skills(verb, &mut fields))
        .or_else(|| experience(verb, &mut fields))
        .or_else(|| learning(verb, &mut fields))?;
    Some(match read.and_then(|ready| fields.finish().map(|()| ready)) {
        Ok(ready) => ready(instance, memory),
        Err(invalid) => Ok(Err(refused(invalid))),
    })
}

/// The answer of a call, in JSON.
macro_rules! ready {
    (|$instance:ident, $memory:ident| $call:expr => $told:expr) => {
        Some(Ok(Box::new(move |$instance: &mut Instance, $memory: ResourceAny| Ok($call?.map($told)))))
    };
}

/// What was read, or the mistake that it was.
macro_rules! attempt {
    ($read:expr) => {
        match $read {
            Ok(read) => read,
            Err(mistake) => return Some(Err(mistake)),
        }
    };
}

fn list<T>(items: Vec<T>, told: impl FnMut(&T) -> Value) -> Value {
    items.iter().map(told).collect()
}

fn facade(verb: &str, fields: &mut Fields) -> Option<Result<Ready, Invalid>> {
    match verb {
        "read" => {
            let (session_id, agent_id) = attempt!(who(fields));
            let mut scopes = Vec::new();
            for (at, word) in fields.texts("scopes").iter().enumerate() {
                scopes.push(attempt!(scope(&format!("scopes[{at}]"), word)));
            }
            let query = MemoryQuery {
                user_id: fields.either("userId", "user_id"),
                session_id,
                agent_id,
                flow_id: fields.either("flowId", "flow_id"),
                node_id: fields.either("nodeId", "node_id"),
                scopes,
                query: fields.text("query"),
                task_type: fields.either("taskType", "task_type"),
                embedding: fields.numbers("embedding"),
                extra: fields.value("extra").map(|value| value.to_string()),
            };
            ready!(|instance, memory| instance.read(memory, &query) => |items| list(items, |item| {
                json!({ "scope": word(item.scope), "payload": super::told::value(&item.payload) })
            }))
        }
        "write" => {
            let (session_id, agent_id) = attempt!(who(fields));
            let event = MemoryWriteEvent {
                user_id: fields.either("userId", "user_id"),
                session_id,
                agent_id,
                flow_id: fields.either("flowId", "flow_id"),
                node_id: fields.either("nodeId", "node_id"),
                scope: attempt!(scope("scope", &fields.required_text("scope"))),
                data: fields.value("data").unwrap_or_default().to_string(),
                meta: fields.value("meta").map(|value| value.to_string()),
            };
            ready!(|instance, memory| instance.write(memory, &event) => |written| json!({ "written": written }))
        }
        "deleteSession" => {
            let (session, keep) = (fields.required_text("session"), fields.flag("keepEntries").unwrap_or_default());
            ready!(|instance, memory| instance.erase_session(memory, &session, keep) => Value::from)
        }
        "policy" => {
            let (flow, agent) = (fields.either("flowId", "flow_id"), fields.either("agentId", "agent_id"));
            ready!(|instance, memory| instance.policy(memory, flow.as_deref(), agent.as_deref()) => policy)
        }
        "getContext" => {
            let (session, turns) = (fields.required_text("session"), either_limit(fields, "limitTurns", "limit_turns"));
            ready!(|instance, memory| instance.get_context(memory, &session, turns) => context)
        }
        "updateSummary" => {
            let (session, summary) = (fields.required_text("session"), fields.required_text("summary"));
            let said = text(&metadata(fields));
            ready!(|instance, memory| instance.update_summary(memory, &session, &summary, said.as_deref()) => |()| {
                Value::Null
            })
        }
        "getProfile" => ready!(|instance, memory| instance.get_profile(memory) => profile),
        "updateProfile" => {
            let changes = fields.value("changes").unwrap_or_default().to_string();
            let (source, said) = (fields.either("source", "agent"), text(&metadata(fields)));
            ready!(|instance, memory| {
                instance.update_profile(memory, &changes, source.as_deref(), said.as_deref())
            } => profile)
        }
        _ => None,
    }
}

fn states(verb: &str, fields: &mut Fields) -> Option<Result<Ready, Invalid>> {
    match verb {
        "getState" => {
            let (flow, session) = (fields.required_text("flow"), fields.required_text("session"));
            let version = fields.count("version").map(|version| version as u64);
            ready!(|instance, memory| instance.get_state(memory, &flow, &session, version) => |found| {
                found.map_or(Value::Null, snapshot)
            })
        }
        "saveState" => {
            let (flow, session) = (fields.required_text("flow"), fields.required_text("session"));
            let state = attempt!(flow_state(fields.value("state").unwrap_or_default()));
            let expect = fields.count("expect").map(|version| version as u64);
            let said = text(&metadata(fields));
            ready!(|instance, memory| {
                instance.save_state(memory, &flow, &session, &state, expect, said.as_deref())
            } => snapshot)
        }
        "stateVersions" => {
            let (flow, session) = (fields.required_text("flow"), fields.required_text("session"));
            ready!(|instance, memory| instance.state_versions(memory, &flow, &session) => |all| list(all, version))
        }
        "logTaskStep" => {
            let step = TaskStep {
                task_id: fields.either("taskId", "task_id").unwrap_or_default(),
                step: fields.required_text("step"),
                status: status(fields),
                error: thrown(fields).0,
                flow: fields.text("flow"),
                session: fields.text("session"),
                metadata: text(&metadata(fields)),
                own: None,
            };
            ready!(|instance, memory| instance.log_task_step(memory, &step) => |logged| step_log(&logged))
        }
        "taskSteps" => {
            let task = fields.either("taskId", "task_id").unwrap_or_default();
            let session = fields.text("session");
            ready!(|instance, memory| instance.task_steps(memory, &task, session.as_deref()) => |all| {
                list(all, step_log)
            })
        }
        _ => None,
    }
}

fn knowledge_of(verb: &str, fields: &mut Fields) -> Option<Result<Ready, Invalid>> {
    match verb {
        "addDocuments" => {
            let mut documents = Vec::new();
            for (at, item) in fields.list("documents").into_iter().enumerate() {
                let read = document(item).map_err(|mistake| mistake.within(&format!("documents[{at}]")));
                documents.push(attempt!(read));
            }
            ready!(|instance, memory| instance.add_documents(memory, &documents) => |added| list(added, |added| {
                json!({ "id": added.id, "chunks": added.chunks, "replaced": added.replaced })
            }))
        }
        "deleteDocument" => {
            let id = fields.required_text("id");
            ready!(|instance, memory| instance.delete_document(memory, &id) => Value::from)
        }
        "semanticSearch" => {
            let query = SemanticQuery {
                query: fields.required_text("query"),
                top_k: either_limit(fields, "topK", "top_k"),
                filters: match fields.value("filters") {
                    None => None,
                    Some(value) => Some(attempt!(filters(value))),
                },
                graph: limit_of(fields, "graph"),
                embedding: fields.numbers("embedding"),
                external: fields.list("external").into_iter().map(external).collect(),
            };
            ready!(|instance, memory| instance.semantic_search(memory, &query) => |found| list(found, knowledge))
        }
        "graphAdd" | "graphDelete" => {
            let (given, adds) = (graph_of(fields, verb == "graphDelete"), verb == "graphAdd");
            ready!(|instance, memory| if adds {
                instance.graph_add(memory, &given)
            } else {
                instance.graph_delete(memory, &given)
            } => |counts| json!({
                "entities": counts.entities, "relations": counts.relations, "observations": counts.observations,
            }))
        }
        "graphOpen" => {
            let names = fields.texts("names");
            ready!(|instance, memory| instance.graph_open(memory, &names) => graph)
        }
        "graphRead" => ready!(|instance, memory| instance.graph_read(memory) => graph),
        "graphSearch" => {
            let query = fields.required_text("query");
            let (limit, steps) = (limit_of(fields, "limit"), limit_of(fields, "steps"));
            ready!(|instance, memory| instance.graph_search(memory, &query, limit, steps) => graph)
        }
        _ => None,
    }
}

fn skills(verb: &str, fields: &mut Fields) -> Option<Result<Ready, Invalid>> {
    match verb {
        "addSkill" => {
            let draft = skill_draft(fields);
            ready!(|instance, memory| instance.add_skill(memory, &draft) => |added| skill(&added))
        }
        "searchSkills" => {
            let query = SkillQuery {
                task_type: fields.either("taskType", "task_type"),
                query: fields.text("query"),
                top_k: either_limit(fields, "topK", "top_k"),
                kind: skill_kind(fields),
                include_demoted: fields.flag("includeDemoted").unwrap_or_default(),
            };
            ready!(|instance, memory| instance.search_skills(memory, &query) => |found| list(found, with_score))
        }
        "getSkill" => {
            let (id, version) = (fields.required_text("id"), limit_of(fields, "version"));
            ready!(|instance, memory| instance.get_skill(memory, &id, version) => |found| {
                found.as_ref().map_or(Value::Null, skill)
            })
        }
        "skills" => ready!(|instance, memory| instance.skills(memory) => |all| list(all, skill)),
        "skillVersions" => {
            let id = fields.required_text("id");
            ready!(|instance, memory| instance.skill_versions(memory, &id) => |all| list(all, skill))
        }
        "deleteSkill" => {
            let id = fields.required_text("id");
            ready!(|instance, memory| instance.delete_skill(memory, &id) => Value::from)
        }
        "recordSkillUse" => {
            let id = fields.required_text("id");
            let success = fields.flag("success").ok_or_else(|| Invalid::value("success", "is required"));
            let success = attempt!(success);
            ready!(|instance, memory| instance.record_skill_use(memory, &id, success) => |used| skill(&used))
        }
        _ => None,
    }
}

fn experience(verb: &str, fields: &mut Fields) -> Option<Result<Ready, Invalid>> {
    if verb == "logStep" {
        let draft = step_draft(fields);
        return ready!(|instance, memory| instance.log_step(memory, &draft) => |kept| step(&kept));
    }
    if !["getFailures", "getSuccessfulTraces", "experienceStats"].contains(&verb) {
        return None;
    }
    let task = fields.either("taskType", "task_type");
    if verb == "experienceStats" {
        return ready!(|instance, memory| instance.experience_stats(memory, task.as_deref()) => tallies);
    }
    let limit = limit_of(fields, "limit");
    if verb == "getFailures" {
        return ready!(|instance, memory| instance.get_failures(memory, task.as_deref(), limit) => |all| {
            list(all, step)
        });
    }
    ready!(|instance, memory| instance.get_successful_traces(memory, task.as_deref(), limit) => |all| list(all, trace))
}

fn learning(verb: &str, fields: &mut Fields) -> Option<Result<Ready, Invalid>> {
    if !["learn", "learnTraces", "learnApply"].contains(&verb) {
        return None;
    }
    let task = fields.either("taskType", "task_type");
    match verb {
        "learn" => {
            let options = LearnOptions {
                task_type: task,
                min_support: limit_of(fields, "minSupport"),
                min_confidence: fields.number("minConfidence"),
            };
            ready!(|instance, memory| instance.learn(memory, &options) => |lessons| lessons_json(&lessons))
        }
        "learnTraces" => ready!(|instance, memory| instance.learn_traces(memory, task.as_deref()) => |found| {
            found.map_or(Value::Null, |found| json!({
                "taskType": found.task_type, "upTo": found.up_to, "traces": list(found.traces, trace),
            }))
        }),
        _ => {
            let up_to = u64::from(limit_of(fields, "upTo").unwrap_or(0));
            let traces = fields.texts("traces");
            let mut drafts = Vec::new();
            for item in fields.list("skills") {
                drafts.push(skill_draft(&mut Fields::of("skills", item)));
            }
            let task = attempt!(task.ok_or_else(|| Invalid::value("taskType", "is required")));
            ready!(|instance, memory| instance.learn_apply(memory, &task, up_to, &traces, &drafts) => |kept| {
                json!({ "skills": list(kept, skill) })
            })
        }
    }
}

fn lessons_json(lessons: &Lessons) -> Value {
    json!({
        "taskType": lessons.task_type,
        "traces": lessons.traces,
        "skills": list(lessons.skills.clone(), skill),
        "guards": list(lessons.guards.clone(), skill),
        "demoted": lessons.demoted,
        "more": lessons.more,
    })
}

/// Who asks or tells. Whether they are names is for the component to say.
fn who(fields: &mut Fields) -> Result<(String, String), Invalid> {
    let missing = |name| Invalid::value(name, "is required");
    let session = fields.either("sessionId", "session_id").ok_or_else(|| missing("sessionId"))?;
    let agent = fields.either("agentId", "agent_id").ok_or_else(|| missing("agentId"))?;
    Ok((session, agent))
}

const SCOPES: [(&str, Scope); 6] = [
    ("dialog", Scope::Dialog),
    ("state", Scope::State),
    ("semantic", Scope::Semantic),
    ("procedural", Scope::Procedural),
    ("profile", Scope::Profile),
    ("experience", Scope::Experience),
];

/// WIT has no other scope.
fn scope(field: &str, name: &str) -> Result<Scope, Invalid> {
    let found = SCOPES.iter().find(|(known, _)| *known == name);
    found.map(|(_, scope)| *scope).ok_or_else(|| Invalid::value(field, "must be a scope"))
}

fn word(scope: Scope) -> &'static str {
    SCOPES.iter().find(|(_, known)| *known == scope).map_or("", |(word, _)| word)
}

/// WIT has a status always.
fn status(fields: &mut Fields) -> String {
    fields.text("status").unwrap_or_else(|| "pending".to_owned())
}

/// The text of metadata; nothing if there is none.
fn text(metadata: &Metadata) -> Option<String> {
    (!metadata.is_empty()).then(|| metadata.to_json().to_string())
}

fn either_limit(fields: &mut Fields, name: &'static str, other: &'static str) -> Option<u32> {
    let name = if fields.has(name) { name } else { other };
    limit_of(fields, name)
}

/// WIT has a state in three parts, where in JSON an object that has none of them is the variables.
fn flow_state(value: Json) -> Result<FlowState, Invalid> {
    if !matches!(value, Json::Object(_)) {
        return Err(Invalid::value("state", "must be an object"));
    }
    if ["variables", "status", "tasks"].iter().all(|name| value.get(name).is_null()) {
        return Ok(FlowState { variables: value.to_string(), status: None, tasks: Vec::new() });
    }
    let mut fields = Fields::of("state", value);
    let mut variables = fields.value("variables").unwrap_or(Json::Object(Vec::new()));
    let status = fields.text("status");
    let mut tasks = Vec::new();
    for (at, item) in fields.list("tasks").into_iter().enumerate() {
        let within = |mistake: Invalid| mistake.within(&format!("state.tasks[{at}]"));
        tasks.push(task(item).map_err(within)?);
    }
    for (name, value) in fields.rest() {
        let Json::Object(known) = &mut variables else { break };
        if !variables_have(known, &name) {
            known.push((name, value));
        } else {
            fields.refuse(Invalid::value(name, "is in `variables` as well"));
        }
    }
    fields.finish().map_err(|mistake| mistake.within("state"))?;
    Ok(FlowState { variables: variables.to_string(), status, tasks })
}

fn variables_have(known: &[(String, Json)], name: &str) -> bool {
    known.iter().any(|(known, _)| known == name)
}

fn task(item: Json) -> Result<TaskState, Invalid> {
    let mut fields = Fields::of("task", item);
    let needs = if fields.has("dependsOn") { "dependsOn" } else { "depends_on" };
    let task = TaskState {
        id: fields.required_text("id"),
        title: fields.text("title"),
        status: status(&mut fields),
        progress: fields.number("progress"),
        depends_on: fields.texts(needs),
        error: thrown(&mut fields).0,
        own: text(&fields.own("", TASK_FIELDS)),
    };
    fields.finish()?;
    Ok(task)
}

fn document(item: Json) -> Result<Document, Invalid> {
    let mut fields = Fields::of("documents", item);
    let (id, source) = (fields.text("id"), fields.text("source"));
    let content = if fields.has("content") { "content" } else { "text" };
    let document = Document {
        id: id.or(source).unwrap_or_default(),
        content: fields.required_text(content),
        title: fields.text("title"),
        tags: fields.texts("tags"),
        metadata: fields.value("metadata").map(|value| value.to_string()),
        namespace: fields.text("namespace"),
        embedding: fields.numbers("embedding"),
    };
    // WIT has the caller's own in the metadata only.
    let own = Metadata::new("metadata", Json::Object(fields.rest()))?;
    fields.finish()?;
    if own.is_empty() {
        return Ok(document);
    }
    let given = document.metadata.map_or(Json::Object(Vec::new()), |text| parse(&text).unwrap_or_default());
    let metadata = text(&Metadata::new("metadata", given)?.or("metadata", own)?);
    Ok(Document { metadata, ..document })
}

fn filters(value: Json) -> Result<SemanticFilters, Invalid> {
    let mut fields = Fields::of("filters", value);
    let mut filters = SemanticFilters {
        tags: fields.texts("tags"),
        source: fields.text("source"),
        namespace: fields.text("namespace"),
        session: fields.text("session"),
        metadata: match fields.value("metadata") {
            None => Vec::new(),
            Some(Json::Object(wanted)) => wanted.into_iter().map(|(name, value)| (name, value.to_string())).collect(),
            Some(_) => return Err(Invalid::value("filters.metadata", "must be an object")),
        },
    };
    let own = fields.rest().into_iter().filter(|(_, value)| !value.is_null());
    filters.metadata.extend(own.map(|(name, value)| (name, value.to_string())));
    fields.finish().map_err(|mistake| mistake.within("filters"))?;
    Ok(filters)
}

/// What was found elsewhere. Scores of others are not asked for.
fn external(item: Json) -> ExternalDocument {
    let mut fields = Fields::of("external", item);
    let content = if fields.has("content") { "content" } else { "text" };
    ExternalDocument {
        id: fields.text("id"),
        content: fields.required_text(content),
        source: fields.text("source"),
        metadata: fields.value("metadata").map(|value| value.to_string()),
    }
}

/// WIT has a thing with its observations, where JSON has both apart as well; and a name alone is the whole thing.
fn graph_of(fields: &mut Fields, names: bool) -> Graph {
    let mut graph = Graph { entities: Vec::new(), relations: Vec::new() };
    for (at, item) in fields.list("entities").into_iter().enumerate() {
        if names && let Json::String(name) = item {
            graph.entities.push(Entity { name, type_: String::new(), observations: Vec::new() });
            continue;
        }
        let mut item = Fields::of("entities", item);
        let type_ = item.either("type", "entityType").unwrap_or_default();
        let entity = Entity { name: item.required_text("name"), type_, observations: item.texts("observations") };
        graph.entities.push(entity);
        fields.accept(item.finish().map_err(|mistake| mistake.within(&format!("entities[{at}]"))));
    }
    for (at, item) in fields.list("relations").into_iter().enumerate() {
        let mut item = Fields::of("relations", item);
        let type_ = item.either("type", "relationType").unwrap_or_default();
        let relation = Relation { from: item.required_text("from"), to: item.required_text("to"), type_ };
        graph.relations.push(relation);
        fields.accept(item.finish().map_err(|mistake| mistake.within(&format!("relations[{at}]"))));
    }
    for (at, item) in fields.list("observations").into_iter().enumerate() {
        let mut item = Fields::of("observations", item);
        let name = item.either("entity", "entityName").unwrap_or_default();
        let entity = Entity { name, type_: String::new(), observations: item.texts("contents") };
        graph.entities.extend((!entity.observations.is_empty()).then_some(entity));
        fields.accept(item.finish().map_err(|mistake| mistake.within(&format!("observations[{at}]"))));
    }
    graph
}

fn skill_kind(fields: &mut Fields) -> Option<SkillKind> {
    fields.made("kind", |field, name| match name.as_str() {
        "sop" => Ok(SkillKind::Sop),
        "guard" => Ok(SkillKind::Guard),
        _ => Err(Invalid::value(field, "must be one of: sop, guard")),
    })
}

fn skill_draft(fields: &mut Fields) -> SkillDraft {
    let steps = if fields.has("toolSops") { "toolSops" } else { "tool_sops" };
    let mut tool_sops = Vec::new();
    for (at, item) in fields.list(steps).into_iter().enumerate() {
        let mut item = Fields::of("tool_sops", item);
        let (tool, action) = (item.required_text("tool"), item.text("action"));
        tool_sops.push(ToolStep { tool, action, own: text(&item.own("", TOOL_STEP_FIELDS)) });
        fields.accept(item.finish().map_err(|mistake| mistake.within(&format!("tool_sops[{at}]"))));
    }
    SkillDraft {
        id: fields.text("id"),
        kind: skill_kind(fields),
        task_type: fields.either("taskType", "task_type"),
        use_when: fields.either("useWhen", "use_when").unwrap_or_default(),
        tool_sops,
        preferences: fields.text("preferences"),
        metadata: text(&metadata(fields)),
        own: text(&fields.own("skill", SKILL_FIELDS)),
    }
}

fn step_draft(fields: &mut Fields) -> StepDraft {
    // WIT has an error in words only.
    let (error, error_type) = thrown(fields);
    let latency = if fields.has("latencyMs") { "latencyMs" } else { "latency_ms" };
    StepDraft {
        task_type: fields.either("taskType", "task_type").unwrap_or_default(),
        tool_name: fields.either("toolName", "tool_name").unwrap_or_default(),
        input: fields.value("input").map(|value| value.to_string()),
        output: fields.value("output").map(|value| value.to_string()),
        error,
        error_type: fields.either("errorType", "error_type").or(error_type),
        success: fields.flag("success"),
        cost: fields.number("cost"),
        latency_ms: fields.number(latency),
        trace_id: fields.either("traceId", "trace_id"),
        session: fields.text("session"),
        agent: fields.text("agent"),
        flow: fields.text("flow"),
        node: fields.text("node"),
        skill_id: fields.either("skillId", "skill_id"),
        metadata: text(&metadata(fields)),
        own: text(&fields.own("step", STEP_FIELDS)),
    }
}
