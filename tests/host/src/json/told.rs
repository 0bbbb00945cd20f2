//! What the facade and its stores answer, in JSON as the library writes it.

use super::{entry, iso, with};
use crate::wit_dialog::{Block, BlockKind, FileSource, Message, Role};
use crate::wit_stores::{
    DialogContext, FoundSkill, Graph, Knowledge, KnowledgeKind, MemoryPolicy, Skill, SkillKind, StateSnapshot,
    StateVersion, Step, StepLog, Tallies, Tally, TaskState, ToolStep, Trace, UserProfile,
};
use serde_json::{Map, Value, json};

/// The value of a text that the component wrote.
pub(super) fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("what the component calls JSON is JSON")
}

/// Adds the values that are there.
fn with_values<T: Clone + Into<Value>>(told: &mut Value, optional: &[(&str, &Option<T>)]) {
    for (name, value) in optional {
        if let Some(value) = value {
            told[name] = value.clone().into();
        }
    }
}

/// Adds the JSON texts that are there.
fn with_json(told: &mut Value, optional: &[(&str, &Option<String>)]) {
    for (name, text) in optional {
        if let Some(text) = text {
            told[name] = value(text);
        }
    }
}

pub(super) fn policy(policy: MemoryPolicy) -> Value {
    json!({
        "use_dialog": policy.use_dialog,
        "use_state": policy.use_state,
        "use_semantic": policy.use_semantic,
        "use_procedural": policy.use_procedural,
        "use_profile": policy.use_profile,
        "use_experience": policy.use_experience,
        "write_experience": policy.write_experience,
        "max_dialog_turns": policy.max_dialog_turns,
        "max_docs": policy.max_docs,
        "max_skills": policy.max_skills,
    })
}

/// Adds the caller's own fields.
fn with_own(told: &mut Value, own: Option<&String>) {
    if let (Some(told), Some(Value::Object(own))) = (told.as_object_mut(), own.map(|own| value(own))) {
        told.extend(own);
    }
}

pub(super) fn context(context: DialogContext) -> Value {
    let mut told = json!({
        "summary": context.summary,
        "messages": context.messages.iter().map(message).collect::<Vec<_>>(),
        "facts": context.facts.iter().map(entry).collect::<Vec<_>>(),
    });
    with_json(&mut told, &[("summaryMetadata", &context.summary_metadata)]);
    told
}

fn message(message: &Message) -> Value {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let mut told = json!({ "role": role, "content": message.content.iter().map(block).collect::<Vec<_>>() });
    with(&mut told, &[("id", &message.id), ("name", &message.name), ("at", &message.at.map(iso))]);
    with_json(&mut told, &[("metadata", &message.metadata)]);
    if message.pinned {
        told["pinned"] = json!(true);
    }
    told
}

fn block(block: &Block) -> Value {
    let mut told = match &block.kind {
        BlockKind::Text(text) => json!({ "type": "text", "text": text }),
        BlockKind::Thought(text) => json!({ "type": "thought", "text": text }),
        BlockKind::ToolUse(call) => {
            json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": value(&call.input) })
        }
        BlockKind::ToolResult(result) => {
            let output = value(&result.output);
            let mut told = json!({ "type": "tool_result", "toolUseId": result.tool_use_id, "output": output });
            with_values(&mut told, &[("isError", &result.is_error.then_some(true))]);
            told
        }
        BlockKind::File(file) => {
            let (name, at) = match &file.source {
                FileSource::Url(url) => ("url", url),
                FileSource::Base64(data) => ("data", data),
                FileSource::Id(id) => ("id", id),
            };
            let mut told = json!({ "type": "file", name: at });
            with(&mut told, &[("mediaType", &file.media_type), ("name", &file.name)]);
            told
        }
        BlockKind::Other(text) => value(text),
    };
    if let (Some(told), Some(Value::Object(extra))) = (told.as_object_mut(), block.extra.as_deref().map(value)) {
        told.extend(extra);
    }
    told
}

pub(super) fn profile(known: UserProfile) -> Value {
    let fields = known.fields.iter().map(|field| {
        let mut told = json!({ "path": field.path, "at": iso(field.at) });
        with(&mut told, &[("source", &field.source)]);
        with_json(&mut told, &[("metadata", &field.metadata)]);
        told
    });
    json!({
        "profile": value(&known.profile),
        "fields": fields.collect::<Vec<_>>(),
        "version": known.version,
    })
}

pub(super) fn snapshot(saved: StateSnapshot) -> Value {
    let task = |task: &TaskState| {
        let mut told = json!({ "id": task.id, "status": task.status, "dependsOn": task.depends_on });
        with(&mut told, &[("title", &task.title), ("error", &task.error)]);
        with_values(&mut told, &[("progress", &task.progress)]);
        with_own(&mut told, task.own.as_ref());
        told
    };
    let mut told = json!({
        "flow": saved.flow,
        "session": saved.session,
        "version": saved.version,
        "variables": value(&saved.state.variables),
        "tasks": saved.state.tasks.iter().map(task).collect::<Vec<_>>(),
        "savedAt": iso(saved.saved_at),
    });
    with(&mut told, &[("status", &saved.state.status)]);
    with_json(&mut told, &[("metadata", &saved.metadata)]);
    told
}

