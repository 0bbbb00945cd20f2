//! Reads an object field by field: errors name the path, and an unknown field is an error.

use crate::model::{Invalid, Json, Metadata, Timestamp};

/// The fields of an object that have not been read yet. `null` counts as missing.
///
/// An error does not end the reading: the first one is kept, and [`finish`](Self::finish) returns it. So a reader is
/// just a list of fields.
#[derive(Debug)]
pub struct Fields {
    rest: Vec<(String, Json)>,
    asked: Vec<&'static str>,
    mistake: Option<Invalid>,
}

impl Fields {
    /// The fields of an object; `what` names it in the error if it is none.
    pub fn of(what: &str, value: Json) -> Self {
        let (rest, mistake) = match value {
            Json::Object(rest) => (rest, None),
            Json::Null => (Vec::new(), None),
            _ => (Vec::new(), Some(Invalid::value(what, "must be an object"))),
        };
        Self { rest, asked: Vec::new(), mistake }
    }

    /// Records an error, unless there was one before.
    pub fn refuse(&mut self, mistake: Invalid) {
        self.mistake.get_or_insert(mistake);
    }

    /// The value, or records the error.
    pub fn accept<T>(&mut self, made: Result<T, Invalid>) -> Option<T> {
        made.map_err(|mistake| self.refuse(mistake)).ok()
    }

    /// Whether the field exists.
    pub fn has(&self, name: &str) -> bool {
        self.rest.iter().any(|(field, value)| field == name && !value.is_null())
    }

    /// Whether the field is an explicit `null`, where that differs from a missing one.
    pub fn is_null(&self, name: &str) -> bool {
        self.rest.iter().any(|(field, value)| field == name && value.is_null())
    }

    /// A field of any type.
    pub fn value(&mut self, name: &'static str) -> Option<Json> {
        self.asked.push(name);
        let mut found = None;
        // Of duplicate fields the last one counts.
        while let Some(at) = self.rest.iter().rposition(|(field, _)| field == name) {
            let (_, value) = self.rest.remove(at);
            found.get_or_insert(value);
        }
        found.filter(|value| !value.is_null())
    }

    /// A field of a type; `kind` completes "must be …".
    fn typed<T>(&mut self, name: &'static str, kind: &str, read: impl FnOnce(Json) -> Option<T>) -> Option<T> {
        let value = self.value(name)?;
        let read = read(value);
        if read.is_none() {
            self.refuse(Invalid::value(name, format!("must be {kind}")));
        }
        read
    }

    /// A string.
    pub fn text(&mut self, name: &'static str) -> Option<String> {
        self.typed(name, "a string", |value| if let Json::String(text) = value { Some(text) } else { None })
    }

    /// A required string.
    pub fn required_text(&mut self, name: &'static str) -> String {
        let there = self.has(name);
        let text = self.text(name);
        if !there {
            self.refuse(Invalid::value(name, "is required"));
        }
        text.unwrap_or_default()
    }

    /// The value that `make` makes of a string.
    pub fn made<T>(&mut self, name: &'static str, make: impl FnOnce(&str, String) -> Result<T, Invalid>) -> Option<T> {
        let text = self.text(name)?;
        self.accept(make(name, text))
    }

    /// A number.
    pub fn number(&mut self, name: &'static str) -> Option<f64> {
        self.typed(name, "a number", |value| value.as_f64())
    }

    /// A timestamp: milliseconds since 1970, or an ISO 8601 string as `Timestamp` writes it.
    pub fn time(&mut self, name: &'static str) -> Option<Timestamp> {
        let made = match self.value(name)? {
            Json::String(text) => Timestamp::parse(name, &text),
            Json::Number(number) => Timestamp::from_millis(name, number.as_f64() as i64),
            _ => Err(Invalid::value(name, "must be a time: milliseconds since 1970, or ISO 8601")),
        };
        self.accept(made)
    }

    /// A non-negative integer.
    pub fn count(&mut self, name: &'static str) -> Option<usize> {
        let number = self.number(name)?;
        if number.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(&number) {
            return Some(number.min(u32::MAX.into()) as usize);
        }
        self.refuse(Invalid::value(name, "must be a non-negative integer"));
        None
    }

    /// A boolean.
    pub fn flag(&mut self, name: &'static str) -> Option<bool> {
        self.typed(name, "true or false", |value| if let Json::Bool(flag) = value { Some(flag) } else { None })
    }

