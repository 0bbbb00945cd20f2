//! The verbs for TypeScript: the names of the arguments of each, and the type of its answer.

use super::{MARK, upper};
use crate::paths;
use anyhow::{Context, Result, bail};
use keepsake_contract::{Contract, Function, Place, Shape, Type, camel};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The width of a line, including the newline.
const LINE: usize = 111;

/// An argument: whether it is optional, and its type.
struct Argument {
    optional: bool,
    ty: String,
}

/// Generates `pkg/src/wire/verbs.ts`.
pub(super) fn written(contract: &Contract) -> Result<String> {
    let mut verbs: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in contract.interfaces.values().flat_map(|inside| &inside.functions) {
        if !function.is_static && !function.group.is_empty() {
            verbs.entry(&function.verb).or_default().push(function);
        }
    }
    let mut body = String::new();
    for (verb, functions) in verbs {
        let mut args = String::new();
        for (name, Argument { optional, ty }) in arguments(contract, &functions)? {
            let (mark, or) = if optional { ("?", " | undefined") } else { ("", "") };
            writeln!(args, "      {name}{mark}: {ty}{or};")?;
        }
        let args = if args.is_empty() { "object".to_owned() } else { format!("{{\n{args}    }}") };
        let told = functions.iter().map(|function| answer(contract, function)).collect::<Result<BTreeSet<_>>>()?;
        // An attribute overrides the WIT type.
        let said = functions.iter().find_map(|function| function.ts.clone());
        let answer = said.unwrap_or_else(|| told.into_iter().collect::<Vec<_>>().join(" | "));
        writeln!(body, "  {verb}: {{\n    args: {args};\n    answer: {answer};\n  }};")?;
    }
    let mut text = format!("// {MARK}\n\n{}\n", imports(&body)?);
    text.push_str("/** The arguments of each verb, and its answer. */\n");
    text.push_str("export interface Verbs<M extends Metadata = Metadata, N extends string = never, T = Json> {\n");
    Ok(text + &body + "}\n")
}

/// The arguments of a verb: the union over its functions.
fn arguments(contract: &Contract, functions: &[&Function]) -> Result<BTreeMap<String, Argument>> {
    let mut all: BTreeMap<String, (usize, Argument)> = BTreeMap::new();
    let mut put = |name: String, optional: bool, ty: String| {
        let (count, argument) = all.entry(name).or_insert((0, Argument { optional, ty }));
        *count += 1;
        argument.optional |= optional;
    };
    for function in functions {
        if function.session {
            put("session".to_owned(), false, "string".to_owned());
        }
        if function.agent {
            put("agent".to_owned(), true, "string".to_owned());
        }
        for (name, ty) in &function.also {
            put(name.clone(), true, ty.clone());
        }
        for (name, _) in &function.with {
            put(name.clone(), true, "boolean".to_owned());
        }
        for param in function.params.iter().filter(|param| !matches!(param.ty, Type::Borrow(_))) {
            if !param.flat {
                let (optional, ty) = sent(contract, &param.ty)?;
                put(camel(&param.name), optional, ty);
                continue;
            }
            for (name, optional, ty) in fields(contract, &param.ty)? {
                put(name, optional, ty);
            }
        }
    }
    let merged = all.into_iter().map(|(name, (count, argument))| {
        (name, Argument { optional: argument.optional || count < functions.len(), ..argument })
    });
    Ok(merged.collect())
}

/// The fields of a record that are inlined among the arguments.
fn fields(contract: &Contract, ty: &Type) -> Result<Vec<(String, bool, String)>> {
    let record = contract.record(ty)?.context("only a record has fields")?;
    let mut all = Vec::new();
    for field in record.fields.iter().filter(|field| !field.answer_only) {
        match &field.place {
            Place::Key(key) => {
                let (optional, ty) = if field.map { (true, "object".to_owned()) } else { sent(contract, &field.ty)? };
                all.push((key.clone(), optional || field.blank || field.sparse, ty));
            }
            Place::Inner(outer, _) => all.push((outer.clone(), true, "object".to_owned())),
            Place::Flat => {
                let inner = if let Type::Option(inner) = &field.ty { inner } else { &field.ty };
                let optional = inner != &field.ty || contract.record(inner)?.is_none();
                if contract.record(inner)?.is_some() {
                    let more = fields(contract, inner)?;
                    all.extend(more.into_iter().map(|(name, own, ty)| (name, own || optional, ty)));
                }
            }
            Place::Rest => {}
        }
    }
    Ok(all)
}

