//! The twins of knowledge, skills and experience: each value of the interface `stores` beside the value of the library
//! that it stands for.

use super::bindings::exports::keepsake::memory::stores;
use super::convert;
use super::dialog_convert::twins;
use crate::codec::json;
use crate::memory::{
    Document, DocumentAdded, Entity, Graph, GraphChange, Knowledge, KnowledgeQuery, LearnOptions, Lessons, Relation,
    SearchOptions, SkillQuery, Tally,
};
use crate::model::{Evidence, Invalid, Json, Skill, SkillDraft, SkillKind, Step, StepDraft, Tags, ToolStep, Trace};

/// How many results a search has, and how many skills, if nobody says; and how many relations are walked.
const RESULTS: u32 = 5;
const SKILLS: u32 = 3;
const RELATIONS: u32 = 1;

twins!(stores::SkillKind, SkillKind, Sop, Guard);

/// Any value that may be absent.
fn any(field: impl Into<String>, text: Option<stores::Json>) -> Result<Json, Invalid> {
    text.map_or(Ok(Json::Null), |text| convert::value(field, &text))
}

/// The text of a value that is there.
fn text(value: &Json) -> Option<stores::Json> {
    (!value.is_null()).then(|| value.to_string())
}

/// Documents on their way in; mistakes are named by their place.
pub(super) fn documents(documents: Vec<stores::Document>) -> Result<Vec<Document>, Invalid> {
    let read = |(at, document): (usize, stores::Document)| {
        let read = || {
            Ok(Document {
                id: document.id,
                content: document.content,
                title: document.title,
                tags: Tags::new("tags", document.tags)?,
                metadata: document.metadata.map(|text| convert::metadata(&text)).transpose()?.unwrap_or_default(),
                namespace: document.namespace,
                embedding: convert::embedding(document.embedding)?,
            })
        };
        read().map_err(|mistake: Invalid| mistake.within(&format!("documents[{at}]")))
    };
    documents.into_iter().enumerate().map(read).collect()
}

impl From<DocumentAdded> for stores::DocumentAdded {
    fn from(DocumentAdded { id, chunks, replaced }: DocumentAdded) -> Self {
        Self { id, chunks: chunks as u64, replaced: replaced as u64 }
    }
}

/// What to look for.
pub(super) fn knowledge_query(query: stores::SemanticQuery) -> Result<KnowledgeQuery, Invalid> {
    let external = |(at, found): (usize, stores::ExternalDocument)| {
        Ok(Knowledge {
            id: found.id.unwrap_or_else(|| format!("external-{}", at + 1)),
            text: found.content,
            source: found.source,
            metadata: any(format!("external[{at}].metadata"), found.metadata)?,
            ..Knowledge::default()
        })
    };
    Ok(KnowledgeQuery {
        query: query.query,
        top_k: query.top_k.unwrap_or(RESULTS) as usize,
        filters: query.filters.map(filters).transpose()?.unwrap_or_default(),
        graph: Some(query.graph.unwrap_or(RELATIONS) as usize),
        embedding: convert::embedding(query.embedding)?,
        external: query.external.into_iter().enumerate().map(external).collect::<Result<_, _>>()?,
    })
}

fn filters(filters: stores::SemanticFilters) -> Result<SearchOptions, Invalid> {
    let wanted = filters.metadata.into_iter().enumerate().map(convert::wanted).collect::<Result<_, _>>();
    Ok(SearchOptions {
        any_tag: filters.tags,
        source: filters.source,
        namespace: filters.namespace,
        session: filters.session,
        metadata: wanted.map_err(|mistake: Invalid| mistake.within("filters"))?,
        ..SearchOptions::default()
    })
}

