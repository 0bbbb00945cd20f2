//! JSON values. Numbers keep their digits and objects their order: stored values come back unchanged.

use std::fmt;

/// Any JSON value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Json {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// Names and values. Of duplicate fields the last one counts.
    Object(Vec<(String, Json)>),
}

/// A number in its original digits, which no rounding can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(String);

impl Number {
    /// Expects digits in the grammar of JSON numbers, which the parser ensures.
    pub(crate) fn from_digits(digits: &str) -> Self {
        Self(digits.to_owned())
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest double for up to fifteen digits, as `importance` and scores have; within one unit in the last place
    /// beyond that. The tables for exact rounding would be a tenth of the download.
    pub fn as_f64(&self) -> f64 {
        let (digits, exponent) = self.0.split_once(['e', 'E']).unwrap_or((&self.0, "0"));
        let exponent: i32 = exponent.strip_prefix('+').unwrap_or(exponent).parse().unwrap_or(i32::MAX);
        let mut mantissa = 0_u64;
        let mut shift = 0_i32;
        let mut fraction = false;
        for digit in digits.bytes() {
            match digit {
                b'.' => fraction = true,
                // As many digits as fit; the rest only moves the decimal point.
                b'0'..=b'9' if mantissa < u64::MAX / 10 - 1 => {
                    mantissa = mantissa * 10 + u64::from(digit - b'0');
                    shift -= i32::from(fraction);
                }
                b'0'..=b'9' => shift += i32::from(!fraction),
                _ => {}
            }
        }
        let magnitude = scale(mantissa as f64, exponent.saturating_add(shift));
        if digits.starts_with('-') { -magnitude } else { magnitude }
    }
}

/// `value` times ten to the `exponent`, in steps that a double represents exactly.
fn scale(mut value: f64, mut exponent: i32) -> f64 {
    if value == 0.0 {
        return value;
    }
    while exponent > 0 && value.is_finite() {
        let step = exponent.min(22);
        value *= 10_f64.powi(step);
        exponent -= step;
    }
    while exponent < 0 && value > 0.0 {
        let step = (-exponent).min(22);
        value /= 10_f64.powi(step);
        exponent += step;
    }
    value
}

impl Json {
    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The nearest double, if it is a number.
    pub fn as_f64(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(number.as_f64()) } else { None }
    }

    /// The integer, if it is written as one and fits.
    pub fn as_i64(&self) -> Option<i64> {
        if let Self::Number(number) = self { number.0.parse().ok() } else { None }
    }

    /// The items, if it is an array.
    pub fn as_array(&self) -> Option<&[Json]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// The value of a field; `null` if it is missing, or this is no object.
    pub fn get(&self, name: &str) -> &Json {
        let Self::Object(fields) = self else { return &Self::Null };
        fields.iter().rev().find(|(field, _)| field == name).map_or(&Self::Null, |(_, value)| value)
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// The nesting depth of arrays and objects: 0 for a string, 1 for an array of strings.
    pub fn depth(&self) -> usize {
        match self {
            Self::Array(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            Self::Object(fields) => 1 + fields.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// The object with these fields, without those that are `null`.
    #[inline(never)]
    pub fn object(fields: Vec<(&str, Json)>) -> Self {
        let there = fields.into_iter().filter(|(_, value)| !value.is_null());
        Self::Object(there.map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

macro_rules! from_number {
    ($($number:ty),*) => {$(
        impl From<$number> for Json {
            fn from(number: $number) -> Self {
                Self::Number(Number(number.to_string()))
            }
        }
    )*};
}

from_number!(i64, u64, usize);

/// The shortest digits for this number. One that JSON cannot represent becomes `null`.
impl From<f64> for Json {
    fn from(number: f64) -> Self {
        if number.is_finite() {
            Self::Number(Number(zmij::Buffer::new().format_finite(number).to_owned()))
        } else {
            Self::Null
        }
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<&[String]> for Json {
    fn from(texts: &[String]) -> Self {
        Self::Array(texts.iter().map(|text| text.as_str().into()).collect())
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The shortest JSON.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        write(self, &mut text);
        f.write_str(&text)
    }
}

fn write(value: &Json, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Number(number) => out.push_str(number.as_str()),
        Json::String(text) => write_text(text, out),
        Json::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Json::Object(fields) => {
            out.push('{');
            for (at, (name, value)) in fields.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_text(name, out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    // Most of a string needs no escaping, and is copied in one piece.
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
        let (plain, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let mut escaped = after.chars();
        match escaped.next() {
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some(control @ '\0'..='\x1f') => {
                let digit = |value: u32| char::from_digit(value, 16).unwrap_or('0');
                out.push_str("\\u00");
                out.push(digit(control as u32 >> 4));
                out.push(digit(control as u32 & 15));
            }
            Some(mark) => {
                out.push('\\');
                out.push(mark);
            }
            None => {}
        }
        rest = escaped.as_str();
    }
    out.push_str(rest);
    out.push('"');
}
