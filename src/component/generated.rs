//! Generated from wit/ by `cargo xtask generate`. Do not edit.

use super::bindings::exports::keepsake::memory::{collections, dialog, files, memory, stores, tools};
use super::bindings::keepsake::memory::types;
use super::wire::{
    Boxed, FromJson, ObjectText, Open, Pairs, Read, Reader, Text, ToJson, Write, Writer, answer, call, fields, part,
};
use super::{Keepsake, Session, by_hand};
use crate::model::{Invalid, Json};

impl Write for collections::Change {
    fn write(self, to: &mut Writer) {
        match self {
            Self::Set(value) => {
                value.write(to);
            }
            Self::Delete(value) => {
                to.put("key", value);
                to.put("delete", true);
            }
            Self::DeleteAll(value) => {
                to.put("prefix", value);
                to.put("delete", true);
            }
        }
    }
}

impl Write for collections::Expected {
    fn write(self, to: &mut Writer) {
        to.put("key", self.key);
        to.put("value", self.value.map(Text));
    }
}

impl Write for collections::Setting {
    fn write(self, to: &mut Writer) {
        to.put("key", self.key);
        to.put("value", Text(self.value));
        to.put("text", self.text);
    }
}

impl Write for dialog::Block {
    fn write(self, to: &mut Writer) {
        self.kind.write(to);
        to.rest("extra", self.extra, &["type"]);
    }
}

impl Write for dialog::BlockKind {
    fn write(self, to: &mut Writer) {
        match self {
            Self::Text(value) => {
                to.put("type", "text".to_owned());
                to.put("text", value);
            }
            Self::Thought(value) => {
                to.put("type", "thought".to_owned());
                to.put("text", value);
            }
            Self::ToolUse(value) => {
                to.put("type", "tool_use".to_owned());
                value.write(to);
            }
            Self::ToolResult(value) => {
                to.put("type", "tool_result".to_owned());
                value.write(to);
            }
            Self::File(value) => {
                to.put("type", "file".to_owned());
                value.write(to);
            }
            Self::Other(value) => to.rest("other", Some(value), &[]),
        }
    }
}

impl Write for dialog::ContextOptions {
    fn write(self, to: &mut Writer) {
        to.put("query", self.query);
        to.put("budget", self.budget);
        to.put("order", self.order);
        to.put("window", self.window);
        to.put("limit", self.limit);
        to.put("system", self.system);
        to.put("embedding", self.embedding);
        to.put("taskType", self.task_type);
        to.put("agent", self.agent);
        to.put("flow", self.flow);
        to.put("minTrust", self.min_trust);
    }
}

impl Write for dialog::DigestOptions {
    fn write(self, to: &mut Writer) {
        to.put("sessions", self.sessions);
        to.put("since", self.since);
        to.put("until", self.until);
        to.put("topic", self.topic);
        to.put("maxTokens", self.max_tokens);
    }
}

impl Write for dialog::File {
    fn write(self, to: &mut Writer) {
        to.put("mediaType", self.media_type);
        to.put("name", self.name);
        self.source.write(to);
    }
}

impl Write for dialog::FileSource {
    fn write(self, to: &mut Writer) {
        match self {
            Self::Url(value) => {
                to.put("url", value);
            }
            Self::Base64(value) => {
                to.put("data", value);
            }
            Self::Id(value) => {
                to.put("id", value);
            }
        }
    }
}

impl ToJson for dialog::Format {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::Openai => "openai",
                Self::OpenaiResponses => "openai-responses",
                Self::Anthropic => "anthropic",
                Self::Gemini => "gemini",
                Self::AiSdk => "ai-sdk",
                Self::AiSdkUi => "ai-sdk-ui",
            }
            .into(),
        ))
    }
}

impl Write for dialog::IngestOptions {
    fn write(self, to: &mut Writer) {
        to.put("namespace", self.namespace);
        to.put("tags", self.tags);
        to.put("targetChars", self.target_chars);
        to.put("trust", self.trust);
    }
}

impl Write for dialog::Message {
    fn write(self, to: &mut Writer) {
        to.put("id", self.id);
        to.put("role", self.role);
        to.put("name", self.name);
        to.put("content", self.content);
        to.put("at", self.at);
        to.put("pinned", self.pinned);
        to.put("metadata", self.metadata.map(ObjectText));
    }
}

impl Write for dialog::Origin {
    fn write(self, to: &mut Writer) {
        to.put("session", self.session);
        to.put("agent", self.agent);
        to.put("source", self.source);
    }
}

impl Write for dialog::Progressive {
    fn write(self, to: &mut Writer) {
        to.put("contextTokens", self.context_tokens);
        to.put("msgThreshold", self.msg_threshold);
        to.put("tokenRatio", self.token_ratio);
        to.put("lastKeep", self.last_keep);
        to.put("largePayload", self.large_payload);
        to.put("preview", self.preview);
    }
}

impl ToJson for dialog::PromptKind {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::System => "system",
                Self::Instruction => "instruction",
                Self::Profile => "profile",
                Self::Summary => "summary",
                Self::Turn => "turn",
                Self::Skill => "skill",
                Self::Document => "document",
                Self::Memory => "memory",
            }
            .into(),
        ))
    }
}

impl Write for dialog::Recall {
    fn write(self, to: &mut Writer) {
        to.put("query", self.query);
        to.put("limit", self.limit);
        to.put("session", self.session);
        to.put("ranking", self.ranking);
        to.put("embedding", self.embedding);
        to.put("agent", self.agent);
        to.put("includeToolTraffic", self.include_tool_traffic);
        to.put("minTrust", self.min_trust);
        to.put("onlyAnswers", self.only_answers);
        to.put("explain", self.explain);
    }
}

impl ToJson for dialog::Role {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::System => "system",
                Self::User => "user",
                Self::Assistant => "assistant",
                Self::Tool => "tool",
            }
            .into(),
        ))
    }
}

impl Write for dialog::Strategy {
    fn write(self, to: &mut Writer) {
        match self {
            Self::TreeReduce(value) => {
                to.put("type", "tree-reduce".to_owned());
                value.write(to);
            }
            Self::Progressive(value) => {
                to.put("type", "progressive".to_owned());
                value.write(to);
            }
        }
    }
}

impl Write for dialog::ToolResult {
    fn write(self, to: &mut Writer) {
        to.put("toolUseId", self.tool_use_id);
        to.put("output", Text(self.output));
        to.put("isError", self.is_error);
    }
}

impl Write for dialog::ToolUse {
    fn write(self, to: &mut Writer) {
        to.put("id", self.id);
        to.put("name", self.name);
        to.put("input", Text(self.input));
    }
}

impl Write for dialog::TreeReduce {
    fn write(self, to: &mut Writer) {
        to.put("contextTokens", self.context_tokens);
        to.put("compressionThreshold", self.compression_threshold);
        to.put("chunkSize", self.chunk_size);
        to.put("hotWindowSize", self.hot_window_size);
    }
}

impl Write for dialog::Understood {
    fn write(self, to: &mut Writer) {
        to.put("message", self.message);
        to.put("facts", self.facts);
    }
}

impl Write for dialog::UnderstoodFact {
    fn write(self, to: &mut Writer) {
        to.put("text", self.text);
        to.put("who", self.who);
        to.put("slot", self.slot);
        to.put("instruction", self.instruction);
    }
}

impl Write for files::Blocker {
    fn write(self, to: &mut Writer) {
        to.put("title", self.title);
        to.put_filled("identifiedBy", self.identified_by);
        to.put_filled("identifiedAt", self.identified_at);
        to.put_filled("blocking", self.blocking);
        to.put_filled("description", self.description);
        to.put_filled("proposed", self.proposed);
        to.put_filled("owner", self.owner);
    }
}

impl ToJson for files::ContextUpdate {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        match self {
            Self::Whole(value) => value.to_json(),
            Self::Parts(value) => ObjectText(value).to_json(),
        }
    }
}

impl Write for files::Decision {
    fn write(self, to: &mut Writer) {
        to.put_filled("date", self.date);
        to.put("title", self.title);
        to.put_filled("context", self.context);
        to.put_filled("decision", self.decision);
        to.put_filled("reason", self.reason);
        to.put_filled("alternatives", self.alternatives);
        to.put_filled("impact", self.impact);
        to.put_filled("reversible", self.reversible);
    }
}

impl Write for files::Dispatched {
    fn write(self, to: &mut Writer) {
        to.put_filled("date", self.date);
        to.put_filled("received", self.received);
        to.put("task", self.task);
        to.put("status", self.status);
        to.put("plan", self.plan);
    }
}

impl ToJson for files::Expect {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        match self {
            Self::Any => Ok(None),
            Self::None => Ok(Some(Json::Null)),
            Self::Hash(value) => value.to_json(),
        }
    }
}

impl Write for files::Handoff {
    fn write(self, to: &mut Writer) {
        to.put_filled("timestamp", self.timestamp);
        to.put_filled("fromAgent", self.from_agent);
        to.put_filled("toAgent", self.to_agent);
        to.put_filled("task", self.task);
        to.put_filled("context", self.context);
        to.put_filled("files", self.files);
        to.put_filled("expectedDeliverable", self.expected_deliverable);
        to.put_filled("priority", self.priority);
    }
}

impl Write for files::Issue {
    fn write(self, to: &mut Writer) {
        to.put("title", self.title);
        to.put_filled("problem", self.problem);
        to.put_filled("solution", self.solution);
    }
}

impl Write for files::Learning {
    fn write(self, to: &mut Writer) {
        to.put_filled("date", self.date);
        to.put("title", self.title);
        to.put_filled("pattern", self.pattern);
        to.put_filled("language", self.language);
        to.put_filled("code", self.code);
        to.put_filled("why", self.why);
    }
}

impl ToJson for files::Note {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        match self {
            Self::Decision(value) => value.to_json(),
            Self::Learning(value) => value.to_json(),
        }
    }
}

impl Write for files::SessionArchive {
    fn write(self, to: &mut Writer) {
        to.put_filled("summary", self.summary);
        to.put("tasksCompleted", self.tasks_completed);
        to.put("keyChanges", self.key_changes);
        to.put("issues", self.issues);
        to.put("followUps", self.follow_ups);
    }
}

impl Write for files::SessionEnd {
    fn write(self, to: &mut Writer) {
        to.put_filled("date", self.date);
        to.put("context", self.context);
        to.put("decisions", self.decisions);
        to.put("learnings", self.learnings);
        to.put("archive", self.archive);
    }
}

impl ToJson for files::Status {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::Pending => "pending",
                Self::InProgress => "inProgress",
                Self::Complete => "complete",
                Self::Blocked => "blocked",
            }
            .into(),
        ))
    }
}

impl Write for files::Subtask {
    fn write(self, to: &mut Writer) {
        to.put("specialist", self.specialist);
        to.put("subtask", self.subtask);
        to.put("status", self.status);
        to.put_filled("duration", self.duration);
    }
}

impl Write for stores::Document {
    fn write(self, to: &mut Writer) {
        to.put_filled("id", self.id);
        to.put("content", self.content);
        to.put("title", self.title);
        to.put("tags", self.tags);
        to.put("metadata", self.metadata.map(ObjectText));
        to.put("namespace", self.namespace);
        to.put("embedding", self.embedding);
        to.put("trust", self.trust);
    }
}

impl Write for stores::Entity {
    fn write(self, to: &mut Writer) {
        to.put("name", self.name);
        to.put_filled("type", self.type_);
        to.put("observations", self.observations);
    }
}

impl Write for stores::ExternalDocument {
    fn write(self, to: &mut Writer) {
        to.put("id", self.id);
        to.put("content", self.content);
        to.put("source", self.source);
        to.put("metadata", self.metadata.map(Text));
    }
}

impl Write for stores::FlowState {
    fn write(self, to: &mut Writer) {
        to.put("variables", ObjectText(self.variables));
        to.put("status", self.status);
        to.put("tasks", self.tasks);
    }
}

impl Write for stores::Graph {
    fn write(self, to: &mut Writer) {
        to.put("entities", self.entities);
        to.put("relations", self.relations);
    }
}

impl Write for stores::LearnOptions {
    fn write(self, to: &mut Writer) {
        to.put("taskType", self.task_type);
        to.put("minSupport", self.min_support);
        to.put("minConfidence", self.min_confidence);
    }
}

impl Write for stores::MemoryQuery {
    fn write(self, to: &mut Writer) {
        to.put("userId", self.user_id);
        to.put("sessionId", self.session_id);
        to.put("agentId", self.agent_id);
        to.put("flowId", self.flow_id);
        to.put("nodeId", self.node_id);
        to.put("scopes", self.scopes);
        to.put("query", self.query);
        to.put("taskType", self.task_type);
        to.put("embedding", self.embedding);
        to.put("extra", self.extra.map(ObjectText));
    }
}

