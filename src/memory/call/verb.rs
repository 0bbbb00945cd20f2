//! The verbs by name. Generated from wit/ by `cargo xtask generate`. Do not edit.

#![allow(clippy::enum_variant_names, reason = "the contract names verbs")]

/// A verb, by its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Verb {
    /// Of the group `agents`.
    Agents(Agents),
    /// Of the group `calls`.
    Calls(Calls),
    /// Of the group `checks`.
    Checks(Checks),
    /// Of the group `collections`.
    Collections(Collections),
    /// Of the group `documented`.
    Documented(Documented),
    /// Of the group `documents`.
    Documents(Documents),
    /// Of the group `entries`.
    Entries(Entries),
    /// Of the group `experience`.
    Experience(Experience),
    /// Of the group `facade`.
    Facade(Facade),
    /// Of the group `file-changes`.
    FileChanges(FileChanges),
    /// Of the group `files`.
    Files(Files),
    /// Of the group `graph`.
    Graph(Graph),
    /// Of the group `learning`.
    Learning(Learning),
    /// Of the group `models`.
    Models(Models),
    /// Of the group `session`.
    Session(Session),
    /// Of the group `session-files`.
    SessionFiles(SessionFiles),
    /// Of the group `sessions`.
    Sessions(Sessions),
    /// Of the group `skills`.
    Skills(Skills),
    /// Of the group `state`.
    State(State),
    /// Of the group `team`.
    Team(Team),
    /// Of the group `tools`.
    Tools(Tools),
    /// Of the group `translation`.
    Translation(Translation),
}

