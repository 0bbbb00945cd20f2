//! Encoding of the types that functions take.

use super::{Component, literal, lower, path, upper};
use anyhow::{Result, bail};
use keepsake_contract::{Case, Field, Place, Record, Shape, Tag, Type, Variant};
use std::collections::BTreeSet;
use std::fmt::Write as _;

impl Component<'_> {
    /// Generates the encoder of an argument type.
    pub(super) fn sent(&self, interface: &str, name: &str) -> Result<String> {
        let rust = path(interface, name);
        match &self.contract.named(interface, name)?.shape {
            Shape::Record(record) => {
                let mut body = String::new();
                for field in record.fields.iter().filter(|field| !field.answer_only) {
                    body.push_str(&self.put(record, field)?);
                }
                Ok(format!("impl Write for {rust} {{\n fn write(self, to: &mut Writer) {{\n {body} }}\n}}\n\n"))
            }
            Shape::Variant(variant) if variant.tag == Tag::Untagged => {
                let mut arms = String::new();
                for case in &variant.cases {
                    let arm = match (&case.ty, case.is.as_str()) {
                        (Some(ty), _) => {
                            format!("Self::{}(value) => {}.to_json(),", upper(&case.name), self.wrapped(ty, "value")?)
                        }
                        (None, "absent") => format!("Self::{} => Ok(None),", upper(&case.name)),
                        (None, "null") => format!("Self::{} => Ok(Some(Json::Null)),", upper(&case.name)),
                        (None, other) => bail!("`@is {other}` of a case without a value"),
                    };
                    arms.push_str(&arm);
                }
                Ok(to_json(&rust, &arms))
            }
            Shape::Variant(variant) => {
                let mut arms = String::new();
                for case in &variant.cases {
                    arms.push_str(&self.put_case(variant, case)?);
                }
                Ok(format!(
                    "impl Write for {rust} {{\n fn write(self, to: &mut Writer) {{\n match self {{ {arms} }} }}\n}}\n\n"
                ))
            }
            Shape::Enum(words) => {
                let arm = |word: &keepsake_contract::Name| format!("Self::{} => {:?},", upper(&word.name), word.json);
                let arms: String = words.iter().map(arm).collect();
                Ok(format!(
                    "impl ToJson for {rust} {{\n fn to_json(self) -> Result<Option<Json>, Invalid> {{\n \
                     Ok(Some(match self {{ {arms} }}.into())) }}\n}}\n\n"
                ))
            }
            Shape::Alias(_) | Shape::Resource => Ok(String::new()),
        }
    }

    fn put(&self, record: &Record, field: &Field) -> Result<String> {
        let value = format!("self.{}", lower(&field.name));
        Ok(match &field.place {
            Place::Key(key) if field.blank => format!("to.put_filled({key:?}, {value});"),
            Place::Key(key) if field.map => format!("to.put({key:?}, Pairs({}));", self.wrapped(&field.ty, &value)?),
            Place::Key(key) => format!("to.put({key:?}, {});", self.wrapped(&field.ty, &value)?),
            Place::Inner(outer, key) => format!("to.put_in({outer:?}, {key:?}, {});", self.wrapped(&field.ty, &value)?),
            Place::Flat => match &field.ty {
                Type::Option(_) => format!("if let Some(value) = {value} {{ value.write(to); }}"),
                _ => format!("{value}.write(to);"),
            },
            Place::Rest => {
                let known: Vec<String> = self.keys(record)?.into_iter().collect();
                format!("to.rest({:?}, {value}, &{known:?});", field.name)
            }
        })
    }

    /// The JSON names of a record's fields.
    fn keys(&self, record: &Record) -> Result<BTreeSet<String>> {
        let mut keys: BTreeSet<String> = record.dropped.iter().cloned().collect();
        for field in &record.fields {
            match &field.place {
                Place::Key(key) => {
                    keys.insert(key.clone());
                }
                Place::Flat => {
                    let ty = if let Type::Option(inner) = &field.ty { inner } else { &field.ty };
                    keys.extend(self.keys_of(ty)?);
                }
                Place::Inner(..) | Place::Rest => {}
            }
        }
        Ok(keys)
    }

    fn keys_of(&self, ty: &Type) -> Result<BTreeSet<String>> {
        let Type::Named(interface, name) = self.contract.resolved(ty)? else { bail!("{ty:?} has no fields") };
        match &self.contract.named(interface, name)?.shape {
            Shape::Record(record) => self.keys(record),
            Shape::Variant(variant) => {
                let mut keys = BTreeSet::new();
                if let Tag::Field(tag) = &variant.tag {
                    keys.insert(tag.clone());
                }
                Ok(keys)
            }
            _ => bail!("`{name}` has no fields"),
        }
    }

    fn put_case(&self, variant: &Variant, case: &Case) -> Result<String> {
        let name = upper(&case.name);
        let mut body = String::new();
        if case.other {
            return Ok(format!("Self::{name}(value) => to.rest({:?}, Some(value), &[]),", case.name));
        }
        if let Tag::Field(tag) = &variant.tag {
            write!(body, "to.put({tag:?}, {});", literal(&case.is)?)?;
        }
        match &case.ty {
            None => {}
            Some(ty) if case.key.is_none() && self.contract.record(ty)?.is_some() => body.push_str("value.write(to);"),
            Some(ty) => write!(body, "to.put({:?}, {});", case.place(), self.wrapped(ty, "value")?)?,
        }
        for (key, value) in &case.with {
            write!(body, "to.put({key:?}, {});", literal(value)?)?;
        }
        let pattern = if case.ty.is_some() { "(value)" } else { "" };
        Ok(format!("Self::{name}{pattern} => {{ {body} }}"))
    }
}

fn to_json(rust: &str, arms: &str) -> String {
    format!(
        "impl ToJson for {rust} {{\n fn to_json(self) -> Result<Option<Json>, Invalid> {{\n match self {{ {arms} }} }}\n}}\n\n"
    )
}