impl Write for stores::MemoryWriteEvent {
    fn write(self, to: &mut Writer) {
        to.put("userId", self.user_id);
        to.put("sessionId", self.session_id);
        to.put("agentId", self.agent_id);
        to.put("flowId", self.flow_id);
        to.put("nodeId", self.node_id);
        to.put("scope", self.scope);
        to.put("data", ObjectText(self.data));
        to.put("meta", self.meta.map(ObjectText));
    }
}

impl Write for stores::Relation {
    fn write(self, to: &mut Writer) {
        to.put("from", self.from);
        to.put("to", self.to);
        to.put_filled("type", self.type_);
    }
}

impl ToJson for stores::Scope {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::Dialog => "dialog",
                Self::State => "state",
                Self::Semantic => "semantic",
                Self::Procedural => "procedural",
                Self::Profile => "profile",
                Self::Experience => "experience",
            }
            .into(),
        ))
    }
}

impl Write for stores::SemanticFilters {
    fn write(self, to: &mut Writer) {
        to.put("tags", self.tags);
        to.put("source", self.source);
        to.put("namespace", self.namespace);
        to.put("session", self.session);
        to.put("metadata", Pairs(self.metadata.into_iter().map(|value| (value.0, Text(value.1))).collect::<Vec<_>>()));
    }
}

impl Write for stores::SemanticQuery {
    fn write(self, to: &mut Writer) {
        to.put("query", self.query);
        to.put("topK", self.top_k);
        to.put("filters", self.filters);
        to.put("graph", self.graph);
        to.put("embedding", self.embedding);
        to.put("external", self.external);
    }
}

impl Write for stores::SkillDraft {
    fn write(self, to: &mut Writer) {
        to.put("id", self.id);
        to.put("kind", self.kind);
        to.put("taskType", self.task_type);
        to.put("use_when", self.use_when);
        to.put("tool_sops", self.tool_sops);
        to.put("preferences", self.preferences);
        to.put("trust", self.trust);
        to.put("metadata", self.metadata.map(ObjectText));
        to.rest(
            "own",
            self.own,
            &["id", "kind", "metadata", "preferences", "taskType", "tool_sops", "trust", "use_when"],
        );
    }
}

impl ToJson for stores::SkillKind {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::Sop => "sop",
                Self::Guard => "guard",
            }
            .into(),
        ))
    }
}

impl Write for stores::SkillQuery {
    fn write(self, to: &mut Writer) {
        to.put("taskType", self.task_type);
        to.put("query", self.query);
        to.put("topK", self.top_k);
        to.put("kind", self.kind);
        to.put("includeDemoted", self.include_demoted);
    }
}

impl Write for stores::StepDraft {
    fn write(self, to: &mut Writer) {
        to.put("taskType", self.task_type);
        to.put("toolName", self.tool_name);
        to.put("input", self.input.map(Text));
        to.put("output", self.output.map(Text));
        to.put("error", self.error);
        to.put("errorType", self.error_type);
        to.put("success", self.success);
        to.put("cost", self.cost);
        to.put("latencyMs", self.latency_ms);
        to.put("traceId", self.trace_id);
        to.put("session", self.session);
        to.put("agent", self.agent);
        to.put("flow", self.flow);
        to.put("node", self.node);
        to.put("skillId", self.skill_id);
        to.put("trust", self.trust);
        to.put("metadata", self.metadata.map(ObjectText));
        to.rest(
            "own",
            self.own,
            &[
                "agent",
                "cost",
                "error",
                "errorType",
                "flow",
                "input",
                "latencyMs",
                "metadata",
                "node",
                "output",
                "session",
                "skillId",
                "success",
                "taskType",
                "toolName",
                "traceId",
                "trust",
            ],
        );
    }
}

impl Write for stores::TaskState {
    fn write(self, to: &mut Writer) {
        to.put("id", self.id);
        to.put("title", self.title);
        to.put_filled("status", self.status);
        to.put("progress", self.progress);
        to.put("dependsOn", self.depends_on);
        to.put("error", self.error);
        to.rest("own", self.own, &["dependsOn", "error", "id", "progress", "status", "title"]);
    }
}

impl Write for stores::TaskStep {
    fn write(self, to: &mut Writer) {
        to.put("taskId", self.task_id);
        to.put("step", self.step);
        to.put_filled("status", self.status);
        to.put("error", self.error);
        to.put("flow", self.flow);
        to.put("session", self.session);
        to.put("metadata", self.metadata.map(ObjectText));
        to.rest("own", self.own, &["error", "flow", "metadata", "session", "status", "step", "taskId"]);
    }
}

impl Write for stores::ToolStep {
    fn write(self, to: &mut Writer) {
        to.put("tool", self.tool);
        to.put("action", self.action);
        to.rest("own", self.own, &["action", "tool"]);
    }
}

impl ToJson for tools::ToolName {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::MemoryAdd => "memory_add",
                Self::MemorySearch => "memory_search",
                Self::MemoryGet => "memory_get",
                Self::MemoryStats => "memory_stats",
                Self::MemoryDelete => "memory_delete",
                Self::RecordToMemory => "record_to_memory",
                Self::UpdateProfile => "update_profile",
                Self::ListMemoryFiles => "list_memory_files",
                Self::ReadMemoryFile => "read_memory_file",
                Self::WriteMemoryFile => "write_memory_file",
                Self::UpdateMemorySection => "update_memory_section",
                Self::RecordDecision => "record_decision",
                Self::RecordLearning => "record_learning",
                Self::HandOver => "hand_over",
            }
            .into(),
        ))
    }
}

impl Write for tools::ToolScope {
    fn write(self, to: &mut Writer) {
        to.put("agent", self.agent);
        to.put("only", self.only);
        to.put("readOnly", self.read_only);
        to.put("writable", self.writable);
        to.put("session", self.session);
    }
}

impl Write for types::Changes {
    fn write(self, to: &mut Writer) {
        to.put("content", self.content);
        to.put("summary", self.summary);
        to.put("namespace", self.namespace);
        to.put("tags", self.tags);
        to.put("importance", self.importance);
        to.put("source", self.source);
        to.put("metadata", self.metadata.map(ObjectText));
        to.put("ttl", self.ttl);
        to.put("validFrom", self.valid_from);
        to.put("validUntil", self.valid_until);
        to.put("trust", self.trust);
        to.put("secrets", self.secrets);
        to.put("embedding", self.embedding);
    }
}

impl Write for types::Draft {
    fn write(self, to: &mut Writer) {
        to.put("content", self.content);
        to.put("summary", self.summary);
        to.put("id", self.id);
        to.put("namespace", self.namespace);
        to.put("tags", self.tags);
        to.put("importance", self.importance);
        to.put("source", self.source);
        to.put("metadata", self.metadata.map(ObjectText));
        to.put("key", self.key);
        to.put("ttl", self.ttl);
        to.put("session", self.session);
        to.put("agent", self.agent);
        to.put("speaker", self.speaker);
        to.put("at", self.at);
        to.put("validFrom", self.valid_from);
        to.put("validUntil", self.valid_until);
        to.put("replaces", self.replaces);
        to.put("createdAt", self.created_at);
        to.put("trust", self.trust);
        to.put("duplicates", self.duplicates);
        to.put("secrets", self.secrets);
        to.put("embedding", self.embedding);
    }
}

impl ToJson for types::Duplicates {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::Merge => "merge",
                Self::Keep => "keep",
            }
            .into(),
        ))
    }
}

impl Write for types::Embedded {
    fn write(self, to: &mut Writer) {
        to.put("id", self.id);
        to.put("version", self.version);
        to.put("embedding", self.embedding);
    }
}

impl ToJson for types::Keep {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::Newer => "newer",
                Self::Older => "older",
                Self::Both => "both",
            }
            .into(),
        ))
    }
}

impl Write for types::ListOptions {
    fn write(self, to: &mut Writer) {
        to.put("namespace", self.namespace);
        to.put("limit", self.limit);
        to.put("after", self.after);
        to.put("asOf", self.as_of);
        to.put("includePast", self.include_past);
    }
}

impl Write for types::Promotion {
    fn write(self, to: &mut Writer) {
        to.put("trust", self.trust);
        to.put("by", self.by);
        to.put("why", self.why);
    }
}

impl Write for types::Query {
    fn write(self, to: &mut Writer) {
        to.put("query", self.query);
        to.put("ranking", self.ranking);
        to.put("limit", self.limit);
        to.put("minScore", self.min_score);
        to.put("namespace", self.namespace);
        to.put_in("tags", "any", self.any_tag);
        to.put_in("tags", "all", self.all_tags);
        to.put_in("tags", "none", self.no_tag);
        to.put("from", self.from);
        to.put("until", self.until);
        to.put("asOf", self.as_of);
        to.put("includePast", self.include_past);
        to.put("session", self.session);
        to.put("agent", self.agent);
        to.put("source", self.source);
        to.put("metadata", Pairs(self.metadata.into_iter().map(|value| (value.0, Text(value.1))).collect::<Vec<_>>()));
        to.put("minTrust", self.min_trust);
        to.put("includeContent", self.include_content);
        to.put("explain", self.explain);
        to.put("embedding", self.embedding);
    }
}

impl ToJson for types::Ranking {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::Best => "best",
                Self::Formula => "formula",
            }
            .into(),
        ))
    }
}

impl Write for types::RollbackOptions {
    fn write(self, to: &mut Writer) {
        to.put("source", self.source);
        to.put("session", self.session);
        to.put("since", self.since);
        to.put("preview", self.preview);
    }
}

impl ToJson for types::SecretRule {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::Redact => "redact",
                Self::Refuse => "refuse",
            }
            .into(),
        ))
    }
}

impl ToJson for types::Trust {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(
            match self {
                Self::Low => "low",
                Self::Normal => "normal",
                Self::High => "high",
            }
            .into(),
        ))
    }
}

impl FromJson for collections::Hit {
    fn from_json(value: Json) -> Option<Self> {
        let Json::Array(items) = value else { return None };
        let mut items = items.into_iter();
        Some(Self {
            key: <String>::from_json(items.next()?)?,
            value: <Text>::from_json(items.next()?)?.0,
            score: <f64>::from_json(items.next()?)?,
        })
    }
}

impl FromJson for collections::Item {
    fn from_json(value: Json) -> Option<Self> {
        let Json::Array(items) = value else { return None };
        let mut items = items.into_iter();
        Some(Self { key: <String>::from_json(items.next()?)?, value: <Text>::from_json(items.next()?)?.0 })
    }
}

impl Read for dialog::Block {
    fn read(json: &mut Reader) -> Option<Self> {
        let kind = dialog::BlockKind::read(json)?;
        let extra = json.rest();
        Some(Self { kind, extra })
    }
}

impl Read for dialog::BlockKind {
    fn read(json: &mut Reader) -> Option<Self> {
        if json.is("type", &"text".to_owned().into()) {
            return Some(Self::Text(json.take::<String>("text")?));
        }
        if json.is("type", &"thought".to_owned().into()) {
            return Some(Self::Thought(json.take::<String>("text")?));
        }
        if json.is("type", &"tool_use".to_owned().into()) {
            return Some(Self::ToolUse(dialog::ToolUse::read(json)?));
        }
        if json.is("type", &"tool_result".to_owned().into()) {
            return Some(Self::ToolResult(dialog::ToolResult::read(json)?));
        }
        if json.is("type", &"file".to_owned().into()) {
            return Some(Self::File(dialog::File::read(json)?));
        }
        json.rest().map(Self::Other)
    }
}

impl Read for dialog::Compressed {
    fn read(json: &mut Reader) -> Option<Self> {
        let changed = json.take::<bool>("changed")?;
        let items = json.take::<u64>("items")?;
        let history = json.take::<Option<String>>("history")?;
        Some(Self { changed, items, history })
    }
}

impl Read for dialog::Context {
    fn read(json: &mut Reader) -> Option<Self> {
        let prompt = json.take::<String>("prompt")?;
        let messages = json.take::<Vec<dialog::Message>>("messages")?;
        let tokens = json.take::<u32>("tokens")?;
        let used = json.take::<Vec<dialog::Used>>("used")?;
        let left = json.take::<Vec<dialog::LeftOut>>("left")?;
        Some(Self { prompt, messages, tokens, used, left })
    }
}

impl Read for dialog::Decision {
    fn read(json: &mut Reader) -> Option<Self> {
        let text = json.take::<String>("text")?;
        let at = json.take::<i64>("at")?;
        let id = json.take::<Option<String>>("id")?;
        Some(Self { text, at, id })
    }
}

