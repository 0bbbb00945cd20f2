//! JSON as values of the component's types: arguments.

use super::{is_record, keys, keys_of_param, literal, resolved, shape};
use keepsake::model::{Invalid, Timestamp};
use keepsake_contract::{Case, Field, Place, Record, Shape, Tag, Type, Variant};
use serde_json::{Map, Value, json};
use wasmtime::component::Val;

/// A field that is not as its type in WIT has it.
type Refused = String;

/// The fields of an object that were not taken yet.
pub(super) struct Fields(pub(super) Map<String, Value>);

impl Fields {
    /// Takes a field by its name in any spelling.
    pub(super) fn take(&mut self, key: &str) -> Value {
        let found = self.0.iter().find(|(name, value)| alike(name, key) && !value.is_null());
        let value = found.map(|(name, _)| name.clone()).and_then(|name| self.0.shift_remove(&name));
        // By another spelling it may be there as `null`, which is as good as not there.
        self.0.retain(|name, value| !alike(name, key) || !value.is_null());
        value.unwrap_or_default()
    }

    /// The same, where `null` is not the same as none.
    pub(super) fn given(&mut self, key: &str) -> Option<Value> {
        if self.0.get(key) == Some(&Value::Null) {
            self.0.shift_remove(key)
        } else {
            Some(self.take(key)).filter(|value| !value.is_null())
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(name, value)| alike(name, key) && !value.is_null())
    }
}

/// Whether two names differ in nothing but case and underscores.
pub(super) fn alike(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.replace('_', "").to_lowercase();
    letters(one) == letters(other)
}

/// A field as it is called from outside.
pub(super) fn within(outer: &str, inner: &str) -> Refused {
    Invalid::value(inner, "").within(outer).field().to_owned()
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
pub(super) fn given(ty: &Type, value: Option<Value>) -> Result<Val, Refused> {
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

pub(super) fn record(ty: &Type, fields: &mut Fields) -> Result<Val, Refused> {
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
