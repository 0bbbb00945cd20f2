//! Changes to a file of known sections, by part: everything else stays byte for byte.

use super::list::Item;
use super::names::{Kind, Part, Style};
use super::sheet::Sheet;
use crate::model::Invalid;

/// The new content of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The items of a list.
    Items(Vec<Item>),
    /// The rows of a table.
    Rows(Vec<Vec<String>>),
    /// Prose.
    Text(String),
}

/// The parts to replace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The date of the last update.
    pub updated: Option<String>,
    /// Each part with its whole new content.
    pub parts: Vec<(Part, Content)>,
}

impl Changes {
    /// The file with these changes. An empty file begins with the documented skeleton.
    pub fn apply(&self, kind: Kind, text: &str) -> Result<String, Invalid> {
        let mut sheet = Sheet::parse(kind, text);
        if let Some(date) = &self.updated {
            sheet.set_updated(date)?;
        }
        for (part, content) in &self.parts {
            if !kind.parts().contains(part) {
                return Err(Invalid::value(part.name(), "is not a part of this kind of file"));
            }
            match (part.style(), content) {
                (Style::Table(_), Content::Rows(rows)) => sheet.set_rows(*part, rows),
                (Style::Table(_), _) => return Err(Invalid::value(part.name(), "must be an array of rows")),
                (Style::Text, Content::Text(text)) => sheet.set_prose(*part, text),
                (Style::Text, _) => return Err(Invalid::value(part.name(), "must be a string")),
                (_, Content::Items(items)) => sheet.set_items(*part, items),
                (..) => return Err(Invalid::value(part.name(), "must be an array of items")),
            }
        }
        Ok(sheet.into_text())
    }
}

impl Sheet {
    /// The content of a part, if its section exists.
    pub fn content(&self, part: Part) -> Option<Content> {
        self.find(part.heading())?;
        Some(match part.style() {
            Style::Table(_) => Content::Rows(self.rows(part).into_iter().map(|row| row.cells).collect()),
            Style::Text => Content::Text(self.prose(part)),
            _ => Content::Items(self.items(part)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: &str = "# Current Context\r\n\r\n> Last updated: 2025-12-30\r\n\r\n## Active Focus\r\n\r\n- [ ]  kept  \r\n\
        - [ ] gone\r\n\r\n## Mine\r\n\r\nuntouched \r\n\r\n## Notes | Ghi chú\r\n\r\n* one\r\n";

    #[test]
    fn a34_only_the_parts_that_are_named_change() {
        let items = vec![Item::new("kept", Some(true)), Item::new("new", Some(false))];
        let changes = Changes { updated: Some("2025-12-31".into()), parts: vec![(Part::Focus, Content::Items(items))] };
        let text = changes.apply(Kind::Context, CONTEXT).unwrap();
        let wanted =
            CONTEXT.replace("12-30", "12-31").replace("- [ ]  kept  \r\n- [ ] gone", "- [x] kept\r\n- [ ] new");
        assert_eq!(text, wanted);
    }

    #[test]
    fn what_a_part_says_can_be_said_again() {
        let sheet = Sheet::parse(Kind::Context, CONTEXT);
        let said = |part: Part| sheet.content(part).map(|content| (part, content));
        let parts: Vec<_> = Kind::Context.parts().iter().filter_map(|part| said(*part)).collect();
        assert_eq!(parts.len(), 2, "only the sections that are there");
        assert_eq!(Changes { updated: None, parts }.apply(Kind::Context, CONTEXT).unwrap(), CONTEXT);
    }

    #[test]
    fn parts_of_another_file_and_other_shapes_are_refused() {
        let with = |part, content| Changes { updated: None, parts: vec![(part, content)] };
        let text = || Content::Text("x".into());
        for (part, content) in [(Part::Summary, text()), (Part::State, text()), (Part::Notes, text())] {
            assert_eq!(with(part, content).apply(Kind::Context, "").unwrap_err().field(), part.name());
        }
        assert!(with(Part::Summary, Content::Rows(vec![])).apply(Kind::Session, "").is_err());
        let dated = Changes { updated: Some("2025-13-45".into()), parts: vec![] };
        assert_eq!(dated.apply(Kind::Context, "").unwrap_err().field(), "updated");
    }
}