impl Read for dialog::Digested {
    fn read(json: &mut Reader) -> Option<Self> {
        let sessions = json.take::<Vec<dialog::SessionDigest>>("sessions")?;
        let left = json.take::<u64>("left")?;
        let tokens = json.take::<u32>("tokens")?;
        Some(Self { sessions, left, tokens })
    }
}

impl Read for dialog::File {
    fn read(json: &mut Reader) -> Option<Self> {
        let media_type = json.take::<Option<String>>("mediaType")?;
        let name = json.take::<Option<String>>("name")?;
        let source = dialog::FileSource::read(json)?;
        Some(Self { media_type, name, source })
    }
}

impl Read for dialog::FileSource {
    fn read(json: &mut Reader) -> Option<Self> {
        if json.has("url") {
            return Some(Self::Url(json.take::<String>("url")?));
        }
        if json.has("data") {
            return Some(Self::Base64(json.take::<String>("data")?));
        }
        if json.has("id") {
            return Some(Self::Id(json.take::<String>("id")?));
        }
        None
    }
}

impl Read for dialog::Forgotten {
    fn read(json: &mut Reader) -> Option<Self> {
        let entries = json.take::<Vec<String>>("entries")?;
        let messages = json.take::<u64>("messages")?;
        Some(Self { entries, messages })
    }
}

impl Read for dialog::ForkPoint {
    fn read(json: &mut Reader) -> Option<Self> {
        let session = json.take::<String>("session")?;
        let message = json.take::<String>("message")?;
        Some(Self { session, message })
    }
}

impl Read for dialog::History {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<String>("id")?;
        let text = json.take::<String>("text")?;
        let tokens = json.take::<u32>("tokens")?;
        let messages = json.take::<u64>("messages")?;
        let first = json.take::<Option<String>>("first")?;
        let last = json.take::<Option<String>>("last")?;
        let created_at = json.take::<i64>("createdAt")?;
        let trust = json.take::<types::Trust>("trust")?;
        Some(Self { id, text, tokens, messages, first, last, created_at, trust })
    }
}

impl Read for dialog::Ingested {
    fn read(json: &mut Reader) -> Option<Self> {
        let chunks = json.take::<u64>("chunks")?;
        let replaced = json.take::<u64>("replaced")?;
        Some(Self { chunks, replaced })
    }
}

impl Read for dialog::LeftOut {
    fn read(json: &mut Reader) -> Option<Self> {
        let reference = json.take::<String>("ref")?;
        let kind = json.take::<dialog::PromptKind>("kind")?;
        let why = json.take::<dialog::LeftOutReason>("why")?;
        let range = json.take::<Option<dialog::MessageRange>>("range")?;
        Some(Self { reference, kind, why, range })
    }
}

impl FromJson for dialog::LeftOutReason {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "no-room" => Self::NoRoom,
            "empty" => Self::Empty,
            "not-included" => Self::NotIncluded,
            "window" => Self::Window,
            "policy" => Self::Policy,
            "no-call" => Self::NoCall,
            "no-result" => Self::NoResult,
            _ => return None,
        })
    }
}

impl FromJson for dialog::LogDamage {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "changed" => Self::Changed,
            "missing" => Self::Missing,
            "swapped" => Self::Swapped,
            "doubled" => Self::Doubled,
            "cut-off" => Self::CutOff,
            "added" => Self::Added,
            "not-in-log" => Self::NotInLog,
            "end-unknown" => Self::EndUnknown,
            _ => return None,
        })
    }
}

impl Read for dialog::LogProblem {
    fn read(json: &mut Reader) -> Option<Self> {
        let damage = json.take::<dialog::LogDamage>("damage")?;
        let seq = json.take::<u64>("seq")?;
        let line = json.take::<Option<u32>>("line")?;
        let what = json.take::<String>("problem")?;
        Some(Self { damage, seq, line, what })
    }
}

impl Read for dialog::Message {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<Option<String>>("id")?;
        let role = json.take::<dialog::Role>("role")?;
        let name = json.take::<Option<String>>("name")?;
        let content = json.take::<Vec<dialog::Block>>("content")?;
        let at = json.take::<Option<i64>>("at")?;
        let pinned = json.take::<bool>("pinned")?;
        let metadata = json.take::<Option<ObjectText>>("metadata")?.map(|value| value.0);
        Some(Self { id, role, name, content, at, pinned, metadata })
    }
}

impl Read for dialog::MessageRange {
    fn read(json: &mut Reader) -> Option<Self> {
        let first = json.take::<String>("first")?;
        let last = json.take::<String>("last")?;
        let before = json.take::<Option<String>>("before")?;
        let count = json.take::<u64>("count")?;
        Some(Self { first, last, before, count })
    }
}

impl FromJson for dialog::Outcome {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "new" => Self::New,
            "same" => Self::Same,
            "corrected" => Self::Corrected,
            _ => return None,
        })
    }
}

impl Read for dialog::Progress {
    fn read(json: &mut Reader) -> Option<Self> {
        if json.is("done", &true.into()) {
            return Some(Self::Done(dialog::Compressed::read(json)?));
        }
        if json.is("done", &false.into()) {
            return Some(Self::Waiting(dialog::Waiting::read(json)?));
        }
        None
    }
}

impl FromJson for dialog::PromptKind {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "system" => Self::System,
            "instruction" => Self::Instruction,
            "profile" => Self::Profile,
            "summary" => Self::Summary,
            "turn" => Self::Turn,
            "skill" => Self::Skill,
            "document" => Self::Document,
            "memory" => Self::Memory,
            _ => return None,
        })
    }
}

impl Read for dialog::Recalled {
    fn read(json: &mut Reader) -> Option<Self> {
        let reference = json.take::<String>("ref")?;
        let kind = json.take::<dialog::RecalledKind>("kind")?;
        let score = json.take::<f64>("score")?;
        let text = json.take::<String>("text")?;
        let session = json.take::<Option<String>>("session")?;
        let speaker = json.take::<Option<String>>("speaker")?;
        let at = json.take::<i64>("at")?;
        let source = json.take::<Option<String>>("source")?;
        let trust = json.take::<types::Trust>("trust")?;
        let receipt = json.take::<Vec<types::Part>>("receipt")?;
        Some(Self { reference, kind, score, text, session, speaker, at, source, trust, receipt })
    }
}

impl FromJson for dialog::RecalledKind {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "entry" => Self::Entry,
            "message" => Self::Message,
            "history" => Self::History,
            "skill" => Self::Skill,
            "step" => Self::Step,
            "entity" => Self::Entity,
            "value" => Self::Value,
            _ => return None,
        })
    }
}

impl Read for dialog::Recorded {
    fn read(json: &mut Reader) -> Option<Self> {
        let outcome = json.take::<dialog::Outcome>("outcome")?;
        let replaced = json.take::<Vec<String>>("replaced")?;
        let entry = types::Entry::read(json)?;
        Some(Self { entry, outcome, replaced })
    }
}

impl FromJson for dialog::Role {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "system" => Self::System,
            "user" => Self::User,
            "assistant" => Self::Assistant,
            "tool" => Self::Tool,
            _ => return None,
        })
    }
}

impl Read for dialog::SessionDigest {
    fn read(json: &mut Reader) -> Option<Self> {
        let session = json.take::<String>("session")?;
        let title = json.take::<Option<String>>("title")?;
        let from = json.take::<i64>("from")?;
        let to = json.take::<i64>("to")?;
        let messages = json.take::<u64>("messages")?;
        let topics = json.take::<Vec<String>>("topics")?;
        let decisions = json.take::<Vec<dialog::Decision>>("decisions")?;
        let summary = json.take::<Option<String>>("summary")?;
        let trust = json.take::<types::Trust>("trust")?;
        Some(Self { session, title, from, to, messages, topics, decisions, summary, trust })
    }
}

impl Read for dialog::SessionInfo {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<String>("id")?;
        let title = json.take::<Option<String>>("title")?;
        let agent = json.take::<Option<String>>("agent")?;
        let created_at = json.take::<i64>("createdAt")?;
        let updated_at = json.take::<i64>("updatedAt")?;
        let messages = json.take::<u64>("messages")?;
        let tokens = json.take::<u64>("tokens")?;
        let histories = json.take::<u32>("histories")?;
        let forked_from = json.take::<Option<dialog::ForkPoint>>("forkedFrom")?;
        Some(Self { id, title, agent, created_at, updated_at, messages, tokens, histories, forked_from })
    }
}

impl Read for dialog::StoredProblem {
    fn read(json: &mut Reader) -> Option<Self> {
        let kind = json.take::<String>("kind")?;
        let name = json.take::<String>("name")?;
        let session = json.take::<Option<String>>("session")?;
        let damage = json.take::<dialog::LogDamage>("damage")?;
        let what = json.take::<String>("problem")?;
        let repaired = json.take::<bool>("repaired")?;
        Some(Self { kind, name, session, damage, what, repaired })
    }
}

impl Read for dialog::SummaryRequest {
    fn read(json: &mut Reader) -> Option<Self> {
        let task = json.take::<dialog::Task>("task")?;
        let max_tokens = json.take::<u32>("maxTokens")?;
        let messages = json.take::<Vec<dialog::Message>>("messages")?;
        let texts = json.take::<Vec<String>>("texts")?;
        Some(Self { task, max_tokens, messages, texts })
    }
}

impl FromJson for dialog::Task {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "summarise" => Self::Summarise,
            "merge" => Self::Merge,
            _ => return None,
        })
    }
}

impl Read for dialog::ToolResult {
    fn read(json: &mut Reader) -> Option<Self> {
        let tool_use_id = json.take::<String>("toolUseId")?;
        let output = json.take::<Text>("output")?.0;
        let is_error = json.take::<bool>("isError")?;
        Some(Self { tool_use_id, output, is_error })
    }
}

impl Read for dialog::ToolUse {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<String>("id")?;
        let name = json.take::<String>("name")?;
        let input = json.take::<Text>("input")?.0;
        Some(Self { id, name, input })
    }
}

impl Read for dialog::Used {
    fn read(json: &mut Reader) -> Option<Self> {
        let reference = json.take::<String>("ref")?;
        let kind = json.take::<dialog::PromptKind>("kind")?;
        let tokens = json.take::<u32>("tokens")?;
        let shortened = json.take::<bool>("shortened")?;
        Some(Self { reference, kind, tokens, shortened })
    }
}

impl Read for dialog::Verdict {
    fn read(json: &mut Reader) -> Option<Self> {
        let links = json.take::<u64>("links")?;
        let problem = if json.has("damage") { Some(dialog::LogProblem::read(json)?) } else { None };
        Some(Self { links, problem })
    }
}

impl Read for dialog::Verification {
    fn read(json: &mut Reader) -> Option<Self> {
        let checked = json.take::<u64>("checked")?;
        let problems = json.take::<Vec<dialog::StoredProblem>>("problems")?;
        Some(Self { checked, problems })
    }
}

impl Read for dialog::ViewItem {
    fn read(json: &mut Reader) -> Option<Self> {
        let reference = json.take::<String>("ref")?;
        let role = json.take::<dialog::Role>("role")?;
        let tokens = json.take::<u32>("tokens")?;
        let messages = json.take::<u64>("messages")?;
        let kind = dialog::ViewKind::read(json)?;
        Some(Self { kind, reference, role, tokens, messages })
    }
}

impl Read for dialog::ViewKind {
    fn read(json: &mut Reader) -> Option<Self> {
        if json.is("kind", &"message".to_owned().into()) {
            return Some(Self::Message(json.take::<dialog::Message>("message")?));
        }
        if json.is("kind", &"offload".to_owned().into()) {
            return Some(Self::Offload(json.take::<String>("text")?));
        }
        if json.is("kind", &"merge".to_owned().into()) {
            return Some(Self::Merge(json.take::<String>("text")?));
        }
        if json.is("kind", &"summary".to_owned().into()) {
            return Some(Self::Summary(json.take::<String>("text")?));
        }
        if json.is("kind", &"history".to_owned().into()) {
            return Some(Self::History(json.take::<String>("text")?));
        }
        None
    }
}

impl Read for dialog::Waiting {
    fn read(json: &mut Reader) -> Option<Self> {
        let token = json.take::<u64>("token")?;
        let requests = json.take::<Vec<dialog::SummaryRequest>>("requests")?;
        Some(Self { token, requests })
    }
}

impl Read for dialog::Window {
    fn read(json: &mut Reader) -> Option<Self> {
        let messages = json.take::<Vec<dialog::Message>>("messages")?;
        let total = json.take::<u64>("total")?;
        let more = json.take::<bool>("more")?;
        Some(Self { messages, total, more })
    }
}

