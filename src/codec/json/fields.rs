//! Reading an object field by field: each mistake is named by its path, and a field nobody asked for is one.

use crate::model::{Invalid, Json, Timestamp};

/// The fields of an object that have not been asked for yet. `null` stands for a field that is not there.
#[derive(Debug)]
pub struct Fields {
    rest: Vec<(String, Json)>,
    asked: Vec<&'static str>,
}

impl Fields {
    /// Takes an object apart; `what` names it in case it is none.
    pub fn of(what: &str, value: Json) -> Result<Self, Invalid> {
        match value {
            Json::Object(rest) => Ok(Self { rest, asked: Vec::new() }),
            Json::Null => Ok(Self { rest: Vec::new(), asked: Vec::new() }),
            _ => Err(Invalid::value(what, "must be an object")),
        }
    }

    /// Whether the field is there.
    pub fn has(&self, name: &str) -> bool {
        self.rest.iter().any(|(field, value)| field == name && !value.is_null())
    }

    /// A field of any type.
    pub fn value(&mut self, name: &'static str) -> Option<Json> {
        self.asked.push(name);
        let mut found = None;
        // Of two fields with one name the last one counts.
        while let Some(at) = self.rest.iter().rposition(|(field, _)| field == name) {
            let (_, value) = self.rest.remove(at);
            found.get_or_insert(value);
        }
        found.filter(|value| !value.is_null())
    }

    /// A text.
    pub fn text(&mut self, name: &'static str) -> Result<Option<String>, Invalid> {
        match self.value(name) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(_) => Err(Invalid::value(name, "must be a string")),
        }
    }

    /// A text that has to be there.
    pub fn required_text(&mut self, name: &'static str) -> Result<String, Invalid> {
        self.text(name)?.ok_or_else(|| Invalid::value(name, "is required"))
    }

    /// A number.
    pub fn number(&mut self, name: &'static str) -> Result<Option<f64>, Invalid> {
        match self.value(name) {
            None => Ok(None),
            Some(value) => value.as_f64().map(Some).ok_or_else(|| Invalid::value(name, "must be a number")),
        }
    }

    /// A moment: milliseconds since 1970, or a text in ISO 8601 as `Timestamp` writes it.
    pub fn time(&mut self, name: &'static str) -> Result<Option<Timestamp>, Invalid> {
        match self.value(name) {
            None => Ok(None),
            Some(Json::String(text)) => Timestamp::parse(name, &text).map(Some),
            Some(Json::Number(number)) => Timestamp::from_millis(name, number.as_f64() as i64).map(Some),
            Some(_) => Err(Invalid::value(name, "must be a time: milliseconds since 1970, or ISO 8601")),
        }
    }

    /// A whole number that is not negative.
    pub fn count(&mut self, name: &'static str) -> Result<Option<usize>, Invalid> {
        let Some(number) = self.number(name)? else { return Ok(None) };
        if number.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(&number) {
            Ok(Some(number.min(u32::MAX.into()) as usize))
        } else {
            Err(Invalid::value(name, "must be a whole number from 0 on"))
        }
    }

    /// Yes or no.
    pub fn flag(&mut self, name: &'static str) -> Result<Option<bool>, Invalid> {
        match self.value(name) {
            None => Ok(None),
            Some(Json::Bool(flag)) => Ok(Some(flag)),
            Some(_) => Err(Invalid::value(name, "must be true or false")),
        }
    }

    /// A list of texts; none if it is not there.
    pub fn texts(&mut self, name: &'static str) -> Result<Vec<String>, Invalid> {
        match self.value(name) {
            None => Ok(Vec::new()),
            Some(Json::Array(items)) => {
                let text = |(at, item)| match item {
                    Json::String(text) => Ok(text),
                    _ => Err(Invalid::value(format!("{name}[{at}]"), "must be a string")),
                };
                items.into_iter().enumerate().map(text).collect()
            }
            Some(_) => Err(Invalid::value(name, "must be a list of strings")),
        }
    }

    /// Refuses what is left over.
    pub fn finish(self) -> Result<(), Invalid> {
        match self.rest.into_iter().next() {
            None => Ok(()),
            Some((name, _)) => {
                // A name is the caller's own text, so no more of it is repeated than helps to find it.
                let name: String = name.chars().filter(|c| !c.is_control()).take(64).collect();
                Err(Invalid::value(name, format!("is not a known field; known are: {}", self.asked.join(", "))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::json::parse;

    fn fields(text: &str) -> Fields {
        Fields::of("draft", parse(text).unwrap()).unwrap()
    }

    #[test]
    fn mistakes_are_named_by_their_path() {
        let mut fields = fields(r#"{"a": 1, "b": "x", "c": ["y", 2], "d": -1, "e": 1.5, "f": null}"#);
        assert_eq!(fields.text("a").unwrap_err().field(), "a");
        assert_eq!(fields.number("b").unwrap_err().field(), "b");
        assert_eq!(fields.texts("c").unwrap_err().field(), "c[1]");
        assert_eq!(fields.count("d").unwrap_err().field(), "d");
        assert_eq!(fields.count("e").unwrap_err().field(), "e");
        assert_eq!(fields.text("f"), Ok(None));
        assert_eq!(fields.required_text("g").unwrap_err().to_string(), "`g` is required");
        fields.finish().unwrap();
    }

    #[test]
    fn a_field_nobody_asked_for_is_refused() {
        let mut fields = fields(r#"{"contant": "typo"}"#);
        fields.text("content").unwrap();
        let refused = fields.finish().unwrap_err().to_string();
        assert_eq!(refused, "`contant` is not a known field; known are: content");
        assert!(Fields::of("draft", Json::Array(vec![])).is_err());
    }
}
