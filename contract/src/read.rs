//! Converts the package of the WIT parser to the contract.

use crate::{
    Case, Contract, Field, Function, Interface, Name, Named, Param, Place, Record, Shape, Tag, Type, Variant, camel,
};
use anyhow::{Context, Result, bail};
use std::path::Path;
use wit_parser::{FunctionKind, Handle, Resolve, Type as Wit, TypeDefKind, TypeId, TypeOwner, WorldKey};

/// A documentation comment: its text, and the attributes in it.
struct Said {
    docs: String,
    attributes: Vec<(String, String)>,
}

impl Said {
    fn of(docs: &wit_parser::Docs) -> Self {
        let mut text = Vec::new();
        let mut attributes = Vec::new();
        for line in docs.contents.as_deref().unwrap_or_default().lines() {
            match line.trim().strip_prefix('@') {
                Some(attribute) => {
                    let (name, value) = attribute.split_once(' ').unwrap_or((attribute, ""));
                    attributes.push((name.to_owned(), value.trim().to_owned()));
                }
                None => text.push(line),
            }
        }
        Self { docs: text.join("\n").trim().to_owned(), attributes }
    }

    /// All values of an attribute, one for each occurrence.
    fn all(&mut self, name: &str) -> Vec<String> {
        let (found, rest) = std::mem::take(&mut self.attributes).into_iter().partition(|(known, _)| known == name);
        self.attributes = rest;
        let found: Vec<(String, String)> = found;
        found.into_iter().map(|(_, value)| value).collect()
    }

    fn one(&mut self, name: &str) -> Option<String> {
        self.all(name).pop()
    }

    fn has(&mut self, name: &str) -> bool {
        self.one(name).is_some()
    }

    /// Pairs of `key=value`.
    fn pairs(&mut self, name: &str) -> Result<Vec<(String, String)>> {
        let pair = |text: String| {
            let (key, value) = text.split_once('=').with_context(|| format!("`@{name} {text}` is no pair"))?;
            Ok((key.to_owned(), value.to_owned()))
        };
        self.all(name).into_iter().map(pair).collect()
    }

    /// A name and the text after it.
    fn words(&mut self, name: &str) -> Result<Vec<(String, String)>> {
        let parted = |text: String| {
            let (first, rest) = text.split_once(' ').with_context(|| format!("`@{name} {text}` has no type"))?;
            Ok((first.to_owned(), rest.to_owned()))
        };
        self.all(name).into_iter().map(parted).collect()
    }

    /// The documentation. Fails if an attribute was not read, because it is unknown.
    fn finish(self, what: &str) -> Result<String> {
        match self.attributes.first() {
            None => Ok(self.docs),
            Some((name, _)) => bail!("`@{name}` means nothing on {what}"),
        }
    }
}

pub(crate) fn contract(folder: &Path) -> Result<Contract> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(folder)?;
    let mut interfaces = std::collections::BTreeMap::new();
    let world = resolve.packages[package].worlds.get("keepsake").context("there is no world `keepsake`")?;
    let exports = &resolve.worlds[*world].exports;
    for (name, id) in &resolve.packages[package].interfaces {
        let inside = &resolve.interfaces[*id];
        let mut types = Vec::new();
        for (name, ty) in &inside.types {
            // A type that is only used here is defined elsewhere.
            if !is_used(&resolve, *ty) {
                types.push(named(&resolve, name, *ty).with_context(|| format!("type `{name}`"))?);
            }
        }
        let mut said = Said::of(&inside.docs);
        let group = said.one("group").unwrap_or_default();
        let made = inside
            .functions
            .values()
            .map(|one| function(&resolve, &group, one).with_context(|| format!("`{}`", one.name)));
        let functions = made.collect::<Result<Vec<_>>>()?;
        let exported = exports.contains_key(&WorldKey::Interface(*id));
        let docs = said.finish(name)?;
        interfaces.insert(name.clone(), Interface { docs, exported, types, functions });
    }
    let mut contract = Contract { interfaces };
    flatten(&mut contract)?;
    Ok(contract)
}

