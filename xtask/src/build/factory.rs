//! Turns wasm-bindgen's glue into a factory. The glue keeps its state at module level, so a page could have only one
//! instance. As the body of a function it gives any number of independent instances, and a trapped one can be
//! discarded.

use anyhow::{Result, bail, ensure};

/// The loader that fetches and compiles. The factory takes a compiled module instead.
const LOADER: [&str; 4] = [
    "async function __wbg_load(",
    "async function __wbg_init(",
    "async function __wbg_init_once(",
    "let __wbg_init_promise;",
];

/// The factory's parameter. No name in the glue is similar.
const PARAMETER: &str = "keepsake_module";

/// Takes the output of `--target web`; returns a script that exports only `instantiate(module)`.
pub(crate) fn from_glue(glue: &str) -> Result<String> {
    let mut body = String::new();
    let mut names = Vec::new();
    let mut lines = glue.lines();
    while let Some(line) = lines.next() {
        if LOADER.iter().any(|start| line.starts_with(start)) {
            // A declaration at module level ends with the first unindented brace.
            if !line.ends_with(';') && !lines.any(|line| line == "}") {
                bail!(shape(&format!("`{line}` has no end")));
            }
            continue;
        }
        if let Some(list) = line.strip_prefix("export {") {
            names.extend(listed(list)?);
            continue;
        }
        let declaration = line.strip_prefix("export ").unwrap_or(line);
        if declaration.len() < line.len() {
            let name = declared(declaration)?;
            names.push(name.to_owned());
        }
        body.push_str(declaration);
        body.push('\n');
    }
    check(&body)?;
    ensure!(!names.is_empty(), shape("it exports nothing"));
    Ok(format!(
        "// Written by `cargo xtask build`: each call makes an instance with a memory of its own.\n\
         export function instantiate({PARAMETER}) {{\n{body}\n\
         initSync({{ module: {PARAMETER} }});\nreturn {{ {} }};\n}}\n",
        names.join(", ")
    ))
}

/// The name that `class Memory {` or `function version() {` declares.
fn declared(declaration: &str) -> Result<&str> {
    let rest = ["class ", "function ", "async function ", "const ", "let "]
        .iter()
        .find_map(|keyword| declaration.strip_prefix(keyword));
    let end = |rest: &str| rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len());
    match rest.map(|rest| &rest[..end(rest)]) {
        Some(name) if !name.is_empty() => Ok(name),
        _ => bail!(shape(&format!("`export {declaration}` declares no name"))),
    }
}

/// The properties for the rest of `export { a, b as c };`, without the two that start the loader.
fn listed(list: &str) -> Result<Vec<String>> {
    let Some(list) = list.trim_end().trim_end_matches(';').strip_suffix('}') else {
        bail!(shape("an export list goes over several lines"));
    };
    let properties = list.split(',').map(str::trim).filter(|item| !item.is_empty());
    Ok(properties
        .filter(|item| *item != "initSync" && !item.ends_with(" as default"))
        .map(|item| match item.split_once(" as ") {
            Some((inner, outer)) => format!("{outer}: {inner}"),
            None => item.to_owned(),
        })
        .collect())
}

fn check(body: &str) -> Result<()> {
    if let Some(line) = body.lines().find(|line| line.starts_with("export") || line.starts_with("import")) {
        bail!(shape(&format!("`{line}` cannot stand inside a function")));
    }
    ensure!(!body.contains("import.meta"), shape("it uses import.meta"));
    ensure!(!body.contains(PARAMETER), shape(&format!("it uses the name {PARAMETER}")));
    for needed in ["\nfunction initSync(module) {", "\nlet wasmModule, wasmInstance, wasm;"] {
        ensure!(body.contains(needed), shape(&format!("it lacks `{}`", needed.trim())));
    }
    for start in LOADER {
        let name = start.rsplit(' ').next().unwrap_or(start).trim_end_matches(['(', ';']);
        ensure!(!body.contains(name), shape(&format!("it still uses `{name}`, which was taken out")));
    }
    Ok(())
}

fn shape(problem: &str) -> String {
    format!(
        "wasm-bindgen's glue does not have the expected shape: {problem}; \
         compare target/bindgen with xtask/src/build/factory.rs"
    )
}

#[cfg(test)]
mod tests {
    use super::from_glue;

    const GLUE: &str = include_str!("../../fixtures/glue.js");

    #[test]
    fn one_export_which_returns_the_rest() {
        let script = from_glue(GLUE).unwrap();
        assert_eq!(script.matches("export ").count(), 1);
        assert!(script.contains("\nexport function instantiate(keepsake_module) {\n"));
        assert!(script.contains("\ninitSync({ module: keepsake_module });\n"));
        assert!(script.ends_with("\nreturn { Kind, Memory, formatVersion, type: type_ };\n}\n"), "{script}");
    }

    #[test]
    fn the_loader_is_gone_and_what_follows_it_is_not() {
        let script = from_glue(GLUE).unwrap();
        assert!(!script.contains("async") && !script.contains("__wbg_init") && !script.contains("fetch"));
        assert!(script.contains("function initSync(module) {") && script.contains("__wbg_finalize_init(instance"));
    }

    fn problem(glue: &str) -> String {
        from_glue(glue).unwrap_err().to_string()
    }

    #[test]
    fn an_unknown_shape_is_refused() {
        assert!(problem("").contains("lacks `function initSync"));
        assert!(problem(&format!("import * as x from './snippets/x.js';\n{GLUE}")).contains("import * as x"));
        assert!(problem(&format!("{GLUE}\nconst url = import.meta.url;\n")).contains("import.meta"));
        assert!(problem(&GLUE.replace("export class", "export default class")).contains("declares no name"));
        assert!(problem(&GLUE.replace("let wasmModule,", "var wasmModule,")).contains("let wasmModule"));
        assert!(problem(&format!("{GLUE}\n__wbg_init();\n")).contains("still uses"));
        let mut silent = GLUE.replace("export { type_ as type };", "");
        for keyword in ["class", "const", "function"] {
            silent = silent.replace(&format!("export {keyword}"), keyword);
        }
        assert!(problem(&silent).contains("exports nothing"));
    }
}