impl Read for files::Activated {
    fn read(json: &mut Reader) -> Option<Self> {
        let folder = json.take::<String>("folder")?;
        let definition = json.take::<String>("definition")?;
        let context = json.take::<String>("context")?;
        let decisions = json.take::<Vec<files::LogEntry>>("decisions")?;
        let frame = json.take::<String>("frame")?;
        let team = if json.has("teamContext") { Some(files::Team::read(json)?) } else { None };
        Some(Self { folder, definition, context, decisions, team, frame })
    }
}

impl Read for files::DiffLine {
    fn read(json: &mut Reader) -> Option<Self> {
        let mark = json.take::<files::DiffMark>("mark")?;
        let text = json.take::<String>("text")?;
        Some(Self { mark, text })
    }
}

impl FromJson for files::DiffMark {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "same" => Self::Same,
            "removed" => Self::Removed,
            "added" => Self::Added,
            _ => return None,
        })
    }
}

impl Read for files::Dispatched {
    fn read(json: &mut Reader) -> Option<Self> {
        let line = json.take::<u32>("line")?;
        let date = json.take::<Option<String>>("date")?.unwrap_or_default();
        let received = json.take::<Option<String>>("received")?.unwrap_or_default();
        let task = json.take::<String>("task")?;
        let status = json.take::<Option<files::Status>>("status")?;
        let plan = json.take::<Vec<files::Subtask>>("plan")?;
        let findings = json.take::<Option<String>>("findings")?.unwrap_or_default();
        Some(Self { line, date, received, task, status, plan, findings })
    }
}

impl Read for files::File {
    fn read(json: &mut Reader) -> Option<Self> {
        let path = json.take::<String>("path")?;
        let text = json.take::<String>("text")?;
        let hash = json.take::<String>("hash")?;
        let version = json.take::<u64>("version")?;
        let updated_at = json.take::<i64>("updatedAt")?;
        Some(Self { path, text, hash, version, updated_at })
    }
}

impl Read for files::FileInfo {
    fn read(json: &mut Reader) -> Option<Self> {
        let path = json.take::<String>("path")?;
        let hash = json.take::<String>("hash")?;
        let version = json.take::<u64>("version")?;
        let updated_at = json.take::<i64>("updatedAt")?;
        let size = json.take::<u64>("size")?;
        Some(Self { path, hash, version, updated_at, size })
    }
}

impl Read for files::FoundLearning {
    fn read(json: &mut Reader) -> Option<Self> {
        let text = json.take::<String>("text")?;
        let score = json.take::<f64>("score")?;
        let entry = files::LogEntry::read(json)?;
        Some(Self { entry, text, score })
    }
}

impl Read for files::FoundPassage {
    fn read(json: &mut Reader) -> Option<Self> {
        let path = json.take::<String>("path")?;
        let heading = json.take::<String>("heading")?;
        let line = json.take::<u32>("line")?;
        let text = json.take::<String>("text")?;
        let score = json.take::<f64>("score")?;
        Some(Self { path, heading, line, text, score })
    }
}

impl Read for files::LogEntry {
    fn read(json: &mut Reader) -> Option<Self> {
        let heading = json.take::<String>("heading")?;
        let line = json.take::<u32>("line")?;
        let date = json.take::<Option<String>>("date")?;
        let time = json.take::<Option<String>>("time")?;
        let title = json.take::<String>("title")?;
        let status = json.take::<Option<files::Status>>("status")?;
        let fields = json.take::<Pairs<String>>("fields")?.0;
        let route = if json.has("from") { Some(files::Route::read(json)?) } else { None };
        Some(Self { heading, line, date, time, title, status, route, fields })
    }
}

impl Read for files::MergeConflict {
    fn read(json: &mut Reader) -> Option<Self> {
        let section = json.take::<String>("section")?;
        let line = json.take::<u32>("line")?;
        Some(Self { section, line })
    }
}

impl Read for files::Route {
    fn read(json: &mut Reader) -> Option<Self> {
        let from = json.take::<String>("from")?;
        let to = json.take::<String>("to")?;
        Some(Self { from, to })
    }
}

impl Read for files::SourceChanges {
    fn read(json: &mut Reader) -> Option<Self> {
        let added = json.take::<Vec<String>>("added")?;
        let removed = json.take::<Vec<String>>("removed")?;
        Some(Self { added, removed })
    }
}

impl FromJson for files::Status {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "pending" => Self::Pending,
            "inProgress" => Self::InProgress,
            "complete" => Self::Complete,
            "blocked" => Self::Blocked,
            _ => return None,
        })
    }
}

impl Read for files::Subtask {
    fn read(json: &mut Reader) -> Option<Self> {
        let specialist = json.take::<String>("specialist")?;
        let subtask = json.take::<String>("subtask")?;
        let status = json.take::<Option<files::Status>>("status")?;
        let duration = json.take::<Option<String>>("duration")?.unwrap_or_default();
        Some(Self { specialist, subtask, status, duration })
    }
}

impl Read for files::Team {
    fn read(json: &mut Reader) -> Option<Self> {
        let context = json.take::<String>("teamContext")?;
        let decisions = json.take::<Vec<files::LogEntry>>("teamDecisions")?;
        let handoffs = json.take::<Vec<files::LogEntry>>("handoffs")?;
        Some(Self { context, decisions, handoffs })
    }
}

impl Read for files::Warning {
    fn read(json: &mut Reader) -> Option<Self> {
        let rule = json.take::<String>("rule")?;
        let line = json.take::<u32>("line")?;
        let message = json.take::<String>("message")?;
        Some(Self { rule, line, message })
    }
}

impl Read for stores::DialogContext {
    fn read(json: &mut Reader) -> Option<Self> {
        let summary = json.take::<Option<String>>("summary")?;
        let summary_metadata = json.take::<Option<ObjectText>>("summaryMetadata")?.map(|value| value.0);
        let messages = json.take::<Vec<dialog::Message>>("messages")?;
        let facts = json.take::<Vec<types::Entry>>("facts")?;
        Some(Self { summary, summary_metadata, messages, facts })
    }
}

impl Read for stores::DocumentAdded {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<String>("id")?;
        let chunks = json.take::<u64>("chunks")?;
        let replaced = json.take::<u64>("replaced")?;
        Some(Self { id, chunks, replaced })
    }
}

impl Read for stores::Entity {
    fn read(json: &mut Reader) -> Option<Self> {
        let name = json.take::<String>("name")?;
        let type_ = json.take::<Option<String>>("type")?.unwrap_or_default();
        let observations = json.take::<Vec<String>>("observations")?;
        Some(Self { name, type_, observations })
    }
}

impl Read for stores::Evidence {
    fn read(json: &mut Reader) -> Option<Self> {
        let support = json.take::<u32>("support")?;
        let confidence = json.take::<f64>("confidence")?;
        let traces = json.take::<Vec<String>>("traces")?;
        Some(Self { support, confidence, traces })
    }
}

impl Read for stores::FlowState {
    fn read(json: &mut Reader) -> Option<Self> {
        let variables = json.take::<ObjectText>("variables")?.0;
        let status = json.take::<Option<String>>("status")?;
        let tasks = json.take::<Vec<stores::TaskState>>("tasks")?;
        Some(Self { variables, status, tasks })
    }
}

impl Read for stores::FoundSkill {
    fn read(json: &mut Reader) -> Option<Self> {
        let score = json.take::<f64>("score")?;
        let skill = stores::Skill::read(json)?;
        Some(Self { skill, score })
    }
}

impl Read for stores::Graph {
    fn read(json: &mut Reader) -> Option<Self> {
        let entities = json.take::<Vec<stores::Entity>>("entities")?;
        let relations = json.take::<Vec<stores::Relation>>("relations")?;
        Some(Self { entities, relations })
    }
}

impl Read for stores::GraphCounts {
    fn read(json: &mut Reader) -> Option<Self> {
        let entities = json.take::<u64>("entities")?;
        let relations = json.take::<u64>("relations")?;
        let observations = json.take::<u64>("observations")?;
        Some(Self { entities, relations, observations })
    }
}

impl Read for stores::Knowledge {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<String>("id")?;
        let kind = json.take::<stores::KnowledgeKind>("kind")?;
        let text = json.take::<String>("text")?;
        let score = json.take::<f64>("score")?;
        let source = json.take::<Option<String>>("source")?;
        let title = json.take::<Option<String>>("title")?;
        let metadata = json.take::<Option<Text>>("metadata")?.map(|value| value.0);
        let via = json.take::<Vec<String>>("via")?;
        Some(Self { id, kind, text, score, source, title, metadata, via })
    }
}

impl FromJson for stores::KnowledgeKind {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "chunk" => Self::Chunk,
            "entity" => Self::Entity,
            "external" => Self::External,
            _ => return None,
        })
    }
}

impl Read for stores::Lessons {
    fn read(json: &mut Reader) -> Option<Self> {
        let task_type = json.take::<Option<String>>("taskType")?;
        let traces = json.take::<u32>("traces")?;
        let skills = json.take::<Vec<stores::Skill>>("skills")?;
        let guards = json.take::<Vec<stores::Skill>>("guards")?;
        let demoted = json.take::<Vec<String>>("demoted")?;
        let more = json.take::<bool>("more")?;
        Some(Self { task_type, traces, skills, guards, demoted, more })
    }
}

impl Read for stores::MemoryPolicy {
    fn read(json: &mut Reader) -> Option<Self> {
        let use_dialog = json.take::<bool>("use_dialog")?;
        let use_state = json.take::<bool>("use_state")?;
        let use_semantic = json.take::<bool>("use_semantic")?;
        let use_procedural = json.take::<bool>("use_procedural")?;
        let use_profile = json.take::<bool>("use_profile")?;
        let use_experience = json.take::<bool>("use_experience")?;
        let write_experience = json.take::<bool>("write_experience")?;
        let max_dialog_turns = json.take::<u32>("max_dialog_turns")?;
        let max_docs = json.take::<u32>("max_docs")?;
        let max_skills = json.take::<u32>("max_skills")?;
        Some(Self {
            use_dialog,
            use_state,
            use_semantic,
            use_procedural,
            use_profile,
            use_experience,
            write_experience,
            max_dialog_turns,
            max_docs,
            max_skills,
        })
    }
}

impl Read for stores::MemoryResultItem {
    fn read(json: &mut Reader) -> Option<Self> {
        let scope = json.take::<stores::Scope>("scope")?;
        let payload = json.take::<ObjectText>("payload")?.0;
        Some(Self { scope, payload })
    }
}

impl Read for stores::ProfileField {
    fn read(json: &mut Reader) -> Option<Self> {
        let path = json.take::<Vec<String>>("path")?;
        let source = json.take::<Option<String>>("source")?;
        let at = json.take::<i64>("at")?;
        let metadata = json.take::<Option<ObjectText>>("metadata")?.map(|value| value.0);
        Some(Self { path, source, at, metadata })
    }
}

impl Read for stores::Relation {
    fn read(json: &mut Reader) -> Option<Self> {
        let from = json.take::<String>("from")?;
        let to = json.take::<String>("to")?;
        let type_ = json.take::<Option<String>>("type")?.unwrap_or_default();
        Some(Self { from, to, type_ })
    }
}

impl FromJson for stores::Scope {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "dialog" => Self::Dialog,
            "state" => Self::State,
            "semantic" => Self::Semantic,
            "procedural" => Self::Procedural,
            "profile" => Self::Profile,
            "experience" => Self::Experience,
            _ => return None,
        })
    }
}

impl Read for stores::Skill {
    fn read(json: &mut Reader) -> Option<Self> {
        json.value("learned");
        let id = json.take::<String>("id")?;
        let version = json.take::<u32>("version")?;
        let kind = json.take::<stores::SkillKind>("kind")?;
        let task_type = json.take::<Option<String>>("taskType")?;
        let use_when = json.take::<String>("use_when")?;
        let tool_sops = json.take::<Vec<stores::ToolStep>>("tool_sops")?;
        let preferences = json.take::<Option<String>>("preferences")?;
        let uses = json.take::<u32>("uses")?;
        let successes = json.take::<u32>("successes")?;
        let success_rate = json.take::<Option<f64>>("successRate")?;
        let demoted = json.take::<bool>("demoted")?;
        let created_at = json.take::<i64>("createdAt")?;
        let updated_at = json.take::<i64>("updatedAt")?;
        let trust = json.take::<Option<types::Trust>>("trust")?;
        let metadata = json.take::<Option<ObjectText>>("metadata")?.map(|value| value.0);
        let learned = if json.has("support") { Some(stores::Evidence::read(json)?) } else { None };
        let own = json.rest();
        Some(Self {
            id,
            version,
            kind,
            task_type,
            use_when,
            tool_sops,
            preferences,
            learned,
            uses,
            successes,
            success_rate,
            demoted,
            created_at,
            updated_at,
            trust,
            metadata,
            own,
        })
    }
}

