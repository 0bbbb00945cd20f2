//! The report: the failures once more, the table, and the count as the very last line.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::count::Tally;

/// The most lines about the failures of one step that are printed again.
const LINES: usize = 120;

/// The result of one step.
#[derive(Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) tally: Tally,
    pub(crate) seconds: f64,
}

impl Row {
    pub(crate) fn failed(name: &str, reason: &str) -> Self {
        Self { name: name.to_owned(), tally: Tally::failure(reason), seconds: 0.0 }
    }
}

pub(crate) fn print(rows: &[Row]) -> ExitCode {
    println!("\n{}", render(rows));
    if rows.iter().all(|row| row.tally.failed == 0) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes the rows for another process.
pub(crate) fn save(rows: &[Row], file: &Path) -> Result<()> {
    let row = |Row { name, tally: Tally { passed, failed, failures }, seconds }: &Row| json!({ "name": name, "passed": passed, "failed": failed, "failures": failures, "seconds": seconds });
    let rows: Vec<Value> = rows.iter().map(row).collect();
    fs::write(file, serde_json::to_vec(&rows)?).with_context(|| format!("could not write {}", file.display()))
}

/// Reads what `save` wrote.
pub(crate) fn load(file: &Path) -> Result<Vec<Row>> {
    let bytes = fs::read(file).context("it ended without a report")?;
    let rows: Vec<Value> = serde_json::from_slice(&bytes)?;
    rows.into_iter().map(|row| read(&row).context("its report lacks a field")).collect()
}

fn read(row: &Value) -> Option<Row> {
    let number = |field: &str| u32::try_from(row[field].as_u64()?).ok();
    let lines = row["failures"].as_array()?.iter();
    let tally = Tally {
        passed: number("passed")?,
        failed: number("failed")?,
        failures: lines.filter_map(|line| Some(line.as_str()?.to_owned())).collect(),
    };
    Some(Row { name: row["name"].as_str()?.to_owned(), tally, seconds: row["seconds"].as_f64()? })
}

fn render(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows.iter().filter(|row| !row.tally.failures.is_empty()) {
        text += &format!("--- failed: {} ---\n", row.name);
        for line in row.tally.failures.iter().take(LINES) {
            text += &format!("{line}\n");
        }
        text += "\n";
    }
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    text += &format!("{:<width$} {:>7} {:>7} {:>8}\n", "step", "passed", "failed", "seconds");
    let (mut passed, mut failed) = (0, 0);
    for Row { name, tally, seconds } in rows {
        passed += tally.passed;
        failed += tally.failed;
        let mark = if tally.failed == 0 { "" } else { "  FAILED" };
        text += &format!("{name:<width$} {:>7} {:>7} {seconds:>8.1}{mark}\n", tally.passed, tally.failed);
    }
    text + &format!("{passed} passed, {failed} failed")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let row = |name: &str, passed, failed, failures: &[&str]| Row {
            name: name.to_owned(),
            tally: Tally { passed, failed, failures: failures.iter().map(|line| (*line).to_owned()).collect() },
            seconds: 1.25,
        };
        vec![row("a step", 3, 0, &[]), row("another", 1, 2, &["left: 1", "right: 2"])]
    }

    #[test]
    fn the_last_line_is_the_count_and_failures_come_before_the_table() {
        let text = render(&rows());
        assert_eq!(text.lines().last(), Some("4 passed, 2 failed"));
        assert_eq!(text.matches("FAILED").count(), 1);
        assert!(text.starts_with("--- failed: another ---\nleft: 1\nright: 2\n\nstep "), "{text}");
    }

    #[test]
    fn rows_are_read_as_they_were_saved() {
        let file = std::env::temp_dir().join(format!("keepsake-rows-{}.json", std::process::id()));
        save(&rows(), &file).unwrap();
        let read = load(&file).unwrap();
        fs::remove_file(&file).unwrap();
        assert_eq!(read, rows());
        assert!(load(&file).unwrap_err().to_string().contains("without a report"));
    }
}
