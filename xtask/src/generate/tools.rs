//! The names of the tools, for TypeScript.

use super::MARK;
use anyhow::{Result, bail};
use keepsake_contract::{Contract, Shape};
use std::fmt::Write as _;

/// Generates `pkg/src/wire/tool-names.ts`.
pub(super) fn typescript(contract: &Contract) -> Result<String> {
    let Shape::Enum(names) = &contract.named("tools", "tool-name")?.shape else { bail!("`tool-name` is no enum") };
    let mut text = format!(
        "// {MARK}\n\nimport type {{ Listed }} from \"../base/listed.js\";\n\n/**\n * The name of a tool for models.\n *\n"
    );
    for name in names {
        writeln!(text, " * - `{}`: {}", name.json, name.docs.trim())?;
    }
    text.push_str(" */\nexport type ToolName = Listed<");
    for name in names {
        write!(text, "\n  | {:?}", name.json)?;
    }
    Ok(text + "\n>;\n")
}
