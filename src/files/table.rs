//! The first table of a section: rows identified by their first cell, replaced one by one.

use super::document::closed;
use super::lines::{Line, Lines, one_line, with_ends};
use super::list::with_block;
use super::names::same;
use std::ops::Range;

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its line, counted from 1; 0 for a new one.
    pub line: usize,
    /// The cells, trimmed.
    pub cells: Vec<String>,
}

/// The rows of a table with their ranges, and the end of the table.
struct Table {
    rows: Vec<(Row, Range<usize>)>,
    end: usize,
}

/// The cells of a line like `| a | b |`. A `|` after a backslash separates nothing.
fn cells(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    let inner = text.strip_prefix('|')?;
    let (mut cells, mut cell, mut before) = (Vec::new(), String::new(), ' ');
    for c in inner.chars() {
        if c != '|' {
            cell.push(c);
        } else if before == '\\' {
            cell.pop();
            cell.push(c);
        } else {
            cells.push(std::mem::take(&mut cell));
        }
        before = c;
    }
    if !cell.trim().is_empty() {
        cells.push(cell);
    }
    Some(cells.iter().map(|cell| cell.trim().to_owned()).collect())
}

fn is_delimiter(line: &Line<'_>) -> bool {
    let cell = |cell: &String| cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':'));
    !line.code && cells(line.text()).is_some_and(|cells| !cells.is_empty() && cells.iter().all(cell))
}

fn table(body: &str, line: usize) -> Option<Table> {
    let mut lines = Lines::from(body, line).peekable();
    loop {
        let line = lines.next()?;
        let header = !line.code && cells(line.text()).is_some();
        if header && lines.next_if(is_delimiter).is_some() {
            break;
        }
    }
    let mut rows = Vec::new();
    let mut end = None;
    for line in lines {
        end = end.or(Some(line.start));
        let Some(cells) = cells(line.text()).filter(|_| !line.code) else { break };
        rows.push((Row { line: line.number, cells }, line.start..line.end()));
        end = Some(line.end());
    }
    Some(Table { rows, end: end.unwrap_or(body.len()) })
}

/// The rows of the first table in a body that begins with this line.
pub(super) fn rows(body: &str, line: usize) -> Vec<Row> {
    table(body, line).map_or(Vec::new(), |table| table.rows.into_iter().map(|(row, _)| row).collect())
}

/// A cell as text: on one line, with separators escaped.
fn cell(text: &str) -> String {
    one_line(text).replace('|', "\\|")
}

fn written(cells: &[String]) -> String {
    let mut out = "|".to_owned();
    for text in cells {
        out.push_str(&format!(" {} |", cell(text)));
    }
    out + "\n"
}

/// The first two lines of a table with these columns.
pub(super) fn header(columns: &[&str]) -> String {
    let mut out = "|".to_owned();
    let mut under = "|".to_owned();
    for column in columns {
        out.push_str(&format!(" {column} |"));
        under.push_str(&format!("{:-<1$}|", "", column.chars().count() + 2));
    }
    out + "\n" + &under + "\n"
}

/// The body with a table, which is added if missing.
fn with_table(body: &str, columns: &[&str], end: &str) -> (String, Table) {
    let body = if table(body, 1).is_some() { body.to_owned() } else { with_block(body, &header(columns), end) };
    let table = table(&body, 1).unwrap_or(Table { rows: Vec::new(), end: body.len() });
    (body, table)
}

/// Whether two first cells are equal; code formatting does not matter.
fn same_key(one: &str, other: &str) -> bool {
    same(one.trim_matches('`'), other.trim_matches('`'))
}

/// A body with these rows. An equal row keeps its bytes.
pub(super) fn set(body: &str, columns: &[&str], new: &[Vec<String>], end: &str) -> String {
    let (body, table) = with_table(body, columns, end);
    let start = table.rows.first().map_or(table.end, |(_, range)| range.start);
    let mut out = closed(body.get(..start).unwrap_or("").to_owned(), end);
    for cells in new {
        let old = table.rows.iter().find(|(row, _)| row.cells == *cells);
        let kept = old.and_then(|(_, range)| body.get(range.clone()));
        out.push_str(&kept.map_or_else(|| with_ends(&written(cells), end), |kept| closed(kept.to_owned(), end)));
    }
    out + body.get(table.end..).unwrap_or("")
}

