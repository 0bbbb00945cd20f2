//! Skills and steps as JSON: input, output and the stored form.

use super::Fields;
use crate::model::{
    Evidence, Invalid, Json, Metadata, Skill, SkillDraft, SkillKind, Step, StepDraft, Timestamp, ToolStep, Trace, Trust,
};

/// The fields of a skill, of its steps, and of a step of an agent. An app's own fields have other names.
pub const SKILL_FIELDS: &[&str] = &[
    "id",
    "version",
    "kind",
    "taskType",
    "useWhen",
    "toolSops",
    "preferences",
    "learned",
    "support",
    "confidence",
    "traces",
    "uses",
    "successes",
    "successRate",
    "demoted",
    "createdAt",
    "updatedAt",
    "trust",
    "metadata",
    "outcomes",
    "score",
    "seq",
];
/// The fields of a step of a skill.
pub const TOOL_STEP_FIELDS: &[&str] = &["tool", "action"];
/// The fields of a step of an agent.
pub const STEP_FIELDS: &[&str] = &[
    "n",
    "at",
    "taskType",
    "toolName",
    "input",
    "output",
    "error",
    "errorType",
    "success",
    "cost",
    "latencyMs",
    "traceId",
    "session",
    "agent",
    "flow",
    "node",
    "skillId",
    "trust",
    "metadata",
    "seq",
];

/// Reads a skill. The documented names are accepted beside our own.
pub fn skill_draft(fields: &mut Fields) -> SkillDraft {
    let steps = if fields.has("toolSops") { fields.list("toolSops") } else { fields.list("tool_sops") };
    let mut tool_sops = Vec::with_capacity(steps.len());
    for (at, step) in steps.into_iter().enumerate() {
        let mut step = Fields::of("tool_sops", step);
        let mut read =
            ToolStep { tool: step.required_text("tool"), action: step.text("action"), ..ToolStep::default() };
        read.own = step.own("", TOOL_STEP_FIELDS);
        let finished = step.finish().map_err(|mistake| mistake.within(&format!("tool_sops[{at}]")));
        fields.accept(finished);
        tool_sops.push(read);
    }
    let mut draft = SkillDraft {
        id: fields.text("id"),
        task_type: fields.either("taskType", "task_type"),
        use_when: fields.either("useWhen", "use_when").unwrap_or_default(),
        tool_sops,
        preferences: fields.text("preferences"),
        kind: fields.made("kind", |field, word| SkillKind::new(field, &word)).unwrap_or_default(),
        trust: trust(fields),
        metadata: metadata(fields),
        ..SkillDraft::default()
    };
    draft.own = fields.own("skill", SKILL_FIELDS);
    draft
}

/// Reads the trust; normal if missing.
fn trust(fields: &mut Fields) -> Trust {
    fields.made("trust", |field, word| Trust::new(field, &word)).unwrap_or_default()
}

/// The trust, unless it is the usual one.
fn unusual(trust: Trust) -> Json {
    if trust == Trust::Normal { Json::Null } else { trust.as_str().into() }
}

/// Reads the metadata; empty if missing.
pub fn metadata(fields: &mut Fields) -> Metadata {
    let made = fields.value("metadata").map(|value| Metadata::new("metadata", value));
    made.and_then(|made| fields.accept(made)).unwrap_or_default()
}

/// A skill, in the documented form (B19) and with its statistics.
pub fn skill(skill: &Skill) -> Json {
    let draft = &skill.draft;
    let step = |step: &ToolStep| {
        let mut value =
            Json::object(vec![("tool", step.tool.as_str().into()), ("action", step.action.as_deref().into())]);
        step.own.add_to(&mut value);
        value
    };
    let evidence = draft.evidence.as_ref();
    let mut value = Json::object(vec![
        ("id", skill.id.as_str().into()),
        ("version", u64::from(skill.version).into()),
        ("kind", draft.kind.as_str().into()),
        ("taskType", draft.task_type.as_deref().into()),
        ("use_when", draft.use_when.as_str().into()),
        ("tool_sops", Json::Array(draft.tool_sops.iter().map(step).collect())),
        ("preferences", draft.preferences.as_deref().into()),
        ("learned", evidence.is_some().into()),
        ("support", evidence.map(|evidence| u64::from(evidence.support)).into()),
        ("confidence", evidence.map(|evidence| evidence.confidence).into()),
        ("traces", evidence.map(|evidence| Json::from(evidence.traces.as_slice())).into()),
        ("uses", u64::from(skill.uses).into()),
        ("successes", u64::from(skill.successes).into()),
        ("successRate", skill.success_rate().into()),
        ("demoted", skill.demoted.into()),
        ("createdAt", skill.created_at.to_string().into()),
        ("updatedAt", skill.updated_at.to_string().into()),
        ("trust", unusual(draft.trust)),
        ("metadata", draft.metadata.to_json_or_null()),
    ]);
    draft.own.add_to(&mut value);
    value
}

/// The stored form of a skill: with the outcomes that decide its standing.
pub fn stored_skill(kept: &Skill) -> Json {
    let mut value = skill(kept);
    if let Json::Object(fields) = &mut value {
        let outcomes: String = kept.outcomes.iter().map(|good| if *good { '+' } else { '-' }).collect();
        fields.push(("outcomes".to_owned(), outcomes.into()));
    }
    value
}