    /// An array of numbers.
    pub fn numbers(&mut self, name: &'static str) -> Option<Vec<f32>> {
        self.typed(name, "a list of numbers", |value| {
            value.as_array()?.iter().map(|number| Some(number.as_f64()? as f32)).collect()
        })
    }

    /// An array of any values; empty if missing.
    pub fn list(&mut self, name: &'static str) -> Vec<Json> {
        let read = |value| if let Json::Array(items) = value { Some(items) } else { None };
        self.typed(name, "a list", read).unwrap_or_default()
    }

    /// An array of strings; empty if missing.
    pub fn texts(&mut self, name: &'static str) -> Vec<String> {
        let items = self
            .typed(name, "a list of strings", |value| if let Json::Array(items) = value { Some(items) } else { None });
        let mut texts = Vec::new();
        for (at, item) in items.unwrap_or_default().into_iter().enumerate() {
            match item {
                Json::String(text) => texts.push(text),
                _ => self.refuse(Invalid::value(format!("{name}[{at}]"), "must be a string")),
            }
        }
        texts
    }

    /// A string under one of two names; the first has priority.
    pub fn either(&mut self, name: &'static str, other: &'static str) -> Option<String> {
        let name = self.named(name, other);
        self.text(name)
    }

    /// The name in use of two names of a field; the first has priority.
    pub fn named(&mut self, name: &'static str, other: &'static str) -> &'static str {
        let (found, unused) = if self.has(name) { (name, other) } else { (other, name) };
        if !self.has(unused) {
            // The other may exist as `null`, which counts as missing.
            self.value(unused);
        }
        found
    }

    /// The unread fields, in order, for an object that may have fields of its own.
    pub fn others(self) -> Result<Vec<(String, Json)>, Invalid> {
        self.mistake.map_or(Ok(self.rest), Err)
    }

    /// The unread fields, which count as read from now on.
    pub fn rest(&mut self) -> Vec<(String, Json)> {
        std::mem::take(&mut self.rest)
    }

    /// The unread fields, where the documents have a free dictionary: the app's own data is kept. One of the `known`
    /// names, in any spelling, is refused, since it would be ambiguous when it is read.
    pub fn own(&mut self, what: &str, known: &[&str]) -> Metadata {
        let mut own = self.rest();
        own.retain(|(name, _)| {
            let is_known = known.iter().any(|known| spelled_alike(known, name));
            if is_known {
                self.refuse(Invalid::value(shown(name), "is a reserved name; choose another"));
            }
            !is_known
        });
        self.accept(Metadata::new(what, Json::Object(own))).unwrap_or_default()
    }

    /// The first error; an unread field is one.
    pub fn finish(self) -> Result<(), Invalid> {
        if let Some(mistake) = self.mistake {
            return Err(mistake);
        }
        match self.rest.into_iter().next() {
            None => Ok(()),
            Some((name, _)) => {
                let name = shown(&name);
                let reason = match nearest(&name, &self.asked) {
                    Some(known) => format!("is not a known field; did you mean `{known}`?"),
                    None => format!("is not a known field; known are: {}", self.asked.join(", ")),
                };
                Err(Invalid::value(name, reason))
            }
        }
    }
}

/// Reads each item of a list, and names the item in errors.
pub fn each<T>(items: Vec<Json>, name: &str, read: impl Fn(Json) -> Result<T, Invalid>) -> Result<Vec<T>, Invalid> {
    let item = |(at, value)| read(value).map_err(|mistake| mistake.within(&format!("{name}[{at}]")));
    items.into_iter().enumerate().map(item).collect()
}

/// A name is the caller's own text, so only as much of it is repeated as helps to find it.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(64).collect()
}

/// Whether two names differ only in case and underscores: `task_type`, `taskType`.
fn spelled_alike(one: &str, other: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = u8> {
        name.bytes().filter(|byte| *byte != b'_').map(|byte| byte.to_ascii_lowercase())
    }
    letters(one).eq(letters(other))
}

/// The known name that was probably meant: at most two fifths of it differ.
fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let near = |known: &&&str| spelled_alike(known, name) || distance(known, name) * 5 <= known.len() * 2;
    known.iter().filter(near).min_by_key(|known| distance(known, name)).copied()
}

