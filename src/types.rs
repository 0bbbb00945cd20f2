//! The values that calls take and return, beside those at the root of the crate.

// Settings.
#[doc(inline)]
pub use crate::model::{
    MemoryRules, Namespace, NamespaceRules, Namespaces, Output, Policies, Policy, PolicyRules, Retrieval, Tokenizer,
};

// Ids and parts of values.
#[doc(inline)]
pub use crate::codec::json::NotJson;
#[doc(inline)]
pub use crate::model::{
    AgentId, Embedding, EntryId, FactKey, Importance, MessageId, Metadata, Number, SecretKind, SecretRule, SessionId,
    Speaker, Tags, UserId,
};

// Entries and searches.
#[doc(inline)]
pub use crate::index::{DocKind, Miss, Part, Ranking};
#[doc(inline)]
pub use crate::memory::{Digest, Evicted, Recalled, SessionDigest, Stats};
#[doc(inline)]
pub use crate::model::Promotion;

// Conversations.
#[doc(inline)]
pub use crate::codec::SessionRecord;
#[doc(inline)]
pub use crate::context::compress::{Progressive, Strategy, TreeReduce};
#[doc(inline)]
pub use crate::context::formats::Format;
#[doc(inline)]
pub use crate::context::prompt::{Kind as PromptKind, LeftOutReason};
#[doc(inline)]
pub use crate::context::{Item, Kind as ItemKind};
#[doc(inline)]
pub use crate::memory::Decision as DigestDecision;
#[doc(inline)]
pub use crate::memory::{
    DialogContext, History, InPrompt, LeftOut, MessageRange, SessionInfo, SummaryRequest, ViewContent, ViewItem, Window,
};
#[doc(inline)]
pub use crate::model::{BlockKind, FileSource, MessageDraft};

// Long-term memory.
#[doc(inline)]
pub use crate::memory::{Conflict, Forgotten, Keep, Outcome, Recorded, Understood, UnderstoodFact};

// The stores of flows and agents.
#[doc(inline)]
pub use crate::memory::{
    Document, DocumentAdded, Entity, Graph, GraphChange, Knowledge, Lessons, MemoryResultItem, Relation, Tally,
    TaskStep,
};
#[doc(inline)]
pub use crate::model::{
    Evidence, FlowState, Profile, ProfileField, Scope, Skill, SkillDraft, SkillKind, Snapshot, Step, StepDraft, Task,
    TaskStatus, ToolStep, Trace,
};

// Tools.
#[doc(inline)]
pub use crate::memory::ToolAnswer;
#[doc(inline)]
pub use crate::tools::{Format as ToolFormat, GUIDANCE};

// Files.
#[doc(inline)]
pub use crate::files::{
    Changes as FileChanges, Conflict as FileConflict, Content as FileContent, Decision, Entry as LogEntry, FieldText,
    Issue, Item as FileItem, Learning, Merged, Part as FilePart, SessionArchive, Status as FileStatus, TreePath,
    Warning,
};
#[doc(inline)]
pub use crate::memory::{Activated, ContextUpdate, File, FoundEntry, FoundPassage, SessionEnd, SourceChanges, Team};

// The log, checks and rollbacks.
#[doc(inline)]
pub use crate::memory::{
    Damage, LogProblem, Rollback, RollbackScope, RolledBack, StoredProblem, Verdict, Verification,
};