impl FromJson for stores::SkillKind {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "sop" => Self::Sop,
            "guard" => Self::Guard,
            _ => return None,
        })
    }
}

impl Read for stores::StateSnapshot {
    fn read(json: &mut Reader) -> Option<Self> {
        let flow = json.take::<String>("flow")?;
        let session = json.take::<String>("session")?;
        let version = json.take::<u64>("version")?;
        let saved_at = json.take::<i64>("savedAt")?;
        let metadata = json.take::<Option<ObjectText>>("metadata")?.map(|value| value.0);
        let state = stores::FlowState::read(json)?;
        Some(Self { flow, session, version, saved_at, state, metadata })
    }
}

impl Read for stores::StateVersion {
    fn read(json: &mut Reader) -> Option<Self> {
        let version = json.take::<u64>("version")?;
        let saved_at = json.take::<i64>("savedAt")?;
        let status = json.take::<Option<String>>("status")?;
        Some(Self { version, saved_at, status })
    }
}

impl Read for stores::Step {
    fn read(json: &mut Reader) -> Option<Self> {
        let n = json.take::<u64>("n")?;
        let at = json.take::<i64>("at")?;
        let step = stores::StepDraft::read(json)?;
        Some(Self { n, at, step })
    }
}

impl Read for stores::StepDraft {
    fn read(json: &mut Reader) -> Option<Self> {
        let task_type = json.take::<String>("taskType")?;
        let tool_name = json.take::<String>("toolName")?;
        let input = json.take::<Option<Text>>("input")?.map(|value| value.0);
        let output = json.take::<Option<Text>>("output")?.map(|value| value.0);
        let error = json.take::<Option<String>>("error")?;
        let error_type = json.take::<Option<String>>("errorType")?;
        let success = json.take::<Option<bool>>("success")?;
        let cost = json.take::<Option<f64>>("cost")?;
        let latency_ms = json.take::<Option<f64>>("latencyMs")?;
        let trace_id = json.take::<Option<String>>("traceId")?;
        let session = json.take::<Option<String>>("session")?;
        let agent = json.take::<Option<String>>("agent")?;
        let flow = json.take::<Option<String>>("flow")?;
        let node = json.take::<Option<String>>("node")?;
        let skill_id = json.take::<Option<String>>("skillId")?;
        let trust = json.take::<Option<types::Trust>>("trust")?;
        let metadata = json.take::<Option<ObjectText>>("metadata")?.map(|value| value.0);
        let own = json.rest();
        Some(Self {
            task_type,
            tool_name,
            input,
            output,
            error,
            error_type,
            success,
            cost,
            latency_ms,
            trace_id,
            session,
            agent,
            flow,
            node,
            skill_id,
            trust,
            metadata,
            own,
        })
    }
}

impl Read for stores::StepLog {
    fn read(json: &mut Reader) -> Option<Self> {
        let n = json.take::<u64>("n")?;
        let at = json.take::<i64>("at")?;
        let step = stores::TaskStep::read(json)?;
        Some(Self { n, at, step })
    }
}

impl Read for stores::Tallies {
    fn read(json: &mut Reader) -> Option<Self> {
        let steps = json.take::<u64>("steps")?;
        let failures = json.take::<u64>("failures")?;
        let tasks = json.take::<Vec<stores::Tally>>("tasks")?;
        let tools = json.take::<Vec<stores::Tally>>("tools")?;
        Some(Self { steps, failures, tasks, tools })
    }
}

impl Read for stores::Tally {
    fn read(json: &mut Reader) -> Option<Self> {
        let task_type = json.take::<String>("taskType")?;
        let tool_name = json.take::<Option<String>>("toolName")?;
        let steps = json.take::<u64>("steps")?;
        let failures = json.take::<u64>("failures")?;
        let success_rate = json.take::<Option<f64>>("successRate")?;
        let cost = json.take::<f64>("cost")?;
        let latency_ms = json.take::<Option<f64>>("latencyMs")?;
        Some(Self { task_type, tool_name, steps, failures, success_rate, cost, latency_ms })
    }
}

impl Read for stores::TaskState {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<String>("id")?;
        let title = json.take::<Option<String>>("title")?;
        let status = json.take::<String>("status")?;
        let progress = json.take::<Option<f64>>("progress")?;
        let depends_on = json.take::<Vec<String>>("dependsOn")?;
        let error = json.take::<Option<String>>("error")?;
        let own = json.rest();
        Some(Self { id, title, status, progress, depends_on, error, own })
    }
}

impl Read for stores::TaskStep {
    fn read(json: &mut Reader) -> Option<Self> {
        let task_id = json.take::<String>("taskId")?;
        let step = json.take::<String>("step")?;
        let status = json.take::<String>("status")?;
        let error = json.take::<Option<String>>("error")?;
        let flow = json.take::<Option<String>>("flow")?;
        let session = json.take::<Option<String>>("session")?;
        let metadata = json.take::<Option<ObjectText>>("metadata")?.map(|value| value.0);
        let own = json.rest();
        Some(Self { task_id, step, status, error, flow, session, metadata, own })
    }
}

impl Read for stores::ToolStep {
    fn read(json: &mut Reader) -> Option<Self> {
        let tool = json.take::<String>("tool")?;
        let action = json.take::<Option<String>>("action")?;
        let own = json.rest();
        Some(Self { tool, action, own })
    }
}

impl Read for stores::Trace {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<String>("id")?;
        let task_type = json.take::<String>("taskType")?;
        let success = json.take::<bool>("success")?;
        let started_at = json.take::<i64>("startedAt")?;
        let ended_at = json.take::<i64>("endedAt")?;
        let cost = json.take::<f64>("cost")?;
        let latency_ms = json.take::<f64>("latencyMs")?;
        let steps = json.take::<Vec<stores::Step>>("steps")?;
        Some(Self { id, task_type, success, started_at, ended_at, cost, latency_ms, steps })
    }
}

impl Read for stores::Unlearned {
    fn read(json: &mut Reader) -> Option<Self> {
        let task_type = json.take::<String>("taskType")?;
        let up_to = json.take::<u64>("upTo")?;
        let traces = json.take::<Vec<stores::Trace>>("traces")?;
        Some(Self { task_type, up_to, traces })
    }
}

impl Read for stores::UserProfile {
    fn read(json: &mut Reader) -> Option<Self> {
        let profile = json.take::<ObjectText>("profile")?.0;
        let fields = json.take::<Vec<stores::ProfileField>>("fields")?;
        let version = json.take::<u64>("version")?;
        Some(Self { profile, fields, version })
    }
}

impl Read for tools::ToolAnswer {
    fn read(json: &mut Reader) -> Option<Self> {
        let text = json.take::<String>("text")?;
        let data = json.take::<Option<Text>>("data")?.map(|value| value.0);
        let is_error = json.take::<bool>("isError")?;
        Some(Self { text, data, is_error })
    }
}

impl Read for types::Conflict {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<String>("id")?;
        let newer = json.take::<types::EntryWithContent>("newer")?;
        let older = json.take::<types::EntryWithContent>("older")?;
        Some(Self { id, newer, older })
    }
}

impl Read for types::Entry {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<String>("id")?;
        let namespace = json.take::<String>("namespace")?;
        let summary = json.take::<String>("summary")?;
        let content_length = json.take::<u64>("contentLength")?;
        let truncated = json.take::<bool>("truncated")?;
        let tags = json.take::<Vec<String>>("tags")?;
        let importance = json.take::<f64>("importance")?;
        let source = json.take::<Option<String>>("source")?;
        let metadata = json.take::<ObjectText>("metadata")?.0;
        let key = json.take::<Option<String>>("key")?;
        let session = json.take::<Option<String>>("session")?;
        let agent = json.take::<Option<String>>("agent")?;
        let speaker = json.take::<Option<String>>("speaker")?;
        let at = json.take::<i64>("at")?;
        let valid_from = json.take::<Option<i64>>("validFrom")?;
        let valid_until = json.take::<Option<i64>>("validUntil")?;
        let replaces = json.take::<Option<String>>("replaces")?;
        let trust = json.take::<types::Trust>("trust")?;
        let secrets = json.take::<Vec<String>>("secrets")?;
        let promoted = json.take::<Option<types::Promoted>>("promoted")?;
        let count = json.take::<Option<u32>>("count")?;
        let seen_at = json.take::<Option<i64>>("seenAt")?;
        let version = json.take::<u32>("version")?;
        let created_at = json.take::<i64>("createdAt")?;
        let updated_at = json.take::<i64>("updatedAt")?;
        let expires_at = json.take::<i64>("expiresAt")?;
        Some(Self {
            id,
            namespace,
            summary,
            content_length,
            truncated,
            tags,
            importance,
            source,
            metadata,
            key,
            session,
            agent,
            speaker,
            at,
            valid_from,
            valid_until,
            replaces,
            trust,
            secrets,
            promoted,
            count,
            seen_at,
            version,
            created_at,
            updated_at,
            expires_at,
        })
    }
}

impl Read for types::EntryWithContent {
    fn read(json: &mut Reader) -> Option<Self> {
        let content = json.take::<String>("content")?;
        let entry = types::Entry::read(json)?;
        Some(Self { entry, content })
    }
}

impl Read for types::Hit {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<String>("id")?;
        let score = json.take::<f64>("score")?;
        let namespace = json.take::<String>("namespace")?;
        let summary = json.take::<String>("summary")?;
        let tags = json.take::<Vec<String>>("tags")?;
        let created_at = json.take::<i64>("createdAt")?;
        let at = json.take::<i64>("at")?;
        let valid_from = json.take::<Option<i64>>("validFrom")?;
        let valid_until = json.take::<Option<i64>>("validUntil")?;
        let session = json.take::<Option<String>>("session")?;
        let speaker = json.take::<Option<String>>("speaker")?;
        let source = json.take::<Option<String>>("source")?;
        let content_preview = json.take::<Option<String>>("contentPreview")?;
        let receipt = json.take::<Vec<types::Part>>("receipt")?;
        Some(Self {
            id,
            score,
            namespace,
            summary,
            tags,
            created_at,
            at,
            valid_from,
            valid_until,
            session,
            speaker,
            source,
            content_preview,
            receipt,
        })
    }
}

impl Read for types::Miss {
    fn read(json: &mut Reader) -> Option<Self> {
        if json.is("reason", &"unknown".to_owned().into()) {
            return Some(Self::Unknown);
        }
        if json.is("reason", &"expired".to_owned().into()) {
            return Some(Self::Expired);
        }
        if json.is("reason", &"filtered".to_owned().into()) {
            return Some(Self::Filtered(json.take::<String>("filter")?));
        }
        if json.is("reason", &"no-term".to_owned().into()) {
            return Some(Self::NoTerm(json.take::<Vec<String>>("terms")?));
        }
        if json.is("reason", &"low-score".to_owned().into()) {
            return Some(Self::LowScore(json.take::<f64>("score")?));
        }
        if json.is("reason", &"outranked".to_owned().into()) {
            return Some(Self::Outranked(json.take::<u64>("by")?));
        }
        if json.is("reason", &"hit".to_owned().into()) {
            return Some(Self::Hit);
        }
        None
    }
}

impl Read for types::NamespaceCount {
    fn read(json: &mut Reader) -> Option<Self> {
        let namespace = json.take::<String>("namespace")?;
        let count = json.take::<u64>("count")?;
        Some(Self { namespace, count })
    }
}

impl Read for types::Part {
    fn read(json: &mut Reader) -> Option<Self> {
        let label = json.take::<String>("label")?;
        let term = json.take::<Option<String>>("term")?;
        let value = json.take::<f64>("value")?;
        Some(Self { label, term, value })
    }
}

impl Read for types::Promoted {
    fn read(json: &mut Reader) -> Option<Self> {
        let from = json.take::<types::Trust>("from")?;
        let by = json.take::<String>("by")?;
        let why = json.take::<String>("why")?;
        let at = json.take::<i64>("at")?;
        Some(Self { from, by, why, at })
    }
}

impl Read for types::RollbackResult {
    fn read(json: &mut Reader) -> Option<Self> {
        let removed = json.take::<Vec<types::RolledBack>>("removed")?;
        let restored = json.take::<Vec<types::RolledBack>>("restored")?;
        Some(Self { removed, restored })
    }
}

impl Read for types::RolledBack {
    fn read(json: &mut Reader) -> Option<Self> {
        let kind = json.take::<types::RolledBackKind>("kind")?;
        let id = json.take::<String>("id")?;
        let session = json.take::<Option<String>>("session")?;
        Some(Self { kind, id, session })
    }
}

