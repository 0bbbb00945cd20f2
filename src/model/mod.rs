//! Values of the domain, valid from the moment they exist: constructors check, everything else may trust.

mod config;
mod embedding;
mod entry;
mod flow;
mod id;
mod invalid;
mod json;
mod message;
mod metadata;
mod namespace;
mod order;
mod policy;
mod profile;
mod scope;
mod skill;
mod step;
mod time;
mod trust;

pub use config::{Config, MemoryRules, Output, Retrieval, Tokenizer};
pub use embedding::Embedding;
pub use entry::{Changes, Draft, Entry, Importance, Tags};
pub use flow::{FlowState, Snapshot, Task, TaskStatus};
pub use id::{AgentId, EntryId, FactKey, MessageId, SessionId, Speaker, UserId};
pub use invalid::Invalid;
pub use json::{Json, Number};
pub use message::{Block, BlockKind, FileSource, Message, MessageDraft, Role};
pub use metadata::Metadata;
pub use namespace::{Namespace, NamespaceRules, Namespaces};
pub(crate) use order::{sort, sorted};
pub use policy::{Policies, Policy, PolicyRules};
pub use profile::{MAX_PROFILE_BYTES, Profile, ProfileField, ProfileSource};
pub use scope::Scope;
pub use skill::{Evidence, Skill, SkillDraft, SkillKind, ToolStep};
pub use step::{Step, StepDraft, Trace};
pub use time::Timestamp;
pub use trust::Trust;
