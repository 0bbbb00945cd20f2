//! The action of a learned step: arguments that were equal in all runs are kept, the others become slots.

use super::names::head;
use super::trace::Step;
use crate::model::Json;

/// The longest string of an action in bytes; longer ones are cut.
const MAX_TEXT: usize = 200;

/// The most bytes of an action, the most fields of an object in it, and the deepest nesting.
const MAX_ACTION: usize = 1_000;
const MAX_FIELDS: usize = 16;
const MAX_DEPTH: usize = 3;

/// The slot of an argument without a name.
const UNNAMED: &str = "…";

/// The suffixes of argument names that hold credentials: their values never become part of a skill.
const CREDENTIALS: [&str; 12] = [
    "password",
    "passwd",
    "secret",
    "token",
    "apikey",
    "authorization",
    "credential",
    "credentials",
    "cookie",
    "privatekey",
    "secretkey",
    "accesskey",
];

/// The length from which a run of letters and digits, with some of each, counts as a credential.
const MIN_CREDENTIAL: usize = 16;

/// The action of a tool: the common part of its named actions or of its inputs in these steps.
pub(super) fn action(steps: &[&Step]) -> Option<String> {
    let named: Vec<&str> =
        steps.iter().filter_map(|step| step.action.as_deref()).filter(|text| !text.is_empty()).collect();
    let text = if !named.is_empty() && named.len() * 2 > steps.len() {
        template(&named, UNNAMED)
    } else {
        let inputs: Vec<&Json> = steps.iter().map(|step| &step.input).collect();
        match common(&inputs, UNNAMED, 0) {
            Json::Null => return None,
            Json::String(text) => text,
            other => other.to_string(),
        }
    };
    let text = one_line(&text);
    (!text.is_empty() && text != slot(UNNAMED)).then(|| cut(&text, MAX_ACTION))
}

/// The common part of these values.
fn common(values: &[&Json], name: &str, depth: usize) -> Json {
    let Some(first) = values.first() else { return Json::Null };
    let same = values.iter().all(|value| value == first);
    if is_credential(name) && !first.is_null() {
        return slot(name).into();
    }
    match first {
        Json::Object(_) if values.iter().all(|value| matches!(value, Json::Object(_))) => {
            if depth < MAX_DEPTH {
                object(values, depth)
            } else {
                slot(name).into()
            }
        }
        Json::String(_) if values.iter().all(|value| value.as_str().is_some()) => {
            let texts: Vec<&str> = values.iter().filter_map(|value| value.as_str()).collect();
            template(&texts, name).into()
        }
        Json::Array(items) if same && items.iter().all(|item| !matches!(item, Json::Object(_) | Json::Array(_))) => {
            let part = |item: &Json| common(&[item], name, depth);
            Json::Array(items.iter().take(MAX_FIELDS).map(part).collect())
        }
        Json::Array(_) => slot(name).into(),
        _ if same => (*first).clone(),
        _ => slot(name).into(),
    }
}

/// The fields that most of these objects have, in the order of the first, as many as fit.
fn object(values: &[&Json], depth: usize) -> Json {
    let mut names: Vec<&str> = Vec::new();
    for value in values {
        let Json::Object(fields) = value else { continue };
        for (name, value) in fields.iter().take(MAX_FIELDS) {
            if !value.is_null() && names.len() < MAX_FIELDS && !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    let mut fields = Vec::new();
    let mut left = MAX_ACTION;
    for name in names {
        let given: Vec<&Json> = values.iter().map(|value| value.get(name)).filter(|value| !value.is_null()).collect();
        if given.len() * 2 <= values.len() {
            continue;
        }
        let mut part = common(&given, name, depth + 1);
        // An argument that some runs omit is not equal in all of them.
        if given.len() < values.len() && !matches!(part, Json::Object(_)) {
            part = slot(name).into();
        }
        let length = name.len() + part.to_string().len();
        if length <= left {
            left -= length;
            fields.push((head(name).to_owned(), part));
        }
    }
    Json::Object(fields)
}

/// The common part of strings: all of it, or the words at the beginning and at the end with a slot between them.
fn template(texts: &[&str], name: &str) -> String {
    let Some(first) = texts.first() else { return String::new() };
    if texts.iter().all(|text| looks_secret(text)) {
        return slot(name);
    }
    if texts.iter().all(|text| text == first) {
        return cut(&without_credentials(first), MAX_TEXT);
    }
    let words: Vec<Vec<&str>> = texts.iter().map(|text| head(text).split_whitespace().collect()).collect();
    let shortest = words.iter().map(Vec::len).min().unwrap_or(0);
    let same = |at: &dyn Fn(&Vec<&str>) -> usize| {
        let word = |words: &Vec<&str>| words.get(at(words)).map(|word| (*word).to_owned());
        words
            .first()
            .and_then(word)
            .is_some_and(|wanted| words.iter().all(|words| word(words).as_ref() == Some(&wanted)))
    };
    let start = (0..shortest).take_while(|place| same(&|_| *place)).count();
    let end = (1..=shortest - start).take_while(|place| same(&|words| words.len() - place)).count();
    let Some(first) = words.first() else { return String::new() };
    let mut kept: Vec<String> = first.iter().take(start).map(|word| hidden(word)).collect();
    kept.push(slot(name));
    kept.extend(first.iter().skip(first.len() - end).map(|word| hidden(word)));
    kept.join(" ")
}

fn slot(name: &str) -> String {
    format!("<{}>", head(name))
}

/// Whether the name of an argument says that its value is a credential.
fn is_credential(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    CREDENTIALS.iter().any(|word| plain.ends_with(word))
}

/// A string with slots in the place of words that look like credentials.
fn without_credentials(text: &str) -> String {
    let mut out = String::new();
    for part in text.split_inclusive(char::is_whitespace) {
        let word = part.trim_end();
        out.push_str(&hidden(word));
        out.push_str(part.get(word.len()..).unwrap_or(""));
    }
    out
}

/// The word, or a slot if it looks like a credential.
fn hidden(word: &str) -> String {
    let (name, value) = word.split_at(word.find(['=', ':']).map_or(0, |at| at + 1));
    if looks_secret(value) || is_credential(name) { format!("{name}{}", slot("secret")) } else { word.to_owned() }
}

fn looks_secret(text: &str) -> bool {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'='));
    let random = |part: &str| {
        part.len() >= MIN_CREDENTIAL
            && part.bytes().any(|byte| byte.is_ascii_digit())
            && part.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    plain && text.split(['_', '-', '+', '=']).any(random)
}

/// A string on one line: a line break in it could be mistaken for the next step.
fn one_line(text: &str) -> String {
    text.split(char::is_control).filter(|part| !part.trim().is_empty()).collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn cut(text: &str, most: usize) -> String {
    let end = text.floor_char_boundary(most);
    if end == text.len() { text.to_owned() } else { format!("{}…", text.get(..end).unwrap_or("")) }
}
