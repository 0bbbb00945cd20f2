//! The verbs of files by name, with JSON in and out. Decode, call, encode.

use super::document as json;
use crate::codec::json::Fields;
use crate::files::{Changes, Command, Conflict, Entry, Kind, Status, TreePath, Warning};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::files::agent_files::{Activated, ContextUpdate, Note, SessionEnd};
use crate::memory::files::agent_search::{FoundEntry, FoundPassage};
use crate::memory::files::tree::{Expect, File};
use crate::model::{Invalid, Json, SessionId};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Does what `verb` says with `args`; gives them back if it is none of these.
    pub(super) async fn file_verbs(&self, verb: &str, args: Json) -> Result<Result<Json, Error>, Json> {
        Ok(match verb {
            "file" | "files" | "fileHistory" | "fileNames" | "parseFile" | "lintFile" => {
                self.look_at_files(verb, Fields::of("args", args)).await
            }
            "writeFile" | "appendFile" | "mergeFile" | "moveFile" | "deleteFile" | "updateFile" | "updateSection"
            | "memoryTool" => self.change_files(verb, Fields::of("args", args)).await,
            "activate" | "endSession" | "recordNotes" | "searchLearnings" | "searchKnowledge" => {
                self.live_in_files(verb, Fields::of("args", args)).await
            }
            "handOver" | "handoffs" | "setHandoff" | "addBlocker" | "blockers" | "setBlocker" | "dispatch"
            | "dispatches" => self.share_files(verb, Fields::of("args", args)).await,
            "writeSession" | "ingestSources" => self.call_session_files(verb, Fields::of("args", args)).await,
            _ => return Err(args),
        })
    }

    async fn look_at_files(&self, verb: &str, mut fields: Fields) -> Result<Json, Error> {
        if verb == "files" {
            let folder = fields.made("folder", TreePath::new);
            fields.finish()?;
            return Ok(Json::Array(self.files(folder.as_ref()).await?.iter().map(info).collect()));
        }
        if verb == "fileNames" {
            let names = fields.texts("names");
            fields.finish()?;
            let told = names.iter().map(|name| {
                let (plain, refused) = self.folder_name(name);
                Json::object(vec![("plain", plain.into()), ("refused", refused.into())])
            });
            return Ok(Json::Array(told.collect()));
        }
        let (path, text) = (path(&mut fields, "path"), fields.text("text"));
        fields.finish()?;
        let path = path?;
        match verb {
            "file" => Ok(self.file(&path).await?.as_ref().map_or(Json::Null, file)),
            "fileHistory" => Ok(Json::Array(self.file_history(&path).await?.iter().map(file).collect())),
            "parseFile" => {
                let text = match text {
                    Some(text) => Some(text),
                    None => self.file(&path).await?.map(|file| file.text),
                };
                Ok(text.map_or(Json::Null, |text| json::document(Kind::of(path.as_str()), &text)))
            }
            _ => Ok(Json::Array(self.lint_file(&path, text.as_deref()).await?.iter().map(warning).collect())),
        }
    }

    async fn change_files(&self, verb: &str, mut fields: Fields) -> Result<Json, Error> {
        if verb == "memoryTool" {
            let (root, command) = (fields.text("root").unwrap_or_default(), fields.value("command"));
            let writable = fields.texts("writable");
            fields.finish()?;
            let command = command_of(command.unwrap_or_default())?;
            let answer = self.memory_tool(&root, &writable, &command).await?;
            let is_error = answer.is_err();
            let text = answer.unwrap_or_else(|problem| problem);
            return Ok(Json::object(vec![("text", text.into()), ("isError", is_error.into())]));
        }
        let path = match verb {
            "moveFile" => path(&mut fields, "from")?,
            _ => self.path_or_file(&mut fields).await?,
        };
        let nothing = fields.is_null("expect");
        let hash = fields.text("expect");
        let expect = match &hash {
            Some(hash) => Expect::Hash(hash),
            None if nothing => Expect::None,
            None => Expect::Any,
        };
        match verb {
            "writeFile" | "appendFile" => {
                let text = fields.required_text("text");
                fields.finish()?;
                let written = match verb {
                    "writeFile" => self.write_file(&path, &text, expect).await?,
                    _ => self.append_file(&path, &text, expect).await?,
                };
                Ok(file(&written))
            }
            "mergeFile" => {
                let (base, text) = (fields.required_text("base"), fields.required_text("text"));
                fields.finish()?;
                let (merged, how) = self.merge_file(&path, &base, &text).await?;
                let conflicts = Json::Array(how.conflicts.iter().map(conflict).collect());
                Ok(Json::object(vec![("file", file(&merged)), ("conflicts", conflicts)]))
            }
            "moveFile" => {
                let to = self::path(&mut fields, "to");
                fields.finish()?;
                Ok(file(&self.move_file(&path, &to?, expect).await?))
            }
            "deleteFile" => {
                fields.finish()?;
                Ok(self.delete_file(&path, expect).await?.into())
            }
            "updateFile" => {
                let value = fields.value("changes").unwrap_or_default();
                fields.finish()?;
                let changes = json::changes(Kind::of(path.as_str()), value)?;
                Ok(file(&self.update_file(&path, &changes, expect).await?))
            }
            _ => {
                let (section, text) = (fields.required_text("section"), fields.required_text("text"));
                fields.finish()?;
                Ok(file(&self.update_section(&path, &section, &text, expect).await?))
            }
        }
    }

    async fn live_in_files(&self, verb: &str, mut fields: Fields) -> Result<Json, Error> {
        if verb == "recordNotes" {
            let (path, notes) = (self.path_or_file(&mut fields).await?, fields.list("entries"));
            fields.finish()?;
            let today = self.today()?;
            let note = |value: Json| match Kind::of(path.as_str()) {
                Kind::Learnings => json::learning(value, &today).map(Note::Learning),
                _ => json::decision(value, &today).map(Note::Decision),
            };
            return Ok(file(&self.record_notes(&path, &each(notes, "entries", note)?).await?));
        }
        let agent = fields.required_text("agent");
        match verb {
            "activate" => {
                let member = fields.flag("member").unwrap_or_default();
                fields.finish()?;
                let loaded = match member {
                    true => self.activate_member(&agent).await?,
                    false => self.activate(&agent).await?,
                };
                Ok(activated(&agent, &loaded))
            }
            "endSession" => {
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
            _ => {
                let (query, limit) = (fields.required_text("query"), fields.count("limit").unwrap_or(5));
                fields.finish()?;
                Ok(Json::Array(match verb {
                    "searchLearnings" => {
                        self.search_learnings(&agent, &query, limit).await?.iter().map(found).collect()
                    }
                    _ => self.search_knowledge(&agent, &query, limit).await?.iter().map(passage).collect(),
                }))
            }
        }
    }

    /// The file that a call is about: by its path, or a documented one of an agent or the team, wherever that is.
    async fn path_or_file(&self, fields: &mut Fields) -> Result<TreePath, Error> {
        let Some(name) = fields.text("file") else { return Ok(path(fields, "path")?) };
        let kind = Kind::named("file", &name)?;
        let agent = if kind.is_teams() { String::new() } else { fields.required_text("agent") };
        self.place_of(kind, &agent).await
    }

    async fn call_session_files(&self, verb: &str, mut fields: Fields) -> Result<Json, Error> {
        if verb == "ingestSources" {
            fields.finish()?;
            let changes = self.ingest_sources().await?;
            let paths = |paths: &[String]| Json::Array(paths.iter().map(|path| path.as_str().into()).collect());
            return Ok(Json::object(vec![("added", paths(&changes.added)), ("removed", paths(&changes.removed))]));
        }
        let session = fields.made("session", SessionId::new);
        let folder = fields.made("folder", TreePath::new);
        fields.finish()?;
        let session = session.ok_or_else(|| Invalid::value("session", "is required"))?;
        Ok(Json::Array(self.write_session(&session, folder.as_ref()).await?.iter().map(file).collect()))
    }

    async fn share_files(&self, verb: &str, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            "handOver" => {
                let handoff = json::handoff(fields, &self.this_minute()?)?;
                return Ok(entry(&self.hand_over(&handoff).await?));
            }
            "addBlocker" => return Ok(entry(&self.add_blocker(&json::blocker(fields)?).await?)),
            "dispatch" => {
                let (lead, now) = (fields.required_text("lead"), self.this_minute()?);
                let dispatch = json::dispatch(fields, &now)?;
                return Ok(json::dispatched(&self.dispatch(&lead, &dispatch).await?));
            }
            "dispatches" => {
                let lead = fields.required_text("lead");
                fields.finish()?;
                return Ok(Json::Array(self.dispatches(&lead).await?.iter().map(json::dispatched).collect()));
            }
            _ => {}
        }
        let status = fields.made("status", |field, name| Status::new(field, &name));
        match verb {
            "handoffs" => {
                let to = fields.text("to");
                fields.finish()?;
                Ok(json::entries(&self.handoffs(to.as_deref(), status).await?))
            }
            "blockers" => {
                fields.finish()?;
                Ok(json::entries(&self.blockers(status).await?))
            }
            _ => {
                let heading = fields.required_text("heading");
                let texts = ["task", "result", "resolvedBy", "resolution"].map(|name| match (verb, name) {
                    ("setHandoff", "task" | "result") | ("setBlocker", "resolvedBy" | "resolution") => {
                        fields.text(name)
                    }
                    _ => None,
                });
                fields.finish()?;
                let status = status.ok_or_else(|| Invalid::value("status", "is required"))?;
                let [task, result, resolved_by, resolution] = texts.each_ref().map(Option::as_deref);
                let set = match verb {
                    "setHandoff" => self.set_handoff(&heading, task, status, result).await?,
                    _ => self.set_blocker(&heading, status, resolved_by, resolution).await?,
                };
                Ok(entry(&set))
            }
        }
    }
}

