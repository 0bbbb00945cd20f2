//! The verbs by name, with JSON in and out, as the scenarios speak: found in the contract, and called with values of the
//! component's own types. There is no list of verbs here.
//!
//! What WIT's types make impossible to say, such as a number for a string or a field that there is none of, is refused here as the
//! library's own JSON door refuses it. Every other judgement is left to the component.

use crate::instance::Instance;
use keepsake::codec::json::parse;
use keepsake::model::{Json, Timestamp};
use keepsake_contract::{Case, Contract, Field, Function, Place, Record, Shape, Tag, Type, Variant, camel};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::OnceLock;
use wasmtime::component::{ResourceAny, Val};

/// What `wit/` says.
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

/// A field that is not as its type in WIT has it.
type Refused = String;

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

/// What a method is called on: the memory, or the session that the arguments name.
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

/// The fields of an object that were not taken yet.
struct Fields(Map<String, Value>);

impl Fields {
    /// Takes a field by its name in any spelling.
    fn take(&mut self, key: &str) -> Value {
        let found = self.0.iter().find(|(name, value)| alike(name, key) && !value.is_null());
        let value = found.map(|(name, _)| name.clone()).and_then(|name| self.0.shift_remove(&name));
        // By another spelling it may be there as `null`, which is as good as not there.
        self.0.retain(|name, value| !alike(name, key) || !value.is_null());
        value.unwrap_or_default()
    }

    /// The same, where `null` is not the same as none.
    fn given(&mut self, key: &str) -> Option<Value> {
        if self.0.get(key) == Some(&Value::Null) {
            self.0.shift_remove(key)
        } else {
            Some(self.take(key)).filter(|value| !value.is_null())
        }
    }

    fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(name, value)| alike(name, key) && !value.is_null())
    }
}

/// Whether two names differ in nothing but case and underscores.
fn alike(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.replace('_', "").to_lowercase();
    letters(one) == letters(other)
}