impl Verb {
    /// The verb of this name. The small module has only those of entries.
    pub(in crate::memory) fn named(name: &str) -> Option<Self> {
        Some(match name {
            #[cfg(feature = "full")]
            "activate" => Self::Agents(Agents::Activate),
            "add" => Self::Entries(Entries::Add),
            #[cfg(feature = "full")]
            "addBlocker" => Self::Team(Team::AddBlocker),
            #[cfg(feature = "full")]
            "addDocuments" => Self::Documents(Documents::AddDocuments),
            #[cfg(feature = "full")]
            "addMany" => Self::Checks(Checks::AddMany),
            #[cfg(feature = "full")]
            "addSkill" => Self::Skills(Skills::AddSkill),
            #[cfg(feature = "full")]
            "append" => Self::Session(Session::Append),
            #[cfg(feature = "full")]
            "appendFile" => Self::FileChanges(FileChanges::AppendFile),
            #[cfg(feature = "full")]
            "blockers" => Self::Team(Team::Blockers),
            #[cfg(feature = "full")]
            "callTool" => Self::Tools(Tools::CallTool),
            #[cfg(feature = "full")]
            "candidates" => Self::Models(Models::Candidates),
            "cleanup" => Self::Entries(Entries::Cleanup),
            "clear" => Self::Entries(Entries::Clear),
            #[cfg(feature = "full")]
            "clearView" => Self::Session(Session::ClearView),
            "close" => Self::Entries(Entries::Close),
            #[cfg(feature = "full")]
            "compress" => Self::Session(Session::Compress),
            #[cfg(feature = "full")]
            "compressed" => Self::Sessions(Sessions::Compressed),
            #[cfg(feature = "full")]
            "conflicts" => Self::Checks(Checks::Conflicts),
            #[cfg(feature = "full")]
            "context" => Self::Session(Session::Context),
            "count" => Self::Entries(Entries::Count),
            #[cfg(feature = "full")]
            "countTokens" => Self::Translation(Translation::CountTokens),
            "delete" => Self::Entries(Entries::Delete),
            #[cfg(feature = "full")]
            "deleteDocument" => Self::Documents(Documents::DeleteDocument),
            #[cfg(feature = "full")]
            "deleteFile" => Self::FileChanges(FileChanges::DeleteFile),
            #[cfg(feature = "full")]
            "deleteSession" => Self::Session(Session::DeleteSession),
            #[cfg(feature = "full")]
            "deleteSkill" => Self::Skills(Skills::DeleteSkill),
            #[cfg(feature = "full")]
            "diff" => Self::Files(Files::Diff),
            #[cfg(feature = "full")]
            "digest" => Self::Sessions(Sessions::Digest),
            #[cfg(feature = "full")]
            "dispatch" => Self::Team(Team::Dispatch),
            #[cfg(feature = "full")]
            "dispatches" => Self::Team(Team::Dispatches),
            #[cfg(feature = "full")]
            "editValues" => Self::Collections(Collections::EditValues),
            #[cfg(feature = "full")]
            "embed" => Self::Models(Models::Embed),
            #[cfg(feature = "full")]
            "embedTalk" => Self::Sessions(Sessions::EmbedTalk),
            #[cfg(feature = "full")]
            "endSession" => Self::Agents(Agents::EndSession),
            #[cfg(feature = "full")]
            "estimateTokens" => Self::Translation(Translation::EstimateTokens),
            "evicted" => Self::Entries(Entries::Evicted),
            #[cfg(feature = "full")]
            "experienceStats" => Self::Experience(Experience::ExperienceStats),
            #[cfg(feature = "full")]
            "explainMiss" => Self::Models(Models::ExplainMiss),
            #[cfg(feature = "full")]
            "file" => Self::Files(Files::File),
            #[cfg(feature = "full")]
            "fileHistory" => Self::Files(Files::FileHistory),
            #[cfg(feature = "full")]
            "fileNames" => Self::Files(Files::FileNames),
            #[cfg(feature = "full")]
            "files" => Self::Files(Files::Files),
            "flush" => Self::Entries(Entries::Flush),
            #[cfg(feature = "full")]
            "forget" => Self::Sessions(Sessions::Forget),
            #[cfg(feature = "full")]
            "fork" => Self::Session(Session::Fork),
            #[cfg(feature = "full")]
            "fromFormat" => Self::Translation(Translation::FromFormat),
            #[cfg(feature = "full")]
            "fromLines" => Self::Translation(Translation::FromLines),
            "get" => Self::Entries(Entries::Get),
            #[cfg(feature = "full")]
            "getContext" => Self::Facade(Facade::GetContext),
            #[cfg(feature = "full")]
            "getFailures" => Self::Experience(Experience::GetFailures),
            #[cfg(feature = "full")]
            "getProfile" => Self::State(State::GetProfile),
            #[cfg(feature = "full")]
            "getSkill" => Self::Skills(Skills::GetSkill),
            #[cfg(feature = "full")]
            "getState" => Self::State(State::GetState),
            #[cfg(feature = "full")]
            "getSuccessfulTraces" => Self::Experience(Experience::GetSuccessfulTraces),
            #[cfg(feature = "full")]
            "graphAdd" => Self::Graph(Graph::GraphAdd),
            #[cfg(feature = "full")]
            "graphDelete" => Self::Graph(Graph::GraphDelete),
            #[cfg(feature = "full")]
            "graphOpen" => Self::Graph(Graph::GraphOpen),
            #[cfg(feature = "full")]
            "graphRead" => Self::Graph(Graph::GraphRead),
            #[cfg(feature = "full")]
            "graphSearch" => Self::Graph(Graph::GraphSearch),
            #[cfg(feature = "full")]
            "guidance" => Self::Tools(Tools::Guidance),
            #[cfg(feature = "full")]
            "handOver" => Self::Team(Team::HandOver),
            #[cfg(feature = "full")]
            "handoffs" => Self::Team(Team::Handoffs),
            #[cfg(feature = "full")]
            "hidden" => Self::Session(Session::Hidden),
            #[cfg(feature = "full")]
            "hide" => Self::Session(Session::Hide),
            "hint" => Self::Entries(Entries::Hint),
            #[cfg(feature = "full")]
            "histories" => Self::Session(Session::Histories),
            "history" => Self::Entries(Entries::History),
            #[cfg(feature = "full")]
            "ingest" => Self::Sessions(Sessions::Ingest),
            #[cfg(feature = "full")]
            "ingestSources" => Self::SessionFiles(SessionFiles::IngestSources),
            #[cfg(feature = "full")]
            "instructions" => Self::Sessions(Sessions::Instructions),
            #[cfg(feature = "full")]
            "lastAsked" => Self::Session(Session::LastAsked),
            #[cfg(feature = "full")]
            "learn" => Self::Learning(Learning::Learn),
            #[cfg(feature = "full")]
            "learnApply" => Self::Learning(Learning::LearnApply),
            #[cfg(feature = "full")]
            "learnTraces" => Self::Learning(Learning::LearnTraces),
            #[cfg(feature = "full")]
            "lintFile" => Self::Files(Files::LintFile),
            "list" => Self::Entries(Entries::List),
            #[cfg(feature = "full")]
            "listValues" => Self::Collections(Collections::ListValues),
            #[cfg(feature = "full")]
            "loadComponents" => Self::Session(Session::LoadComponents),
            #[cfg(feature = "full")]
            "logCheck" => Self::Checks(Checks::LogCheck),
            #[cfg(feature = "full")]
            "logExport" => Self::Session(Session::LogExport),
            #[cfg(feature = "full")]
            "logStep" => Self::Experience(Experience::LogStep),
            #[cfg(feature = "full")]
            "logTaskStep" => Self::State(State::LogTaskStep),
            #[cfg(feature = "full")]
            "logVerify" => Self::Checks(Checks::LogVerify),
            #[cfg(feature = "full")]
            "memoryAdd" => Self::Documented(Documented::MemoryAdd),
            #[cfg(feature = "full")]
            "memoryCleanup" => Self::Documented(Documented::MemoryCleanup),
            #[cfg(feature = "full")]
            "memoryClearAll" => Self::Documented(Documented::MemoryClearAll),
            #[cfg(feature = "full")]
            "memoryClearShortTerm" => Self::Documented(Documented::MemoryClearShortTerm),
            #[cfg(feature = "full")]
            "memoryDelete" => Self::Documented(Documented::MemoryDelete),
            #[cfg(feature = "full")]
            "memoryGetContent" => Self::Documented(Documented::MemoryGetContent),
            #[cfg(feature = "full")]
            "memorySearch" => Self::Documented(Documented::MemorySearch),
            #[cfg(feature = "full")]
            "memoryStats" => Self::Documented(Documented::MemoryStats),
            #[cfg(feature = "full")]
            "memoryTool" => Self::Tools(Tools::MemoryTool),
            #[cfg(feature = "full")]
            "mergeFile" => Self::FileChanges(FileChanges::MergeFile),
            #[cfg(feature = "full")]
            "message" => Self::Session(Session::Message),
            #[cfg(feature = "full")]
            "messages" => Self::Session(Session::Messages),
            #[cfg(feature = "full")]
            "missingPacks" => Self::Models(Models::MissingPacks),
            #[cfg(feature = "full")]
            "moveFile" => Self::FileChanges(FileChanges::MoveFile),
            #[cfg(feature = "full")]
            "once" => Self::Calls(Calls::Once),
            #[cfg(feature = "full")]
            "parseFile" => Self::Files(Files::ParseFile),
            #[cfg(feature = "full")]
            "policy" => Self::Facade(Facade::Policy),
            #[cfg(feature = "full")]
            "progress" => Self::Calls(Calls::Progress),
            #[cfg(feature = "full")]
            "promote" => Self::Checks(Checks::Promote),
            #[cfg(feature = "full")]
            "queryMemory" => Self::Sessions(Sessions::QueryMemory),
            #[cfg(feature = "full")]
            "quoteMemories" => Self::Sessions(Sessions::QuoteMemories),
            #[cfg(feature = "full")]
            "read" => Self::Facade(Facade::Read),
            #[cfg(feature = "full")]
            "record" => Self::Sessions(Sessions::Record),
            #[cfg(feature = "full")]
            "recordNotes" => Self::Agents(Agents::RecordNotes),
            #[cfg(feature = "full")]
            "recordSkillUse" => Self::Skills(Skills::RecordSkillUse),
            #[cfg(feature = "full")]
            "recordToMemory" => Self::Sessions(Sessions::RecordToMemory),
            #[cfg(feature = "full")]
            "resolve" => Self::Checks(Checks::Resolve),
            #[cfg(feature = "full")]
            "restoreView" => Self::Session(Session::RestoreView),
            #[cfg(feature = "full")]
            "retrieve" => Self::Sessions(Sessions::Retrieve),
            #[cfg(feature = "full")]
            "retrieveFromMemory" => Self::Sessions(Sessions::RetrieveFromMemory),
            #[cfg(feature = "full")]
            "rollback" => Self::Checks(Checks::Rollback),
            #[cfg(feature = "full")]
            "saveComponents" => Self::Session(Session::SaveComponents),
            #[cfg(feature = "full")]
            "saveState" => Self::State(State::SaveState),
            "search" => Self::Entries(Entries::Search),
            #[cfg(feature = "full")]
            "searchKnowledge" => Self::Agents(Agents::SearchKnowledge),
            #[cfg(feature = "full")]
            "searchLearnings" => Self::Agents(Agents::SearchLearnings),
            #[cfg(feature = "full")]
            "searchSkills" => Self::Skills(Skills::SearchSkills),
            #[cfg(feature = "full")]
            "searchValues" => Self::Collections(Collections::SearchValues),
            #[cfg(feature = "full")]
            "semanticSearch" => Self::Documents(Documents::SemanticSearch),
            #[cfg(feature = "full")]
            "session" => Self::Session(Session::Session),
            #[cfg(feature = "full")]
            "sessions" => Self::Sessions(Sessions::Sessions),
            #[cfg(feature = "full")]
            "setBlocker" => Self::Team(Team::SetBlocker),
            #[cfg(feature = "full")]
            "setHandoff" => Self::Team(Team::SetHandoff),
            #[cfg(feature = "full")]
            "setTitle" => Self::Session(Session::SetTitle),
            #[cfg(feature = "full")]
            "skillVersions" => Self::Skills(Skills::SkillVersions),
            #[cfg(feature = "full")]
            "skills" => Self::Skills(Skills::Skills),
            #[cfg(feature = "full")]
            "stateVersions" => Self::State(State::StateVersions),
            "stats" => Self::Entries(Entries::Stats),
            #[cfg(feature = "full")]
            "stop" => Self::Calls(Calls::Stop),
            #[cfg(feature = "full")]
            "taskSteps" => Self::State(State::TaskSteps),
            "toEmbed" => Self::Entries(Entries::ToEmbed),
            #[cfg(feature = "full")]
            "toFormat" => Self::Translation(Translation::ToFormat),
            #[cfg(feature = "full")]
            "toLines" => Self::Translation(Translation::ToLines),
            #[cfg(feature = "full")]
            "toolQuery" => Self::Tools(Tools::ToolQuery),
            #[cfg(feature = "full")]
            "tools" => Self::Tools(Tools::Tools),
            #[cfg(feature = "full")]
            "unembedded" => Self::Models(Models::Unembedded),
            #[cfg(feature = "full")]
            "unembeddedTalk" => Self::Sessions(Sessions::UnembeddedTalk),
            "update" => Self::Entries(Entries::Update),
            #[cfg(feature = "full")]
            "updateFile" => Self::FileChanges(FileChanges::UpdateFile),
            #[cfg(feature = "full")]
            "updateProfile" => Self::State(State::UpdateProfile),
            #[cfg(feature = "full")]
            "updateSection" => Self::FileChanges(FileChanges::UpdateSection),
            #[cfg(feature = "full")]
            "updateSummary" => Self::Facade(Facade::UpdateSummary),
            #[cfg(feature = "full")]
            "useMeaning" => Self::Models(Models::UseMeaning),
            #[cfg(feature = "full")]
            "usePack" => Self::Models(Models::UsePack),
            #[cfg(feature = "full")]
            "values" => Self::Collections(Collections::Values),
            #[cfg(feature = "full")]
            "verify" => Self::Checks(Checks::Verify),
            #[cfg(feature = "full")]
            "view" => Self::Session(Session::View),
            #[cfg(feature = "full")]
            "viewMessages" => Self::Session(Session::ViewMessages),
            #[cfg(feature = "full")]
            "watch" => Self::Calls(Calls::Watch),
            #[cfg(feature = "full")]
            "write" => Self::Facade(Facade::Write),
            #[cfg(feature = "full")]
            "writeFile" => Self::FileChanges(FileChanges::WriteFile),
            #[cfg(feature = "full")]
            "writeSession" => Self::SessionFiles(SessionFiles::WriteSession),
            _ => return None,
        })
    }
}

