//! Which scripts a browser loads: the package's browser entry and all that it imports, also lazily.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::paths;

/// The files below `pkg` that the browser entry reaches.
pub(crate) fn of_browser_entry() -> Result<BTreeSet<PathBuf>> {
    let package = paths::at("pkg/package.json");
    let text = fs::read_to_string(&package).with_context(|| format!("could not read {}", package.display()))?;
    let manifest: Value = serde_json::from_str(&text).with_context(|| format!("{} is not JSON", package.display()))?;
    let entry = entry(&manifest).context("pkg/package.json has no `exports` entry for \".\"")?;
    let mut reached = BTreeSet::new();
    follow(normal(&paths::at("pkg").join(entry)), &mut reached)?;
    Ok(reached)
}

/// The browser's choice among the conditions of `exports["."]`.
fn entry(manifest: &Value) -> Option<&str> {
    let mut choice = manifest.get("exports")?;
    if let Some(root) = choice.get(".") {
        choice = root;
    }
    while choice.is_object() {
        choice = ["browser", "import", "default"].iter().find_map(|condition| choice.get(condition))?;
    }
    choice.as_str()
}

fn follow(file: PathBuf, reached: &mut BTreeSet<PathBuf>) -> Result<()> {
    if reached.contains(&file) {
        return Ok(());
    }
    let Ok(text) = fs::read_to_string(&file) else {
        bail!("could not read {}; run `cargo xtask build` first", file.display());
    };
    let folder = file.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    reached.insert(file);
    for import in relative_imports(&text) {
        follow(normal(&folder.join(import)), reached)?;
    }
    Ok(())
}

/// Every relative path to a script in quotation marks: `from "./a.js"`, `import("./b.js")`,
/// `new URL("./thread.js", import.meta.url)`. One that only stands in a string would count too, which errs on
/// the safe side; comments are left out.
fn relative_imports(script: &str) -> Vec<&str> {
    let code = script.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
    code.flat_map(|line| line.split(['"', '\'', '`']).skip(1).step_by(2))
        .filter(|text| text.starts_with("./") || text.starts_with("../"))
        .filter(|text| text.ends_with(".js") || text.ends_with(".mjs"))
        // By this name the glue hands the wasm module its imports; there is no such file.
        .filter(|text| !text.ends_with("_bg.js"))
        .collect()
}

/// The path without its `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries() {
        let entry_of = |text: &str| entry(&serde_json::from_str(text).unwrap()).map(str::to_owned);
        assert_eq!(entry_of(r#"{"exports":"./a.js"}"#).as_deref(), Some("./a.js"));
        assert_eq!(
            entry_of(r#"{"exports":{".":{"types":"./a.d.ts","node":"./n.js","browser":{"import":"./b.js"}}}}"#)
                .as_deref(),
            Some("./b.js")
        );
        assert_eq!(entry_of(r#"{"exports":{".":{"default":"./d.js"}}}"#).as_deref(), Some("./d.js"));
        assert_eq!(entry_of(r"{}"), None);
    }

    #[test]
    fn imports() {
        let script = "import { a } from \"./a.js\";\nimport x from 'node:fs';\n// from \"./no.js\"\n\
                      const w = new URL(\"../w.mjs\", import.meta.url);\nawait import('./b.js'); f(\"./c.css\");\n";
        assert_eq!(relative_imports(script), ["./a.js", "../w.mjs", "./b.js"]);
    }

    #[test]
    fn dots() {
        assert_eq!(normal(Path::new("/a/b/./../c.js")), Path::new("/a/c.js"));
    }
}