pub(super) fn version(version: &StateVersion) -> Value {
    let mut told = json!({ "version": version.version, "savedAt": iso(version.saved_at) });
    with(&mut told, &[("status", &version.status)]);
    told
}

pub(super) fn step_log(logged: &StepLog) -> Value {
    let step = &logged.step;
    let mut told = json!({
        "n": logged.n,
        "at": iso(logged.at),
        "taskId": step.task_id,
        "step": step.step,
        "status": step.status,
    });
    with(&mut told, &[("error", &step.error), ("flow", &step.flow), ("session", &step.session)]);
    with_json(&mut told, &[("metadata", &step.metadata)]);
    with_own(&mut told, step.own.as_ref());
    told
}

pub(super) fn knowledge(known: &Knowledge) -> Value {
    let kind = match known.kind {
        KnowledgeKind::Chunk => "chunk",
        KnowledgeKind::Entity => "entity",
        KnowledgeKind::External => "external",
    };
    let mut told = json!({ "id": known.id, "kind": kind, "text": known.text, "score": known.score });
    with(&mut told, &[("source", &known.source), ("title", &known.title)]);
    with_json(&mut told, &[("metadata", &known.metadata)]);
    if !known.via.is_empty() {
        told["via"] = json!(known.via);
    }
    told
}

pub(super) fn graph(graph: Graph) -> Value {
    let entities = graph.entities.iter();
    let relations = graph.relations.iter();
    json!({
        "entities": entities
            .map(|entity| json!({
                "name": entity.name, "type": entity.type_, "observations": entity.observations,
            }))
            .collect::<Vec<_>>(),
        "relations": relations
            .map(|relation| json!({ "from": relation.from, "to": relation.to, "type": relation.type_ }))
            .collect::<Vec<_>>(),
    })
}

pub(super) fn skill(skill: &Skill) -> Value {
    let kind = match skill.kind {
        SkillKind::Sop => "sop",
        SkillKind::Guard => "guard",
    };
    let step = |step: &ToolStep| {
        let mut told = json!({ "tool": step.tool });
        with(&mut told, &[("action", &step.action)]);
        with_own(&mut told, step.own.as_ref());
        told
    };
    let mut told = json!({
        "id": skill.id,
        "version": skill.version,
        "kind": kind,
        "use_when": skill.use_when,
        "tool_sops": skill.tool_sops.iter().map(step).collect::<Vec<_>>(),
        "learned": skill.learned.is_some(),
        "uses": skill.uses,
        "successes": skill.successes,
        "demoted": skill.demoted,
        "createdAt": iso(skill.created_at),
        "updatedAt": iso(skill.updated_at),
    });
    with(&mut told, &[("taskType", &skill.task_type), ("preferences", &skill.preferences)]);
    with_values(&mut told, &[("successRate", &skill.success_rate)]);
    if let Some(evidence) = &skill.learned {
        told["support"] = json!(evidence.support);
        told["confidence"] = json!(evidence.confidence);
        told["traces"] = json!(evidence.traces);
    }
    with_json(&mut told, &[("metadata", &skill.metadata)]);
    with_own(&mut told, skill.own.as_ref());
    told
}

pub(super) fn with_score(found: &FoundSkill) -> Value {
    let mut told = skill(&found.skill);
    told["score"] = json!(found.score);
    told
}

pub(super) fn step(kept: &Step) -> Value {
    let step = &kept.step;
    let mut told = json!({
        "n": kept.n,
        "at": iso(kept.at),
        "taskType": step.task_type,
        "toolName": step.tool_name,
    });
    with(
        &mut told,
        &[
            ("error", &step.error),
            ("errorType", &step.error_type),
            ("traceId", &step.trace_id),
            ("session", &step.session),
            ("agent", &step.agent),
            ("flow", &step.flow),
            ("node", &step.node),
            ("skillId", &step.skill_id),
        ],
    );
    with_json(&mut told, &[("input", &step.input), ("output", &step.output), ("metadata", &step.metadata)]);
    with_own(&mut told, step.own.as_ref());
    with_values(&mut told, &[("success", &step.success)]);
    with_values(&mut told, &[("cost", &step.cost), ("latencyMs", &step.latency_ms)]);
    told
}

pub(super) fn trace(trace: &Trace) -> Value {
    json!({
        "id": trace.id,
        "taskType": trace.task_type,
        "success": trace.success,
        "startedAt": iso(trace.started_at),
        "endedAt": iso(trace.ended_at),
        "cost": trace.cost,
        "latencyMs": trace.latency_ms,
        "steps": trace.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

pub(super) fn tallies(tallies: Tallies) -> Value {
    let tally = |tally: &Tally| {
        let mut told = Map::new();
        told.insert("taskType".into(), json!(tally.task_type));
        told.insert("steps".into(), json!(tally.steps));
        told.insert("failures".into(), json!(tally.failures));
        told.insert("cost".into(), json!(tally.cost));
        let mut told = Value::Object(told);
        with(&mut told, &[("toolName", &tally.tool_name)]);
        with_values(&mut told, &[("successRate", &tally.success_rate), ("latencyMs", &tally.latency_ms)]);
        told
    };
    json!({
        "steps": tallies.steps,
        "failures": tallies.failures,
        "tasks": tallies.tasks.iter().map(tally).collect::<Vec<_>>(),
        "tools": tallies.tools.iter().map(tally).collect::<Vec<_>>(),
    })
}
