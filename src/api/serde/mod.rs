//! Serde: values in the JSON of every other door. The JSON codec writes and reads them, so that the shape is said once.

mod json;
mod read;

use super::{Draft, EntryWithContent, FromValue, ToValue};
use crate::codec::json as codec;
use crate::index::Miss;
use crate::memory::json as answers;
use crate::memory::{
    Conflict, Context, DialogContext, Digest, DocumentAdded, File, Forgotten, FoundEntry, FoundPassage, Graph,
    GraphChange, Hit, Knowledge, MemoryResultItem, Recalled, Recorded, Rollback, SessionInfo, Stats, Tally, ToolAnswer,
    Verdict, Verification, ViewItem, Window,
};
use crate::model::{
    AgentId, Block, Config, Embedding, Entry, EntryId, FactKey, FlowState, Importance, Invalid, Json, Message,
    MessageDraft, MessageId, Metadata, Namespace, Policy, Role, Scope, SessionId, Skill, SkillDraft, SkillKind,
    Speaker, Step, StepDraft, Tags, TaskStatus, Timestamp, Trace, Trust, UserId,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

impl<T: Serialize + ?Sized> ToValue for T {
    fn to_json(&self, field: &str) -> Result<Json, Invalid> {
        let refused = |error: serde_json::Error| Invalid::value(field, format!("cannot be written as JSON: {error}"));
        let text = serde_json::to_string(self).map_err(refused)?;
        text.parse().map_err(|error| Invalid::value(field, format!("{error}")))
    }
}

impl<T: DeserializeOwned> FromValue for T {
    fn from_json(field: &str, json: Json) -> Result<Self, Invalid> {
        serde_json::from_str(&json.to_string()).map_err(|error| {
            // The text of the error may quote the value, which is memory content.
            let place = format!("line {}, column {}", error.line(), error.column());
            Invalid::value(field, format!("is stored in a shape that is not of this type ({place} of its JSON)"))
        })
    }
}

/// Values that are written by a function to JSON.
macro_rules! write {
    ($($type:ty: $write:expr;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let write: fn(&Self) -> Json = $write;
                write(self).serialize(serializer)
            }
        }
    )*};
}

/// Values that are read by a function from JSON.
macro_rules! read {
    ($($type:ty: $read:expr;)*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let read: fn(Json) -> Result<Self, Invalid> = $read;
                read(Json::deserialize(deserializer)?).map_err(de::Error::custom)
            }
        }
    )*};
}

/// Values that are strings, with their own check.
macro_rules! text {
    ($($type:ty: $name:literal, $write:expr, $read:expr;)*) => {
        write! { $($type: |value| { let write: fn(&$type) -> String = $write; write(value).into() };)* }
        read! { $($type: |json| match json {
            Json::String(text) => {
                let read: fn(&str, String) -> Result<$type, Invalid> = $read;
                read($name, text)
            }
            _ => Err(Invalid::value($name, "must be a string")),
        };)* }
    };
}

text! {
    UserId: "user", |id| id.to_string(), |field, text| Self::new(field, text);
    EntryId: "id", |id| id.to_string(), |field, text| Self::new(field, text);
    SessionId: "session", |id| id.to_string(), |field, text| Self::new(field, text);
    MessageId: "id", |id| id.to_string(), |field, text| Self::new(field, text);
    AgentId: "agent", |id| id.to_string(), |field, text| Self::new(field, text);
    Speaker: "speaker", |id| id.to_string(), |field, text| Self::new(field, text);
    FactKey: "key", |id| id.to_string(), |field, text| Self::new(field, text);
    Namespace: "namespace", |name| name.to_string(), |field, text| Self::new(field, text);
    Timestamp: "time", |at| at.to_string(), |field, text| Self::parse(field, &text);
    Trust: "trust", |trust| trust.as_str().to_owned(), |field, text| Self::new(field, &text);
    Role: "role", |role| role.as_str().to_owned(), |field, text| Self::new(field, &text);
    Scope: "scope", |scope| scope.as_str().to_owned(), |field, text| Self::new(field, &text);
    SkillKind: "kind", |kind| kind.as_str().to_owned(), |field, text| Self::new(field, &text);
    TaskStatus: "status", |status| status.as_str().to_owned(), |field, text| Self::new(field, &text);
}

