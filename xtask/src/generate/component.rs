//! The WIT entry point: every exported function encodes its arguments as JSON, calls the verb, and decodes its answer.

mod guests;
mod sent;
mod told;

use super::{MARK, upper};
use anyhow::{Result, bail};
use keepsake_contract::{Contract, Shape, Type};
use std::collections::BTreeSet;

/// Generates `src/component/generated.rs`.
pub(super) fn written(contract: &Contract) -> Result<String> {
    let component = Component { contract };
    let mut text = format!(
        "//! {MARK}\n\
         \n\
         use super::bindings::exports::keepsake::memory::{{{}}};\n\
         use super::bindings::keepsake::memory::types;\n\
         use super::wire::{{Boxed, FromJson, ObjectText, Open, Pairs, Read, Reader, Text, ToJson, Write, Writer, answer, call, fields, \
         part}};\n\
         use super::{{Keepsake, Session, by_hand}};\n\
         use crate::model::{{Invalid, Json}};\n\n",
        component.exports().collect::<Vec<_>>().join(", ")
    );
    for (interface, name) in component.reached(true)? {
        text.push_str(&component.sent(&interface, &name)?);
    }
    for (interface, name) in component.reached(false)? {
        text.push_str(&component.told(&interface, &name)?);
    }
    for interface in component.exports() {
        text.push_str(&component.guests(interface)?);
    }
    Ok(text)
}

struct Component<'a> {
    contract: &'a Contract,
}

impl Component<'_> {
    /// The interfaces that the component exports.
    fn exports(&self) -> impl Iterator<Item = &str> {
        self.contract.interfaces.iter().filter(|(_, inside)| inside.exported).map(|(name, _)| name.as_str())
    }

    /// The named types that functions take or return.
    fn reached(&self, sent: bool) -> Result<BTreeSet<(String, String)>> {
        let mut found = BTreeSet::new();
        // Functions that call the host's models are written by hand and use the same types.
        let hooked = self.contract.interfaces.get("hooked").into_iter().flat_map(|inside| &inside.functions);
        let functions = self.contract.functions().map(|(_, function)| function).filter(|function| !function.by_hand);
        for function in functions.chain(hooked) {
            if sent {
                for param in &function.params {
                    self.reach(&param.ty, &mut found)?;
                }
            } else if let Some(Type::Result(Some(ok), _)) = &function.result {
                self.reach(ok, &mut found)?;
            }
        }
        Ok(found)
    }

    fn reach(&self, ty: &Type, found: &mut BTreeSet<(String, String)>) -> Result<()> {
        match ty {
            Type::Named(interface, name) => {
                let shape = &self.contract.named(interface, name)?.shape;
                if let Shape::Alias(other) = shape {
                    return self.reach(other, found);
                }
                if found.insert((interface.clone(), name.clone())) {
                    let inside: Vec<&Type> = match shape {
                        Shape::Record(record) => record.fields.iter().map(|field| &field.ty).collect(),
                        Shape::Variant(variant) => variant.cases.iter().filter_map(|case| case.ty.as_ref()).collect(),
                        _ => Vec::new(),
                    };
                    for ty in inside {
                        self.reach(ty, found)?;
                    }
                }
                Ok(())
            }
            Type::List(item) | Type::Option(item) => self.reach(item, found),
            Type::Tuple(items) => items.iter().try_for_each(|item| self.reach(item, found)),
            _ => Ok(()),
        }
    }

    /// The expression of an argument. JSON strings are wrapped in a marker type.
    fn wrapped(&self, ty: &Type, value: &str) -> Result<String> {
        if !self.has_json(ty)? {
            return Ok(value.to_owned());
        }
        Ok(match self.contract.resolved(ty)? {
            Type::Json => format!("Text({value})"),
            Type::JsonObject => format!("ObjectText({value})"),
            Type::Option(item) => format!("{value}.map({})", self.wrapper(item)?),
            Type::List(item) => format!("{value}.into_iter().map({}).collect::<Vec<_>>()", self.wrapper(item)?),
            Type::Tuple(items) => {
                let parts = items.iter().enumerate().map(|(at, item)| self.wrapped(item, &format!("{value}.{at}")));
                format!("({})", parts.collect::<Result<Vec<_>>>()?.join(", "))
            }
            other => bail!("{other:?} holds no JSON"),
        })
    }

    /// The function that wraps a JSON string in its marker type.
    fn wrapper(&self, ty: &Type) -> Result<String> {
        Ok(match self.contract.resolved(ty)? {
            Type::Json => "Text".to_owned(),
            Type::JsonObject => "ObjectText".to_owned(),
            _ => format!("|value| {}", self.wrapped(ty, "value")?),
        })
    }

    /// Whether a type is a JSON string, or contains one outside of named types.
    fn has_json(&self, ty: &Type) -> Result<bool> {
        Ok(match self.contract.resolved(ty)? {
            Type::Json | Type::JsonObject => true,
            Type::Option(item) | Type::List(item) => self.has_json(item)?,
            Type::Tuple(items) => {
                let mut found = false;
                for item in items {
                    found = found || self.has_json(item)?;
                }
                found
            }
            _ => false,
        })
    }

    /// The type to decode. JSON strings have a marker type.
    fn marked(&self, ty: &Type) -> Result<String> {
        Ok(match self.contract.resolved(ty)? {
            Type::Json => "Text".to_owned(),
            Type::JsonObject => "ObjectText".to_owned(),
            Type::Option(item) => format!("Option<{}>", self.marked(item)?),
            Type::List(item) => format!("Vec<{}>", self.marked(item)?),
            Type::Tuple(items) => {
                let items = items.iter().map(|item| self.marked(item)).collect::<Result<Vec<_>>>()?;
                format!("({})", items.join(", "))
            }
            Type::Named(interface, name) => path(interface, name),
            Type::Bool => "bool".to_owned(),
            Type::U32 => "u32".to_owned(),
            Type::U64 => "u64".to_owned(),
            Type::F32 => "f32".to_owned(),
            Type::F64 => "f64".to_owned(),
            Type::String => "String".to_owned(),
            Type::Time => "i64".to_owned(),
            other => bail!("{other:?} is not read"),
        })
    }

    /// Unwraps the marker types of JSON strings.
    fn unmarked(&self, ty: &Type, value: &str) -> Result<String> {
        if !self.has_json(ty)? {
            return Ok(value.to_owned());
        }
        Ok(match self.contract.resolved(ty)? {
            Type::Json | Type::JsonObject => format!("{value}.0"),
            Type::Option(item) => format!("{value}.map(|value| {})", self.unmarked(item, "value")?),
            Type::List(item) => {
                format!("{value}.into_iter().map(|value| {}).collect()", self.unmarked(item, "value")?)
            }
            other => bail!("{other:?} holds no JSON"),
        })
    }
}

/// A JSON literal as Rust: a string or a boolean.
fn literal(json: &str) -> Result<String> {
    match json {
        "true" | "false" => Ok(json.to_owned()),
        text if text.starts_with('"') => Ok(format!("{text}.to_owned()")),
        other => bail!("`{other}` is no string, true or false"),
    }
}

/// The path of a type in the bindings.
fn path(interface: &str, name: &str) -> String {
    format!("{interface}::{}", upper(name))
}

fn lower(name: &str) -> String {
    let name = name.replace('-', "_");
    if name == "type" { "type_".to_owned() } else { name }
}