/// Verbs of the group `agents`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Agents {
    /// `activate`
    Activate,
    /// `endSession`
    EndSession,
    /// `recordNotes`
    RecordNotes,
    /// `searchKnowledge`
    SearchKnowledge,
    /// `searchLearnings`
    SearchLearnings,
}

/// Verbs of the group `calls`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Calls {
    /// `once`
    Once,
    /// `progress`
    Progress,
    /// `stop`
    Stop,
    /// `watch`
    Watch,
}

/// Verbs of the group `checks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Checks {
    /// `addMany`
    AddMany,
    /// `conflicts`
    Conflicts,
    /// `logCheck`
    LogCheck,
    /// `logVerify`
    LogVerify,
    /// `promote`
    Promote,
    /// `resolve`
    Resolve,
    /// `rollback`
    Rollback,
    /// `verify`
    Verify,
}

/// Verbs of the group `collections`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Collections {
    /// `editValues`
    EditValues,
    /// `listValues`
    ListValues,
    /// `searchValues`
    SearchValues,
    /// `values`
    Values,
}

/// Verbs of the group `documented`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Documented {
    /// `memoryAdd`
    MemoryAdd,
    /// `memoryCleanup`
    MemoryCleanup,
    /// `memoryClearAll`
    MemoryClearAll,
    /// `memoryClearShortTerm`
    MemoryClearShortTerm,
    /// `memoryDelete`
    MemoryDelete,
    /// `memoryGetContent`
    MemoryGetContent,
    /// `memorySearch`
    MemorySearch,
    /// `memoryStats`
    MemoryStats,
}

