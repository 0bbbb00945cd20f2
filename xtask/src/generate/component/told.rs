//! Decoding of the types that functions return.

use super::{Component, literal, lower, path, upper};
use anyhow::{Result, bail};
use keepsake_contract::{Case, Field, Place, Shape, Tag, Type, Variant};
use std::fmt::Write as _;

impl Component<'_> {
    /// Generates the decoder of a returned type.
    pub(super) fn told(&self, interface: &str, name: &str) -> Result<String> {
        let rust = path(interface, name);
        match &self.contract.named(interface, name)?.shape {
            Shape::Record(record) if record.array => {
                let take = |field: &Field| {
                    let read = format!("<{}>::from_json(items.next()?)?", self.marked(&field.ty)?);
                    Ok(format!("{}: {},", lower(&field.name), self.unmarked(&field.ty, &read)?))
                };
                let fields = record.fields.iter().map(take).collect::<Result<String>>()?;
                let body = format!(
                    "let Json::Array(items) = value else {{ return None }};\n let mut items = items.into_iter();\n \
                     Some(Self {{ {fields} }})"
                );
                Ok(from_json(&rust, &body))
            }
            Shape::Record(record) => {
                let has_rest = record.fields.iter().any(|field| field.place == Place::Rest);
                let dropped = record.dropped.iter().filter(|_| has_rest);
                let mut body: String = dropped.map(|key| format!("json.value({key:?});")).collect();
                // Named keys first, then inlined records, then the remaining fields.
                let rank = |field: &&Field| match field.place {
                    Place::Flat => 1,
                    Place::Rest => 2,
                    _ => 0,
                };
                let mut fields: Vec<&Field> = record.fields.iter().collect();
                fields.sort_by_key(rank);
                for field in fields {
                    write!(body, "let {} = {};", lower(&field.name), self.take(field)?)?;
                }
                let names: Vec<String> = record.fields.iter().map(|field| lower(&field.name)).collect();
                write!(body, "Some(Self {{ {} }})", names.join(", "))?;
                Ok(read(&rust, &body))
            }
            Shape::Variant(variant) => Ok(read(&rust, &self.take_case(variant)?)),
            Shape::Enum(words) => {
                let arm = |word: &keepsake_contract::Name| format!("{:?} => Self::{},", word.json, upper(&word.name));
                let arms: String = words.iter().map(arm).collect();
                Ok(from_json(&rust, &format!("Some(match value.as_str()? {{ {arms} _ => return None }})")))
            }
            Shape::Alias(_) | Shape::Resource => Ok(String::new()),
        }
    }

    fn take(&self, field: &Field) -> Result<String> {
        Ok(match &field.place {
            Place::Key(key) if field.ty == Type::String && (field.blank || field.sparse) => {
                format!("json.take::<Option<String>>({key:?})?.unwrap_or_default()")
            }
            Place::Key(key) if field.map => {
                let Type::List(item) = self.contract.resolved(&field.ty)? else { bail!("`@map` is for lists") };
                match (self.contract.resolved(item)?, self.contract.record(item)?) {
                    (Type::Tuple(items), _) => match items.as_slice() {
                        [Type::String, value] => format!("json.take::<Pairs<{}>>({key:?})?.0", self.marked(value)?),
                        _ => bail!("`@map` is for pairs with a name"),
                    },
                    (Type::Named(interface, name), Some(record)) => {
                        let [one, two] = record.fields.as_slice() else { bail!("`@map` is for pairs") };
                        let (one_name, two_name) = (lower(&one.name), lower(&two.name));
                        format!(
                            "json.take::<Pairs<{}>>({key:?})?.0.into_iter().map(|({one_name}, {two_name})| {} {{ {one_name}, \
                             {two_name} }}).collect()",
                            self.marked(&two.ty)?,
                            path(interface, name)
                        )
                    }
                    _ => bail!("`@map` is for lists of pairs"),
                }
            }
            Place::Key(key) => {
                let read = format!("json.take::<{}>({key:?})?", self.marked(&field.ty)?);
                self.unmarked(&field.ty, &read)?
            }
            Place::Inner(..) => bail!("`{}` is not answered", field.name),
            Place::Flat => match &field.ty {
                Type::Option(inner) => {
                    let Some(record) = self.contract.record(inner)? else { bail!("`{}` is no record", field.name) };
                    let first = record.fields.first().map(|field| &field.place);
                    let Some(Place::Key(key)) = first else { bail!("`{}` cannot be told", field.name) };
                    format!("if json.has({key:?}) {{ Some({}::read(json)?) }} else {{ None }}", self.marked(inner)?)
                }
                ty => format!("{}::read(json)?", self.marked(ty)?),
            },
            Place::Rest => "json.rest()".to_owned(),
        })
    }

    fn take_case(&self, variant: &Variant) -> Result<String> {
        let value = |case: &Case| -> Result<String> {
            let name = upper(&case.name);
            Ok(match &case.ty {
                None => format!("Self::{name}"),
                Some(ty) if case.key.is_none() && self.contract.record(ty)?.is_some() => {
                    format!("Self::{name}({}::read(json)?)", self.marked(ty)?)
                }
                Some(ty) => {
                    let read = format!("json.take::<{}>({:?})?", self.marked(ty)?, case.place());
                    format!("Self::{name}({})", self.unmarked(ty, &read)?)
                }
            })
        };
        match &variant.tag {
            Tag::Field(tag) => {
                let mut body = String::new();
                let mut other = "None".to_owned();
                for case in &variant.cases {
                    if case.other {
                        other = format!("json.rest().map(Self::{})", upper(&case.name));
                        continue;
                    }
                    write!(
                        body,
                        "if json.is({tag:?}, &{}.into()) {{ return Some({}); }}",
                        literal(&case.is)?,
                        value(case)?
                    )?;
                }
                Ok(body + &other)
            }
            Tag::Keys => {
                let mut body = String::new();
                for case in &variant.cases {
                    write!(body, "if json.has({:?}) {{ return Some({}); }}", case.place(), value(case)?)?;
                }
                Ok(body + "None")
            }
            Tag::Untagged => bail!("an untagged variant is not answered"),
        }
    }
}

fn from_json(rust: &str, body: &str) -> String {
    format!("impl FromJson for {rust} {{\n fn from_json(value: Json) -> Option<Self> {{\n {body} }}\n}}\n\n")
}

fn read(rust: &str, body: &str) -> String {
    format!("impl Read for {rust} {{\n fn read(json: &mut Reader) -> Option<Self> {{\n {body} }}\n}}\n\n")
}
