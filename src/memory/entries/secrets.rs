//! Secrets in the text of an explicit write: replaced by their kind, or refused, if the caller asks for it.

#[cfg(feature = "full")]
use crate::judgement::without_secrets;
use crate::memory::engine::{Env, Memory};
#[cfg(feature = "full")]
use crate::model::add_kinds;
use crate::model::{Invalid, SecretKind, SecretRule};
use crate::store::Store;

impl<S: Store, E: Env> Memory<S, E> {
    /// Replaces the secrets in a content and its summary, and returns their kinds, or refuses them.
    #[cfg(feature = "full")]
    pub(super) fn apply_secret_rule(
        &self,
        rule: Option<SecretRule>,
        content: Option<&mut String>,
        summary: Option<&mut String>,
    ) -> Result<Vec<SecretKind>, Invalid> {
        let mut kinds = Vec::new();
        let Some(rule) = rule else { return Ok(kinds) };
        let mut values: Vec<(String, SecretKind)> = Vec::new();
        for (field, text) in [("content", content), ("summary", summary)] {
            let Some(text) = text else { continue };
            // A summary may repeat a secret without the words by which it is known.
            for (value, kind) in &values {
                *text = text.replace(value.as_str(), &kind.mark());
            }
            let found = self.aside(|| self.judged(text, |judge, _| judge.secrets(text)));
            values = found.iter().filter_map(|one| Some((text.get(one.range.clone())?.to_owned(), one.kind))).collect();
            let (plain, own) = without_secrets(text, &found);
            if rule == SecretRule::Refuse && !own.is_empty() {
                let names = own.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
                let why = format!("must not hold a secret ({names}): remove it, or choose `redact` for `secrets`");
                return Err(Invalid::value(field, why));
            }
            *text = plain;
            add_kinds(&mut kinds, own);
        }
        Ok(kinds)
    }

    /// The small module cannot judge texts, and reads no rule.
    #[cfg(not(feature = "full"))]
    pub(super) fn apply_secret_rule(
        &self,
        _rule: Option<SecretRule>,
        _content: Option<&mut String>,
        _summary: Option<&mut String>,
    ) -> Result<Vec<SecretKind>, Invalid> {
        Ok(Vec::new())
    }
}
