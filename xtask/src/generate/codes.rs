//! The codes of errors, for Rust and for TypeScript, each with the status of an HTTP answer.

use super::{MARK, upper};
use anyhow::{Result, bail};
use keepsake_contract::{Case, Contract, Shape};
use std::fmt::Write as _;

/// Cases with a distinct code.
fn cases(contract: &Contract) -> Result<Vec<&Case>> {
    let Shape::Variant(errors) = &contract.named("types", "error")?.shape else { bail!("`error` is no variant") };
    Ok(errors.cases.iter().filter(|case| case.is == format!("\"{}\"", case.name)).collect())
}

fn status(case: &Case) -> &str {
    case.status.as_deref().unwrap_or("503")
}

/// Generates `src/memory/engine/code.rs`.
pub(super) fn rust(contract: &Contract) -> Result<String> {
    let cases = cases(contract)?;
    let mut text =
        format!("//! The codes of errors. {MARK}\n\n/// One word for each way to fail, the same in every language.\n");
    text.push_str("#[derive(Clone, Copy, Debug, PartialEq, Eq)]\n#[non_exhaustive]\npub enum ErrorCode {\n");
    for case in &cases {
        for line in case.docs.lines() {
            writeln!(text, "/// {line}")?;
        }
        writeln!(text, "{},", upper(&case.name))?;
    }
    text.push_str("}\n\nimpl ErrorCode {\n/// The word.\npub const fn as_str(self) -> &'static str {\nmatch self {\n");
    for case in &cases {
        writeln!(text, "Self::{} => {:?},", upper(&case.name), case.name)?;
    }
    text.push_str("}\n}\n\n/// The status of an HTTP answer.\npub const fn status(self) -> u16 {\nmatch self {\n");
    for case in &cases {
        writeln!(text, "Self::{} => {},", upper(&case.name), status(case))?;
    }
    Ok(text + "}\n}\n}\n")
}

/// Generates `pkg/src/base/codes.ts`.
pub(super) fn typescript(contract: &Contract) -> Result<String> {
    let cases = cases(contract)?;
    let mut text = format!("// {MARK}\n\n/**\n * One word for each way of the core to fail.\n *\n");
    for case in &cases {
        let docs = case.docs.lines().map(str::trim).collect::<Vec<_>>().join("\n *   ");
        writeln!(text, " * - `{}`: {docs}", case.name)?;
    }
    text.push_str(" */\nexport type CoreErrorCode =");
    for case in &cases {
        write!(text, "\n  | {:?}", case.name)?;
    }
    text.push_str(";\n\n/** The status of an HTTP answer for each code. */\n");
    text.push_str("export const STATUS: { readonly [code in CoreErrorCode]: number } = {\n");
    for case in &cases {
        let name = if case.name.contains('-') { format!("{:?}", case.name) } else { case.name.clone() };
        writeln!(text, "  {name}: {},", status(case))?;
    }
    Ok(text + "};\n")
}
