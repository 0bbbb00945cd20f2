//! JSON verbs of files: decode, call, encode.

use super::document as json;
use super::verb::{Agents, FileChanges, Files, SessionFiles, Team};
use crate::codec::json::{Fields, each};
use crate::files::{Changes, Command, Conflict, Entry, Kind, Mark, Status, TreePath, Warning, diff};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::files::agent_files::{Activated, ContextUpdate, Note, SessionEnd};
use crate::memory::files::agent_search::{FoundEntry, FoundPassage};
use crate::memory::files::tree::{Expect, File};
use crate::model::{Invalid, Json, SessionId};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Verbs that read files.
    pub(super) async fn file_verbs(&self, verb: Files, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            Files::Files => {
                let folder = fields.made("folder", TreePath::new);
                fields.finish()?;
                Ok(Json::Array(self.files(folder.as_ref()).await?.iter().map(info).collect()))
            }
            Files::FileNames => {
                let names = fields.texts("names");
                fields.finish()?;
                let told = names.iter().map(|name| {
                    let (plain, refused) = self.folder_name(name);
                    Json::object(vec![("plain", plain.into()), ("refused", refused.into())])
                });
                Ok(Json::Array(told.collect()))
            }
            Files::File => Ok(self.file(&only_path(fields)?).await?.as_ref().map_or(Json::Null, file)),
            Files::FileHistory => {
                Ok(Json::Array(self.file_history(&only_path(fields)?).await?.iter().map(file).collect()))
            }
            Files::ParseFile => {
                let (path, text) = path_and_text(fields)?;
                let text = match text {
                    Some(text) => Some(text),
                    None => self.file(&path).await?.map(|file| file.text),
                };
                Ok(text.map_or(Json::Null, |text| json::document(Kind::of(path.as_str()), &text)))
            }
            Files::Diff => {
                let (before, after) = (fields.required_text("before"), fields.required_text("after"));
                fields.finish()?;
                Ok(Json::Array(diff(&before, &after).into_iter().map(diff_line).collect()))
            }
            Files::LintFile => {
                let (path, text) = path_and_text(fields)?;
                Ok(Json::Array(self.lint_file(&path, text.as_deref()).await?.iter().map(warning).collect()))
            }
        }
    }

    /// Verbs that change a file.
    pub(super) async fn file_change_verbs(&self, verb: FileChanges, mut fields: Fields) -> Result<Json, Error> {
        let path = match verb {
            FileChanges::MoveFile => path(&mut fields, "from")?,
            FileChanges::WriteFile
            | FileChanges::AppendFile
            | FileChanges::MergeFile
            | FileChanges::DeleteFile
            | FileChanges::UpdateFile
            | FileChanges::UpdateSection => self.path_or_file(&mut fields).await?,
        };
        let nothing = fields.is_null("expect");
        let hash = fields.text("expect");
        let expect = match &hash {
            Some(hash) => Expect::Hash(hash),
            None if nothing => Expect::None,
            None => Expect::Any,
        };
        match verb {
            FileChanges::WriteFile => {
                let text = fields.required_text("text");
                fields.finish()?;
                Ok(file(&self.write_file(&path, &text, expect).await?))
            }
            FileChanges::AppendFile => {
                let text = fields.required_text("text");
                fields.finish()?;
                Ok(file(&self.append_file(&path, &text, expect).await?))
            }
            FileChanges::MergeFile => {
                let (base, text) = (fields.required_text("base"), fields.required_text("text"));
                fields.finish()?;
                let (merged, how) = self.merge_file(&path, &base, &text).await?;
                let conflicts = Json::Array(how.conflicts.iter().map(conflict).collect());
                Ok(Json::object(vec![("file", file(&merged)), ("conflicts", conflicts)]))
            }
            FileChanges::MoveFile => {
                let to = self::path(&mut fields, "to");
                fields.finish()?;
                Ok(file(&self.move_file(&path, &to?, expect).await?))
            }
            FileChanges::DeleteFile => {
                fields.finish()?;
                Ok(self.delete_file(&path, expect).await?.into())
            }
            FileChanges::UpdateFile => {
                let value = fields.value("changes").unwrap_or_default();
                fields.finish()?;
                let changes = json::changes(Kind::of(path.as_str()), value)?;
                Ok(file(&self.update_file(&path, &changes, expect).await?))
            }
            FileChanges::UpdateSection => {
                let (section, text) = (fields.required_text("section"), fields.required_text("text"));
                fields.finish()?;
                Ok(file(&self.update_section(&path, &section, &text, expect).await?))
            }
        }
    }

    /// Runs a command of the Anthropic memory tool.
    pub(super) async fn memory_tool_verb(&self, mut fields: Fields) -> Result<Json, Error> {
        let (root, command) = (fields.text("root").unwrap_or_default(), fields.value("command"));
        let writable = fields.texts("writable");
        fields.finish()?;
        let command = command_of(command.unwrap_or_default())?;
        let answer = self.memory_tool(&root, &writable, &command).await?;
        let is_error = answer.is_err();
        let text = answer.unwrap_or_else(|problem| problem);
        Ok(Json::object(vec![("text", text.into()), ("isError", is_error.into())]))
    }

    /// Verbs about the files of one agent.
    pub(super) async fn agent_verbs(&self, verb: Agents, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            Agents::RecordNotes => {
                let (path, notes) = (self.path_or_file(&mut fields).await?, fields.list("entries"));
                fields.finish()?;
                let today = self.today()?;
                let note = |value: Json| match Kind::of(path.as_str()) {
                    Kind::Learnings => json::learning(value, &today).map(Note::Learning),
                    _ => json::decision(value, &today).map(Note::Decision),
                };
                Ok(file(&self.record_notes(&path, &each(notes, "entries", note)?).await?))
            }
            Agents::Activate => {
                let agent = fields.required_text("agent");
                let member = fields.flag("member").unwrap_or_default();
                fields.finish()?;
                let loaded = match member {
                    true => self.activate_member(&agent).await?,
                    false => self.activate(&agent).await?,
                };
                Ok(activated(&agent, &loaded))
            }
            Agents::EndSession => {
                let agent = fields.required_text("agent");
                let date = fields.text("date").map_or_else(|| self.today(), Ok)?;
                let context = match fields.value("context") {
                    None => None,
                    Some(Json::String(text)) => Some(ContextUpdate::Whole(text)),
                    Some(value) => Some(ContextUpdate::Parts(of_context(value)?)),
                };
                let archive = fields.value("archive").map(|value| json::archive(value, &date));
                let end = SessionEnd {
                    context,
                    decisions: each(fields.list("decisions"), "decisions", |value| json::decision(value, &date))?,
                    learnings: each(fields.list("learnings"), "learnings", |value| json::learning(value, &date))?,
                    archive: archive.transpose().map_err(|mistake| mistake.within("archive"))?,
                    date,
                };
                fields.finish()?;
                Ok(Json::Array(self.end_session(&agent, &end).await?.iter().map(file).collect()))
            }
            Agents::SearchLearnings => {
                let (agent, query, limit) = agent_query(fields)?;
                Ok(Json::Array(self.search_learnings(&agent, &query, limit).await?.iter().map(found).collect()))
            }
            Agents::SearchKnowledge => {
                let (agent, query, limit) = agent_query(fields)?;
                Ok(Json::Array(self.search_knowledge(&agent, &query, limit).await?.iter().map(passage).collect()))
            }
        }
    }

    /// The path of a call's file: given directly, or the documented file of an agent or of the team, in whichever
    /// folder it is.
    async fn path_or_file(&self, fields: &mut Fields) -> Result<TreePath, Error> {
        let Some(name) = fields.text("file") else { return Ok(path(fields, "path")?) };
        let kind = Kind::named("file", &name)?;
        let agent = if kind.is_teams() { String::new() } else { fields.required_text("agent") };
        self.place_of(kind, &agent).await
    }

    /// Verbs that derive files from sessions, or entries from files.
    pub(super) async fn session_file_verbs(&self, verb: SessionFiles, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            SessionFiles::IngestSources => {
                fields.finish()?;
                let changes = self.ingest_sources().await?;
                let paths = |paths: &[String]| Json::Array(paths.iter().map(|path| path.as_str().into()).collect());
                Ok(Json::object(vec![("added", paths(&changes.added)), ("removed", paths(&changes.removed))]))
            }
            SessionFiles::WriteSession => {
                let session = fields.made("session", SessionId::new);
                let folder = fields.made("folder", TreePath::new);
                fields.finish()?;
                let session = session.ok_or_else(|| Invalid::value("session", "is required"))?;
                Ok(Json::Array(self.write_session(&session, folder.as_ref()).await?.iter().map(file).collect()))
            }
        }
    }

    /// Verbs about the files of a team.
    pub(super) async fn team_verbs(&self, verb: Team, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            Team::HandOver => {
                let handoff = json::handoff(fields, &self.this_minute()?)?;
                Ok(entry(&self.hand_over(&handoff).await?))
            }
            Team::AddBlocker => Ok(entry(&self.add_blocker(&json::blocker(fields)?).await?)),
            Team::Dispatch => {
                let (lead, now) = (fields.required_text("lead"), self.this_minute()?);
                let dispatch = json::dispatch(fields, &now)?;
                Ok(json::dispatched(&self.dispatch(&lead, &dispatch).await?))
            }
            Team::Dispatches => {
                let lead = fields.required_text("lead");
                fields.finish()?;
                Ok(Json::Array(self.dispatches(&lead).await?.iter().map(json::dispatched).collect()))
            }
            Team::Handoffs => {
                let (status, to) = (status(&mut fields), fields.text("to"));
                fields.finish()?;
                Ok(json::entries(&self.handoffs(to.as_deref(), status).await?))
            }
            Team::Blockers => {
                let status = status(&mut fields);
                fields.finish()?;
                Ok(json::entries(&self.blockers(status).await?))
            }
            Team::SetHandoff => {
                let (heading, status) = (fields.required_text("heading"), status(&mut fields));
                let (task, result) = (fields.text("task"), fields.text("result"));
                fields.finish()?;
                let status = status.ok_or_else(|| Invalid::value("status", "is required"))?;
                Ok(entry(&self.set_handoff(&heading, task.as_deref(), status, result.as_deref()).await?))
            }
            Team::SetBlocker => {
                let (heading, status) = (fields.required_text("heading"), status(&mut fields));
                let (resolved_by, resolution) = (fields.text("resolvedBy"), fields.text("resolution"));
                fields.finish()?;
                let status = status.ok_or_else(|| Invalid::value("status", "is required"))?;
                Ok(entry(&self.set_blocker(&heading, status, resolved_by.as_deref(), resolution.as_deref()).await?))
            }
        }
    }
}

