//! Profiles, the states of flows, and policies as JSON.

use super::Fields;
use crate::model::{
    FlowState, Invalid, Json, Metadata, Policies, Policy, PolicyRules, Profile, ProfileField, Scope, Snapshot, Task,
    TaskStatus, Timestamp,
};

/// States may be as deep and as large as messages.
const MAX_DEPTH: usize = 64;
const MAX_BYTES: usize = 900_000;

/// The fields of a task of a state. An app's own fields have other names.
pub const TASK_FIELDS: &[&str] = &["id", "title", "status", "progress", "dependsOn", "error"];
/// The fields of a logged step of a task.
pub const TASK_STEP_FIELDS: &[&str] = &["n", "taskId", "step", "status", "error", "flow", "session", "at", "metadata"];

/// A profile with the provenance of its fields.
pub fn profile(profile: &Profile) -> Json {
    let field = |field: &ProfileField| {
        Json::object(vec![
            ("path", field.path.as_slice().into()),
            ("source", field.source.as_deref().into()),
            ("at", field.at.to_string().into()),
            ("metadata", field.metadata.to_json_or_null()),
        ])
    };
    Json::object(vec![
        ("profile", profile.value.clone()),
        ("fields", Json::Array(profile.fields.iter().map(field).collect())),
        ("version", profile.version.into()),
    ])
}

/// Reads a stored profile.
pub fn read_profile(value: &Json) -> Option<Profile> {
    let field = |field: &Json| {
        Some(ProfileField {
            path: field.get("path").as_array()?.iter().filter_map(|name| Some(name.as_str()?.to_owned())).collect(),
            source: field.get("source").as_str().map(str::to_owned),
            at: Timestamp::parse("at", field.get("at").as_str()?).ok()?,
            metadata: stored_metadata(field),
        })
    };
    Some(Profile {
        value: value.get("profile").clone(),
        fields: value.get("fields").as_array()?.iter().map(field).collect::<Option<Vec<_>>>()?,
        version: u64::try_from(value.get("version").as_i64()?).ok()?,
    })
}

/// The metadata of a stored value; empty if it has none.
fn stored_metadata(value: &Json) -> Metadata {
    Metadata::new("metadata", value.get("metadata").clone()).unwrap_or_default()
}

/// Reads a state. An object without known fields is the variables; beside known ones, the app's own fields are
/// variables too (B17). `what` names it in errors.
pub fn flow_state(what: &str, value: Json) -> Result<FlowState, Invalid> {
    if !matches!(value, Json::Object(_)) {
        return Err(Invalid::value(what, "must be an object"));
    }
    if value.depth() > MAX_DEPTH {
        return Err(Invalid::value(what, "must be nested at most 64 levels deep"));
    }
    let size = value.to_string().len();
    if size > MAX_BYTES {
        return Err(Invalid::too_large(what, MAX_BYTES, size));
    }
    let known = ["variables", "status", "tasks"].iter().any(|name| !value.get(name).is_null());
    if !known {
        return Ok(FlowState { variables: value, ..FlowState::default() });
    }
    let mut fields = Fields::of(what, value);
    let mut variables = fields.value("variables").unwrap_or(Json::Object(Vec::new()));
    if !matches!(variables, Json::Object(_)) {
        fields.refuse(Invalid::value("variables", "must be an object"));
    }
    let status = fields.text("status");
    let mut tasks = Vec::new();
    for (at, item) in fields.list("tasks").into_iter().enumerate() {
        let read = task(item).map_err(|mistake| mistake.within(&format!("tasks[{at}]")));
        tasks.extend(fields.accept(read));
    }
    for (name, value) in fields.rest() {
        let Json::Object(known) = &mut variables else { break };
        if known.iter().any(|(known, _)| *known == name) {
            fields.refuse(Invalid::value(name, "is also in `variables`; remove one of them"));
        } else {
            known.push((name, value));
        }
    }
    let finished = fields.finish().and_then(|()| FlowState { variables, status, tasks }.checked());
    finished.map_err(|mistake| mistake.within(what))
}

fn task(value: Json) -> Result<Task, Invalid> {
    let mut fields = Fields::of("task", value);
    let needs = if fields.has("dependsOn") { fields.texts("dependsOn") } else { fields.texts("depends_on") };
    let mut task = Task {
        id: fields.required_text("id"),
        title: fields.text("title"),
        status: fields.made("status", |field, word| TaskStatus::new(field, &word)).unwrap_or_default(),
        progress: fields.number("progress"),
        depends_on: needs,
        error: super::thrown(&mut fields).0,
        ..Task::default()
    };
    task.own = fields.own("", TASK_FIELDS);
    fields.finish()?;
    Ok(task)
}