fn path(fields: &mut Fields, name: &'static str) -> Result<TreePath, Invalid> {
    TreePath::new(name, fields.required_text(name))
}

fn each<T>(values: Vec<Json>, field: &str, read: impl Fn(Json) -> Result<T, Invalid>) -> Result<Vec<T>, Invalid> {
    let one = |(at, value)| read(value).map_err(|mistake| mistake.within(&format!("{field}[{at}]")));
    values.into_iter().enumerate().map(one).collect()
}

fn of_context(value: Json) -> Result<Changes, Invalid> {
    json::changes(Kind::Context, value).map_err(|mistake| mistake.within("context"))
}

/// A command of the memory tool.
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

fn file(file: &File) -> Json {
    let Json::Object(mut fields) = info(file) else { return Json::Null };
    fields.push(("text".to_owned(), file.text.as_str().into()));
    Json::Object(fields)
}

/// A file without its text.
fn info(file: &File) -> Json {
    Json::object(vec![
        ("path", file.path.as_str().into()),
        ("hash", file.hash.as_str().into()),
        ("version", file.version.into()),
        ("updatedAt", file.updated_at.to_string().into()),
        ("size", file.text.len().into()),
    ])
}

fn entry(entry: &Entry) -> Json {
    Json::object(json::entry_fields(entry))
}

fn found(found: &FoundEntry) -> Json {
    let mut fields = json::entry_fields(&found.entry);
    fields.extend([("text", found.text.as_str().into()), ("score", found.score.into())]);
    Json::object(fields)
}

fn passage(found: &FoundPassage) -> Json {
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

fn warning(warning: &Warning) -> Json {
    Json::object(vec![
        ("rule", warning.rule.into()),
        ("line", warning.line.into()),
        ("message", warning.message.into()),
    ])
}