impl FromJson for types::RolledBackKind {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "entry" => Self::Entry,
            "session" => Self::Session,
            "history" => Self::History,
            "step" => Self::Step,
            "skill" => Self::Skill,
            _ => return None,
        })
    }
}

impl Read for types::Stats {
    fn read(json: &mut Reader) -> Option<Self> {
        let total = json.take::<u64>("total")?;
        let namespaces = json
            .take::<Pairs<u64>>("namespaces")?
            .0
            .into_iter()
            .map(|(namespace, count)| types::NamespaceCount { namespace, count })
            .collect();
        Some(Self { total, namespaces })
    }
}

impl FromJson for types::Trust {
    fn from_json(value: Json) -> Option<Self> {
        Some(match value.as_str()? {
            "low" => Self::Low,
            "normal" => Self::Normal,
            "high" => Self::High,
            _ => return None,
        })
    }
}

impl Read for types::Unembedded {
    fn read(json: &mut Reader) -> Option<Self> {
        let id = json.take::<String>("id")?;
        let version = json.take::<u32>("version")?;
        let text = json.take::<String>("text")?;
        Some(Self { id, version, text })
    }
}

impl collections::Guest for Keepsake {
    fn get(
        memory: collections::MemoryBorrow<'_>,
        collection: String,
        keys: Vec<String>,
    ) -> Result<Vec<Option<String>>, types::Error> {
        let mut sent = Writer::default();
        sent.put("collection", collection);
        sent.put("keys", keys);
        answer::<Vec<Boxed>>(memory.get::<Open>(), "values", sent)
            .map(|values| values.into_iter().map(|value| value.0).collect())
    }

    fn list_values(
        memory: collections::MemoryBorrow<'_>,
        collection: String,
        prefix: Option<String>,
        after: Option<String>,
        limit: Option<u32>,
    ) -> Result<Vec<collections::Item>, types::Error> {
        let mut sent = Writer::default();
        sent.put("collection", collection);
        sent.put("prefix", prefix);
        sent.put("after", after);
        sent.put("limit", limit);
        answer(memory.get::<Open>(), "listValues", sent)
    }

    fn write(
        memory: collections::MemoryBorrow<'_>,
        collection: String,
        changes: Vec<collections::Change>,
        expect: Vec<collections::Expected>,
    ) -> Result<bool, types::Error> {
        let mut sent = Writer::default();
        sent.put("collection", collection);
        sent.put("changes", changes);
        sent.put("expect", expect);
        answer(memory.get::<Open>(), "editValues", sent)
    }

    fn search(
        memory: collections::MemoryBorrow<'_>,
        collection: String,
        query: String,
        prefix: Option<String>,
        limit: Option<u32>,
    ) -> Result<Vec<collections::Hit>, types::Error> {
        let mut sent = Writer::default();
        sent.put("collection", collection);
        sent.put("query", query);
        sent.put("prefix", prefix);
        sent.put("limit", limit);
        answer(memory.get::<Open>(), "searchValues", sent)
    }
}

impl dialog::Guest for Keepsake {
    type Session = Session;
    fn sessions(memory: dialog::MemoryBorrow<'_>) -> Result<Vec<dialog::SessionInfo>, types::Error> {
        answer(memory.get::<Open>(), "sessions", Writer::default())
    }

    fn query_memory(
        memory: dialog::MemoryBorrow<'_>,
        recall: dialog::Recall,
    ) -> Result<Vec<dialog::Recalled>, types::Error> {
        let mut sent = Writer::default();
        recall.write(&mut sent);
        part(call(memory.get::<Open>(), "queryMemory", sent)?, "hits")
    }

    fn digest(
        memory: dialog::MemoryBorrow<'_>,
        options: dialog::DigestOptions,
    ) -> Result<dialog::Digested, types::Error> {
        let mut sent = Writer::default();
        options.write(&mut sent);
        answer(memory.get::<Open>(), "digest", sent)
    }

    fn ingest(
        memory: dialog::MemoryBorrow<'_>,
        source: String,
        text: String,
        options: dialog::IngestOptions,
    ) -> Result<dialog::Ingested, types::Error> {
        let mut sent = Writer::default();
        sent.put("source", source);
        sent.put("text", text);
        options.write(&mut sent);
        answer(memory.get::<Open>(), "ingest", sent)
    }

    fn record(
        memory: dialog::MemoryBorrow<'_>,
        messages: Vec<dialog::Message>,
        texts: Vec<String>,
        understood: Vec<dialog::Understood>,
        origin: dialog::Origin,
    ) -> Result<Vec<dialog::Recorded>, types::Error> {
        let mut sent = Writer::default();
        sent.put("messages", messages);
        sent.put("texts", texts);
        sent.put("understood", understood);
        origin.write(&mut sent);
        answer(memory.get::<Open>(), "record", sent)
    }

    fn forget(
        memory: dialog::MemoryBorrow<'_>,
        query: String,
        messages: bool,
        agent: Option<String>,
    ) -> Result<dialog::Forgotten, types::Error> {
        let mut sent = Writer::default();
        sent.put("query", query);
        sent.put("messages", messages);
        sent.put("agent", agent);
        answer(memory.get::<Open>(), "forget", sent)
    }

    fn retrieve(
        memory: dialog::MemoryBorrow<'_>,
        query: String,
        limit: Option<u32>,
        agent: Option<String>,
        instructions: Option<bool>,
        embedding: Option<Vec<f32>>,
        min_trust: Option<types::Trust>,
    ) -> Result<String, types::Error> {
        let mut sent = Writer::default();
        sent.put("query", query);
        sent.put("limit", limit);
        sent.put("agent", agent);
        sent.put("instructions", instructions);
        sent.put("embedding", embedding);
        sent.put("minTrust", min_trust);
        answer(memory.get::<Open>(), "retrieve", sent)
    }

    fn instructions(memory: dialog::MemoryBorrow<'_>, agent: Option<String>) -> Result<Vec<types::Hit>, types::Error> {
        let mut sent = Writer::default();
        sent.put("agent", agent);
        answer(memory.get::<Open>(), "instructions", sent)
    }

    fn verify_log(memory: dialog::MemoryBorrow<'_>) -> Result<dialog::Verdict, types::Error> {
        answer(memory.get::<Open>(), "logVerify", Writer::default())
    }

    fn verify(memory: dialog::MemoryBorrow<'_>, repair: bool) -> Result<dialog::Verification, types::Error> {
        let mut sent = Writer::default();
        sent.put("repair", repair);
        answer(memory.get::<Open>(), "verify", sent)
    }

    fn check_lines(memory: dialog::MemoryBorrow<'_>, lines: Vec<String>) -> Result<dialog::Verdict, types::Error> {
        let mut sent = Writer::default();
        sent.put("lines", lines);
        answer(memory.get::<Open>(), "logCheck", sent)
    }

    fn count_tokens(memory: dialog::MemoryBorrow<'_>, text: String) -> Result<u32, types::Error> {
        let mut sent = Writer::default();
        sent.put("text", text);
        answer(memory.get::<Open>(), "countTokens", sent)
    }

    fn to_format(
        memory: dialog::MemoryBorrow<'_>,
        format: dialog::Format,
        messages: Vec<dialog::Message>,
    ) -> Result<String, types::Error> {
        let mut sent = Writer::default();
        sent.put("format", format);
        sent.put("messages", messages);
        answer::<Text>(memory.get::<Open>(), "toFormat", sent).map(|value| value.0)
    }

    fn from_format(
        memory: dialog::MemoryBorrow<'_>,
        format: dialog::Format,
        value: String,
    ) -> Result<Vec<dialog::Message>, types::Error> {
        let mut sent = Writer::default();
        sent.put("format", format);
        sent.put("value", Text(value));
        answer(memory.get::<Open>(), "fromFormat", sent)
    }
}

impl dialog::GuestSession for Session {
    fn open(
        memory: dialog::MemoryBorrow<'_>,
        id: String,
        agent: Option<String>,
    ) -> Result<dialog::Session, types::Error> {
        by_hand::session_open(memory, id, agent)
    }

    fn append(&self, messages: Vec<dialog::Message>) -> Result<Vec<dialog::Message>, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        sent.put("agent", self.agent.as_ref().map(ToString::to_string));
        sent.put("messages", messages);
        answer(&self.memory, "append", sent)
    }

    fn messages(&self, limit: Option<u32>, before: Option<String>) -> Result<dialog::Window, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        sent.put("limit", limit);
        sent.put("before", before);
        answer(&self.memory, "messages", sent)
    }

    fn message(&self, id: String) -> Result<Option<dialog::Message>, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        sent.put("id", id);
        answer(&self.memory, "message", sent)
    }

    fn info(&self) -> Result<Option<dialog::SessionInfo>, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        answer(&self.memory, "session", sent)
    }

    fn set_title(&self, title: String) -> Result<dialog::SessionInfo, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        sent.put("title", title);
        answer(&self.memory, "setTitle", sent)
    }

    fn fork(&self, at: String, to: String) -> Result<dialog::SessionInfo, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        sent.put("at", at);
        sent.put("to", to);
        answer(&self.memory, "fork", sent)
    }

    fn delete(&self) -> Result<u64, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        answer(&self.memory, "deleteSession", sent)
    }

    fn view(&self) -> Result<Vec<dialog::ViewItem>, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        answer(&self.memory, "view", sent)
    }

    fn view_messages(&self) -> Result<Vec<dialog::Message>, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        answer(&self.memory, "viewMessages", sent)
    }

    fn hide(&self, refs: Vec<String>) -> Result<u64, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        sent.put("refs", refs);
        answer(&self.memory, "hide", sent)
    }

    fn clear_view(&self) -> Result<u64, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        answer(&self.memory, "clearView", sent)
    }

    fn restore_view(&self, messages: Vec<dialog::Message>) -> Result<u64, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        sent.put("agent", self.agent.as_ref().map(ToString::to_string));
        sent.put("messages", messages);
        answer(&self.memory, "restoreView", sent)
    }

    fn hidden(&self) -> Result<Vec<String>, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        answer(&self.memory, "hidden", sent)
    }

    fn compress(&self, way: Option<dialog::Strategy>) -> Result<dialog::Compressed, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        sent.put("way", way);
        answer(&self.memory, "compress", sent)
    }

    fn start_compression(&self, way: Option<dialog::Strategy>) -> Result<dialog::Progress, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        sent.put("way", way);
        sent.put("hook", true);
        answer(&self.memory, "compress", sent)
    }

    fn continue_compression(
        &self,
        token: u64,
        summaries: Vec<Option<String>>,
    ) -> Result<dialog::Progress, types::Error> {
        let mut sent = Writer::default();
        sent.put("token", token);
        sent.put("summaries", summaries);
        answer(&self.memory, "compressed", sent)
    }

    fn histories(&self) -> Result<Vec<dialog::History>, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        answer(&self.memory, "histories", sent)
    }

    fn context(&self, options: dialog::ContextOptions) -> Result<dialog::Context, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        options.write(&mut sent);
        answer(&self.memory, "context", sent)
    }

    fn export_log(&self) -> Result<Vec<String>, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        answer(&self.memory, "logExport", sent)
    }

    fn save_components(&self, components: String) -> Result<(), types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        sent.put("components", ObjectText(components));
        call(&self.memory, "saveComponents", sent).map(|_| ())
    }

    fn load_components(&self) -> Result<Option<String>, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", self.id.to_string());
        answer::<Option<ObjectText>>(&self.memory, "loadComponents", sent).map(|value| value.map(|value| value.0))
    }
}

impl files::Guest for Keepsake {
    fn read_file(memory: files::MemoryBorrow<'_>, path: String) -> Result<Option<files::File>, types::Error> {
        let mut sent = Writer::default();
        sent.put("path", path);
        answer(memory.get::<Open>(), "file", sent)
    }

    fn list_files(
        memory: files::MemoryBorrow<'_>,
        folder: Option<String>,
    ) -> Result<Vec<files::FileInfo>, types::Error> {
        let mut sent = Writer::default();
        sent.put("folder", folder);
        answer(memory.get::<Open>(), "files", sent)
    }

    fn write_file(
        memory: files::MemoryBorrow<'_>,
        path: String,
        text: String,
        expect: files::Expect,
    ) -> Result<files::File, types::Error> {
        let mut sent = Writer::default();
        sent.put("path", path);
        sent.put("text", text);
        sent.put("expect", expect);
        answer(memory.get::<Open>(), "writeFile", sent)
    }

