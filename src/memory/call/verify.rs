//! JSON verbs that check the log and all stored data, raise the trust in an entry, and roll back.

use super::verb::Checks;
use crate::codec::json::{self, Fields};
use crate::memory::audit::frozen::Verdict;
use crate::memory::audit::rollback::{RollbackScope, rolled_back};
use crate::memory::audit::verify::{StoredProblem, Verification};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{EntryId, Invalid, Json, SessionId, Trust};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Verbs that check stored data.
    pub(super) async fn check_verbs(&self, verb: Checks, mut fields: Fields) -> Result<Json, Error> {
        match verb {
            Checks::Verify => {
                let repair = fields.flag("repair").unwrap_or_default();
                fields.finish()?;
                Ok(verification(&self.verify(repair).await?))
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

fn verification(Verification { checked, problems }: &Verification) -> Json {
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

fn verdict(verdict: &Verdict) -> Json {
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