/// Whether a type of an interface is one of another interface.
fn is_used(resolve: &Resolve, id: TypeId) -> bool {
    let ty = &resolve.types[id];
    let TypeDefKind::Type(Wit::Id(other)) = ty.kind else { return false };
    resolve.types[other].name == ty.name && resolve.types[other].owner != ty.owner
}

fn named(resolve: &Resolve, name: &str, id: TypeId) -> Result<Named> {
    let ty = &resolve.types[id];
    let mut said = Said::of(&ty.docs);
    let shape = match &ty.kind {
        TypeDefKind::Record(record) => Shape::Record(Record {
            fields: record.fields.iter().map(|one| field(resolve, one)).collect::<Result<_>>()?,
            array: said.has("array"),
            dropped: said.all("drop"),
        }),
        TypeDefKind::Variant(variant) => {
            let tag = match (said.one("tag"), said.has("untagged")) {
                (Some(key), _) => Tag::Field(key),
                (None, true) => Tag::Untagged,
                (None, false) => Tag::Keys,
            };
            Shape::Variant(Variant {
                tag,
                cases: variant.cases.iter().map(|one| case(resolve, one)).collect::<Result<_>>()?,
            })
        }
        TypeDefKind::Enum(words) => {
            let word = |word: &wit_parser::EnumCase| {
                let mut said = Said::of(&word.docs);
                let json = said.one("json").unwrap_or_else(|| word.name.clone());
                Ok(Name { name: word.name.clone(), json, docs: said.finish(&word.name)? })
            };
            Shape::Enum(words.cases.iter().map(word).collect::<Result<_>>()?)
        }
        TypeDefKind::Resource => Shape::Resource,
        TypeDefKind::Type(other) => Shape::Alias(ty_of(resolve, other)?),
        TypeDefKind::List(item) => Shape::Alias(Type::List(Box::new(ty_of(resolve, item)?))),
        other => bail!("a {} has no JSON", other.as_str()),
    };
    let (ts, max) = (said.one("ts"), said.one("max"));
    Ok(Named { name: name.to_owned(), ts, max, docs: said.finish(name)?, shape })
}

fn field(resolve: &Resolve, field: &wit_parser::Field) -> Result<Field> {
    let mut said = Said::of(&field.docs);
    let place = match (said.one("json"), said.has("flat"), said.has("rest")) {
        (_, true, _) => Place::Flat,
        (_, _, true) => Place::Rest,
        (Some(key), ..) => match key.split_once('.') {
            Some((outer, inner)) => Place::Inner(outer.to_owned(), inner.to_owned()),
            None => Place::Key(key),
        },
        _ => Place::Key(camel(&field.name)),
    };
    Ok(Field {
        name: field.name.clone(),
        ty: ty_of(resolve, &field.ty)?,
        place,
        map: said.has("map"),
        blank: said.has("blank"),
        sparse: said.has("sparse"),
        answer_only: said.has("answer-only"),
        always: said.has("always"),
        min: said.one("min"),
        max: said.one("max"),
        docs: said.finish(&field.name)?,
    })
}

fn case(resolve: &Resolve, case: &wit_parser::Case) -> Result<Case> {
    let mut said = Said::of(&case.docs);
    Ok(Case {
        name: case.name.clone(),
        ty: case.ty.as_ref().map(|ty| ty_of(resolve, ty)).transpose()?,
        key: said.one("json"),
        is: said.one("is").unwrap_or_else(|| format!("\"{}\"", case.name)),
        with: said.pairs("with")?,
        other: said.has("else"),
        status: said.one("status"),
        docs: said.finish(&case.name)?,
    })
}