fn diff_line((mark, text): (Mark, &str)) -> Json {
    let mark = match mark {
        Mark::Same => "same",
        Mark::Removed => "removed",
        Mark::Added => "added",
    };
    Json::object(vec![("mark", mark.into()), ("text", text.into())])
}

fn status(fields: &mut Fields) -> Option<Status> {
    fields.made("status", |field, name| Status::new(field, &name))
}

/// Decodes a path as the only argument.
fn only_path(mut fields: Fields) -> Result<TreePath, Invalid> {
    let path = path(&mut fields, "path");
    fields.finish()?;
    path
}

/// Decodes a path and an optional text.
fn path_and_text(mut fields: Fields) -> Result<(TreePath, Option<String>), Invalid> {
    let (path, text) = (path(&mut fields, "path"), fields.text("text"));
    fields.finish()?;
    Ok((path?, text))
}

/// Decodes a query over an agent's files: the agent, the query, and the limit.
fn agent_query(mut fields: Fields) -> Result<(String, String, usize), Invalid> {
    let (agent, query) = (fields.required_text("agent"), fields.required_text("query"));
    let limit = fields.count("limit").unwrap_or(5);
    fields.finish()?;
    Ok((agent, query, limit))
}

fn path(fields: &mut Fields, name: &'static str) -> Result<TreePath, Invalid> {
    TreePath::new(name, fields.required_text(name))
}

