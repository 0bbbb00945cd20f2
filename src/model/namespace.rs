//! Namespaces and their rules: short-term and long-term, with the documented limits (D3, D6).

use super::Invalid;
use std::fmt;

const MAX_BYTES: usize = 64;

/// The name of a namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Namespace(String);

impl Namespace {
    /// Validates a name of 1 to 64 bytes. It need not be configured, which [`Namespaces::find`] checks: an entry that
    /// was written under another configuration keeps its namespace.
    pub fn new(field: &str, name: impl Into<String>) -> Result<Self, Invalid> {
        let name = name.into();
        match name.len() {
            0 => Err(Invalid::value(field, "must not be empty")),
            1..=MAX_BYTES => Ok(Self(name)),
            actual => Err(Invalid::too_large(field, MAX_BYTES, actual)),
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The rules of a namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct NamespaceRules {
    /// The most entries: at this number, a new one evicts an old one (X6).
    pub max_entries: usize,
    /// The lifetime of an entry in days.
    pub ttl_days: u32,
    /// The most characters of a content; longer ones are cut.
    pub max_content_chars: usize,
    /// The most characters of a summary.
    pub max_summary_chars: usize,
}

/// The namespaces of a memory. An unknown name is refused, never created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namespaces(Vec<(Namespace, NamespaceRules)>);

impl Namespaces {
    /// The default namespace.
    pub const DEFAULT: &'static str = "short-term";

    /// Sets the rules of a namespace, which is added if missing.
    pub fn set(&mut self, namespace: Namespace, rules: NamespaceRules) {
        match self.0.iter_mut().find(|(known, _)| *known == namespace) {
            Some((_, old)) => *old = rules,
            None => self.0.push((namespace, rules)),
        }
    }

    /// The rules of a namespace; those of the short-term one if it is not configured.
    pub fn rules_of(&self, namespace: &Namespace) -> NamespaceRules {
        let known = self.0.iter().find(|(known, _)| known == namespace);
        known.map_or_else(|| rules(2000, 14, 200_000), |(_, rules)| rules.clone())
    }

    /// The names, in the order they were set.
    pub fn names(&self) -> impl Iterator<Item = &Namespace> {
        self.0.iter().map(|(name, _)| name)
    }

    /// The namespace with this name, and its rules.
    pub fn find(&self, field: &str, name: &str) -> Result<(Namespace, &NamespaceRules), Invalid> {
        match self.0.iter().find(|(known, _)| known.as_str() == name) {
            Some((namespace, rules)) => Ok((namespace.clone(), rules)),
            None => {
                let known: Vec<&str> = self.0.iter().map(|(known, _)| known.as_str()).collect();
                Err(Invalid::value(field, format!("must be one of: {}", known.join(", "))))
            }
        }
    }
}

fn rules(max_entries: usize, ttl_days: u32, max_content_chars: usize) -> NamespaceRules {
    NamespaceRules { max_entries, ttl_days, max_content_chars, max_summary_chars: 1200 }
}

impl Default for Namespaces {
    fn default() -> Self {
        Self(vec![
            (Namespace("short-term".to_owned()), rules(2000, 14, 200_000)),
            (Namespace("long-term".to_owned()), rules(20_000, 3650, 500_000)),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d6_the_documented_limits_are_the_defaults_and_d36_unknown_names_are_refused() {
        let known = Namespaces::default();
        let (_, short) = known.find("namespace", "short-term").unwrap();
        assert_eq!(short.max_entries, 2000);
        assert_eq!((short.ttl_days, short.max_content_chars, short.max_summary_chars), (14, 200_000, 1200));
        let (_, long) = known.find("namespace", "long-term").unwrap();
        assert_eq!(long.max_entries, 20_000);
        assert_eq!((long.ttl_days, long.max_content_chars, long.max_summary_chars), (3650, 500_000, 1200));
        let refused = known.find("namespace", "secret").unwrap_err();
        assert_eq!(refused.to_string(), "`namespace` must be one of: short-term, long-term");
    }
}