    fn append_file(
        memory: files::MemoryBorrow<'_>,
        path: String,
        text: String,
        expect: files::Expect,
    ) -> Result<files::File, types::Error> {
        let mut sent = Writer::default();
        sent.put("path", path);
        sent.put("text", text);
        sent.put("expect", expect);
        answer(memory.get::<Open>(), "appendFile", sent)
    }

    fn merge_file(
        memory: files::MemoryBorrow<'_>,
        path: String,
        base: String,
        text: String,
    ) -> Result<(files::File, Vec<files::MergeConflict>), types::Error> {
        let mut sent = Writer::default();
        sent.put("path", path);
        sent.put("base", base);
        sent.put("text", text);
        let mut answer = fields(call(memory.get::<Open>(), "mergeFile", sent)?)?;
        Ok((answer.told("file")?, answer.told("conflicts")?))
    }

    fn move_file(
        memory: files::MemoryBorrow<'_>,
        from: String,
        to: String,
        expect: files::Expect,
    ) -> Result<files::File, types::Error> {
        let mut sent = Writer::default();
        sent.put("from", from);
        sent.put("to", to);
        sent.put("expect", expect);
        answer(memory.get::<Open>(), "moveFile", sent)
    }

    fn delete_file(memory: files::MemoryBorrow<'_>, path: String, expect: files::Expect) -> Result<bool, types::Error> {
        let mut sent = Writer::default();
        sent.put("path", path);
        sent.put("expect", expect);
        answer(memory.get::<Open>(), "deleteFile", sent)
    }

    fn file_history(memory: files::MemoryBorrow<'_>, path: String) -> Result<Vec<files::File>, types::Error> {
        let mut sent = Writer::default();
        sent.put("path", path);
        answer(memory.get::<Open>(), "fileHistory", sent)
    }

    fn parse_file(
        memory: files::MemoryBorrow<'_>,
        path: String,
        text: Option<String>,
    ) -> Result<Option<String>, types::Error> {
        let mut sent = Writer::default();
        sent.put("path", path);
        sent.put("text", text);
        answer::<Option<Text>>(memory.get::<Open>(), "parseFile", sent).map(|value| value.map(|value| value.0))
    }

    fn update_file(
        memory: files::MemoryBorrow<'_>,
        path: String,
        changes: String,
        expect: files::Expect,
    ) -> Result<files::File, types::Error> {
        let mut sent = Writer::default();
        sent.put("path", path);
        sent.put("changes", ObjectText(changes));
        sent.put("expect", expect);
        answer(memory.get::<Open>(), "updateFile", sent)
    }

    fn update_section(
        memory: files::MemoryBorrow<'_>,
        path: String,
        section: String,
        text: String,
        expect: files::Expect,
    ) -> Result<files::File, types::Error> {
        let mut sent = Writer::default();
        sent.put("path", path);
        sent.put("section", section);
        sent.put("text", text);
        sent.put("expect", expect);
        answer(memory.get::<Open>(), "updateSection", sent)
    }

    fn diff(
        memory: files::MemoryBorrow<'_>,
        before: String,
        after: String,
    ) -> Result<Vec<files::DiffLine>, types::Error> {
        let mut sent = Writer::default();
        sent.put("before", before);
        sent.put("after", after);
        answer(memory.get::<Open>(), "diff", sent)
    }

    fn lint_file(
        memory: files::MemoryBorrow<'_>,
        path: String,
        text: Option<String>,
    ) -> Result<Vec<files::Warning>, types::Error> {
        let mut sent = Writer::default();
        sent.put("path", path);
        sent.put("text", text);
        answer(memory.get::<Open>(), "lintFile", sent)
    }

    fn memory_tool(
        memory: files::MemoryBorrow<'_>,
        root: Option<String>,
        writable: Vec<String>,
        command: String,
    ) -> Result<Result<String, String>, types::Error> {
        by_hand::files_memory_tool(memory, root, writable, command)
    }

    fn activate(memory: files::MemoryBorrow<'_>, agent: String) -> Result<files::Activated, types::Error> {
        let mut sent = Writer::default();
        sent.put("agent", agent);
        answer(memory.get::<Open>(), "activate", sent)
    }

    fn activate_member(memory: files::MemoryBorrow<'_>, agent: String) -> Result<files::Activated, types::Error> {
        let mut sent = Writer::default();
        sent.put("agent", agent);
        sent.put("member", true);
        answer(memory.get::<Open>(), "activate", sent)
    }

    fn end_session(
        memory: files::MemoryBorrow<'_>,
        agent: String,
        end: files::SessionEnd,
    ) -> Result<Vec<files::File>, types::Error> {
        let mut sent = Writer::default();
        sent.put("agent", agent);
        end.write(&mut sent);
        answer(memory.get::<Open>(), "endSession", sent)
    }

    fn record_notes(
        memory: files::MemoryBorrow<'_>,
        path: String,
        entries: Vec<files::Note>,
    ) -> Result<files::File, types::Error> {
        let mut sent = Writer::default();
        sent.put("path", path);
        sent.put("entries", entries);
        answer(memory.get::<Open>(), "recordNotes", sent)
    }

    fn search_learnings(
        memory: files::MemoryBorrow<'_>,
        agent: String,
        query: String,
        limit: Option<u32>,
    ) -> Result<Vec<files::FoundLearning>, types::Error> {
        let mut sent = Writer::default();
        sent.put("agent", agent);
        sent.put("query", query);
        sent.put("limit", limit);
        answer(memory.get::<Open>(), "searchLearnings", sent)
    }

    fn search_knowledge(
        memory: files::MemoryBorrow<'_>,
        agent: String,
        query: String,
        limit: Option<u32>,
    ) -> Result<Vec<files::FoundPassage>, types::Error> {
        let mut sent = Writer::default();
        sent.put("agent", agent);
        sent.put("query", query);
        sent.put("limit", limit);
        answer(memory.get::<Open>(), "searchKnowledge", sent)
    }

    fn write_session(
        memory: files::MemoryBorrow<'_>,
        session: String,
        folder: Option<String>,
    ) -> Result<Vec<files::File>, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", session);
        sent.put("folder", folder);
        answer(memory.get::<Open>(), "writeSession", sent)
    }

    fn ingest_sources(memory: files::MemoryBorrow<'_>) -> Result<files::SourceChanges, types::Error> {
        answer(memory.get::<Open>(), "ingestSources", Writer::default())
    }

    fn dispatch(
        memory: files::MemoryBorrow<'_>,
        lead: String,
        task: files::Dispatched,
    ) -> Result<files::Dispatched, types::Error> {
        let mut sent = Writer::default();
        sent.put("lead", lead);
        task.write(&mut sent);
        answer(memory.get::<Open>(), "dispatch", sent)
    }

    fn dispatches(memory: files::MemoryBorrow<'_>, lead: String) -> Result<Vec<files::Dispatched>, types::Error> {
        let mut sent = Writer::default();
        sent.put("lead", lead);
        answer(memory.get::<Open>(), "dispatches", sent)
    }

    fn hand_over(memory: files::MemoryBorrow<'_>, handoff: files::Handoff) -> Result<files::LogEntry, types::Error> {
        let mut sent = Writer::default();
        handoff.write(&mut sent);
        answer(memory.get::<Open>(), "handOver", sent)
    }

    fn handoffs(
        memory: files::MemoryBorrow<'_>,
        to: Option<String>,
        status: Option<files::Status>,
    ) -> Result<Vec<files::LogEntry>, types::Error> {
        let mut sent = Writer::default();
        sent.put("to", to);
        sent.put("status", status);
        answer(memory.get::<Open>(), "handoffs", sent)
    }

    fn set_handoff(
        memory: files::MemoryBorrow<'_>,
        heading: String,
        task: Option<String>,
        status: files::Status,
        result: Option<String>,
    ) -> Result<files::LogEntry, types::Error> {
        let mut sent = Writer::default();
        sent.put("heading", heading);
        sent.put("task", task);
        sent.put("status", status);
        sent.put("result", result);
        answer(memory.get::<Open>(), "setHandoff", sent)
    }

    fn add_blocker(memory: files::MemoryBorrow<'_>, blocker: files::Blocker) -> Result<files::LogEntry, types::Error> {
        let mut sent = Writer::default();
        blocker.write(&mut sent);
        answer(memory.get::<Open>(), "addBlocker", sent)
    }

    fn blockers(
        memory: files::MemoryBorrow<'_>,
        status: Option<files::Status>,
    ) -> Result<Vec<files::LogEntry>, types::Error> {
        let mut sent = Writer::default();
        sent.put("status", status);
        answer(memory.get::<Open>(), "blockers", sent)
    }

    fn set_blocker(
        memory: files::MemoryBorrow<'_>,
        heading: String,
        status: files::Status,
        resolved_by: Option<String>,
        resolution: Option<String>,
    ) -> Result<files::LogEntry, types::Error> {
        let mut sent = Writer::default();
        sent.put("heading", heading);
        sent.put("status", status);
        sent.put("resolvedBy", resolved_by);
        sent.put("resolution", resolution);
        answer(memory.get::<Open>(), "setBlocker", sent)
    }
}

impl memory::Guest for Keepsake {
    type Memory = Open;
}

impl memory::GuestMemory for Open {
    fn open(user: String, config: Option<String>) -> Result<memory::Memory, types::Error> {
        by_hand::memory_open(user, config)
    }

    fn add(&self, draft: types::Draft) -> Result<types::Entry, types::Error> {
        let mut sent = Writer::default();
        draft.write(&mut sent);
        answer(self, "add", sent)
    }

    fn add_many(&self, drafts: Vec<types::Draft>) -> Result<Vec<types::Entry>, types::Error> {
        let mut sent = Writer::default();
        sent.put("drafts", drafts);
        answer(self, "addMany", sent)
    }

    fn update(&self, id: String, changes: types::Changes) -> Result<types::Entry, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        changes.write(&mut sent);
        answer(self, "update", sent)
    }

    fn promote(&self, id: String, promotion: types::Promotion) -> Result<types::Entry, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        promotion.write(&mut sent);
        answer(self, "promote", sent)
    }

    fn rollback(&self, options: types::RollbackOptions) -> Result<types::RollbackResult, types::Error> {
        let mut sent = Writer::default();
        options.write(&mut sent);
        answer(self, "rollback", sent)
    }

    fn conflicts(&self, agent: Option<String>, limit: Option<u32>) -> Result<Vec<types::Conflict>, types::Error> {
        let mut sent = Writer::default();
        sent.put("agent", agent);
        sent.put("limit", limit);
        answer(self, "conflicts", sent)
    }

    fn resolve(&self, id: String, keep: types::Keep) -> Result<Vec<String>, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        sent.put("keep", keep);
        answer(self, "resolve", sent)
    }

    fn get(&self, id: String) -> Result<Option<types::EntryWithContent>, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        answer(self, "get", sent)
    }

    fn history(&self, id: String) -> Result<Vec<types::EntryWithContent>, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        answer(self, "history", sent)
    }

    fn delete(&self, id: String) -> Result<bool, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        answer(self, "delete", sent)
    }

    fn list(&self, options: types::ListOptions) -> Result<Vec<types::Entry>, types::Error> {
        let mut sent = Writer::default();
        options.write(&mut sent);
        answer(self, "list", sent)
    }

    fn search(&self, query: types::Query) -> Result<Vec<types::Hit>, types::Error> {
        let mut sent = Writer::default();
        query.write(&mut sent);
        answer(self, "search", sent)
    }

    fn explain_miss(&self, id: String, query: types::Query) -> Result<types::Miss, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        query.write(&mut sent);
        answer(self, "explainMiss", sent)
    }

    fn to_embed(&self, query: String) -> Result<String, types::Error> {
        let mut sent = Writer::default();
        sent.put("query", query);
        answer(self, "toEmbed", sent)
    }

    fn unembedded(&self, limit: Option<u32>) -> Result<(Vec<types::Unembedded>, u64), types::Error> {
        let mut sent = Writer::default();
        sent.put("limit", limit);
        let mut answer = fields(call(self, "unembedded", sent)?)?;
        Ok((answer.told("items")?, answer.told("total")?))
    }

    fn embed(&self, items: Vec<types::Embedded>) -> Result<u64, types::Error> {
        let mut sent = Writer::default();
        sent.put("items", items);
        answer(self, "embed", sent)
    }

    fn count(&self, namespace: Option<String>) -> Result<u64, types::Error> {
        let mut sent = Writer::default();
        sent.put("namespace", namespace);
        answer(self, "count", sent)
    }

    fn stats(&self) -> Result<types::Stats, types::Error> {
        answer(self, "stats", Writer::default())
    }

    fn clear(&self, namespace: Option<String>) -> Result<u64, types::Error> {
        let mut sent = Writer::default();
        sent.put("namespace", namespace);
        answer(self, "clear", sent)
    }

    fn cleanup(&self) -> Result<u64, types::Error> {
        answer(self, "cleanup", Writer::default())
    }

    fn use_meaning(&self, file: Vec<u8>) -> Result<(), types::Error> {
        by_hand::memory_use_meaning(self, file)
    }

    fn hint(&self) {
        by_hand::memory_hint(self)
    }

    fn flush(&self) -> Result<(), types::Error> {
        call(self, "flush", Writer::default()).map(|_| ())
    }

    fn close(&self) -> Result<(), types::Error> {
        call(self, "close", Writer::default()).map(|_| ())
    }
}

