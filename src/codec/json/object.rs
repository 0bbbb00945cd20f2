//! Writing an object: names and values in, `null` left out. One function for all, since code size is download size.

use serde_json::{Map, Value};

/// The object of these fields, without those that are `null`.
#[inline(never)]
pub(crate) fn object(fields: Vec<(&'static str, Value)>) -> Value {
    let mut map = Map::new();
    for (name, value) in fields {
        if !value.is_null() {
            map.insert(name.to_owned(), value);
        }
    }
    Value::Object(map)
}
