//! The verbs by name, with JSON in and out, as the scenarios speak: found in the contract, and called with values of the
//! component's own types. There is no list of verbs here.
//!
//! Values that WIT's types cannot express, such as a number for a string or a field that there is none of, are refused here as the
//! library's own JSON door refuses it. Every other judgement is left to the component.

mod sent;
mod told;

use crate::instance::Instance;
use keepsake_contract::{Contract, Field, Function, Place, Record, Shape, Tag, Type, camel};
use sent::{Fields, alike, given, record, within};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::OnceLock;
use told::told;
use wasmtime::component::{ResourceAny, Val};

/// The contract of `wit/`.
///
/// # Panics
/// If that cannot be read.
pub fn contract() -> &'static Contract {
    static CONTRACT: OnceLock<Contract> = OnceLock::new();
    CONTRACT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit");
        Contract::read(&folder).expect("the component was built from it")
    })
}

/// Does what `verb` says with `args`. Answers with JSON, or with the code and the field of the failure; outside is whether the
/// instance came to an end.
///
/// # Errors
/// If the instance comes to an end.
pub fn call(
    instance: &mut Instance,
    memory: ResourceAny,
    verb: &str,
    args: &Value,
) -> wasmtime::Result<Result<Value, Value>> {
    let invalid = |field: &str| Ok(Err(json!({ "code": "invalid-input", "field": field })));
    let args = match args {
        Value::Object(args) => args.clone(),
        Value::Null => Map::new(),
        _ => return invalid("args"),
    };
    let Some((interface, function)) = function(verb, &args) else { return invalid("verb") };
    let mut args = Fields(args);
    let receiver = match session(instance, memory, function, &mut args)? {
        Ok(receiver) => receiver,
        Err(failure) => return Ok(Err(failure)),
    };
    let mut params: Vec<Val> = receiver.map(Val::Resource).into_iter().collect();
    for param in &function.params {
        let value = match &param.ty {
            Type::Borrow(_) => Ok(Val::Resource(memory)),
            ty if param.flat => record(ty, &mut args),
            ty => given(ty, args.given(&camel(&param.name))).map_err(|inner| within(&camel(&param.name), &inner)),
        };
        match value {
            Ok(value) => params.push(value),
            Err(field) => return invalid(&field),
        }
    }
    for (key, _) in &function.with {
        args.take(key);
    }
    if let Some(unknown) = args.0.keys().next() {
        return invalid(unknown);
    }
    let results = instance.invoke(interface, function, &params)?;
    if let Some(session) = receiver.filter(|receiver| *receiver != memory) {
        instance.drop_memory(session)?;
    }
    Ok(match (results.as_slice(), &function.result) {
        ([Val::Result(Ok(value))], Some(Type::Result(Some(ty), _))) => {
            Ok(answered(function, ty, value.as_deref().expect("it is there if its type is")))
        }
        ([Val::Result(Err(error))], _) => Err(failure(error.as_deref())),
        ([value], Some(ty)) if !matches!(ty, Type::Result(..)) => Ok(told(ty, value)),
        _ => Ok(Value::Null),
    })
}

/// The answer of the library as far as WIT can say it: without the fields that the contract drops.
pub fn sayable(verb: &str, args: &Value, answer: &Value) -> Value {
    let args = args.as_object().cloned().unwrap_or_default();
    let mut answer = answer.clone();
    if let Some((_, function)) = function(verb, &args)
        && let Some(Type::Result(Some(ty), _)) = &function.result
    {
        match (function.answer.as_slice(), &**ty) {
            ([], ty) => drop_from(ty, &mut answer),
            ([key], ty) if answer.is_object() => drop_from(ty, &mut answer[key]),
            ([_], ty) => drop_from(ty, &mut answer),
            (keys, Type::Tuple(types)) => {
                keys.iter().zip(types).for_each(|(key, ty)| drop_from(ty, &mut answer[key]));
            }
            _ => {}
        }
        // Where an answer has several forms, WIT has one.
        if let [key] = function.answer.as_slice()
            && !answer.is_object()
        {
            answer = json!({ key: answer });
        }
    }
    answer
}

fn drop_from(ty: &Type, value: &mut Value) {
    match (ty, value) {
        (Type::List(item), Value::Array(items)) => items.iter_mut().for_each(|value| drop_from(item, value)),
        (Type::Option(inner), value) => drop_from(inner, value),
        (Type::Named(..), value) => match shape(ty) {
            Some(Shape::Record(record)) => {
                for key in &record.dropped {
                    value.as_object_mut().and_then(|fields| fields.remove(key));
                }
                for field in &record.fields {
                    match &field.place {
                        // A field that says nothing is as good as none.
                        Place::Key(key)
                            if matches!(field.ty, Type::Option(_)) && value.get(key).is_some_and(Value::is_null) =>
                        {
                            value.as_object_mut().and_then(|fields| fields.remove(key));
                        }
                        Place::Key(key) => value.get_mut(key).into_iter().for_each(|inner| drop_from(&field.ty, inner)),
                        Place::Flat => drop_from(&field.ty, value),
                        Place::Inner(..) | Place::Rest => {}
                    }
                }
            }
            Some(Shape::Variant(variant)) => {
                let tag = if let Tag::Field(tag) = &variant.tag {
                    value.get(tag).cloned().map(|says| (tag, says))
                } else {
                    None
                };
                for case in &variant.cases {
                    let Some(ty) = &case.ty else { continue };
                    match (&case.key, value.get_mut(case.place())) {
                        (Some(_), Some(inner)) => drop_from(ty, inner),
                        (None, _) if is_record(ty) => drop_from(ty, value),
                        _ => {}
                    }
                }
                // A case has no field of its own for the tag.
                if let Some((tag, says)) = tag {
                    value[tag] = says;
                }
            }
            _ => {}
        },
        _ => {}
    }
}

