//! The caller's own data beside an entry: a JSON object, kept unchanged, with limits of size and depth.

use super::{Invalid, Json};

const MAX_BYTES: usize = 64 * 1024;
const MAX_DEPTH: usize = 32;

/// A JSON object. Keys such as `__proto__` are data like any other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata(Vec<(String, Json)>);

impl Metadata {
    /// Validates that `value` is an object within the limits.
    pub fn new(field: &str, value: Json) -> Result<Self, Invalid> {
        let Json::Object(fields) = value else {
            return Err(Invalid::value(field, "must be an object"));
        };
        let mut bytes = 0;
        for (key, value) in &fields {
            bytes += key.len()
                + measure(value, 1)
                    .ok_or_else(|| Invalid::value(field, format!("must be nested at most {MAX_DEPTH} levels deep")))?;
        }
        if bytes > MAX_BYTES {
            return Err(Invalid::too_large(field, MAX_BYTES, bytes));
        }
        Ok(Self(fields))
    }

    /// The approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.0.iter().map(|(key, value)| key.len() + measure(value, 1).unwrap_or(0)).sum()
    }

    /// The metadata of a chunk: adds its number, unless the app has set one, and the title of the document.
    pub(crate) fn of_chunk(mut self, number: usize, title: Option<&str>) -> Self {
        if !self.0.iter().any(|(name, _)| name == "chunk") {
            self.0.push(("chunk".to_owned(), number.into()));
        }
        if let Some(title) = title {
            self.0.retain(|(name, _)| name != "title");
            self.0.push(("title".to_owned(), title.into()));
        }
        self
    }

    /// These fields, and the fields of `other` that are missing here.
    pub fn or(mut self, field: &str, other: Self) -> Result<Self, Invalid> {
        for (name, value) in other.0 {
            if !self.0.iter().any(|(known, _)| *known == name) {
                self.0.push((name, value));
            }
        }
        Self::new(field, Json::Object(self.0))
    }

    /// Adds its fields to an object that has none of these names.
    pub fn add_to(&self, object: &mut Json) {
        if let Json::Object(fields) = object {
            fields.extend(self.0.iter().cloned());
        }
    }

    /// The object, or `null` if it is empty.
    pub fn to_json_or_null(&self) -> Json {
        if self.is_empty() { Json::Null } else { self.to_json() }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The object.
    pub fn to_json(&self) -> Json {
        Json::Object(self.0.clone())
    }
}

/// The approximate size of `value` in bytes; `None` if it is nested too deep.
fn measure(value: &Json, depth: usize) -> Option<usize> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut bytes = 8;
    match value {
        Json::String(text) => bytes += text.len(),
        Json::Array(items) => {
            for item in items {
                bytes += measure(item, depth + 1)?;
            }
        }
        Json::Object(map) => {
            for (key, item) in map {
                bytes += key.len() + measure(item, depth + 1)?;
            }
        }
        Json::Number(number) => bytes += number.as_str().len(),
        Json::Null | Json::Bool(_) => {}
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str, value: Json) -> Json {
        Json::object(vec![(name, value)])
    }

    #[test]
    fn s7_prototype_keys_are_data() {
        let metadata = Metadata::new("metadata", object("__proto__", object("admin", true.into()))).unwrap();
        assert_eq!(*metadata.to_json().get("__proto__").get("admin"), Json::Bool(true));
    }

    #[test]
    fn what_is_not_a_bounded_object_is_refused() {
        assert!(Metadata::new("metadata", Json::Array(vec![])).is_err());
        let deep = (0..40).fold(Json::Null, |inner, _| Json::Array(vec![inner]));
        assert_eq!(Metadata::new("metadata", object("a", deep)).unwrap_err().field(), "metadata");
        let wide = object("a", "x".repeat(70_000).into());
        assert!(matches!(Metadata::new("metadata", wide), Err(Invalid::TooLarge { .. })));
    }
}
