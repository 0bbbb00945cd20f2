//! The contract as JSON, for hosts in other languages: functions and types of every exported interface, with aliases
//! and JSON names resolved. Fields that are false or empty are omitted.

use super::MARK;
use anyhow::Result;
use keepsake_contract::{Case, Contract, Field, Function, Named, Place, Shape, Tag, Type, camel};
use serde_json::Value;

/// Generates `tests/bindings/contract.json`: one line per function and per type.
pub(super) fn written(contract: &Contract) -> Result<String> {
    let listed = Listed { contract };
    let functions = contract.functions().filter(|(_, one)| !one.is_static);
    let functions = functions.map(|(interface, one)| listed.function(interface, one));
    let functions = functions.collect::<Result<Vec<_>>>()?.join(",\n");
    let mut types = Vec::new();
    for (interface, inside) in &contract.interfaces {
        for named in &inside.types {
            if let Some(shape) = listed.shape(named)? {
                types.push(format!("{}: {shape}", text(&format!("{interface}/{}", named.name))));
            }
        }
    }
    let types = types.join(",\n");
    Ok(format!("{{\n\"about\": {},\n\"functions\": [\n{functions}\n],\n\"types\": {{\n{types}\n}}\n}}\n", text(MARK)))
}

struct Listed<'a> {
    contract: &'a Contract,
}

