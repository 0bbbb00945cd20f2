//! The table at the end, and the count as the very last line.

use std::process::ExitCode;

use super::count::Tally;

/// What became of one step.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) tally: Tally,
    pub(crate) seconds: f64,
}

pub(crate) fn print(rows: &[Row]) -> ExitCode {
    let (text, total) = render(rows);
    println!("\n{text}");
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn render(rows: &[Row]) -> (String, Tally) {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let mut total = Tally::default();
    let mut text = format!("{:<width$} {:>7} {:>7} {:>8}\n", "step", "passed", "failed", "seconds");
    for row in rows {
        total = total.plus(row.tally);
        let mark = if row.tally.failed == 0 { "" } else { "  FAILED" };
        text += &format!(
            "{:<width$} {:>7} {:>7} {:>8.1}{mark}\n",
            row.name, row.tally.passed, row.tally.failed, row.seconds
        );
    }
    text += &format!("{} passed, {} failed", total.passed, total.failed);
    (text, total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_count() {
        let row = |passed, failed| Row { name: "a step".to_owned(), tally: Tally { passed, failed }, seconds: 1.25 };
        let (text, total) = render(&[row(3, 0), row(1, 2)]);
        assert_eq!(text.lines().last(), Some("4 passed, 2 failed"));
        assert_eq!(total, Tally { passed: 4, failed: 2 });
        assert_eq!(text.matches("FAILED").count(), 1);
    }
}
