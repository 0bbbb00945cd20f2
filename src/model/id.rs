//! Names that callers give to things: any Unicode text of 1 to 256 bytes, compared byte by byte.

use super::Invalid;
use std::fmt;

/// Long enough for a URL or two UUIDs, short enough that a key of several parts fits every backend.
const MAX_BYTES: usize = 256;

fn check(field: &str, text: &str) -> Result<(), Invalid> {
    match text.len() {
        0 => Err(Invalid::value(field, "must not be empty")),
        1..=MAX_BYTES => Ok(()),
        actual => Err(Invalid::too_large(field, MAX_BYTES, actual)),
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// Takes `text`, or says why `field` cannot be it.
            pub fn new(field: &str, text: impl Into<String>) -> Result<Self, Invalid> {
                let text = text.into();
                check(field, &text)?;
                Ok(Self(text))
            }

            /// The text as it was given.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// The tenant: whose memory it is.
    UserId
}
id! {
    /// One stored entry. Called `refId` where tools speak of it.
    EntryId
}

id! {
    /// A conversation, or another stretch of time that belongs together.
    SessionId
}
id! {
    /// One message of a conversation.
    MessageId
}
id! {
    /// Who wrote an entry: the agent that remembers.
    AgentId
}
id! {
    /// Who says what an entry tells: a person's name, or a role.
    Speaker
}
id! {
    /// What a fact is about. There is one fact for a key: a newer one takes the place of the older.
    FactKey
}

impl EntryId {
    /// An id of its own for a new entry: eight random bytes in hex (D24).
    pub fn from_entropy(bytes: [u8; 8]) -> Self {
        Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s8_odd_ids_are_ids_and_absurd_ones_are_refused() {
        for odd in ["hasOwnProperty", "__proto__", "a:b", "%_\\", "\u{0}", "việt", "👩‍🚀"] {
            assert_eq!(EntryId::new("id", odd).unwrap().as_str(), odd);
        }
        assert_eq!(EntryId::new("id", "").unwrap_err().field(), "id");
        let huge = "x".repeat(10_000_000);
        assert_eq!(EntryId::new("id", huge).unwrap_err(), Invalid::too_large("id", 256, 10_000_000));
    }

    #[test]
    fn d24_generated_ids_are_sixteen_hex_digits() {
        assert_eq!(EntryId::from_entropy([0, 1, 2, 3, 4, 5, 254, 255]).as_str(), "000102030405feff");
    }
}
