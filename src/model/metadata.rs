//! The caller's own data beside an entry: a JSON object, kept as it came, within bounds of size and depth.

use super::Invalid;
use serde_json::{Map, Value};

const MAX_BYTES: usize = 64 * 1024;
const MAX_DEPTH: usize = 32;

/// A JSON object. Keys such as `__proto__` are data like any other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata(Map<String, Value>);

impl Metadata {
    /// Takes `value` if it is an object within the bounds.
    pub fn new(field: &str, value: Value) -> Result<Self, Invalid> {
        let Value::Object(map) = value else {
            return Err(Invalid::value(field, "must be an object"));
        };
        let mut bytes = 0;
        for (key, value) in &map {
            bytes += key.len()
                + measure(value, 1)
                    .ok_or_else(|| Invalid::value(field, format!("must be nested at most {MAX_DEPTH} levels deep")))?;
        }
        if bytes > MAX_BYTES {
            return Err(Invalid::too_large(field, MAX_BYTES, bytes));
        }
        Ok(Self(map))
    }

    /// The object.
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }
}

/// About how many bytes `value` takes, or nothing if it is nested too deep.
fn measure(value: &Value, depth: usize) -> Option<usize> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut bytes = 8;
    match value {
        Value::String(text) => bytes += text.len(),
        Value::Array(items) => {
            for item in items {
                bytes += measure(item, depth + 1)?;
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                bytes += key.len() + measure(item, depth + 1)?;
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn s7_prototype_keys_are_data() {
        let metadata = Metadata::new("metadata", json!({"__proto__": {"admin": true}, "constructor": 1})).unwrap();
        assert_eq!(metadata.as_map()["__proto__"]["admin"], true);
    }

    #[test]
    fn what_is_not_a_bounded_object_is_refused() {
        assert!(Metadata::new("metadata", json!([1])).is_err());
        let deep = (0..40).fold(json!(1), |inner, _| json!({ "a": inner }));
        assert_eq!(Metadata::new("metadata", deep).unwrap_err().field(), "metadata");
        let wide = json!({ "a": "x".repeat(70_000) });
        assert!(matches!(Metadata::new("metadata", wide), Err(Invalid::TooLarge { .. })));
    }
}
