//! JSON verbs that check the log and all stored data, raise the trust in an entry, roll back, and settle conflicts.

use super::verb::Checks;
use super::verbs::with_content;
use crate::codec::json::{self, Fields, each};
use crate::memory::audit::frozen::Verdict;
use crate::memory::audit::rollback::{RollbackScope, rolled_back};
use crate::memory::audit::verify::{StoredProblem, Verification};
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::prompt::conflicts::{Conflict, Keep, past};
use crate::model::{AgentId, EntryId, Invalid, Json, SessionId, Trust};
use crate::store::Store;

/// How many conflicts are listed by default.
const CONFLICTS: usize = 50;

impl<S: Store, E: Env> Memory<S, E> {
    /// Verbs that check stored data.
    pub(super) async fn check_verbs(&self, verb: Checks, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            Checks::Verify => {
                let repair = fields.flag("repair").unwrap_or_default();
                fields.finish()?;
                Ok(verification(&self.verify(repair).await?))
            }
            Checks::AddMany => {
                let drafts = fields.list("drafts");
                fields.finish()?;
                let entries = self.add_many(each(drafts, "drafts", json::draft)?).await?;
                Ok(Json::Array(entries.iter().map(json::entry).collect()))
            }
            Checks::Promote => {
                let (id, by) = (fields.required_text("id"), fields.required_text("by"));
                let why = fields.required_text("why");
                let trust = fields.made("trust", |field, word| Trust::new(field, &word));
                fields.finish()?;
                let trust = trust.ok_or_else(|| Invalid::value("trust", "is required"))?;
                Ok(json::entry(&self.promote(&EntryId::new("id", id)?, trust, &by, &why).await?))
            }
            Checks::Rollback => {
                let scopes: Vec<RollbackScope> = [
                    fields.text("source").map(RollbackScope::Source),
                    fields.made("session", SessionId::new).map(RollbackScope::Session),
                    fields.time("since").map(RollbackScope::Since),
                ]
                .into_iter()
                .flatten()
                .collect();
                let preview = fields.flag("preview").unwrap_or_default();
                fields.finish()?;
                let [scope] = &scopes[..] else {
                    return Err(Invalid::value("source", "exactly one of source, session and since is required").into());
                };
                Ok(rolled_back(&self.rollback(scope, preview).await?))
            }
            Checks::Conflicts => {
                let (agent, limit) = (fields.made("agent", AgentId::new), fields.count("limit").unwrap_or(CONFLICTS));
                fields.finish()?;
                let found = self.conflicts(agent.as_ref().map(AgentId::as_str), limit).await?;
                Ok(Json::Array(found.iter().map(conflict).collect()))
            }
            Checks::Resolve => {
                let (id, keep) = (fields.required_text("id"), fields.required_text("keep"));
                fields.finish()?;
                let keep = match keep.as_str() {
                    "newer" => Keep::Newer,
                    "older" => Keep::Older,
                    "both" => Keep::Both,
                    _ => return Err(Invalid::value("keep", "must be newer, older or both").into()),
                };
                Ok(past(&self.resolve(&id, keep).await?))
            }
            Checks::LogVerify => {
                fields.finish()?;
                Ok(verdict(&self.verify_log().await?))
            }
            Checks::LogCheck => {
                let exported = fields.texts("lines");
                fields.finish()?;
                Ok(verdict(&self.check_lines(&exported).await?))
            }
        }
    }
}

pub(crate) fn conflict(Conflict { id, newer, older }: &Conflict) -> Json {
    Json::object(vec![("id", id.as_str().into()), ("newer", with_content(newer)), ("older", with_content(older))])
}

pub(crate) fn verification(Verification { checked, problems }: &Verification) -> Json {
    let problem = |problem: &StoredProblem| {
        Json::object(vec![
            ("kind", problem.kind.into()),
            ("name", problem.name.as_str().into()),
            ("session", problem.session.as_ref().map(SessionId::as_str).into()),
            ("damage", problem.damage.as_str().into()),
            ("problem", problem.text.into()),
            ("repaired", problem.repaired.into()),
        ])
    };
    Json::object(vec![
        ("ok", problems.iter().all(|problem| problem.repaired).into()),
        ("checked", (*checked).into()),
        ("problems", Json::Array(problems.iter().map(problem).collect())),
    ])
}

pub(crate) fn verdict(verdict: &Verdict) -> Json {
    let problem = verdict.problem.as_ref();
    Json::object(vec![
        ("ok", problem.is_none().into()),
        ("links", verdict.links.into()),
        ("seq", problem.map(|problem| problem.seq).into()),
        ("line", problem.and_then(|problem| problem.line).into()),
        ("damage", problem.map(|problem| problem.damage.as_str()).into()),
        ("problem", problem.map(|problem| problem.text).into()),
    ])
}