fn function(resolve: &Resolve, group: &str, function: &wit_parser::Function) -> Result<Function> {
    let mut said = Said::of(&function.docs);
    let resource = match function.kind {
        FunctionKind::Method(id) | FunctionKind::Static(id) | FunctionKind::Constructor(id) => {
            resolve.types[id].name.clone()
        }
        _ => None,
    };
    let is_method = matches!(function.kind, FunctionKind::Method(_));
    let name = function.name.rsplit('.').next().unwrap_or_default().to_owned();
    let nested = said.all("nested");
    let mut params = Vec::new();
    for param in function.params.iter().skip(usize::from(is_method)) {
        let flat = !nested.contains(&param.name);
        params.push(Param { name: param.name.clone(), ty: ty_of(resolve, &param.ty)?, flat });
    }
    Ok(Function {
        verb: said.one("verb").unwrap_or_else(|| camel(&name)),
        is_static: matches!(function.kind, FunctionKind::Static(_) | FunctionKind::Constructor(_)),
        answer: said.one("answer").map(|keys| keys.split(' ').map(str::to_owned).collect()).unwrap_or_default(),
        with: said.pairs("with")?,
        agent: said.has("agent"),
        session: is_method && resource.as_deref() == Some("session") && !said.has("sessionless"),
        boxed: said.has("boxed"),
        by_hand: said.has("by-hand"),
        group: said.one("group").unwrap_or_else(|| group.to_owned()),
        ts: said.one("ts"),
        also: said.words("also")?,
        http: match said.one("http") {
            Some(value) => Some(crate::http::route(&value, said.pairs("default")?, said.pairs("most")?)?),
            None => None,
        },
        result: function.result.as_ref().map(|ty| ty_of(resolve, ty)).transpose()?,
        docs: said.finish(&name)?,
        name,
        resource,
        params,
    })
}

/// Only the fields of a record can be inlined beside arguments.
fn flatten(contract: &mut Contract) -> Result<()> {
    let known = contract.clone();
    for interface in contract.interfaces.values_mut() {
        for param in interface.functions.iter_mut().flat_map(|function| &mut function.params) {
            param.flat = param.flat && known.record(&param.ty)?.is_some();
        }
    }
    Ok(())
}

fn ty_of(resolve: &Resolve, ty: &Wit) -> Result<Type> {
    let boxed = |ty: &Wit| ty_of(resolve, ty).map(Box::new);
    Ok(match ty {
        Wit::Bool => Type::Bool,
        Wit::U8 => Type::U8,
        Wit::U32 => Type::U32,
        Wit::U64 => Type::U64,
        Wit::S64 => Type::Time,
        Wit::F32 => Type::F32,
        Wit::F64 => Type::F64,
        Wit::String => Type::String,
        Wit::Id(id) => {
            let def = &resolve.types[*id];
            match (&def.name, &def.kind) {
                (_, TypeDefKind::Type(Wit::Id(other))) if is_used(resolve, *id) => ty_of(resolve, &Wit::Id(*other))?,
                (Some(name), _) if name == "json" => Type::Json,
                (Some(name), _) if name == "json-object" => Type::JsonObject,
                (Some(name), _) => {
                    let TypeOwner::Interface(owner) = def.owner else { bail!("`{name}` is in no interface") };
                    let interface = resolve.interfaces[owner].name.clone().context("an interface has a name")?;
                    Type::Named(interface, name.clone())
                }
                (None, TypeDefKind::Handle(Handle::Own(id))) => Type::Own(resource(resolve, *id)?),
                (None, TypeDefKind::Handle(Handle::Borrow(id))) => Type::Borrow(resource(resolve, *id)?),
                (None, TypeDefKind::List(item)) => Type::List(boxed(item)?),
                (None, TypeDefKind::Option(item)) => Type::Option(boxed(item)?),
                (None, TypeDefKind::Tuple(tuple)) => {
                    Type::Tuple(tuple.types.iter().map(|ty| ty_of(resolve, ty)).collect::<Result<_>>()?)
                }
                (None, TypeDefKind::Result(result)) => Type::Result(
                    result.ok.as_ref().map(boxed).transpose()?,
                    result.err.as_ref().map(boxed).transpose()?,
                ),
                (None, other) => bail!("a {} has no JSON", other.as_str()),
            }
        }
        other => bail!("{other:?} has no JSON"),
    })
}

fn resource(resolve: &Resolve, id: TypeId) -> Result<String> {
    let mut id = id;
    while let TypeDefKind::Type(Wit::Id(other)) = resolve.types[id].kind {
        id = other;
    }
    resolve.types[id].name.clone().context("a resource has a name")
}