impl From<Knowledge> for stores::Knowledge {
    fn from(known: Knowledge) -> Self {
        Self {
            kind: match known.kind {
                "entity" => stores::KnowledgeKind::Entity,
                "external" => stores::KnowledgeKind::External,
                _ => stores::KnowledgeKind::Chunk,
            },
            title: known.metadata.get("title").as_str().map(str::to_owned),
            metadata: text(&known.metadata),
            id: known.id,
            text: known.text,
            score: known.score,
            source: known.source,
            via: known.via,
        }
    }
}

impl From<stores::Graph> for Graph {
    fn from(graph: stores::Graph) -> Self {
        let entity = |stores::Entity { name, type_: kind, observations }| Entity { name, kind, observations };
        let relation = |stores::Relation { from, to, type_: kind }| Relation { from, to, kind };
        Self {
            entities: graph.entities.into_iter().map(entity).collect(),
            relations: graph.relations.into_iter().map(relation).collect(),
        }
    }
}

impl From<Graph> for stores::Graph {
    fn from(graph: Graph) -> Self {
        let entity = |Entity { name, kind: type_, observations }| stores::Entity { name, type_, observations };
        let relation = |Relation { from, to, kind: type_ }| stores::Relation { from, to, type_ };
        Self {
            entities: graph.entities.into_iter().map(entity).collect(),
            relations: graph.relations.into_iter().map(relation).collect(),
        }
    }
}

impl From<GraphChange> for stores::GraphCounts {
    fn from(counts: GraphChange) -> Self {
        Self {
            entities: counts.entities as u64,
            relations: counts.relations as u64,
            observations: counts.observations as u64,
        }
    }
}

impl TryFrom<stores::SkillDraft> for SkillDraft {
    type Error = Invalid;

    fn try_from(draft: stores::SkillDraft) -> Result<Self, Invalid> {
        let step = |(at, stores::ToolStep { tool, action, own }): (usize, stores::ToolStep)| {
            let own = convert::own(own, json::TOOL_STEP_FIELDS);
            own.map(|own| ToolStep { tool, action, own }).map_err(|mistake| mistake.within(&format!("tool_sops[{at}]")))
        };
        Ok(Self {
            id: draft.id,
            task_type: draft.task_type,
            use_when: draft.use_when,
            tool_sops: draft.tool_sops.into_iter().enumerate().map(step).collect::<Result<_, _>>()?,
            preferences: draft.preferences,
            kind: draft.kind.map(Into::into).unwrap_or_default(),
            evidence: None,
            metadata: convert::some_metadata("metadata", draft.metadata)?,
            own: convert::own(draft.own, json::SKILL_FIELDS)?,
        })
    }
}

impl From<Skill> for stores::Skill {
    fn from(skill: Skill) -> Self {
        let success_rate = skill.success_rate();
        let draft = skill.draft;
        let step = |ToolStep { tool, action, own }| {
            let own = convert::told_metadata(&own);
            stores::ToolStep { tool, action, own }
        };
        let evidence = |Evidence { support, confidence, traces }| stores::Evidence { support, confidence, traces };
        Self {
            id: skill.id,
            version: skill.version,
            kind: draft.kind.into(),
            task_type: draft.task_type,
            use_when: draft.use_when,
            tool_sops: draft.tool_sops.into_iter().map(step).collect(),
            preferences: draft.preferences,
            learned: draft.evidence.map(evidence),
            uses: skill.uses,
            successes: skill.successes,
            success_rate,
            demoted: skill.demoted,
            created_at: skill.created_at.millis(),
            updated_at: skill.updated_at.millis(),
            metadata: convert::told_metadata(&draft.metadata),
            own: convert::told_metadata(&draft.own),
        }
    }
}

impl From<stores::SkillQuery> for SkillQuery {
    fn from(query: stores::SkillQuery) -> Self {
        Self {
            task_type: query.task_type,
            query: query.query.unwrap_or_default(),
            top_k: query.top_k.unwrap_or(SKILLS) as usize,
            kind: query.kind.map(Into::into),
            include_demoted: query.include_demoted,
        }
    }
}

