//! The conversation without a memory, in the form of `talk.rs`.

use std::cell::RefCell;
use std::rc::Rc;

/// A message on the page.
#[derive(Clone)]
pub struct Line {
    pub id: String,
    pub role: &'static str,
    pub text: String,
}

#[derive(Clone)]
pub struct Talk {
    lines: Rc<RefCell<Vec<Line>>>,
    show: Rc<dyn Fn(Vec<Line>)>,
}

impl Talk {
    pub async fn open(show: impl Fn(Vec<Line>) + 'static) -> Result<Self, std::fmt::Error> {
        Ok(Self { lines: Rc::default(), show: Rc::new(show) })
    }

    pub async fn say(&self, text: &str) -> Result<String, std::fmt::Error> {
        let mut lines = self.lines.borrow_mut();
        for (role, text) in [("user", text), ("assistant", "I see.")] {
            let id = lines.len().to_string();
            lines.push(Line { id, role, text: text.to_owned() });
        }
        (self.show)(lines.clone());
        Ok(String::new())
    }
}