/// A body with the row of this first cell replaced, or added as the last.
pub(super) fn set_row(body: &str, columns: &[&str], cells: &[String], end: &str) -> String {
    let (body, table) = with_table(body, columns, end);
    let key = cells.first().map_or("", String::as_str);
    let old = table.rows.iter().find(|(row, _)| row.cells.first().is_some_and(|first| same_key(first, key)));
    let range = old.map_or(table.end..table.end, |(_, range)| range.clone());
    let mut out = closed(body.get(..range.start).unwrap_or("").to_owned(), end);
    out.push_str(&with_ends(&written(cells), end));
    out + body.get(range.end..).unwrap_or("")
}

/// A body without the row with this first cell, if it exists.
pub(super) fn remove_row(body: &str, key: &str) -> Option<String> {
    let table = table(body, 1)?;
    let is_meant = |row: &Row| row.cells.first().is_some_and(|first| same_key(first, key));
    let (_, range) = table.rows.into_iter().find(|(row, _)| is_meant(row))?;
    let mut out = body.to_owned();
    out.replace_range(range, "");
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "\n| File | State |\n|------|:-----:|\n| `a.rs` | x \\| y |\n|b|  z|\nend\n";

    fn owned(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn a11_a12_rows_are_read_with_their_lines() {
        let expected =
            [Row { line: 4, cells: owned(&["`a.rs`", "x | y"]) }, Row { line: 5, cells: owned(&["b", "z"]) }];
        assert_eq!(rows(BODY, 1), expected);
        assert_eq!(rows("```\n| a |\n|---|\n| no |\n```\n", 1), []);
        assert_eq!(rows("| a |\n| b |\n", 1), []);
        assert_eq!(rows("| a |\n|---|", 1), []);
    }

    #[test]
    fn a_row_is_replaced_where_it_stands() {
        let columns = ["File", "State"];
        let changed = set_row(BODY, &columns, &owned(&["`B`", "new\nline | c"]), "\n");
        assert_eq!(changed, BODY.replace("|b|  z|", "| `B` | new line \\| c |"));
        assert_eq!(rows(&changed, 1)[1].cells[1], "new line | c");
        let added = set_row(BODY, &columns, &owned(&["c", "d"]), "\n");
        assert_eq!(added, BODY.replace("end", "| c | d |\nend"));
        assert_eq!(remove_row(&added, "`c`").unwrap(), BODY);
        assert_eq!(remove_row(BODY, "none"), None);
    }

    #[test]
    fn rows_are_replaced_together_and_a_table_is_made_if_there_is_none() {
        let new = [owned(&["b", "z"]), owned(&["c", "d"])];
        let body = set(BODY, &["File", "State"], &new, "\n");
        assert_eq!(body, BODY.replace("| `a.rs` | x \\| y |\n|b|  z|\n", "|b|  z|\n| c | d |\n"));
        let made = set("\n---\n\n", &["File", "Change"], &new[1..], "\n");
        assert_eq!(made, "\n| File | Change |\n|------|--------|\n| c | d |\n\n---\n\n");
        assert_eq!(set_row("| a |\n|---|", &[], &owned(&["x"]), "\n"), "| a |\n|---|\n| x |\n");
        assert_eq!(header(&["Aspect"]), "| Aspect |\n|--------|\n");
    }

    #[test]
    fn a_cell_cannot_break_out_of_its_row() {
        for text in ["a|b", "a\\|b", "a\\", "\\\\|", "|", "\\", "a\nb|c\\|d"] {
            let row = written(&[text.to_owned(), "next".to_owned()]);
            assert_eq!(cells(&row).unwrap(), [one_line(text), "next".to_owned()]);
        }
    }
}