/// Whether an argument is optional, and its type. The core validates nested values.
fn sent(contract: &Contract, ty: &Type) -> Result<(bool, String)> {
    Ok(match contract.resolved(ty)? {
        Type::Option(inner) => (true, sent(contract, inner)?.1),
        Type::Bool => (true, "boolean".to_owned()),
        Type::U8 | Type::U32 | Type::U64 | Type::F32 | Type::F64 => (false, "number".to_owned()),
        Type::String => (false, "string".to_owned()),
        Type::Time => (false, "Time".to_owned()),
        // A missing list is an empty one.
        Type::List(item) => match sent(contract, item)? {
            (_, ty) if matches!(**item, Type::Option(_)) => (true, format!("readonly ({ty} | null)[]")),
            (_, ty) => (true, format!("readonly {ty}[]")),
        },
        Type::Named(interface, name) => match &contract.named(interface, name)?.shape {
            Shape::Enum(_) => (false, "string".to_owned()),
            Shape::Variant(variant) => (variant.cases.iter().any(|case| case.is == "absent"), "unknown".to_owned()),
            _ => (false, "unknown".to_owned()),
        },
        _ => (false, "unknown".to_owned()),
    })
}

/// The type of an answer.
fn answer(contract: &Contract, function: &Function) -> Result<String> {
    let told = |ty: &Type| told(contract, ty).with_context(|| format!("the answer of `{}`", function.name));
    if let Some(ty) = &function.ts {
        return Ok(ty.clone());
    }
    let ok = match &function.result {
        Some(Type::Result(ok, _)) => ok.as_deref(),
        other => other.as_ref(),
    };
    Ok(match (ok, function.answer.as_slice()) {
        (None, _) => "null".to_owned(),
        (Some(_), []) if function.boxed => "([T] | null)[]".to_owned(),
        (Some(ty), []) => told(ty)?,
        (Some(ty), [key]) => format!("{{ {key}: {} }}", told(ty)?),
        (Some(Type::Tuple(items)), keys) => {
            let parts = keys.iter().zip(items).map(|(key, item)| Ok(format!("{key}: {}", told(item)?)));
            format!("{{ {} }}", parts.collect::<Result<Vec<_>>>()?.join("; "))
        }
        (Some(other), _) => bail!("{other:?} has no parts"),
    })
}

fn told(contract: &Contract, ty: &Type) -> Result<String> {
    if let Type::Named(interface, name) = ty {
        let named = contract.named(interface, name)?;
        if let Some(ty) = &named.ts {
            return Ok(ty.clone());
        }
    }
    Ok(match contract.resolved(ty)? {
        Type::Bool => "boolean".to_owned(),
        Type::U8 | Type::U32 | Type::U64 | Type::F32 | Type::F64 => "number".to_owned(),
        Type::String | Type::Time => "string".to_owned(),
        Type::Option(inner) => format!("{} | null", told(contract, inner)?),
        Type::List(item) => format!("{}[]", told(contract, item)?),
        Type::Named(interface, name) => {
            let named = contract.named(interface, name)?;
            match (&named.ts, &named.shape) {
                (Some(ty), _) => ty.clone(),
                (None, Shape::Record(_) | Shape::Variant(_)) => upper(name),
                (None, _) => bail!("`{name}` needs `@ts`"),
            }
        }
        other => bail!("{other:?} needs `@ts`"),
    })
}

/// The imports of the types that the code names: each from the one file of the package that exports it.
fn imports(body: &str) -> Result<String> {
    let is_name = |word: &&str| word.starts_with(|first: char| first.is_ascii_uppercase()) && word.len() > 1;
    let words = body.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(is_name);
    let mut wanted: BTreeSet<&str> = words.chain(["Json", "Metadata"]).collect();
    let mut from: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let folder = paths::at("pkg/src/wire");
    for file in scripts(&folder)? {
        let text = fs::read_to_string(folder.join(&file).with_extension("ts"))?;
        for line in text.lines() {
            let exported = ["export interface ", "export type ", "export class "];
            let Some(rest) = exported.iter().find_map(|start| line.strip_prefix(start)) else { continue };
            let name = rest.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
            if let Some(name) = wanted.take(name) {
                from.entry(file.clone()).or_default().insert(name);
            }
        }
    }
    if let Some(name) = wanted.first() {
        bail!("no file exports `{name}`");
    }
    let lines = from.into_iter().map(|(file, names)| {
        let names = names.into_iter().collect::<Vec<_>>();
        let line = format!("import type {{ {} }} from \"./{file}.js\";\n", names.join(", "));
        // Broken into lines like the formatter does.
        let broken = || format!("import type {{\n  {},\n}} from \"./{file}.js\";\n", names.join(",\n  "));
        if line.len() > LINE { broken() } else { line }
    });
    Ok(lines.collect())
}

/// The TypeScript files of a folder, without their extensions.
fn scripts(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for item in fs::read_dir(folder)? {
        let name = item?.file_name().to_string_lossy().into_owned();
        found.extend(name.strip_suffix(".ts").filter(|name| *name != "verbs").map(str::to_owned));
    }
    found.sort();
    Ok(found)
}