/// Reads a stored skill.
pub fn read_skill(value: &Json) -> Option<Skill> {
    let number = |name: &str| value.get(name).as_i64().map_or(Some(0), |number| u32::try_from(number).ok());
    let time = |name: &'static str| Timestamp::parse(name, value.get(name).as_str()?).ok();
    let mut draft = skill_draft(&mut Fields::of("skill", value.clone()));
    if *value.get("learned") == Json::Bool(true) {
        let traces = value.get("traces").as_array().unwrap_or(&[]);
        draft.evidence = Some(Evidence {
            support: number("support")?,
            confidence: value.get("confidence").as_f64().unwrap_or(0.0),
            traces: traces.iter().filter_map(|trace| Some(trace.as_str()?.to_owned())).collect(),
        });
    }
    Some(Skill {
        id: value.get("id").as_str()?.to_owned(),
        version: number("version")?,
        outcomes: value.get("outcomes").as_str()?.chars().map(|mark| mark == '+').collect(),
        uses: number("uses")?,
        successes: number("successes")?,
        demoted: *value.get("demoted") == Json::Bool(true),
        created_at: time("createdAt")?,
        updated_at: time("updatedAt")?,
        draft,
    })
}

/// The message and the one-word type of an error, which is a string or an object.
pub fn thrown(fields: &mut Fields) -> (Option<String>, Option<String>) {
    let Some(error) = fields.value("error") else { return (None, None) };
    let text = |name: &str| error.get(name).as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let words = match &error {
        Json::String(text) => text.clone(),
        _ => text("message").or_else(|| text("name")).unwrap_or_else(|| error.to_string()),
    };
    // Every JavaScript error has the name `Error` unless its class says more.
    (Some(words), text("code").or_else(|| text("name").filter(|name| name != "Error")))
}

/// Reads a step (B22). Without `success`, a step succeeded if it has no error.
pub fn step_draft(fields: &mut Fields) -> StepDraft {
    let (error, error_type) = thrown(fields);
    let latency = fields.named("latencyMs", "latency_ms");
    let mut draft = StepDraft {
        task_type: fields.either("taskType", "task_type").unwrap_or_default(),
        tool_name: fields.either("toolName", "tool_name").unwrap_or_default(),
        input: fields.value("input").unwrap_or_default(),
        output: fields.value("output").unwrap_or_default(),
        success: fields.flag("success").unwrap_or(error.is_none()),
        error,
        error_type: fields.either("errorType", "error_type").or(error_type),
        cost: fields.number("cost"),
        latency_ms: fields.number(latency),
        trace_id: fields.either("traceId", "trace_id"),
        session: fields.text("session"),
        agent: fields.text("agent"),
        flow: fields.text("flow"),
        node: fields.text("node"),
        skill_id: fields.either("skillId", "skill_id"),
        trust: trust(fields),
        metadata: metadata(fields),
        ..StepDraft::default()
    };
    draft.own = fields.own("step", STEP_FIELDS);
    draft
}

/// Reads the fields of a step that may also be in `meta`.
pub fn step_meta(fields: &mut Fields) -> StepDraft {
    let latency = fields.named("latencyMs", "latency_ms");
    StepDraft {
        trace_id: fields.either("traceId", "trace_id"),
        cost: fields.number("cost"),
        latency_ms: fields.number(latency),
        skill_id: fields.either("skillId", "skill_id"),
        ..StepDraft::default()
    }
}

/// A step.
pub fn step(step: &Step) -> Json {
    let draft = &step.draft;
    let mut value = Json::object(vec![
        ("n", step.number.into()),
        ("at", step.at.to_string().into()),
        ("taskType", draft.task_type.as_str().into()),
        ("toolName", draft.tool_name.as_str().into()),
        ("input", draft.input.clone()),
        ("output", draft.output.clone()),
        ("error", draft.error.as_deref().into()),
        ("errorType", draft.error_type.as_deref().into()),
        ("success", draft.success.into()),
        ("cost", draft.cost.into()),
        ("latencyMs", draft.latency_ms.into()),
        ("traceId", draft.trace_id.as_deref().into()),
        ("session", draft.session.as_deref().into()),
        ("agent", draft.agent.as_deref().into()),
        ("flow", draft.flow.as_deref().into()),
        ("node", draft.node.as_deref().into()),
        ("skillId", draft.skill_id.as_deref().into()),
        ("trust", unusual(draft.trust)),
        ("metadata", draft.metadata.to_json_or_null()),
    ]);
    draft.own.add_to(&mut value);
    value
}

/// Reads a stored step.
pub fn read_step(value: Json) -> Option<Step> {
    let number = u64::try_from(value.get("n").as_i64()?).ok()?;
    let at = Timestamp::parse("at", value.get("at").as_str()?).ok()?;
    Some(Step { number, at, draft: step_draft(&mut Fields::of("step", value)) })
}

/// A trace, with the totals of its steps.
pub fn trace(trace: &Trace) -> Json {
    let time = |step: Option<&Step>| Json::from(step.map(|step| step.at.to_string()));
    Json::object(vec![
        ("id", trace.id.as_str().into()),
        ("taskType", trace.task_type().into()),
        ("success", trace.success().into()),
        ("startedAt", time(trace.steps.first())),
        ("endedAt", time(trace.steps.last())),
        ("cost", trace.cost().into()),
        ("latencyMs", trace.latency_ms().into()),
        ("steps", Json::Array(trace.steps.iter().map(step).collect())),
    ])
}

/// Reads a skill that is the whole of `value`.
pub fn whole_skill(value: Json) -> Result<SkillDraft, Invalid> {
    let mut fields = Fields::of("skill", value);
    let draft = skill_draft(&mut fields);
    fields.finish()?;
    draft.checked()
}
