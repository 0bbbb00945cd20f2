//! Values of the component's types as JSON: answers.

use super::{is_record, literal, resolved, shape};
use keepsake::codec::json::parse;
use keepsake::model::{Json, Timestamp};
use keepsake_contract::{Field, Place, Shape, Tag, Type};
use serde_json::{Map, Value, json};
use wasmtime::component::Val;

/// The JSON of a value.
pub(super) fn told(ty: &Type, value: &Val) -> Value {
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
        // A mistake of the model is an answer to it.
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
