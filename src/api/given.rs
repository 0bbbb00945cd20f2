//! What a caller gives: options with the first mistake in them, and the loose forms of times, namespaces and contents.

use crate::memory::Error;
use crate::model::{Block, BlockKind, Invalid, Timestamp};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Options, and the first mistake in them.
#[derive(Clone, Debug)]
pub(super) struct Given<T> {
    pub(super) value: T,
    mistake: Option<Invalid>,
}

impl<T> Given<T> {
    pub(super) fn new(value: T) -> Self {
        Self { value, mistake: None }
    }

    pub(super) fn set<V>(&mut self, made: Result<V, Invalid>, put: impl FnOnce(&mut T, V)) {
        match made {
            Ok(made) => put(&mut self.value, made),
            Err(mistake) => {
                self.mistake.get_or_insert(mistake);
            }
        }
    }

    pub(super) fn invalid(&self) -> Result<(), Invalid> {
        self.mistake.clone().map_or(Ok(()), Err)
    }

    pub(super) fn checked(self) -> Result<T, Error> {
        self.invalid()?;
        Ok(self.value)
    }
}

/// The namespace of entries that expire after 14 days, `short-term`: the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortTerm;

/// The namespace of entries that are kept for ten years, `long-term`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongTerm;

impl From<ShortTerm> for String {
    fn from(_: ShortTerm) -> Self {
        "short-term".to_owned()
    }
}

impl From<LongTerm> for String {
    fn from(_: LongTerm) -> Self {
        "long-term".to_owned()
    }
}

/// A time as a caller has it: a [`Timestamp`], a [`SystemTime`], milliseconds since 1970, or ISO 8601 in UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When(Form);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Known(Timestamp),
    Millis(i64),
    Text(String),
}

impl When {
    pub(super) fn timestamp(self, field: &str) -> Result<Timestamp, Invalid> {
        match self.0 {
            Form::Known(at) => Ok(at),
            Form::Millis(millis) => Timestamp::from_millis(field, millis),
            Form::Text(text) => Timestamp::parse(field, &text),
        }
    }
}

impl From<Timestamp> for When {
    fn from(at: Timestamp) -> Self {
        Self(Form::Known(at))
    }
}

impl From<i64> for When {
    fn from(millis: i64) -> Self {
        Self(Form::Millis(millis))
    }
}

impl From<&str> for When {
    fn from(text: &str) -> Self {
        Self(Form::Text(text.to_owned()))
    }
}

impl From<String> for When {
    fn from(text: String) -> Self {
        Self(Form::Text(text))
    }
}

impl From<SystemTime> for When {
    fn from(at: SystemTime) -> Self {
        let millis = |span: Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        Self(Form::Millis(at.duration_since(UNIX_EPOCH).map_or_else(|before| -millis(before.duration()), millis)))
    }
}

/// The content of a message: a string, or blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Content(pub(super) Vec<Block>);

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self(vec![Block::text(text)])
    }
}

impl From<&String> for Content {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}

impl From<Block> for Content {
    fn from(block: Block) -> Self {
        Self(vec![block])
    }
}

impl From<BlockKind> for Content {
    fn from(kind: BlockKind) -> Self {
        Self(vec![kind.into()])
    }
}

impl From<Vec<Block>> for Content {
    fn from(blocks: Vec<Block>) -> Self {
        Self(blocks)
    }
}

/// A lifetime in milliseconds; one that does not fit is as long as there is.
pub(super) fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_in_each_of_its_forms() {
        let at = Timestamp::from_millis("at", 1_735_812_000_000).unwrap();
        let forms = [
            When::from(at),
            1_735_812_000_000.into(),
            "2025-01-02T10:00:00Z".into(),
            (UNIX_EPOCH + Duration::from_millis(1_735_812_000_000)).into(),
        ];
        for form in forms {
            assert_eq!(form.timestamp("at"), Ok(at));
        }
        let before = When::from(UNIX_EPOCH - Duration::from_millis(5)).timestamp("at").unwrap();
        assert_eq!(before.millis(), -5);
        assert_eq!(When::from("noon").timestamp("from").unwrap_err().field(), "from");
        assert_eq!(When::from(i64::MAX).timestamp("until").unwrap_err().field(), "until");
    }

    #[test]
    fn the_first_mistake_is_kept_until_the_end() {
        let mut given = Given::new(0);
        given.set(Ok(1), |value, one| *value = one);
        given.set(Err::<(), _>(Invalid::value("first", "is wrong")), |_, ()| {});
        given.set(Err::<(), _>(Invalid::value("second", "is wrong")), |_, ()| {});
        assert_eq!(given.checked().unwrap_err().field(), Some("first"));
    }
}
