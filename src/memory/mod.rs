//! The facade: an open memory of one user, joining the pure core to a store. The only async layer.

mod audit;
mod call;
mod dialog;
mod engine;
mod entries;
mod files;
mod prompt;
mod stores;

pub use crate::context::compress::{Progressive, Strategy, TreeReduce};
pub use crate::context::formats::Format;
pub use crate::context::prompt::{Kind as PromptKind, LeftOutReason};
pub use crate::context::{Item, Kind};
pub use crate::index::{DocKind, Miss, Part, Ranking};
pub use audit::frozen::{Damage, LogProblem, Verdict};
pub use audit::rollback::{Rollback, RollbackScope, RolledBack};
pub use audit::verify::{StoredProblem, Verification};
pub use call::facade::{DialogContext, MemoryQuery, MemoryResultItem, MemoryWriteEvent};
#[cfg(feature = "serde")]
pub(crate) use call::json;
pub use call::tools::{ToolAnswer, ToolBeside, ToolScope};
pub use dialog::compression::{Ends, Progress, SummaryRequest, ViewContent, ViewItem};
pub use dialog::messages::{SessionInfo, Window};
pub use dialog::talk_embedding::UnembeddedTalk;
pub use engine::plan::Evicted;
pub use engine::slices::Work;
pub use engine::talk::History;
pub use engine::{Env, EnvError, Error, ErrorCode, Memory};
#[cfg(feature = "testing")]
pub use engine::{scripted, snapshot};
pub use entries::embedding::Unembedded;
pub use entries::reading::{ListOptions, Stats};
pub use entries::search::{Hit, SearchOptions};
pub use entries::sources::IngestOptions;
pub use files::agent_files::{Activated, ContextUpdate, Note, SessionEnd, Team};
pub use files::agent_search::{FoundEntry, FoundPassage};
pub use files::session_files::SourceChanges;
pub use files::tree::{Expect, File};
pub use prompt::conflicts::{Conflict, Keep};
pub use prompt::context::{Context, ContextOptions, InPrompt, LeftOut};
pub use prompt::digest::{Decision, Digest, DigestOptions, SessionDigest};
pub use prompt::forget::{ForgetOptions, Forgotten};
pub use prompt::long_term::{Origin, Outcome, Recorded};
pub use prompt::recall::{RecallOptions, RecallScope, Recalled};
pub use prompt::recent::MessageRange;
pub use prompt::understood::{Understood, UnderstoodFact};
pub use stores::collection::{Edit, FoundValue};
pub use stores::experience::Tally;
pub use stores::flow::TaskStep;
pub use stores::graph::{Entity, Graph, GraphChange, Relation};
pub use stores::learning::{LearnOptions, Lessons, Unlearned};
pub use stores::procedural::SkillQuery;
pub use stores::semantic::{Document, DocumentAdded, Knowledge, KnowledgeQuery};