fn of_context(value: Json) -> Result<Changes, Invalid> {
    json::changes(Kind::Context, value).map_err(|mistake| mistake.within("context"))
}

/// Decodes a command of the memory tool.
pub(crate) fn command_of(value: Json) -> Result<Command, Invalid> {
    let mut fields = Fields::of("command", value);
    let name = fields.required_text("command");
    let command = match name.as_str() {
        "view" => Command::View { path: fields.required_text("path"), view_range: range(&mut fields) },
        "create" => {
            Command::Create { path: fields.required_text("path"), file_text: fields.required_text("file_text") }
        }
        "str_replace" => Command::StrReplace {
            path: fields.required_text("path"),
            old_str: fields.required_text("old_str"),
            new_str: fields.text("new_str").unwrap_or_default(),
        },
        "insert" => Command::Insert {
            path: fields.required_text("path"),
            insert_line: fields.number("insert_line").unwrap_or(-1.0) as i64,
            insert_text: fields.required_text("insert_text"),
        },
        "delete" => Command::Delete { path: fields.required_text("path") },
        "rename" => {
            Command::Rename { old_path: fields.required_text("old_path"), new_path: fields.required_text("new_path") }
        }
        _ => {
            let known = "must be view, create, str_replace, insert, delete or rename";
            return Err(Invalid::value("command", known));
        }
    };
    fields.finish().map(|()| command)
}

