//! The contract: every verb and every type of `wit/`, and its JSON form.
//!
//! The default mapping: names become camelCase, an absent option is omitted, an enum is its name, a time is ISO 8601,
//! `json` is the value itself. Where the JSON differs, the WIT documentation has attributes, lines that begin with `@`:
//!
//! | attribute | on | meaning |
//! |---|---|---|
//! | `@json key` | field, case, name | the name in JSON; `outer.inner` is a field of an object |
//! | `@flat` | field | the fields of the value are inlined |
//! | `@rest` | field | a JSON object of all other fields |
//! | `@map` | field | pairs, encoded as an object |
//! | `@blank` | field | an empty string is omitted |
//! | `@sparse` | field | omitted if it is empty or false |
//! | `@answer-only` | field | never sent |
//! | `@always` | field | an optional value that every answer has |
//! | `@min n`, `@max n` | field, type | the minimum and the maximum; of a list, its length |
//! | `@array` | record | an array of the fields' values |
//! | `@drop key` | record | a field of the JSON that the record does not have |
//! | `@tag key` | variant | the field that names the case; the value's fields are inlined |
//! | `@untagged` | variant | the value alone |
//! | `@is value` | case | the value of the tag, or of a case without a value: a JSON literal, or `absent` |
//! | `@with key=value` | case, function | an additional field |
//! | `@else` | case | an object of any other tag |
//! | `@verb name` | function | the verb, if it differs from the function's name |
//! | `@answer key …` | function | the fields of the answer that make up the result |
//! | `@nested param` | function | a record that is one argument; other records are inlined |
//! | `@agent` | method of a session | sends the agent of the session, too |
//! | `@sessionless` | method of a session | does not send the session |
//! | `@boxed` | function | a value that may be `null` is in a one-element array; none is `null` |
//! | `@by-hand` | function | not generated |
//! | `@ts type` | type, function | the TypeScript type of the value, or of the answer, if it differs |
//! | `@also name type` | function | an argument that only the JSON has |
//! | `@status number` | case of an error | the status of an HTTP answer; 503 if there is none |
//! | `@group name` | interface, function | the group that the verb is dispatched in |
//! | `@http METHOD path` | function | its route below `/v1/`; `{name}` in the path is an argument |
//! | `@http … writes`, `creates` | function | the route changes data: status 200, or 201 |
//! | `@http … -> key next` | function | the field of the answer, and of the next page's cursor |
//! | `@default arg=value` | function | over HTTP, an argument that a request may omit |
//! | `@most arg=n` | function | over HTTP, the maximum of a number |

mod http;
mod read;

use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

/// Every interface of the package.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Interfaces by name.
    pub interfaces: BTreeMap<String, Interface>,
}

/// An interface: types and functions.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The documentation.
    pub docs: String,
    /// Whether every component exports it.
    pub exported: bool,
    /// The types that it defines, in their order.
    pub types: Vec<Named>,
    /// Its functions, methods included, in their order.
    pub functions: Vec<Function>,
}

/// A type with a name.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name in WIT.
    pub name: String,
    /// The documentation.
    pub docs: String,
    /// Its type in TypeScript.
    pub ts: Option<String>,
    /// The maximum number of items of a list.
    pub max: Option<String>,
    /// Its shape.
    pub shape: Shape,
}

/// The shape of a named type.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Fields and their JSON form.
    Record(Record),
    /// One of several cases.
    Variant(Variant),
    /// One of several names.
    Enum(Vec<Name>),
    /// Another name of a type.
    Alias(Type),
    /// A handle.
    Resource,
}

/// A record.
#[derive(Clone, Debug)]
pub struct Record {
    /// In the order of their definition.
    pub fields: Vec<Field>,
    /// Whether the JSON is an array of the fields' values.
    pub array: bool,
    /// Fields of the JSON that WIT does not have.
    pub dropped: Vec<String>,
}

/// A field of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in WIT.
    pub name: String,
    /// The documentation.
    pub docs: String,
    /// Its type.
    pub ty: Type,
    /// Its position in the JSON.
    pub place: Place,
    /// Whether the pairs of a list are written as an object.
    pub map: bool,
    /// Whether an empty string is omitted.
    pub blank: bool,
    /// Whether it is omitted if it is empty or false.
    pub sparse: bool,
    /// Whether it is never sent.
    pub answer_only: bool,
    /// Whether every answer has it although it is optional.
    pub always: bool,
    /// The minimum.
    pub min: Option<String>,
    /// The maximum.
    pub max: Option<String>,
}

/// The position of a field in the JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Under this name.
    Key(String),
    /// In the object under the first name, under the second.
    Inner(String, String),
    /// Its fields are inlined beside the others.
    Flat,
    /// All other fields.
    Rest,
}

/// A variant.
#[derive(Clone, Debug)]
pub struct Variant {
    /// How the JSON identifies the case.
    pub tag: Tag,
    /// In the order of their definition.
    pub cases: Vec<Case>,
}

/// How JSON identifies the case of a variant.
#[derive(Clone, Debug, PartialEq)]
pub enum Tag {
    /// By this field.
    Field(String),
    /// By the fields that are present.
    Keys,
    /// By the value alone.
    Untagged,
}

/// A case of a variant.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name in WIT.
    pub name: String,
    /// The documentation.
    pub docs: String,
    /// The type of its value.
    pub ty: Option<Type>,
    /// The field of the value, if the documentation names one.
    pub key: Option<String>,
    /// The value of the tag, as JSON; or `absent`.
    pub is: String,
    /// More fields, with their JSON.
    pub with: Vec<(String, String)>,
    /// Whether it is the case for every other tag.
    pub other: bool,
    /// The HTTP status, for a case of an error.
    pub status: Option<String>,
}

