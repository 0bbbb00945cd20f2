//! The facts of a tool call: the tools before it, and its input.

use super::names::head;
use super::trace::Step;
use crate::model::Json;

/// The most fields of an input, and their deepest nesting.
const MAX_FIELDS: usize = 32;
const MAX_DEPTH: usize = 3;

/// The most bytes of a string that counts as a value.
const MAX_VALUE: usize = 64;

/// A fact about a call. The order is the preference among equally good ones.
pub(super) enum Fact<'a> {
    /// A field of the input exists.
    Has(&'a str),
    /// A field has this value.
    Is(&'a str, &'a Json),
    /// A field has this shape.
    Looks(&'a str, &'a str),
    /// Another tool succeeded before.
    Before(&'a str),
}

impl Fact<'_> {
    /// Its hash, whose last two bits are its kind. Facts that collide count as one.
    pub(super) fn hash(&self) -> u32 {
        let text;
        let (kind, name, value) = match self {
            Self::Has(field) => (0, *field, ""),
            Self::Is(field, Json::String(value)) => (1, *field, value.as_str()),
            Self::Is(field, value) => {
                text = value.to_string();
                (1, *field, text.as_str())
            }
            Self::Looks(field, shape) => (2, *field, *shape),
            Self::Before(tool) => (3, *tool, ""),
        };
        let bytes = name.bytes().chain([0xFF]).chain(value.bytes());
        let hash = bytes.fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        hash << 2 | kind
    }
}

/// Whether the absence of a fact explains a failure.
pub(super) fn explains_by_lacking(fact: u32) -> bool {
    matches!(fact & 3, 0 | 3)
}

/// Calls `tell` with every fact of the call at `at`.
pub(super) fn facts(steps: &[Step], at: usize, tell: &mut dyn FnMut(&Fact<'_>)) {
    let Some(call) = steps.get(at) else { return };
    for (number, step) in steps.iter().enumerate().take(at) {
        let first = !steps.iter().take(number).any(|known| known.success && known.tool == step.tool);
        if step.success && first && step.tool != call.tool {
            tell(&Fact::Before(head(&step.tool)));
        }
    }
    fields(&call.input, &mut String::new(), &mut MAX_FIELDS.clone(), 0, tell);
}

fn fields(value: &Json, path: &mut String, left: &mut usize, depth: usize, tell: &mut dyn FnMut(&Fact<'_>)) {
    if depth > 0 {
        if *left == 0 || value.is_null() {
            return;
        }
        *left -= 1;
        tell(&Fact::Has(path));
        if let Some(shape) = shape(value) {
            tell(&Fact::Is(path, value));
            tell(&Fact::Looks(path, &shape));
        }
    }
    let Json::Object(fields) = value else { return };
    if depth == MAX_DEPTH {
        return;
    }
    for (name, value) in fields {
        let end = path.len();
        if depth > 0 {
            path.push('.');
        }
        path.push_str(head(name));
        self::fields(value, path, left, depth + 1, tell);
        path.truncate(end);
        if *left == 0 {
            return;
        }
    }
}

/// The shape of a value: `0` for digits, `a` for letters, other characters unchanged. Long values have none.
pub(super) fn shape(value: &Json) -> Option<String> {
    let text = match value {
        Json::String(text) if text.len() <= MAX_VALUE => format!("\"{text}\""),
        Json::Number(number) if number.as_str().len() <= MAX_VALUE => number.as_str().to_owned(),
        Json::Bool(_) => return Some("true or false".to_owned()),
        Json::Array(items) if items.is_empty() => return Some("[]".to_owned()),
        _ => return None,
    };
    let mut shape = String::new();
    for c in text.chars() {
        let sign = match c {
            c if c.is_numeric() => '0',
            c if c.is_alphabetic() => 'a',
            c if c.is_whitespace() => ' ',
            other => other,
        };
        // The number of words does not matter for the shape.
        if sign == 'a' && shape.ends_with("a ") {
            shape.pop();
        } else if !shape.ends_with(sign) || !matches!(sign, '0' | 'a' | ' ') {
            shape.push(sign);
        }
    }
    Some(shape)
}
