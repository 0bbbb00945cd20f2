//! Secrets in a text: their kinds, and the rule of a write for them.

use super::Invalid;

/// The kind of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretKind {
    /// The key of an API, or a long random number.
    ApiKey,
    /// The block of a private key.
    PrivateKey,
    /// A token, such as a JSON Web Token.
    Token,
    /// A password or passphrase.
    Password,
    /// A short number.
    Pin,
    /// The number of a card.
    Card,
    /// The number of a bank account, or another long number.
    Account,
}

const KINDS: [SecretKind; 7] = [
    SecretKind::ApiKey,
    SecretKind::PrivateKey,
    SecretKind::Token,
    SecretKind::Password,
    SecretKind::Pin,
    SecretKind::Card,
    SecretKind::Account,
];

impl SecretKind {
    /// The public name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ApiKey => "api key",
            Self::PrivateKey => "private key",
            Self::Token => "token",
            Self::Password => "password",
            Self::Pin => "pin",
            Self::Card => "card number",
            Self::Account => "account number",
        }
    }

    /// The kind with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.name() == name)
    }
}

/// Adds kinds, each once.
pub(crate) fn add_kinds(kinds: &mut Vec<SecretKind>, more: impl IntoIterator<Item = SecretKind>) {
    for kind in more {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
}

/// The rule of a write for secrets in its text. Without a rule they are stored as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretRule {
    /// Each secret is replaced by its kind.
    Redact,
    /// The write is refused.
    Refuse,
}

impl SecretRule {
    /// The rule with this name.
    pub fn new(field: &str, word: &str) -> Result<Self, Invalid> {
        match word {
            "redact" => Ok(Self::Redact),
            "refuse" => Ok(Self::Refuse),
            _ => Err(Invalid::value(field, "must be one of: redact, refuse")),
        }
    }
}