impl stores::Guest for Keepsake {
    fn read(
        memory: stores::MemoryBorrow<'_>,
        query: stores::MemoryQuery,
    ) -> Result<Vec<stores::MemoryResultItem>, types::Error> {
        let mut sent = Writer::default();
        query.write(&mut sent);
        answer(memory.get::<Open>(), "read", sent)
    }

    fn write(memory: stores::MemoryBorrow<'_>, event: stores::MemoryWriteEvent) -> Result<bool, types::Error> {
        let mut sent = Writer::default();
        event.write(&mut sent);
        part(call(memory.get::<Open>(), "write", sent)?, "written")
    }

    fn delete_session(
        memory: stores::MemoryBorrow<'_>,
        session: String,
        keep_entries: bool,
    ) -> Result<u64, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", session);
        sent.put("keepEntries", keep_entries);
        answer(memory.get::<Open>(), "deleteSession", sent)
    }

    fn policy(
        memory: stores::MemoryBorrow<'_>,
        flow_id: Option<String>,
        agent_id: Option<String>,
    ) -> Result<stores::MemoryPolicy, types::Error> {
        let mut sent = Writer::default();
        sent.put("flowId", flow_id);
        sent.put("agentId", agent_id);
        answer(memory.get::<Open>(), "policy", sent)
    }

    fn get_context(
        memory: stores::MemoryBorrow<'_>,
        session: String,
        limit_turns: Option<u32>,
    ) -> Result<stores::DialogContext, types::Error> {
        let mut sent = Writer::default();
        sent.put("session", session);
        sent.put("limitTurns", limit_turns);
        answer(memory.get::<Open>(), "getContext", sent)
    }

    fn update_summary(
        memory: stores::MemoryBorrow<'_>,
        session: String,
        summary: String,
        metadata: Option<String>,
    ) -> Result<(), types::Error> {
        let mut sent = Writer::default();
        sent.put("session", session);
        sent.put("summary", summary);
        sent.put("metadata", metadata.map(ObjectText));
        call(memory.get::<Open>(), "updateSummary", sent).map(|_| ())
    }

    fn get_profile(memory: stores::MemoryBorrow<'_>) -> Result<stores::UserProfile, types::Error> {
        answer(memory.get::<Open>(), "getProfile", Writer::default())
    }

    fn update_profile(
        memory: stores::MemoryBorrow<'_>,
        changes: String,
        source: Option<String>,
        metadata: Option<String>,
    ) -> Result<stores::UserProfile, types::Error> {
        let mut sent = Writer::default();
        sent.put("changes", ObjectText(changes));
        sent.put("source", source);
        sent.put("metadata", metadata.map(ObjectText));
        answer(memory.get::<Open>(), "updateProfile", sent)
    }

    fn get_state(
        memory: stores::MemoryBorrow<'_>,
        flow: String,
        session: String,
        version: Option<u64>,
    ) -> Result<Option<stores::StateSnapshot>, types::Error> {
        let mut sent = Writer::default();
        sent.put("flow", flow);
        sent.put("session", session);
        sent.put("version", version);
        answer(memory.get::<Open>(), "getState", sent)
    }

    fn save_state(
        memory: stores::MemoryBorrow<'_>,
        flow: String,
        session: String,
        state: stores::FlowState,
        expect: Option<u64>,
        metadata: Option<String>,
    ) -> Result<stores::StateSnapshot, types::Error> {
        let mut sent = Writer::default();
        sent.put("flow", flow);
        sent.put("session", session);
        sent.put("state", state);
        sent.put("expect", expect);
        sent.put("metadata", metadata.map(ObjectText));
        answer(memory.get::<Open>(), "saveState", sent)
    }

    fn state_versions(
        memory: stores::MemoryBorrow<'_>,
        flow: String,
        session: String,
    ) -> Result<Vec<stores::StateVersion>, types::Error> {
        let mut sent = Writer::default();
        sent.put("flow", flow);
        sent.put("session", session);
        answer(memory.get::<Open>(), "stateVersions", sent)
    }

    fn log_task_step(
        memory: stores::MemoryBorrow<'_>,
        step: stores::TaskStep,
    ) -> Result<stores::StepLog, types::Error> {
        let mut sent = Writer::default();
        step.write(&mut sent);
        answer(memory.get::<Open>(), "logTaskStep", sent)
    }

    fn task_steps(
        memory: stores::MemoryBorrow<'_>,
        task_id: String,
        session: Option<String>,
    ) -> Result<Vec<stores::StepLog>, types::Error> {
        let mut sent = Writer::default();
        sent.put("taskId", task_id);
        sent.put("session", session);
        answer(memory.get::<Open>(), "taskSteps", sent)
    }

    fn add_documents(
        memory: stores::MemoryBorrow<'_>,
        documents: Vec<stores::Document>,
    ) -> Result<Vec<stores::DocumentAdded>, types::Error> {
        let mut sent = Writer::default();
        sent.put("documents", documents);
        answer(memory.get::<Open>(), "addDocuments", sent)
    }

    fn delete_document(memory: stores::MemoryBorrow<'_>, id: String) -> Result<u64, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        answer(memory.get::<Open>(), "deleteDocument", sent)
    }

    fn semantic_search(
        memory: stores::MemoryBorrow<'_>,
        query: stores::SemanticQuery,
    ) -> Result<Vec<stores::Knowledge>, types::Error> {
        let mut sent = Writer::default();
        query.write(&mut sent);
        answer(memory.get::<Open>(), "semanticSearch", sent)
    }

    fn graph_add(memory: stores::MemoryBorrow<'_>, graph: stores::Graph) -> Result<stores::GraphCounts, types::Error> {
        let mut sent = Writer::default();
        graph.write(&mut sent);
        answer(memory.get::<Open>(), "graphAdd", sent)
    }

    fn graph_delete(
        memory: stores::MemoryBorrow<'_>,
        graph: stores::Graph,
    ) -> Result<stores::GraphCounts, types::Error> {
        let mut sent = Writer::default();
        graph.write(&mut sent);
        answer(memory.get::<Open>(), "graphDelete", sent)
    }

    fn graph_open(memory: stores::MemoryBorrow<'_>, names: Vec<String>) -> Result<stores::Graph, types::Error> {
        let mut sent = Writer::default();
        sent.put("names", names);
        answer(memory.get::<Open>(), "graphOpen", sent)
    }

    fn graph_read(memory: stores::MemoryBorrow<'_>) -> Result<stores::Graph, types::Error> {
        answer(memory.get::<Open>(), "graphRead", Writer::default())
    }

    fn graph_search(
        memory: stores::MemoryBorrow<'_>,
        query: String,
        limit: Option<u32>,
        steps: Option<u32>,
    ) -> Result<stores::Graph, types::Error> {
        let mut sent = Writer::default();
        sent.put("query", query);
        sent.put("limit", limit);
        sent.put("steps", steps);
        answer(memory.get::<Open>(), "graphSearch", sent)
    }

    fn add_skill(memory: stores::MemoryBorrow<'_>, skill: stores::SkillDraft) -> Result<stores::Skill, types::Error> {
        let mut sent = Writer::default();
        skill.write(&mut sent);
        answer(memory.get::<Open>(), "addSkill", sent)
    }

    fn search_skills(
        memory: stores::MemoryBorrow<'_>,
        query: stores::SkillQuery,
    ) -> Result<Vec<stores::FoundSkill>, types::Error> {
        let mut sent = Writer::default();
        query.write(&mut sent);
        answer(memory.get::<Open>(), "searchSkills", sent)
    }

    fn get_skill(
        memory: stores::MemoryBorrow<'_>,
        id: String,
        version: Option<u32>,
    ) -> Result<Option<stores::Skill>, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        sent.put("version", version);
        answer(memory.get::<Open>(), "getSkill", sent)
    }

    fn skills(memory: stores::MemoryBorrow<'_>) -> Result<Vec<stores::Skill>, types::Error> {
        answer(memory.get::<Open>(), "skills", Writer::default())
    }

    fn skill_versions(memory: stores::MemoryBorrow<'_>, id: String) -> Result<Vec<stores::Skill>, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        answer(memory.get::<Open>(), "skillVersions", sent)
    }

    fn delete_skill(memory: stores::MemoryBorrow<'_>, id: String) -> Result<bool, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        answer(memory.get::<Open>(), "deleteSkill", sent)
    }

    fn record_skill_use(
        memory: stores::MemoryBorrow<'_>,
        id: String,
        success: bool,
    ) -> Result<stores::Skill, types::Error> {
        let mut sent = Writer::default();
        sent.put("id", id);
        sent.put("success", success);
        answer(memory.get::<Open>(), "recordSkillUse", sent)
    }

    fn log_step(memory: stores::MemoryBorrow<'_>, step: stores::StepDraft) -> Result<stores::Step, types::Error> {
        let mut sent = Writer::default();
        step.write(&mut sent);
        answer(memory.get::<Open>(), "logStep", sent)
    }

    fn get_failures(
        memory: stores::MemoryBorrow<'_>,
        task_type: Option<String>,
        limit: Option<u32>,
    ) -> Result<Vec<stores::Step>, types::Error> {
        let mut sent = Writer::default();
        sent.put("taskType", task_type);
        sent.put("limit", limit);
        answer(memory.get::<Open>(), "getFailures", sent)
    }

    fn get_successful_traces(
        memory: stores::MemoryBorrow<'_>,
        task_type: Option<String>,
        limit: Option<u32>,
    ) -> Result<Vec<stores::Trace>, types::Error> {
        let mut sent = Writer::default();
        sent.put("taskType", task_type);
        sent.put("limit", limit);
        answer(memory.get::<Open>(), "getSuccessfulTraces", sent)
    }

    fn experience_stats(
        memory: stores::MemoryBorrow<'_>,
        task_type: Option<String>,
    ) -> Result<stores::Tallies, types::Error> {
        let mut sent = Writer::default();
        sent.put("taskType", task_type);
        answer(memory.get::<Open>(), "experienceStats", sent)
    }

    fn learn(memory: stores::MemoryBorrow<'_>, options: stores::LearnOptions) -> Result<stores::Lessons, types::Error> {
        let mut sent = Writer::default();
        options.write(&mut sent);
        answer(memory.get::<Open>(), "learn", sent)
    }

    fn learn_traces(
        memory: stores::MemoryBorrow<'_>,
        task_type: Option<String>,
    ) -> Result<Option<stores::Unlearned>, types::Error> {
        let mut sent = Writer::default();
        sent.put("taskType", task_type);
        answer(memory.get::<Open>(), "learnTraces", sent)
    }

    fn learn_apply(
        memory: stores::MemoryBorrow<'_>,
        task_type: String,
        up_to: u64,
        traces: Vec<String>,
        skills: Vec<stores::SkillDraft>,
    ) -> Result<Vec<stores::Skill>, types::Error> {
        let mut sent = Writer::default();
        sent.put("taskType", task_type);
        sent.put("upTo", up_to);
        sent.put("traces", traces);
        sent.put("skills", skills);
        part(call(memory.get::<Open>(), "learnApply", sent)?, "skills")
    }
}

impl tools::Guest for Keepsake {
    fn show(
        memory: tools::MemoryBorrow<'_>,
        format: String,
        strict: bool,
        scope: tools::ToolScope,
    ) -> Result<Vec<String>, types::Error> {
        let mut sent = Writer::default();
        sent.put("format", format);
        sent.put("strict", strict);
        scope.write(&mut sent);
        answer::<Vec<ObjectText>>(memory.get::<Open>(), "tools", sent)
            .map(|value| value.into_iter().map(|value| value.0).collect())
    }

    fn guidance() -> String {
        by_hand::tools_guidance()
    }

    fn call(
        memory: tools::MemoryBorrow<'_>,
        name: String,
        args: String,
        scope: tools::ToolScope,
    ) -> Result<tools::ToolAnswer, types::Error> {
        let mut sent = Writer::default();
        sent.put("name", name);
        sent.put("args", Text(args));
        scope.write(&mut sent);
        answer(memory.get::<Open>(), "callTool", sent)
    }
}