fn within(outer: &str, inner: &str) -> Refused {
    let dot = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
    format!("{outer}{dot}{inner}")
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

/// The value of a type that JSON means; a missing field is `null`.
fn sent(ty: &Type, value: Value) -> Result<Val, Refused> {
    let no = || Err(String::new());
    match (resolved(ty), value) {
        (Type::Bool, Value::Bool(flag)) => Ok(Val::Bool(flag)),
        (Type::Bool, Value::Null) => Ok(Val::Bool(false)),
        (Type::U32, Value::Number(number)) => {
            whole(&number).map(|count| Val::U32(u32::try_from(count).unwrap_or(u32::MAX)))
        }
        (Type::U64, Value::Number(number)) => whole(&number).map(Val::U64),
        (Type::F64, Value::Number(number)) => number.as_f64().map(Val::Float64).ok_or_else(String::new),
        (Type::F32, Value::Number(number)) => {
            number.as_f64().map(|number| Val::Float32(number as f32)).ok_or_else(String::new)
        }
        (Type::String, Value::String(text)) => Ok(Val::String(text)),
        (Type::Time, Value::Number(number)) => {
            number.as_f64().map(|millis| Val::S64(millis as i64)).ok_or_else(String::new)
        }
        (Type::Time, Value::String(text)) => {
            Timestamp::parse("", &text).map(|time| Val::S64(time.millis())).map_err(|_| String::new())
        }
        (Type::JsonObject, Value::Null) => Ok(Val::String("{}".to_owned())),
        (Type::Json | Type::JsonObject, value) => Ok(Val::String(value.to_string())),
        (Type::Option(_), Value::Null) => Ok(Val::Option(None)),
        (Type::Option(inner), value) => Ok(Val::Option(Some(Box::new(sent(&inner, value)?)))),
        (Type::List(_), Value::Null) => Ok(Val::List(Vec::new())),
        (Type::List(item), Value::Array(items)) => {
            let numbers = *item == Type::F32;
            let each = |(at, value)| {
                // An embedding is judged as a whole.
                sent(&item, value).map_err(|inner| if numbers { inner } else { within(&format!("[{at}]"), &inner) })
            };
            items.into_iter().enumerate().map(each).collect::<Result<_, _>>().map(Val::List)
        }
        // A string alone is one block of text.
        (Type::List(item), text @ Value::String(_))
            if *item == Type::Named("dialog".to_owned(), "block".to_owned()) =>
        {
            sent(&Type::List(item), json!([{ "type": "text", "text": text }]))
        }
        (Type::Tuple(types), Value::Array(items)) if types.len() == items.len() => {
            let each = |(ty, value): (&Type, Value)| sent(ty, value);
            types.iter().zip(items).map(each).collect::<Result<_, _>>().map(Val::Tuple)
        }
        (ty @ Type::Named(..), value) => match (shape(&ty), value) {
            (Some(Shape::Enum(words)), Value::String(word)) => {
                let found = words.iter().find(|known| known.json == word);
                found.map(|known| Val::Enum(known.name.clone())).ok_or_else(String::new)
            }
            (Some(Shape::Variant(variant)), value) if variant.tag == Tag::Untagged => untagged(variant, value),
            (Some(Shape::Record(_) | Shape::Variant(_)), Value::Object(fields)) => {
                let mut fields = Fields(fields);
                let made = made(&ty, &mut fields)?;
                fields.0.keys().next().map_or(Ok(made), |unknown| Err(unknown.clone()))
            }
            _ => no(),
        },
        _ => no(),
    }
}

/// The value of a type that JSON means, where there may be none.
fn given(ty: &Type, value: Option<Value>) -> Result<Val, Refused> {
    let is = match value {
        None => "absent",
        Some(Value::Null) => "null",
        Some(value) => return sent(ty, value),
    };
    if let Some(Shape::Variant(variant)) = shape(ty)
        && let Some(case) = variant.cases.iter().find(|case| case.ty.is_none() && case.is == is)
    {
        return Ok(Val::Variant(case.name.clone(), None));
    }
    sent(ty, Value::Null)
}

/// WIT counts from 0 on, in whole numbers.
fn whole(number: &serde_json::Number) -> Result<u64, Refused> {
    match number.as_f64() {
        Some(count) if count >= 0.0 && count.fract() == 0.0 => Ok(count as u64),
        _ => Err(String::new()),
    }
}

fn made(ty: &Type, fields: &mut Fields) -> Result<Val, Refused> {
    match shape(ty) {
        Some(Shape::Record(_)) => record(ty, fields),
        Some(Shape::Variant(variant)) => tagged(variant, fields),
        _ => Err(String::new()),
    }
}

fn record(ty: &Type, fields: &mut Fields) -> Result<Val, Refused> {
    let Some(Shape::Record(record)) = shape(ty) else { return Err(String::new()) };
    let rank = |field: &Field| match field.place {
        Place::Flat => 1,
        Place::Rest => 2,
        _ => 0,
    };
    let mut made: Vec<Option<(String, Val)>> = vec![None; record.fields.len()];
    for turn in 0..3 {
        for (at, field) in record.fields.iter().enumerate().filter(|(_, field)| rank(field) == turn) {
            made[at] = Some((field.name.clone(), field_value(record, field, fields)?));
        }
    }
    Ok(Val::Record(made.into_iter().flatten().collect()))
}

fn field_value(record: &Record, field: &Field, fields: &mut Fields) -> Result<Val, Refused> {
    match &field.place {
        _ if field.answer_only => sent(&field.ty, if field.ty == Type::String { json!("") } else { json!(0) }),
        Place::Key(key) if field.blank && !fields.has(key) => Ok(Val::String(String::new())),
        Place::Key(key) if field.map => match fields.take(key) {
            Value::Object(pairs) => Ok(Val::List(
                pairs
                    .into_iter()
                    .map(|(name, value)| Val::Tuple(vec![Val::String(name), Val::String(value.to_string())]))
                    .collect(),
            )),
            Value::Null => Ok(Val::List(Vec::new())),
            _ => Err(key.clone()),
        },
        Place::Key(key) => sent(&field.ty, fields.take(key)).map_err(|inner| within(key, &inner)),
        // A list alone is the first of these.
        Place::Inner(outer, key) => {
            let value = match fields.0.get_mut(outer) {
                Some(Value::Object(inner)) => {
                    let value = inner.shift_remove(key).unwrap_or_default();
                    if inner.is_empty() {
                        fields.take(outer);
                    }
                    return sent(&field.ty, value).map_err(|inner| within(&format!("{outer}.{key}"), &inner));
                }
                _ => fields.take(outer),
            };
            sent(&field.ty, value).map_err(|inner| within(outer, &inner))
        }
        Place::Flat => match &field.ty {
            Type::Option(inner) => {
                let first = keys_of_param(true, inner, "").into_iter().next().unwrap_or_default();
                if fields.has(&first) {
                    Ok(Val::Option(Some(Box::new(made(inner, fields)?))))
                } else {
                    Ok(Val::Option(None))
                }
            }
            ty => made(ty, fields),
        },
        Place::Rest => {
            let known = keys(record);
            let rest = std::mem::take(&mut fields.0);
            if let Some(taken) = rest.keys().find(|name| known.iter().any(|known| alike(known, name))) {
                return Err(taken.clone());
            }
            Ok(Val::Option((!rest.is_empty()).then(|| Box::new(Val::String(Value::Object(rest).to_string())))))
        }
    }
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

fn untagged(variant: &Variant, value: Value) -> Result<Val, Refused> {
    for case in &variant.cases {
        if let Some(ty) = &case.ty
            && let Ok(made) = sent(ty, value.clone())
            && (*ty != Type::JsonObject || value.is_object())
        {
            return Ok(Val::Variant(case.name.clone(), Some(Box::new(made))));
        }
    }
    Err(String::new())
}

fn tagged(variant: &Variant, fields: &mut Fields) -> Result<Val, Refused> {
    let case = match &variant.tag {
        Tag::Field(tag) => {
            let says = fields.0.get(tag).cloned().unwrap_or_default();
            let found = variant.cases.iter().find(|case| !case.other && literal(&case.is) == says);
            if let Some(other) = variant.cases.iter().find(|case| case.other && found.is_none()) {
                let rest = Value::Object(std::mem::take(&mut fields.0));
                return Ok(Val::Variant(other.name.clone(), Some(Box::new(Val::String(rest.to_string())))));
            }
            // The first is meant where nothing is said.
            let first = variant.cases.first().filter(|_| says.is_null());
            fields.take(tag);
            found.or(first).ok_or_else(|| tag.clone())?
        }
        _ => {
            let fits = |case: &&Case| {
                let with = case.with.iter().all(|(key, value)| fields.0.get(key) == Some(&literal(value)));
                let key = case
                    .ty
                    .as_ref()
                    .filter(|ty| is_record(ty))
                    .map_or_else(|| case.place(), |ty| keys_of_param(true, ty, "")[0].clone());
                with && fields.has(&key) && case.with.is_empty() != fields.has("delete")
            };
            variant.cases.iter().find(fits).ok_or_else(String::new)?
        }
    };
    for (key, _) in &case.with {
        fields.take(key);
    }
    let value = match &case.ty {
        None => None,
        Some(ty) if case.key.is_none() && is_record(ty) => Some(record(ty, fields)?),
        Some(ty) => Some(sent(ty, fields.take(&case.place())).map_err(|inner| within(&case.place(), &inner))?),
    };
    Ok(Val::Variant(case.name.clone(), value.map(Box::new)))
}

/// The JSON of a value.
fn told(ty: &Type, value: &Val) -> Value {
    match (resolved(ty), value) {
        (Type::Json | Type::JsonObject, Val::String(text)) => exact(text),
        (Type::Time, Val::S64(millis)) => {
            json!(Timestamp::from_millis("time", *millis).expect("times have four-digit years").to_string())
        }
        (_, Val::Bool(flag)) => json!(flag),
        (_, Val::U32(count)) => json!(count),
        (_, Val::U64(count)) => json!(count),
        (_, Val::Float64(number)) => json!(number),
        (_, Val::String(text)) => json!(text),
        (ty, Val::Enum(word)) => match shape(&ty) {
            Some(Shape::Enum(words)) => {
                words.iter().find(|known| known.name == *word).map(|known| json!(known.json)).unwrap_or_default()
            }
            _ => json!(word),
        },
        (_, Val::Option(None)) => Value::Null,
        // What a model did wrong is an answer to it.
        (Type::Result(..), Val::Result(Ok(Some(text)))) => json!({ "text": text_of(text), "isError": false }),
        (Type::Result(..), Val::Result(Err(Some(text)))) => json!({ "text": text_of(text), "isError": true }),
        (Type::Option(inner), Val::Option(Some(value))) => told(&inner, value),
        (Type::List(item), Val::List(items)) => items.iter().map(|value| told(&item, value)).collect(),
        (Type::Tuple(types), Val::Tuple(values)) => {
            types.iter().zip(values).map(|(ty, value)| told(ty, value)).collect()
        }
        (ty, value) => match (shape(&ty), value) {
            (Some(Shape::Record(record)), Val::Record(values)) if record.array => {
                record.fields.iter().zip(values).map(|(field, (_, value))| told(&field.ty, value)).collect()
            }
            _ => {
                let mut fields = Map::new();
                tell(&ty, value, &mut fields);
                Value::Object(fields)
            }
        },
    }
}

/// Text of the component as it is, numbers to the last digit.
fn exact(text: &str) -> Value {
    debug_assert!(parse(text).is_ok_and(|value: Json| value.to_string() == text));
    serde_json::from_str(text).expect("what the component calls JSON is JSON")
}

/// Adds the fields of a value.
fn tell(ty: &Type, value: &Val, fields: &mut Map<String, Value>) {
    match (shape(ty), value) {
        (Some(Shape::Record(record)), Val::Record(values)) => {
            for (field, (_, value)) in record.fields.iter().zip(values) {
                tell_field(field, value, fields);
            }
        }
        (Some(Shape::Variant(variant)), Val::Variant(name, inner)) => {
            let case = variant.cases.iter().find(|case| case.name == *name).expect("the component has no other cases");
            if let (Tag::Field(tag), false) = (&variant.tag, case.other) {
                fields.insert(tag.clone(), literal(&case.is));
            }
            match (&case.ty, inner.as_deref()) {
                (Some(_), Some(Val::String(text))) if case.other => spread(text, fields),
                (Some(ty), Some(inner)) if case.key.is_none() && is_record(ty) => tell(ty, inner, fields),
                (Some(ty), Some(inner)) => drop(fields.insert(case.place(), told(ty, inner))),
                _ => {}
            }
        }
        (_, Val::Option(Some(inner))) if let Type::Option(ty) = ty => tell(ty, inner, fields),
        _ => {}
    }
}

fn tell_field(field: &Field, value: &Val, fields: &mut Map<String, Value>) {
    match (&field.place, value) {
        (_, Val::Option(None)) => {}
        (Place::Flat, value) => tell(&field.ty, value, fields),
        (Place::Rest, Val::Option(Some(text))) => {
            if let Val::String(text) = &**text {
                spread(text, fields);
            }
        }
        (Place::Key(key), Val::List(pairs)) if field.map => {
            let Type::List(item) = resolved(&field.ty) else { panic!("pairs are a list") };
            let pair = |pair: &Val| match (pair, shape(&item)) {
                (Val::Record(parts), Some(Shape::Record(record))) => {
                    (text_of(&parts[0].1), told(&record.fields[1].ty, &parts[1].1))
                }
                (Val::Tuple(parts), _) => {
                    let Type::Tuple(types) = &*item else { panic!("a pair is a tuple") };
                    (text_of(&parts[0]), told(&types[1], &parts[1]))
                }
                _ => panic!("there are no other pairs"),
            };
            fields.insert(key.clone(), Value::Object(pairs.iter().map(pair).collect()));
        }
        (Place::Key(_), Val::Bool(false)) if field.sparse => {}
        (Place::Key(_), Val::List(items)) if field.sparse && items.is_empty() => {}
        (Place::Key(_), Val::String(text)) if field.sparse && text.is_empty() => {}
        (Place::Key(key), value) => drop(fields.insert(key.clone(), told(&field.ty, value))),
        (place, _) => panic!("{place:?} is not answered"),
    }
}

fn text_of(value: &Val) -> String {
    if let Val::String(text) = value { text.clone() } else { panic!("a name is a string") }
}

fn spread(text: &str, fields: &mut Map<String, Value>) {
    if let Value::Object(more) = exact(text) {
        fields.extend(more);
    }
}