/// Verbs of the group `documents`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Documents {
    /// `addDocuments`
    AddDocuments,
    /// `deleteDocument`
    DeleteDocument,
    /// `semanticSearch`
    SemanticSearch,
}

/// Verbs of the group `entries`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Entries {
    /// `add`
    Add,
    /// `cleanup`
    Cleanup,
    /// `clear`
    Clear,
    /// `close`
    Close,
    /// `count`
    Count,
    /// `delete`
    Delete,
    /// `evicted`
    Evicted,
    /// `flush`
    Flush,
    /// `get`
    Get,
    /// `hint`
    Hint,
    /// `history`
    History,
    /// `list`
    List,
    /// `search`
    Search,
    /// `stats`
    Stats,
    /// `toEmbed`
    ToEmbed,
    /// `update`
    Update,
}

/// Verbs of the group `experience`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Experience {
    /// `experienceStats`
    ExperienceStats,
    /// `getFailures`
    GetFailures,
    /// `getSuccessfulTraces`
    GetSuccessfulTraces,
    /// `logStep`
    LogStep,
}

/// Verbs of the group `facade`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Facade {
    /// `getContext`
    GetContext,
    /// `policy`
    Policy,
    /// `read`
    Read,
    /// `updateSummary`
    UpdateSummary,
    /// `write`
    Write,
}

