//! Validates the arguments of a model's call against the table. All errors are reported at once, with remedies.

use super::table::{Kind, Param, Tool};
use crate::codec::json::parse;
use crate::model::Json;

/// Valid arguments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Args(Vec<(&'static str, Json)>);

impl Args {
    /// An argument, if it was given.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// All given arguments, except these.
    pub fn without(&self, left_out: &[&str]) -> Vec<(&'static str, Json)> {
        self.0.iter().filter(|(name, _)| !left_out.contains(name)).cloned().collect()
    }
}

/// The arguments of a call; or the errors, a sentence for each.
pub fn check(tool: &Tool, args: Json, agent: Option<&str>, namespaces: &[&str]) -> Result<Args, Vec<String>> {
    let mut given = match args {
        Json::Object(given) => given,
        Json::Null => Vec::new(),
        _ => return Err(vec!["the arguments must be an object".to_owned()]),
    };
    let (mut known, mut mistakes) = (Vec::new(), Vec::new());
    for param in tool.params {
        let at = given.iter().rposition(|(name, _)| name == param.name);
        let value = at.map(|at| given.remove(at).1).filter(|value| !value.is_null());
        given.retain(|(name, _)| name != param.name);
        let value = value.or_else(|| agent.filter(|_| param.name == "agent").map(Json::from));
        match value {
            None if param.required => mistakes.push(format!("`{}` is required", param.name)),
            None => {}
            Some(value) => match fitting(param, value, namespaces) {
                Ok(value) => known.push((param.name, value)),
                Err(must) => mistakes.push(format!("`{}` must be {must}", param.name)),
            },
        }
    }
    if !given.is_empty() {
        let names: Vec<&str> = tool.params.iter().map(|param| param.name).collect();
        let allowed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        // An unknown name is the model's own text, so it is counted and not repeated.
        mistakes.push(format!("{} unknown argument(s); the arguments of this tool are: {allowed}", given.len()));
    }
    if mistakes.is_empty() { Ok(Args(known)) } else { Err(mistakes) }
}

/// The value in the library's form, or the expected type.
fn fitting(param: &Param, value: Json, namespaces: &[&str]) -> Result<Json, String> {
    let among = |names: &[&str]| match value.as_str() {
        Some(text) if names.contains(&text) => Ok(value.clone()),
        _ => Err(format!("one of {}", names.join(", "))),
    };
    match param.kind {
        Kind::Text(most) => match as_text(value) {
            Json::String(text) if text.len() > most => Err(format!("a string of at most {most} bytes")),
            Json::String(text) if param.required && text.trim().is_empty() => Err("a non-empty string".to_owned()),
            Json::String(text) => Ok(Json::String(text)),
            _ => Err("a string".to_owned()),
        },
        Kind::Texts(most) => {
            // Models often pass a single item instead of an array.
            let items = match value {
                Json::String(text) => vec![Json::String(text)],
                Json::Array(items) => items,
                _ => return Err("an array of strings".to_owned()),
            };
            let lengths: Option<Vec<usize>> = items.iter().map(|item| item.as_str().map(str::len)).collect();
            match lengths {
                None => Err("an array of strings".to_owned()),
                Some(lengths) if lengths.iter().sum::<usize>() > most => {
                    Err(format!("strings of at most {most} bytes together"))
                }
                Some(lengths) if param.required && lengths.iter().all(|length| *length == 0) => {
                    Err("an array with at least one non-empty string".to_owned())
                }
                Some(_) => Ok(Json::Array(items)),
            }
        }
        Kind::Share => match value.as_f64() {
            Some(number) if (0.0..=1.0).contains(&number) => Ok(value),
            _ => Err("a number from 0 to 1".to_owned()),
        },
        Kind::Count(most) => match value.as_f64() {
            Some(number) if number.fract() == 0.0 && (1.0..=f64::from(most)).contains(&number) => Ok(value),
            _ => Err(format!("an integer from 1 to {most}")),
        },
        Kind::Flag => {
            if matches!(value, Json::Bool(_)) {
                Ok(value)
            } else {
                Err("true or false".to_owned())
            }
        }
        Kind::Choice(names) => among(names),
        Kind::Namespace => among(namespaces),
        Kind::Object => match value {
            Json::Object(_) => Ok(value),
            Json::String(text) => match parse(&text) {
                Ok(object @ Json::Object(_)) => Ok(object),
                _ => Err("an object, or one as a JSON string".to_owned()),
            },
            _ => Err("an object".to_owned()),
        },
    }
}

/// Models also pass an array instead of a string: it becomes a Markdown list.
fn as_text(value: Json) -> Json {
    let points = value.as_array().filter(|points| !points.is_empty());
    let points = points.and_then(|points| points.iter().map(Json::as_str).collect::<Option<Vec<_>>>());
    let text = points.map(|points| Json::String(format!("- {}", points.join("\n- "))));
    text.unwrap_or(value)
}