impl Listed<'_> {
    fn function(&self, interface: &str, function: &Function) -> Result<String> {
        let mut params = Vec::new();
        let mut keys = Vec::new();
        for param in &function.params {
            let key = (!param.flat && !matches!(param.ty, Type::Borrow(_))).then(|| camel(&param.name));
            keys.extend(if param.flat { self.keys(&param.ty)? } else { key.iter().cloned().collect() });
            let key = key.as_deref().map(text);
            params.push(object([("type", Some(self.ty(&param.ty)?)), ("key", key), ("flat", flag(param.flat))]));
        }
        if function.resource.as_deref() == Some("session") {
            keys.extend(["session", "agent"].map(str::to_owned));
        }
        let result = function.result.as_ref().map(|ty| self.ty(ty)).transpose()?;
        Ok(object([
            ("verb", Some(text(&function.verb))),
            ("interface", Some(text(interface))),
            ("resource", function.resource.as_deref().map(text)),
            ("name", Some(text(&function.name))),
            ("params", Some(array(params))),
            ("keys", texts(&keys)),
            ("result", result),
            ("answer", texts(&function.answer)),
            ("with", with(&function.with)),
            ("agent", flag(function.agent)),
            ("session", flag(function.session)),
            ("boxed", flag(function.boxed)),
        ]))
    }

    /// The shape of a type; none for a resource, and for an alias, because aliases are resolved.
    fn shape(&self, named: &Named) -> Result<Option<String>> {
        Ok(Some(match &named.shape {
            Shape::Record(record) => {
                let fields = record.fields.iter().map(|one| self.field(one)).collect::<Result<_>>()?;
                object([
                    ("record", Some(array(fields))),
                    ("keys", Some(array(self.record_keys(&record.fields)?.iter().map(|key| text(key)).collect()))),
                    ("array", flag(record.array)),
                    ("dropped", texts(&record.dropped)),
                ])
            }
            Shape::Variant(variant) => {
                let cases = variant.cases.iter().map(|one| self.case(one)).collect::<Result<_>>()?;
                let tag = if let Tag::Field(key) = &variant.tag { Some(text(key)) } else { None };
                object([
                    ("variant", Some(array(cases))),
                    ("tag", tag),
                    ("untagged", flag(variant.tag == Tag::Untagged)),
                ])
            }
            Shape::Enum(words) => {
                let words = words.iter().map(|word| format!("{}:{}", text(&word.name), text(&word.json)));
                format!("{{\"enum\":{{{}}}}}", words.collect::<Vec<_>>().join(","))
            }
            Shape::Alias(_) | Shape::Resource => return Ok(None),
        }))
    }

    fn field(&self, field: &Field) -> Result<String> {
        let (key, inner) = match &field.place {
            Place::Key(key) => (Some(text(key)), None),
            Place::Inner(outer, inner) => (Some(text(outer)), Some(text(inner))),
            Place::Flat | Place::Rest => (None, None),
        };
        Ok(object([
            ("name", Some(text(&field.name))),
            ("type", Some(self.ty(&field.ty)?)),
            ("key", key),
            ("inner", inner),
            ("flat", flag(field.place == Place::Flat)),
            ("rest", flag(field.place == Place::Rest)),
            ("map", flag(field.map)),
            ("blank", flag(field.blank)),
            ("sparse", flag(field.sparse)),
            ("answerOnly", flag(field.answer_only)),
        ]))
    }

    /// A case has a `key` if its value is one field; otherwise `absent` or the literal `is` identifies it.
    fn case(&self, case: &Case) -> Result<String> {
        let record = case.ty.as_ref().map(|ty| self.contract.record(ty)).transpose()?.flatten();
        let inline = case.key.is_none() && record.is_some();
        Ok(object([
            ("name", Some(text(&case.name))),
            ("type", case.ty.as_ref().map(|ty| self.ty(ty)).transpose()?),
            ("key", (case.ty.is_some() && !inline).then(|| text(&case.place()))),
            ("is", (case.is != "absent").then(|| case.is.clone())),
            ("absent", flag(case.is == "absent")),
            ("with", with(&case.with)),
            ("other", flag(case.other)),
        ]))
    }

    /// The JSON names of a record's fields.
    fn record_keys(&self, fields: &[Field]) -> Result<Vec<String>> {
        let mut keys = Vec::new();
        for field in fields {
            match &field.place {
                Place::Key(key) | Place::Inner(key, _) => keys.push(key.clone()),
                Place::Flat => keys.extend(self.keys(&field.ty)?),
                Place::Rest => {}
            }
        }
        Ok(keys)
    }

    fn keys(&self, ty: &Type) -> Result<Vec<String>> {
        let ty = if let Type::Option(inner) = ty { inner } else { ty };
        self.contract.record(ty)?.map_or_else(|| Ok(Vec::new()), |record| self.record_keys(&record.fields))
    }

    fn ty(&self, ty: &Type) -> Result<String> {
        let side = |ty: &Option<Box<Type>>| ty.as_ref().map_or(Ok("null".to_owned()), |ty| self.ty(ty));
        Ok(match self.contract.resolved(ty)? {
            Type::Bool => text("bool"),
            Type::U8 => text("u8"),
            Type::U32 => text("u32"),
            Type::U64 => text("u64"),
            Type::F32 => text("f32"),
            Type::F64 => text("f64"),
            Type::String => text("string"),
            Type::Time => text("time"),
            Type::Json => text("json"),
            Type::JsonObject => text("json-object"),
            Type::Named(interface, name) => text(&format!("{interface}/{name}")),
            Type::Borrow(name) => format!("{{\"borrow\":{}}}", text(name)),
            Type::Own(name) => format!("{{\"own\":{}}}", text(name)),
            Type::List(item) => format!("{{\"list\":{}}}", self.ty(item)?),
            Type::Option(inner) => format!("{{\"option\":{}}}", self.ty(inner)?),
            Type::Tuple(types) => {
                let types = types.iter().map(|ty| self.ty(ty)).collect::<Result<_>>()?;
                format!("{{\"tuple\":{}}}", array(types))
            }
            Type::Result(ok, error) => format!("{{\"result\":[{},{}]}}", side(ok)?, side(error)?),
        })
    }
}

fn text(text: &str) -> String {
    Value::from(text).to_string()
}

fn flag(is: bool) -> Option<String> {
    is.then(|| "true".to_owned())
}

fn texts(items: &[String]) -> Option<String> {
    (!items.is_empty()).then(|| array(items.iter().map(|item| text(item)).collect()))
}

fn array(items: Vec<String>) -> String {
    format!("[{}]", items.join(","))
}

/// The fields that are present, in this order.
fn object<const N: usize>(fields: [(&str, Option<String>); N]) -> String {
    let fields = fields.into_iter().filter_map(|(name, value)| value.map(|value| format!("\"{name}\":{value}")));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

/// Pairs whose values are already JSON.
fn with(pairs: &[(String, String)]) -> Option<String> {
    let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{}:{value}", text(key))).collect();
    (!pairs.is_empty()).then(|| format!("{{{}}}", pairs.join(",")))
}