/// Verbs of the group `file-changes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum FileChanges {
    /// `appendFile`
    AppendFile,
    /// `deleteFile`
    DeleteFile,
    /// `mergeFile`
    MergeFile,
    /// `moveFile`
    MoveFile,
    /// `updateFile`
    UpdateFile,
    /// `updateSection`
    UpdateSection,
    /// `writeFile`
    WriteFile,
}

/// Verbs of the group `files`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Files {
    /// `diff`
    Diff,
    /// `file`
    File,
    /// `fileHistory`
    FileHistory,
    /// `fileNames`
    FileNames,
    /// `files`
    Files,
    /// `lintFile`
    LintFile,
    /// `parseFile`
    ParseFile,
}

/// Verbs of the group `graph`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Graph {
    /// `graphAdd`
    GraphAdd,
    /// `graphDelete`
    GraphDelete,
    /// `graphOpen`
    GraphOpen,
    /// `graphRead`
    GraphRead,
    /// `graphSearch`
    GraphSearch,
}

/// Verbs of the group `learning`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Learning {
    /// `learn`
    Learn,
    /// `learnApply`
    LearnApply,
    /// `learnTraces`
    LearnTraces,
}

/// Verbs of the group `models`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Models {
    /// `candidates`
    Candidates,
    /// `embed`
    Embed,
    /// `explainMiss`
    ExplainMiss,
    /// `missingPacks`
    MissingPacks,
    /// `unembedded`
    Unembedded,
    /// `useMeaning`
    UseMeaning,
    /// `usePack`
    UsePack,
}

