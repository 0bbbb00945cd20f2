//! The WIT door: every exported function writes its arguments as JSON, calls the verb, and reads its answer.

use super::MARK;
use anyhow::{Result, bail};
use keepsake_contract::{Case, Contract, Field, Function, Place, Record, Shape, Tag, Type, Variant};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The text of `src/component/generated.rs`.
pub(super) fn written(contract: &Contract) -> Result<String> {
    let component = Component { contract };
    let mut text = format!(
        "//! {MARK}\n\
         \n\
         use super::bindings::exports::keepsake::memory::{{{}}};\n\
         use super::bindings::keepsake::memory::types;\n\
         use super::wire::{{Boxed, FromJson, ObjectText, Open, Pairs, Read, Reader, Text, ToJson, Write, Writer, answer, call, \
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

    /// The named types that functions take, or answer with.
    fn reached(&self, sent: bool) -> Result<BTreeSet<(String, String)>> {
        let mut found = BTreeSet::new();
        // What asks the host's models is written by hand, and uses the same values.
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

    /// How a type that is sent becomes JSON.
    fn sent(&self, interface: &str, name: &str) -> Result<String> {
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

    /// The names that the JSON of a record has.
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

    /// A value as it is sent: JSON texts are marked as such.
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

    /// What makes a value one as it is sent.
    fn wrapper(&self, ty: &Type) -> Result<String> {
        Ok(match self.contract.resolved(ty)? {
            Type::Json => "Text".to_owned(),
            Type::JsonObject => "ObjectText".to_owned(),
            _ => format!("|value| {}", self.wrapped(ty, "value")?),
        })
    }

    /// Whether a type is a JSON text, or has one in it that is not in a named type.
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

    /// The type that is read for a type: JSON texts are marked as such.
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

    /// A value without the marks of JSON texts.
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

    /// How JSON becomes a type that is answered.
    fn told(&self, interface: &str, name: &str) -> Result<String> {
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
                // Own keys first, then the fields of others, then what is left.
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

    /// What the component does for an interface.
    fn guests(&self, interface: &str) -> Result<String> {
        let functions = &self.contract.interfaces[interface].functions;
        let resource = self.contract.interfaces[interface].types.iter().find(|ty| matches!(ty.shape, Shape::Resource));
        let mut text = format!("impl {interface}::Guest for Keepsake {{");
        if let Some(resource) = resource {
            let name = upper(&resource.name);
            write!(text, "type {name} = {};", handle(&resource.name)?)?;
        }
        for function in functions.iter().filter(|function| function.resource.is_none()) {
            text.push_str(&self.guest(interface, function)?);
        }
        text.push_str("}\n\n");
        if let Some(resource) = resource {
            write!(text, "impl {interface}::Guest{} for {} {{", upper(&resource.name), handle(&resource.name)?)?;
            for function in functions.iter().filter(|function| function.resource.is_some()) {
                text.push_str(&self.guest(interface, function)?);
            }
            text.push_str("}\n\n");
        }
        Ok(text)
    }

    fn guest(&self, interface: &str, function: &Function) -> Result<String> {
        let is_method = function.resource.is_some() && !function.is_static;
        let mut params: Vec<String> = is_method.then(|| "&self".to_owned()).into_iter().collect();
        let mut names: Vec<String> = is_method.then(|| "self".to_owned()).into_iter().collect();
        for param in &function.params {
            let name = lower(&param.name);
            params.push(format!("{name}: {}", self.rust(interface, &param.ty)?));
            names.push(name);
        }
        let result = match &function.result {
            None => String::new(),
            Some(ty) => format!("-> {}", self.rust(interface, ty)?),
        };
        let name = lower(&function.name);
        let head = format!("fn {name}({}) {result}", params.join(", "));
        if function.by_hand {
            let owner = function.resource.as_deref().unwrap_or(interface);
            return Ok(format!("{head} {{ by_hand::{owner}_{name}({}) }}\n\n", names.join(", ")));
        }
        Ok(format!("{head} {{ {} }}\n\n", self.body(function, is_method)?))
    }

    fn body(&self, function: &Function, is_method: bool) -> Result<String> {
        let mut body = String::new();
        let memory = match (is_method, function.resource.as_deref()) {
            (true, Some("memory")) => "self",
            (true, Some("session")) => "&self.memory",
            _ => "memory.get::<Open>()",
        };
        if function.session {
            body.push_str("sent.put(\"session\", self.id.to_string());");
        }
        if function.agent {
            body.push_str("sent.put(\"agent\", self.agent.as_ref().map(ToString::to_string));");
        }
        for param in &function.params {
            let name = lower(&param.name);
            if matches!(param.ty, Type::Borrow(_)) {
                continue;
            }
            if param.flat {
                write!(body, "{name}.write(&mut sent);")?;
            } else {
                let key = keepsake_contract::camel(&param.name);
                write!(body, "sent.put({key:?}, {});", self.wrapped(&param.ty, &name)?)?;
            }
        }
        for (key, value) in &function.with {
            write!(body, "sent.put({key:?}, {});", literal(value)?)?;
        }
        let sent = if body.is_empty() { "Writer::default()" } else { "sent" };
        if !body.is_empty() {
            body.insert_str(0, "let mut sent = Writer::default();");
        }
        let verb = &function.verb;
        let Some(Type::Result(ok, _)) = &function.result else { bail!("`{}` cannot fail", function.name) };
        match (ok, function.answer.as_slice()) {
            (None, _) => write!(body, "call({memory}, {verb:?}, {sent}).map(|_| ())")?,
            (Some(_), []) if function.boxed => {
                write!(
                    body,
                    "answer::<Vec<Boxed>>({memory}, {verb:?}, {sent}).map(|values| values.into_iter().map(|value| value.0).collect())"
                )?;
            }
            (Some(ty), []) if self.has_json(ty)? => {
                let told = self.unmarked(ty, "value")?;
                write!(body, "answer::<{}>({memory}, {verb:?}, {sent}).map(|value| {told})", self.marked(ty)?)?;
            }
            (Some(_), []) => write!(body, "answer({memory}, {verb:?}, {sent})")?,
            (Some(_), [key]) => write!(body, "part(&call({memory}, {verb:?}, {sent})?, {key:?})")?,
            (Some(_), keys) => {
                let parts = keys.iter().map(|key| format!("part(&answer, {key:?})?")).collect::<Vec<_>>();
                write!(body, "let answer = call({memory}, {verb:?}, {sent})?; Ok(({}))", parts.join(", "))?;
            }
        }
        Ok(body)
    }

    /// A type as the bindings have it.
    fn rust(&self, interface: &str, ty: &Type) -> Result<String> {
        Ok(match self.contract.resolved(ty)? {
            Type::Json | Type::JsonObject | Type::String => "String".to_owned(),
            Type::U8 => "u8".to_owned(),
            Type::Option(item) => format!("Option<{}>", self.rust(interface, item)?),
            Type::List(item) => format!("Vec<{}>", self.rust(interface, item)?),
            Type::Tuple(items) => {
                let items = items.iter().map(|item| self.rust(interface, item)).collect::<Result<Vec<_>>>()?;
                format!("({})", items.join(", "))
            }
            Type::Result(ok, error) => {
                let part =
                    |ty: &Option<Box<Type>>| ty.as_ref().map_or(Ok("()".to_owned()), |ty| self.rust(interface, ty));
                format!("Result<{}, {}>", part(ok)?, part(error)?)
            }
            Type::Borrow(name) => format!("{interface}::{}Borrow<'_>", upper(name)),
            Type::Own(name) => path(interface, name),
            other => self.marked(other)?,
        })
    }
}

/// The type behind a resource.
fn handle(resource: &str) -> Result<&'static str> {
    match resource {
        "memory" => Ok("Open"),
        "session" => Ok("Session"),
        other => bail!("what is a `{other}`?"),
    }
}

fn to_json(rust: &str, arms: &str) -> String {
    format!(
        "impl ToJson for {rust} {{\n fn to_json(self) -> Result<Option<Json>, Invalid> {{\n match self {{ {arms} }} }}\n}}\n\n"
    )
}

fn from_json(rust: &str, body: &str) -> String {
    format!("impl FromJson for {rust} {{\n fn from_json(value: Json) -> Option<Self> {{\n {body} }}\n}}\n\n")
}

fn read(rust: &str, body: &str) -> String {
    format!("impl Read for {rust} {{\n fn read(json: &mut Reader) -> Option<Self> {{\n {body} }}\n}}\n\n")
}

/// A JSON literal as Rust: a string, or yes or no.
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

fn upper(name: &str) -> String {
    let upper = |part: &str| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('-').map(upper).collect()
}

fn lower(name: &str) -> String {
    let name = name.replace('-', "_");
    if name == "type" { "type_".to_owned() } else { name }
}