/// A saved state.
pub fn snapshot(flow: &str, session: &str, snapshot: &Snapshot) -> Json {
    let state = &snapshot.state;
    let task = |task: &Task| {
        let mut value = Json::object(vec![
            ("id", task.id.as_str().into()),
            ("title", task.title.as_deref().into()),
            ("status", task.status.as_str().into()),
            ("progress", task.progress.into()),
            ("dependsOn", task.depends_on.as_slice().into()),
            ("error", task.error.as_deref().into()),
        ]);
        task.own.add_to(&mut value);
        value
    };
    Json::object(vec![
        ("flow", flow.into()),
        ("session", session.into()),
        ("version", snapshot.version.into()),
        ("variables", state.variables.clone()),
        ("status", state.status.as_deref().into()),
        ("tasks", Json::Array(state.tasks.iter().map(task).collect())),
        ("savedAt", snapshot.saved_at.to_string().into()),
        ("metadata", snapshot.metadata.to_json_or_null()),
    ])
}

/// Reads a stored state.
pub fn read_snapshot(value: &Json) -> Option<Snapshot> {
    let tasks = value.get("tasks").as_array()?.iter().map(|item| task(item.clone()).ok());
    let state = FlowState {
        variables: value.get("variables").clone(),
        status: value.get("status").as_str().map(str::to_owned),
        tasks: tasks.collect::<Option<Vec<_>>>()?,
    };
    Some(Snapshot {
        version: u64::try_from(value.get("version").as_i64()?).ok()?,
        saved_at: Timestamp::parse("savedAt", value.get("savedAt").as_str()?).ok()?,
        state,
        metadata: stored_metadata(value),
    })
}

/// Reads the policies of flows and agents (B29–B32); unknown fields are refused.
pub fn policies(value: Json) -> Result<Policies, Invalid> {
    let mut fields = Fields::of("policies", value);
    let mut read = |name: &'static str| -> Result<Vec<(String, PolicyRules)>, Invalid> {
        let named = match fields.value(name).unwrap_or(Json::Object(Vec::new())) {
            Json::Object(named) => named,
            _ => return Err(Invalid::value(name, "must be an object")),
        };
        let rules = |(of, rules): (String, Json)| match policy_rules(rules) {
            Ok(rules) => Ok((of, rules)),
            Err(mistake) => Err(mistake.within(&of).within(name)),
        };
        named.into_iter().map(rules).collect()
    };
    let (flows, agents) = (read("flows")?, read("agents")?);
    fields.finish()?;
    Ok(Policies { flows, agents })
}

/// The names of the read switches, in the order of the scopes.
const SWITCHES: [[&str; 2]; 6] = [
    ["use_dialog", "useDialog"],
    ["use_state", "useState"],
    ["use_semantic", "useSemantic"],
    ["use_procedural", "useProcedural"],
    ["use_profile", "useProfile"],
    ["use_experience", "useExperience"],
];