write! {
    Importance: |importance| importance.get().into();
    Tags: |tags| tags.as_slice().into();
    Metadata: |metadata| metadata.to_json();
    Embedding: |embedding| Json::Array(embedding.as_slice().iter().map(|number| f64::from(*number).into()).collect());
    Entry: |entry| codec::entry(entry);
    EntryWithContent: |found| codec::entry_with_content(&found.entry, &found.content);
    Hit: |hit| answers::hit(hit);
    Miss: |miss| answers::miss(miss);
    Stats: |stats| answers::stats(stats);
    Recalled: |found| answers::recalled(found);
    Recorded: |recorded| answers::recorded(recorded);
    Forgotten: |forgotten| answers::forgotten(forgotten);
    Message: |message| codec::message(message);
    MessageDraft: |draft| answers::message_draft(draft.clone());
    Block: |block| codec::block(block);
    SessionInfo: |info| answers::info(info);
    Window: |window| answers::window(window);
    ViewItem: |item| answers::view_item(item);
    Context: |context| answers::context(context);
    Digest: |digest| answers::digest(digest);
    DialogContext: |context| context.to_json();
    MemoryResultItem: |item| Json::Object(vec![
        ("scope".to_owned(), item.scope.as_str().into()),
        ("payload".to_owned(), item.payload.clone()),
    ]);
    Policy: |policy| codec::policy(policy);
    Knowledge: |known| answers::knowledge(known);
    DocumentAdded: |added| Json::object(vec![
        ("id", added.id.as_str().into()),
        ("chunks", added.chunks.into()),
        ("replaced", added.replaced.into()),
    ]);
    Graph: |graph| answers::graph(graph);
    GraphChange: |change| answers::counts(change);
    Skill: |skill| codec::skill(skill);
    Step: |step| codec::step(step);
    Trace: |trace| codec::trace(trace);
    Tally: |tally| tally.to_json();
    ToolAnswer: |answer| Json::Object(vec![
        ("text".to_owned(), answer.text.as_str().into()),
        ("data".to_owned(), answer.data.clone()),
        ("isError".to_owned(), answer.is_error.into()),
    ]);
    File: |file| answers::file(file);
    crate::files::Entry: |entry| answers::log_entry(entry);
    crate::files::Warning: |warning| answers::warning(warning);
    FoundEntry: |found| answers::found(found);
    FoundPassage: |found| answers::passage(found);
    Conflict: |conflict| answers::conflict(conflict);
    Verdict: |verdict| answers::verdict(verdict);
    Verification: |verification| answers::verification(verification);
    Rollback: |rollback| answers::rolled_back(rollback);
}

read! {
    Importance: |json| {
        let number = json.as_f64().ok_or_else(|| Invalid::value("importance", "must be a number from 0 to 1"))?;
        Self::new("importance", number)
    };
    Tags: |json| read::texts("tags", json).and_then(|tags| Self::new("tags", tags));
    Metadata: |json| Self::new("metadata", json);
    Embedding: read::embedding;
    Draft: |json| codec::draft(json).map(Into::into);
    Config: codec::config;
    Entry: read::entry;
    EntryWithContent: read::entry_with_content;
    Message: read::message;
    MessageDraft: codec::message_draft;
    Block: codec::read_block;
    Stats: read::stats;
    Forgotten: read::forgotten;
    Graph: read::graph;
    FlowState: |json| codec::flow_state("state", json);
    SkillDraft: read::skill_draft;
    StepDraft: read::step_draft;
    Step: read::step;
    crate::memory::Document: read::document;
}