fn range(fields: &mut Fields) -> Option<(i64, i64)> {
    let numbers = fields.list("view_range");
    if numbers.is_empty() {
        return None;
    }
    let [from, to] = [numbers.first(), numbers.get(1)].map(|number| number.and_then(Json::as_i64));
    match (from, to, numbers.len()) {
        (Some(from), Some(to), 2) => Some((from, to)),
        _ => {
            fields.refuse(Invalid::value("view_range", "must be two whole numbers"));
            None
        }
    }
}

fn activated(agent: &str, loaded: &Activated) -> Json {
    let mut fields = vec![
        ("agent", agent.into()),
        ("folder", loaded.folder.as_str().into()),
        ("definition", loaded.definition.as_str().into()),
        ("context", loaded.context.as_str().into()),
        ("decisions", json::entries(&loaded.decisions)),
        ("frame", loaded.frame.as_str().into()),
    ];
    if let Some(team) = &loaded.team {
        fields.push(("teamContext", team.context.as_str().into()));
        fields.push(("teamDecisions", json::entries(&team.decisions)));
        fields.push(("handoffs", json::entries(&team.handoffs)));
    }
    Json::object(fields)
}

pub(crate) fn file(file: &File) -> Json {
    let Json::Object(mut fields) = info(file) else { return Json::Null };
    fields.push(("text".to_owned(), file.text.as_str().into()));
    Json::Object(fields)
}

/// A file without its text, as JSON.
fn info(file: &File) -> Json {
    Json::object(vec![
        ("path", file.path.as_str().into()),
        ("hash", file.hash.as_str().into()),
        ("version", file.version.into()),
        ("updatedAt", file.updated_at.to_string().into()),
        ("size", file.text.len().into()),
    ])
}

pub(crate) fn entry(entry: &Entry) -> Json {
    Json::object(json::entry_fields(entry))
}

pub(crate) fn found(found: &FoundEntry) -> Json {
    let mut fields = json::entry_fields(&found.entry);
    fields.extend([("text", found.text.as_str().into()), ("score", found.score.into())]);
    Json::object(fields)
}

pub(crate) fn passage(found: &FoundPassage) -> Json {
    Json::object(vec![
        ("path", found.path.as_str().into()),
        ("heading", found.heading.as_str().into()),
        ("line", found.line.into()),
        ("text", found.text.as_str().into()),
        ("score", found.score.into()),
    ])
}

fn conflict(conflict: &Conflict) -> Json {
    Json::object(vec![("section", conflict.section.as_str().into()), ("line", conflict.line.into())])
}

pub(crate) fn warning(warning: &Warning) -> Json {
    Json::object(vec![
        ("rule", warning.rule.into()),
        ("line", warning.line.into()),
        ("message", warning.message.into()),
    ])
}