fn policy_rules(value: Json) -> Result<PolicyRules, Invalid> {
    let mut fields = Fields::of("policy", value);
    let mut rules = PolicyRules::default();
    for (switch, [name, other]) in rules.reads.iter_mut().zip(SWITCHES) {
        *switch = fields.flag(if fields.has(other) { other } else { name });
    }
    let named = |fields: &Fields, [name, other]: [&'static str; 2]| if fields.has(other) { other } else { name };
    rules.write_experience = fields.flag(named(&fields, ["write_experience", "writeExperience"]));
    rules.max_dialog_turns = fields.count(named(&fields, ["max_dialog_turns", "maxDialogTurns"]));
    rules.max_docs = fields.count(named(&fields, ["max_docs", "maxDocs"]));
    rules.max_skills = fields.count(named(&fields, ["max_skills", "maxSkills"]));
    fields.finish()?;
    Ok(rules)
}

/// A policy with all fields, by their documented names.
pub fn policy(policy: &Policy) -> Json {
    let mut fields: Vec<(&str, Json)> =
        SWITCHES.iter().zip(Scope::ALL).map(|([name, _], scope)| (*name, policy.reads(scope).into())).collect();
    fields.push(("write_experience", policy.write_experience.into()));
    fields.push(("max_dialog_turns", policy.max_dialog_turns.into()));
    fields.push(("max_docs", policy.max_docs.into()));
    fields.push(("max_skills", policy.max_skills.into()));
    Json::object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::json::parse;
    use crate::model::ProfileSource;

    #[test]
    fn b29_policies_are_read_by_their_documented_names_and_unknown_ones_refused() {
        let read = |text: &str| policies(parse(text).unwrap());
        let smart =
            r#"{"flows":{"smart_buyer":{"use_semantic":true,"use_procedural":true,"max_docs":8,"max_skills":5}}}"#;
        let holds = read(smart).unwrap().of(Some("smart_buyer"), Some("planner"));
        assert_eq!((holds.max_docs, holds.max_skills, holds.max_dialog_turns), (8, 5, 20), "B30");
        assert_eq!(policy(&holds).get("use_experience"), &Json::Bool(true), "X12");
        assert_eq!(read(r#"{"flows":{"f":{"max_doc":1}}}"#).unwrap_err().field(), "flows.f.max_doc");
        assert_eq!(read(r#"{"agents":{"a":{"useState":1}}}"#).unwrap_err().field(), "agents.a.useState");
        assert_eq!(read(r#"{"nodes":{}}"#).unwrap_err().field(), "nodes");
    }

    #[test]
    fn b17_a_state_is_read_or_refused_by_its_path() {
        let field = |text: &str| flow_state("state", parse(text).unwrap()).unwrap_err().field().to_owned();
        let plain = flow_state("state", parse(r#"{"step":3,"cart":["a"]}"#).unwrap()).unwrap();
        assert_eq!(plain.variables.to_string(), r#"{"step":3,"cart":["a"]}"#);
        assert_eq!(field(r#"{"tasks":[{"id":"a","status":5}]}"#), "state.tasks[0].status");
        assert_eq!(field(r#"{"tasks":[{"id":"a","status":""}]}"#), "state.tasks[0].status");
        assert_eq!(field(r#"{"step":1,"status":5}"#), "state.status");
        assert_eq!(field(r#"{"step":1,"variables":{"step":2}}"#), "state.step");
        assert_eq!(field(r#"{"tasks":[{"id":"a","dependsOn":["a"]}]}"#), "state.tasks[0].dependsOn");
        assert_eq!(field(r#"{"variables":[]}"#), "state.variables");
        assert_eq!(field("[]"), "state");
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis("at", millis).unwrap()
    }

    fn merged(changes: &[&str]) -> Profile {
        let mut profile = Profile::default();
        for (time, change) in (1..).zip(changes) {
            profile.merge(parse(change).unwrap(), &ProfileSource::default(), at(time)).unwrap();
        }
        profile
    }

    #[test]
    fn b20_objects_merge_null_deletes_and_lists_replace() {
        let value = |changes: &[&str]| merged(changes).value.to_string();
        assert_eq!(value(&[r#"{"a":{"b":1}}"#, r#"{"a":{"c":2}}"#]), r#"{"a":{"b":1,"c":2}}"#);
        assert_eq!(value(&[r#"{"a":{"b":1},"d":2}"#, r#"{"a":{"b":null}}"#]), r#"{"d":2}"#);
        assert_eq!(value(&[r#"{"a":{"b":1,"c":2}}"#, r#"{"a":null}"#]), "{}");
        assert_eq!(value(&[r#"{"l":[1,2]}"#, r#"{"l":[3]}"#]), r#"{"l":[3]}"#);
        assert_eq!(value(&[r#"{"a":1}"#, r#"{"a":{"b":2}}"#]), r#"{"a":{"b":2}}"#);
        assert_eq!(value(&[r#"{"a":{"b":2}}"#, r#"{"a":1}"#]), r#"{"a":1}"#);
        assert_eq!(value(&[r#"{"a":{"b":2}}"#, r#"{"a":{}}"#]), r#"{"a":{"b":2}}"#);
        assert_eq!(value(&[r#"{"a":{}}"#]), r#"{"a":{}}"#);
        assert_eq!(value(&[r#"{"__proto__":{"x":1}}"#]), r#"{"__proto__":{"x":1}}"#, "S7");
    }

    #[test]
    fn b20_every_field_keeps_its_source_and_time() {
        let profile = merged(&[r#"{"style":{"tone":"dry","length":"short"}}"#, r#"{"style":{"tone":"warm"}}"#]);
        let of = |name: &str| profile.fields.iter().find(|field| field.path == ["style", name]).unwrap().at;
        assert_eq!((of("length"), of("tone"), profile.fields.len()), (at(1), at(2), 2));
        assert_eq!(merged(&[r#"{"a":{"b":1,"c":2}}"#, r#"{"a":null}"#]).fields, []);
        assert_eq!(merged(&[r#"{"a":1}"#, r#"{"a":{"b":2}}"#]).fields.len(), 1);
    }

    #[test]
    fn absurd_changes_are_refused_by_name() {
        let mut profile = Profile::default();
        let deep = (0..40).fold(Json::Null, |inner, _| Json::Object(vec![("a".into(), inner)]));
        for bad in [
            deep,
            Json::Null,
            Json::Array(Vec::new()),
            parse(&format!("{{\"a\":\"{}\"}}", "x".repeat(300_000))).unwrap(),
        ] {
            let refused = profile.merge(bad, &ProfileSource::default(), at(0)).unwrap_err();
            assert_eq!(refused.field(), "changes");
        }
    }
}