impl Case {
    /// The field of the value, if it is no record.
    pub fn place(&self) -> String {
        self.key.clone().unwrap_or_else(|| camel(&self.name))
    }
}

/// A name with its documentation.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name in WIT.
    pub name: String,
    /// The name in JSON.
    pub json: String,
    /// The documentation.
    pub docs: String,
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// A byte.
    U8,
    /// A count.
    U32,
    /// A large count.
    U64,
    /// A number.
    F32,
    /// A number.
    F64,
    /// A string.
    String,
    /// Milliseconds since 1970; ISO 8601 in JSON.
    Time,
    /// Any JSON, as a string.
    Json,
    /// A JSON object, as a string.
    JsonObject,
    /// A type of this interface by this name.
    Named(String, String),
    /// A borrowed resource.
    Borrow(String),
    /// An owned resource.
    Own(String),
    /// Any number of values.
    List(Box<Type>),
    /// A value or none.
    Option(Box<Type>),
    /// Several values.
    Tuple(Vec<Type>),
    /// A value or an error.
    Result(Option<Box<Type>>, Option<Box<Type>>),
}

/// A function or a method.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name in WIT, without the resource.
    pub name: String,
    /// The resource that it is a method or a constructor of.
    pub resource: Option<String>,
    /// Whether it is static.
    pub is_static: bool,
    /// The documentation.
    pub docs: String,
    /// Its parameters, without `self`.
    pub params: Vec<Param>,
    /// The answer.
    pub result: Option<Type>,
    /// The verb of the JSON door.
    pub verb: String,
    /// Fields of the answer that make up the result; none: the whole answer.
    pub answer: Vec<String>,
    /// More arguments, with their JSON.
    pub with: Vec<(String, String)>,
    /// Whether the agent of the session is sent.
    pub agent: bool,
    /// Whether the session is sent.
    pub session: bool,
    /// Whether each value of the answer is in a one-element array.
    pub boxed: bool,
    /// Whether it is written by hand.
    pub by_hand: bool,
    /// The group of its verb.
    pub group: String,
    /// The answer in TypeScript, if it differs from the type's.
    pub ts: Option<String>,
    /// Optional arguments that only the JSON has, with their types in TypeScript.
    pub also: Vec<(String, String)>,
    /// Its route of the HTTP API.
    pub http: Option<Http>,
}

/// A route of the HTTP API.
#[derive(Clone, Debug)]
pub struct Http {
    /// `GET`, `POST`, `PATCH` or `DELETE`.
    pub method: String,
    /// The path below `/v1/`, such as `entries/{id}`.
    pub path: String,
    /// The status of its answer if it changes something.
    pub writes: Option<u16>,
    /// The field of the answer; none: the whole answer.
    pub answer: Option<String>,
    /// The field for the id of a full page's last item.
    pub next: Option<String>,
    /// Arguments that a request may omit, with their defaults in JSON.
    pub defaults: Vec<(String, String)>,
    /// The maximum values of arguments.
    pub most: Vec<(String, u64)>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name in WIT.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it is a record whose fields are inlined beside the other arguments.
    pub flat: bool,
}

impl Contract {
    /// Reads the folder `wit/`.
    ///
    /// # Errors
    /// If it is no WIT package, or an attribute is unknown.
    pub fn read(folder: &Path) -> Result<Self> {
        read::contract(folder)
    }

    /// The type of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(&self, interface: &str, name: &str) -> Result<&Named> {
        let found = self.interfaces.get(interface).and_then(|inside| inside.types.iter().find(|ty| ty.name == name));
        match found {
            Some(named) => Ok(named),
            None => bail!("there is no type `{name}` in `{interface}`"),
        }
    }

    /// The type behind an alias.
    ///
    /// # Errors
    /// If there is no type of its name.
    pub fn resolved<'a>(&'a self, ty: &'a Type) -> Result<&'a Type> {
        let Type::Named(interface, name) = ty else { return Ok(ty) };
        match &self.named(interface, name)?.shape {
            Shape::Alias(other) => self.resolved(other),
            _ => Ok(ty),
        }
    }

    /// The record of a type, if it is one.
    ///
    /// # Errors
    /// If there is no type of its name.
    pub fn record(&self, ty: &Type) -> Result<Option<&Record>> {
        let Type::Named(interface, name) = self.resolved(ty)? else { return Ok(None) };
        Ok(if let Shape::Record(record) = &self.named(interface, name)?.shape { Some(record) } else { None })
    }

    /// The verbs with their groups, each once, in the order of their names.
    ///
    /// # Errors
    /// If a verb is in two groups.
    pub fn verbs(&self) -> Result<BTreeMap<&str, &str>> {
        let mut verbs = BTreeMap::new();
        let all = self.interfaces.values().flat_map(|inside| &inside.functions);
        for function in all.filter(|function| !function.is_static && !function.group.is_empty()) {
            let known = verbs.insert(function.verb.as_str(), function.group.as_str());
            if known.is_some_and(|known| known != function.group) {
                bail!("`{}` is in two groups", function.verb);
            }
        }
        Ok(verbs)
    }

    /// Every function that a component exports, with its interface.
    pub fn functions(&self) -> impl Iterator<Item = (&str, &Function)> {
        let exported = self.interfaces.iter().filter(|(_, inside)| inside.exported);
        exported.flat_map(|(name, inside)| inside.functions.iter().map(move |one| (name.as_str(), one)))
    }
}

/// A name of WIT in camelCase.
pub fn camel(name: &str) -> String {
    let mut parts = name.split('-');
    let mut camel = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}