/// The edit distance of two names.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.bytes().enumerate() {
        let mut diagonal = at;
        let mut left = at + 1;
        for (cell, byte) in row.iter_mut().zip(std::iter::once(None).chain(other.bytes().map(Some))) {
            let Some(byte) = byte else {
                *cell = at + 1;
                continue;
            };
            let best = (diagonal + usize::from(byte != letter)).min(left + 1).min(*cell + 1);
            diagonal = std::mem::replace(cell, best);
            left = best;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::json::parse;

    fn fields(text: &str) -> Fields {
        Fields::of("draft", parse(text).unwrap())
    }

    /// The field that an error names.
    fn refused<T>(text: &str, read: impl FnOnce(&mut Fields) -> T) -> String {
        let mut fields = fields(text);
        read(&mut fields);
        fields.finish().unwrap_err().field().to_owned()
    }

    #[test]
    fn mistakes_are_named_by_their_path() {
        assert_eq!(refused(r#"{"a": 1}"#, |fields| fields.text("a")), "a");
        assert_eq!(refused(r#"{"a": "x"}"#, |fields| fields.number("a")), "a");
        assert_eq!(refused(r#"{"a": ["y", 2]}"#, |fields| fields.texts("a")), "a[1]");
        assert_eq!(refused(r#"{"a": -1}"#, |fields| fields.count("a")), "a");
        assert_eq!(refused(r#"{"a": 1.5}"#, |fields| fields.count("a")), "a");
        assert_eq!(refused(r#"{"a": "yes"}"#, |fields| fields.flag("a")), "a");
        assert_eq!(refused(r#"{"a": "noon"}"#, |fields| fields.time("a")), "a");
        assert_eq!(refused(r#"{"a": null}"#, |fields| fields.required_text("a")), "a");
        assert_eq!(refused("[]", |_| {}), "draft");
        let first_counts = |fields: &mut Fields| {
            fields.text("a");
            fields.text("b");
        };
        assert_eq!(refused(r#"{"b": 1, "a": 2, "c": 3}"#, first_counts), "a");
    }

    #[test]
    fn a_field_of_two_names_may_be_null_by_either_and_not_be_there_twice() {
        for text in [r#"{"a": null, "b": "x"}"#, r#"{"a": "x", "b": null}"#, r#"{"b": "x"}"#] {
            let mut fields = fields(text);
            assert_eq!(fields.either("a", "b").as_deref(), Some("x"));
            assert_eq!(fields.finish(), Ok(()));
        }
        let mut none = fields(r#"{"a": null, "b": null}"#);
        assert_eq!((none.either("a", "b"), none.finish()), (None, Ok(())));
        assert_eq!(refused(r#"{"a": "x", "b": "y"}"#, |fields| fields.either("a", "b")), "b");
    }

    #[test]
    fn a_field_nobody_asked_for_is_refused() {
        let mut fields = fields(r#"{"contant": "typo"}"#);
        fields.text("content");
        let refused = fields.finish().unwrap_err().to_string();
        assert_eq!(refused, "`contant` is not a known field; did you mean `content`?");
    }

    #[test]
    fn the_nearest_known_field_is_named() {
        let known = ["taskType", "toolName", "tags", "ttl", "importance", "includeContent"];
        let near = |name: &str| nearest(name, &known);
        assert_eq!(near("task_type"), Some("taskType"));
        assert_eq!(near("TASKTYPE"), Some("taskType"));
        assert_eq!(near("tag"), Some("tags"));
        assert_eq!(near("imporance"), Some("importance"));
        assert_eq!(near("include_contents"), Some("includeContent"));
        assert_eq!(near("colour"), None);
        assert_eq!(near(""), None);
        assert_eq!((distance("kitten", "sitting"), distance("", "abc"), distance("abc", "")), (3, 3, 3));
        let text = fields(r#"{"colour": 1}"#).finish().unwrap_err().to_string();
        assert_eq!(text, "`colour` is not a known field; known are: ");
    }

    #[test]
    fn b11_own_fields_are_kept_as_given_unless_their_name_is_taken() {
        let mut free = fields(r#"{"known": "k", "b": [1, {"c": null}], "a": 1.10}"#);
        free.text("known");
        assert_eq!(free.own("draft", &["known", "at"]).to_json().to_string(), r#"{"b":[1,{"c":null}],"a":1.10}"#);
        assert_eq!(free.finish(), Ok(()));
        let read = |fields: &mut Fields| {
            fields.either("taskType", "task_type");
            fields.own("draft", &["taskType", "at"])
        };
        assert_eq!(refused(r#"{"taskType": "x", "task_type": "y"}"#, read), "task_type");
        assert_eq!(refused(r#"{"at": 1}"#, read), "at");
        assert_eq!(refused(&format!(r#"{{"a": "{}"}}"#, "x".repeat(70_000)), read), "draft");
    }
}
