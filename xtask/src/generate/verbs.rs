//! The JSON verbs: one enum for each group, so that each is dispatched by an exhaustive match.

use super::{MARK, upper};
use anyhow::Result;
use keepsake_contract::Contract;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The group that the small module includes.
const FIRST: &str = "entries";

/// Generates `src/memory/call/verb.rs`.
pub(super) fn written(contract: &Contract) -> Result<String> {
    let verbs = contract.verbs()?;
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (verb, group) in &verbs {
        groups.entry(group).or_default().push(verb);
    }
    let mut text = format!("//! The verbs by name. {MARK}\n\n{NAMES}\n/// A verb, by its group.\n{DERIVES}");
    text.push_str("pub(in crate::memory) enum Verb {");
    for group in groups.keys() {
        let name = upper(group);
        write!(text, "/// Of the group `{group}`.\n{name}({name}),")?;
    }
    text.push_str(
        "}\n\nimpl Verb {\n/// The verb of this name. The small module has only those of entries.\npub(in crate::memory) fn named(name: &str) -> Option<Self> {\n",
    );
    text.push_str("Some(match name {\n");
    for (verb, group) in &verbs {
        let (name, case) = (upper(group), upper(verb));
        writeln!(text, "{}{verb:?} => Self::{name}({name}::{case}),", gate(group))?;
    }
    text.push_str("_ => return None,\n})\n}\n}\n\n");
    for (group, verbs) in &groups {
        write!(text, "/// Verbs of the group `{group}`.\n{DERIVES}pub(in crate::memory) enum {} {{", upper(group))?;
        for verb in verbs {
            write!(text, "/// `{verb}`\n{},", upper(verb))?;
        }
        text.push_str("}\n\n");
    }
    Ok(text)
}

/// The contract names the verbs, even if a verb repeats the name of its group.
const NAMES: &str = "#![allow(clippy::enum_variant_names, reason = \"the contract names verbs\")]\n";

const DERIVES: &str = "#[derive(Clone, Copy, Debug, PartialEq, Eq)]\n";

fn gate(group: &str) -> &'static str {
    if group == FIRST { "" } else { "#[cfg(feature = \"full\")]\n" }
}