/// Verbs of the group `session`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Session {
    /// `append`
    Append,
    /// `clearView`
    ClearView,
    /// `compress`
    Compress,
    /// `context`
    Context,
    /// `deleteSession`
    DeleteSession,
    /// `fork`
    Fork,
    /// `hidden`
    Hidden,
    /// `hide`
    Hide,
    /// `histories`
    Histories,
    /// `lastAsked`
    LastAsked,
    /// `loadComponents`
    LoadComponents,
    /// `logExport`
    LogExport,
    /// `message`
    Message,
    /// `messages`
    Messages,
    /// `restoreView`
    RestoreView,
    /// `saveComponents`
    SaveComponents,
    /// `session`
    Session,
    /// `setTitle`
    SetTitle,
    /// `view`
    View,
    /// `viewMessages`
    ViewMessages,
}

/// Verbs of the group `session-files`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum SessionFiles {
    /// `ingestSources`
    IngestSources,
    /// `writeSession`
    WriteSession,
}

/// Verbs of the group `sessions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Sessions {
    /// `compressed`
    Compressed,
    /// `digest`
    Digest,
    /// `embedTalk`
    EmbedTalk,
    /// `forget`
    Forget,
    /// `ingest`
    Ingest,
    /// `instructions`
    Instructions,
    /// `queryMemory`
    QueryMemory,
    /// `quoteMemories`
    QuoteMemories,
    /// `record`
    Record,
    /// `recordToMemory`
    RecordToMemory,
    /// `retrieve`
    Retrieve,
    /// `retrieveFromMemory`
    RetrieveFromMemory,
    /// `sessions`
    Sessions,
    /// `unembeddedTalk`
    UnembeddedTalk,
}

/// Verbs of the group `skills`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Skills {
    /// `addSkill`
    AddSkill,
    /// `deleteSkill`
    DeleteSkill,
    /// `getSkill`
    GetSkill,
    /// `recordSkillUse`
    RecordSkillUse,
    /// `searchSkills`
    SearchSkills,
    /// `skillVersions`
    SkillVersions,
    /// `skills`
    Skills,
}

/// Verbs of the group `state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum State {
    /// `getProfile`
    GetProfile,
    /// `getState`
    GetState,
    /// `logTaskStep`
    LogTaskStep,
    /// `saveState`
    SaveState,
    /// `stateVersions`
    StateVersions,
    /// `taskSteps`
    TaskSteps,
    /// `updateProfile`
    UpdateProfile,
}

/// Verbs of the group `team`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Team {
    /// `addBlocker`
    AddBlocker,
    /// `blockers`
    Blockers,
    /// `dispatch`
    Dispatch,
    /// `dispatches`
    Dispatches,
    /// `handOver`
    HandOver,
    /// `handoffs`
    Handoffs,
    /// `setBlocker`
    SetBlocker,
    /// `setHandoff`
    SetHandoff,
}

/// Verbs of the group `tools`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Tools {
    /// `callTool`
    CallTool,
    /// `guidance`
    Guidance,
    /// `memoryTool`
    MemoryTool,
    /// `toolQuery`
    ToolQuery,
    /// `tools`
    Tools,
}

/// Verbs of the group `translation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::memory) enum Translation {
    /// `countTokens`
    CountTokens,
    /// `estimateTokens`
    EstimateTokens,
    /// `fromFormat`
    FromFormat,
    /// `fromLines`
    FromLines,
    /// `toFormat`
    ToFormat,
    /// `toLines`
    ToLines,
}
