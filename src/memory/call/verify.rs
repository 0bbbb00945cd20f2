//! JSON verbs that check the log and all stored data.

use super::verb::Checks;
use crate::codec::json::Fields;
use crate::memory::audit::frozen::Verdict;
use crate::memory::audit::verify::{StoredProblem, Verification};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Json, SessionId};
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