impl From<(Skill, f64)> for stores::FoundSkill {
    fn from((skill, score): (Skill, f64)) -> Self {
        Self { skill: skill.into(), score }
    }
}

/// A step as an app tells it. One that does not say how it went went well if there is no error.
pub(super) fn step_draft(step: stores::StepDraft) -> Result<StepDraft, Invalid> {
    Ok(StepDraft {
        task_type: step.task_type,
        tool_name: step.tool_name,
        input: any("input", step.input)?,
        output: any("output", step.output)?,
        success: step.success.unwrap_or(step.error.is_none()),
        error: step.error,
        error_type: step.error_type,
        cost: step.cost,
        latency_ms: step.latency_ms,
        trace_id: step.trace_id,
        session: step.session,
        agent: step.agent,
        flow: step.flow,
        node: step.node,
        skill_id: step.skill_id,
        metadata: convert::some_metadata("metadata", step.metadata)?,
        own: convert::own(step.own, json::STEP_FIELDS)?,
    })
}

impl From<Step> for stores::Step {
    fn from(Step { number, at, draft }: Step) -> Self {
        let step = stores::StepDraft {
            task_type: draft.task_type,
            tool_name: draft.tool_name,
            input: text(&draft.input),
            output: text(&draft.output),
            error: draft.error,
            error_type: draft.error_type,
            success: Some(draft.success),
            cost: draft.cost,
            latency_ms: draft.latency_ms,
            trace_id: draft.trace_id,
            session: draft.session,
            agent: draft.agent,
            flow: draft.flow,
            node: draft.node,
            skill_id: draft.skill_id,
            metadata: convert::told_metadata(&draft.metadata),
            own: convert::told_metadata(&draft.own),
        };
        Self { n: number, at: at.millis(), step }
    }
}

impl From<Trace> for stores::Trace {
    fn from(trace: Trace) -> Self {
        // There is no trace without a step.
        let time = |step: Option<&Step>| step.map_or(0, |step| step.at.millis());
        Self {
            task_type: trace.task_type().to_owned(),
            success: trace.success(),
            started_at: time(trace.steps.first()),
            ended_at: time(trace.steps.last()),
            cost: trace.cost(),
            latency_ms: trace.latency_ms(),
            id: trace.id,
            steps: trace.steps.into_iter().map(Into::into).collect(),
        }
    }
}

/// What steps came to, and the sum of it all.
pub(super) fn tallies(tallies: Vec<Tally>) -> stores::Tallies {
    let (tasks, tools): (Vec<Tally>, Vec<Tally>) = tallies.into_iter().partition(|tally| tally.tool_name.is_none());
    let twin = |tally: Tally| stores::Tally {
        success_rate: tally.success_rate(),
        latency_ms: tally.average_latency_ms(),
        task_type: tally.task_type,
        tool_name: tally.tool_name,
        steps: tally.steps,
        failures: tally.failures,
        cost: tally.cost,
    };
    stores::Tallies {
        steps: tasks.iter().map(|tally| tally.steps).sum(),
        failures: tasks.iter().map(|tally| tally.failures).sum(),
        tasks: tasks.into_iter().map(twin).collect(),
        tools: tools.into_iter().map(twin).collect(),
    }
}

impl From<stores::LearnOptions> for LearnOptions {
    fn from(options: stores::LearnOptions) -> Self {
        let stores::LearnOptions { task_type, min_support, min_confidence } = options;
        Self { task_type, min_support, min_confidence }
    }
}

impl From<Lessons> for stores::Lessons {
    fn from(lessons: Lessons) -> Self {
        Self {
            task_type: lessons.task_type,
            traces: lessons.traces as u32,
            skills: lessons.skills.into_iter().map(Into::into).collect(),
            guards: lessons.guards.into_iter().map(Into::into).collect(),
            demoted: lessons.demoted,
            more: lessons.more,
        }
    }
}
