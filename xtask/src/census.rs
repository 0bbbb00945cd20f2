//! `cargo xtask census`: how often the contract is repeated by hand, and the state of the folders.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use keepsake_contract::{Contract, Function, camel};

use crate::{generate, paths};

/// Places that repeat `wit/`.
const REPEATS: [(&str, &[&str]); 7] = [
    ("JSON of the verbs", &["src/memory/call", "src/codec/json"]),
    ("conversions of the component", &["src/component"]),
    ("verbs of the test host", &["tests/host/src"]),
    ("routes", &["pkg/src/serve/http/routes.ts", "service/src/api/routes.rs"]),
    ("remote client", &["pkg/src/serve/remote"]),
    ("OpenAPI", &["docs/openapi.json", "docs/openapi.base.json"]),
    ("lists of verbs in tests", &["tests/sim/verbs.rs", "tests/js/support/scenario.mjs", "tests/shared/verbs.rs"]),
];

/// Folders whose files belong in subfolders.
const ROOMS: [&str; 2] = ["pkg/src", "src/memory"];

pub(crate) fn print() -> Result<()> {
    let contract = Contract::read(&paths::at("wit"))?;
    let functions: Vec<&Function> = contract.functions().map(|(_, function)| function).collect();
    let verbs: BTreeSet<String> = functions.iter().map(|function| function.name.clone()).collect();
    let scenarios = scenarios()?;
    let tried = functions.iter().filter(|function| scenarios.contains(&function.verb)).count();
    println!("functions that a component exports    {}", functions.len());
    println!("of these in a scenario                {tried}");
    println!("verbs in a scenario                   {}", scenarios.len());
    let all = sources(&[
        paths::at("src"),
        paths::at("pkg/src"),
        paths::at("service/src"),
        paths::at("tests"),
        paths::at("docs"),
    ])?;
    let average = verbs.iter().filter(|verb| verb.contains('-')).map(|verb| {
        let forms = [verb.clone(), camel(verb), verb.replace('-', "_")];
        let names = |text: &str| !is_generated(text) && forms.iter().any(|form| text.contains(form.as_str()));
        all.iter().filter(|(_, text)| names(text)).count()
    });
    let counts: Vec<usize> = average.collect();
    println!(
        "files that name a verb, on average    {:.1}",
        counts.iter().sum::<usize>() as f64 / counts.len().max(1) as f64
    );
    for (title, places) in REPEATS {
        let places: Vec<PathBuf> = places.iter().map(|place| paths::at(place)).collect();
        let by_hand = sources(&places)?.into_iter().filter(|(_, text)| !is_generated(text));
        let lines: usize = by_hand.map(|(_, text)| text.lines().count()).sum();
        println!("lines: {title:<31}{lines}");
    }
    let casts: usize = sources(&[paths::at("pkg/src/memory")])?.iter().map(|(_, text)| casts(text)).sum();
    println!("casts in pkg/src/memory               {casts}");
    for room in ROOMS {
        println!("loose files in {room:<23}{}", loose(&paths::at(room))?);
    }
    Ok(())
}

/// Whether a file is written by `cargo xtask generate`: it says so in its first lines.
fn is_generated(text: &str) -> bool {
    text.lines().take(3).any(|line| line.contains(generate::MARK))
}

/// The verbs that scenarios call.
fn scenarios() -> Result<BTreeSet<String>> {
    let mut calls = BTreeSet::new();
    for (_, text) in sources(&[paths::at("tests/scenarios")])? {
        let after = text.split("\"call\"").skip(1).filter_map(|rest| rest.split('"').nth(1));
        calls.extend(after.map(str::to_owned));
    }
    Ok(calls)
}

fn casts(text: &str) -> usize {
    let code = text.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
    code.map(|line| line.matches(" as ").count() - line.matches(" as const").count()).sum::<usize>()
        - text
            .lines()
            .filter(|line| line.starts_with("import") || line.starts_with("export"))
            .map(|line| line.matches(" as ").count())
            .sum::<usize>()
}

fn loose(folder: &Path) -> Result<usize> {
    let items = fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))?;
    let mut count = 0;
    for item in items {
        let path = item?.path();
        count += usize::from(path.is_file() && !path.ends_with("mod.rs"));
    }
    Ok(count)
}

/// All files below these paths, with their texts.
fn sources(places: &[PathBuf]) -> Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    let mut places = places.to_vec();
    while let Some(place) = places.pop() {
        if place.is_dir() {
            let hidden = ["node_modules", "target", "fixtures", "images"];
            if place.file_name().is_some_and(|name| hidden.iter().any(|hidden| name == *hidden)) {
                continue;
            }
            for item in fs::read_dir(&place).with_context(|| format!("could not read {}", place.display()))? {
                places.push(item?.path());
            }
        } else if let Ok(text) = fs::read_to_string(&place) {
            found.push((place, text));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{camel, casts};

    #[test]
    fn names_are_spelled_as_in_json() {
        assert_eq!(camel("set-title"), "setTitle");
        assert_eq!(camel("add"), "add");
    }

    #[test]
    fn casts_are_counted_and_other_uses_of_the_word_are_not() {
        assert_eq!(
            casts("const a = b as string;\nconst c = d as const;\n// as it is\nimport { x as y } from \"z\";\n"),
            1
        );
    }
}