/// A failure as far as WIT can say it: which field was meant is part of some errors only.
pub fn sayable_failure(failure: &Value) -> Value {
    let mut failure = failure.clone();
    if ["already-exists", "not-found", "conflict"].iter().any(|code| failure["code"] == *code) {
        failure["field"] = Value::Null;
    }
    failure
}

/// Whether a verb is one of the component.
pub fn knows(verb: &str) -> bool {
    contract().functions().any(|(_, function)| function.verb == verb)
}

/// The function of a verb that can say all of these arguments.
fn function(verb: &str, args: &Map<String, Value>) -> Option<(&'static str, &'static Function)> {
    let fits = |function: &Function| function.with.iter().all(|(key, value)| args.get(key) == Some(&literal(value)));
    let says = |function: &Function| {
        let known: Vec<String> =
            function.params.iter().flat_map(|param| keys_of_param(param.flat, &param.ty, &param.name)).collect();
        let session = ["session", "agent"].into_iter().filter(|_| function.resource.as_deref() == Some("session"));
        let known: Vec<String> = known.into_iter().chain(session.map(str::to_owned)).collect();
        args.keys().filter(|key| known.iter().any(|known| alike(known, key))).count()
    };
    let functions = contract().functions();
    functions
        .filter(|(_, function)| function.verb == verb && fits(function))
        .max_by_key(|(_, function)| (function.with.len(), says(function)))
}

fn keys_of_param(flat: bool, ty: &Type, name: &str) -> Vec<String> {
    match contract().record(ty).ok().flatten() {
        Some(record) if flat => keys(record),
        _ => vec![camel(name)],
    }
}

/// The receiver of a method: the memory, or the session that the arguments name.
fn session(
    instance: &mut Instance,
    memory: ResourceAny,
    function: &Function,
    args: &mut Fields,
) -> wasmtime::Result<Result<Option<ResourceAny>, Value>> {
    match function.resource.as_deref() {
        Some("session") => {
            let agent = if function.agent { args.take("agent") } else { Value::Null };
            let id = if function.session { args.take("session") } else { json!("any") };
            let Value::String(id) = id else {
                return Ok(Err(json!({ "code": "invalid-input", "field": "session" })));
            };
            let opened = instance.session_with(memory, &id, agent.as_str())?;
            Ok(opened.map(Some).map_err(|error| {
                let mut failure = failed(&error);
                if failure["field"] == "id" {
                    failure["field"] = json!("session");
                }
                failure
            }))
        }
        Some(_) => Ok(Ok(Some(memory))),
        None => Ok(Ok(None)),
    }
}

fn failed(error: &crate::wit::Error) -> Value {
    use crate::wit::Error;
    match error {
        Error::InvalidInput(invalid) => json!({ "code": "invalid-input", "field": invalid.field }),
        other => json!({ "code": format!("{other:?}"), "field": null }),
    }
}

/// The code and the field of a failure.
fn failure(error: Option<&Val>) -> Value {
    let Some(Val::Variant(code, payload)) = error else { panic!("an error is a variant") };
    let field = match (code.as_str(), payload.as_deref()) {
        ("already-exists", Some(Val::Enum(field))) => json!(field),
        ("not-found", _) => json!("id"),
        (_, Some(Val::Record(fields))) => match fields.iter().find(|(name, _)| name == "field") {
            Some((_, Val::String(field))) => json!(field),
            Some((_, Val::Option(Some(field)))) if let Val::String(field) = &**field => json!(field),
            _ => Value::Null,
        },
        _ => Value::Null,
    };
    json!({ "code": if code == "other-version" { "conflict" } else { code }, "field": field })
}

/// An answer in the form of the verb.
fn answered(function: &Function, ty: &Type, value: &Val) -> Value {
    match (function.answer.as_slice(), ty, value) {
        ([], Type::List(item), Val::List(items)) if function.boxed => {
            let boxed = |value: &Val| match value {
                Val::Option(None) => Value::Null,
                value => json!([told(item, value)]),
            };
            items.iter().map(boxed).collect()
        }
        ([], ..) => told(ty, value),
        ([key], ..) => json!({ key: told(ty, value) }),
        (keys, Type::Tuple(types), Val::Tuple(values)) => {
            let told =
                keys.iter().zip(types.iter().zip(values)).map(|(key, (ty, value))| (key.clone(), told(ty, value)));
            Value::Object(told.collect())
        }
        _ => panic!("{} does not answer by place", function.name),
    }
}

fn shape(ty: &Type) -> Option<&'static Shape> {
    let Type::Named(interface, name) = contract().resolved(&ty.clone()).ok()?.clone() else { return None };
    contract().named(&interface, &name).ok().map(|named| &named.shape)
}

fn is_record(ty: &Type) -> bool {
    matches!(shape(ty), Some(Shape::Record(_)))
}

fn resolved(ty: &Type) -> Type {
    contract().resolved(ty).expect("the contract is whole").clone()
}

/// The names that the JSON of a record has.
fn keys(record: &Record) -> Vec<String> {
    let of = |field: &Field| match &field.place {
        Place::Key(key) | Place::Inner(key, _) => vec![key.clone()],
        Place::Flat => keys_of_param(true, &field.ty, ""),
        Place::Rest => Vec::new(),
    };
    record.fields.iter().flat_map(of).collect()
}

fn literal(text: &str) -> Value {
    serde_json::from_str(text).expect("attributes hold JSON")
}
