//! Ids from callers: any Unicode string of 1 to 256 bytes, compared byte by byte.

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
            /// Validates an id; errors name `field`.
            pub fn new(field: &str, text: impl Into<String>) -> Result<Self, Invalid> {
                let text = text.into();
                check(field, &text)?;
                Ok(Self(text))
            }

            /// The id as a string.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl From<&$name> for String {
            fn from(id: &$name) -> Self {
                id.0.clone()
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
    /// The tenant: the user whose memory it is.
    UserId
}
id! {
    /// One stored entry. Tools call it `refId`.
    EntryId
}

id! {
    /// A conversation, or another period that belongs together.
    SessionId
}
id! {
    /// One message of a conversation.
    MessageId
}
id! {
    /// The agent that wrote an entry.
    AgentId
}
id! {
    /// The speaker of an entry: a person's name, or a role.
    Speaker
}
id! {
    /// The subject of a fact. There is one fact per key: a newer one replaces the older.
    FactKey
}

impl EntryId {
    /// A generated id: eight random bytes in hex (D24).
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
