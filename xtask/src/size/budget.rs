//! The limits in budgets.json: `{ "<artefact>": { "raw" | "gzip" | "brotli": bytes } }`.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};

use super::Weight;
use crate::paths;

type Budgets = BTreeMap<String, BTreeMap<String, usize>>;

/// A line for each exceeded limit.
pub(crate) fn exceeded(weights: &[(&str, Weight)]) -> Result<Vec<String>> {
    let text = fs::read_to_string(paths::at("budgets.json")).context("could not read budgets.json")?;
    compare(&serde_json::from_str(&text).context("budgets.json is not of the form it should have")?, weights)
}

fn compare(budgets: &Budgets, weights: &[(&str, Weight)]) -> Result<Vec<String>> {
    let mut over = Vec::new();
    for (artefact, limits) in budgets {
        let Some((_, weight)) = weights.iter().find(|(name, _)| name == artefact) else {
            bail!("budgets.json names `{artefact}`, which is not built");
        };
        for (form, limit) in limits {
            let bytes = match form.as_str() {
                "raw" => weight.raw,
                "gzip" => weight.gzip,
                "brotli" => weight.brotli,
                other => bail!("budgets.json names `{other}`; known are raw, gzip and brotli"),
            };
            if bytes > *limit {
                over.push(format!(
                    "{artefact} is over budget: {bytes} bytes ({form}) of {limit}, {} too many",
                    bytes - limit
                ));
            }
        }
    }
    Ok(over)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare_text(budgets: &str) -> Result<Vec<String>> {
        compare(&serde_json::from_str(budgets)?, &[("web", Weight { raw: 300, gzip: 120, brotli: 100 })])
    }

    #[test]
    fn the_limit_itself_is_within_budget() {
        assert_eq!(compare_text(r#"{"web":{"brotli":100,"gzip":120}}"#).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn an_excess_is_named() {
        let over = compare_text(r#"{"web":{"brotli":90}}"#).unwrap();
        assert_eq!(over, ["web is over budget: 100 bytes (brotli) of 90, 10 too many"]);
    }

    #[test]
    fn unknown_names_are_refused() {
        assert!(compare_text(r#"{"wbe":{"brotli":90}}"#).is_err());
        assert!(compare_text(r#"{"web":{"zstd":90}}"#).is_err());
    }
}
