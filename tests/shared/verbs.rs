//! The verbs of a memory by name, as tests call them.

use super::shared::Scene;
use futures::executor::block_on;
use keepsake::ErrorCode;
use keepsake::codec::json::parse;
use serde_json::Value;

pub(crate) fn call(memory: &Scene, verb: &str, args: Value) -> Value {
    match block_on(memory.call(verb, parse(&args.to_string()).unwrap())) {
        Ok(answer) => serde_json::from_str(&answer.to_string()).unwrap(),
        Err(error) => panic!("{verb} {args}: {error}"),
    }
}

pub(crate) fn refused(memory: &Scene, verb: &str, args: Value) -> (ErrorCode, String) {
    let error = block_on(memory.call(verb, parse(&args.to_string()).unwrap())).unwrap_err();
    (error.code(), error.field().unwrap_or("").to_owned())
}

pub(crate) fn names(items: &Value, field: &str) -> Vec<String> {
    items.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap().to_owned()).collect()
}
