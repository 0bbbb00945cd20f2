//! Parses JSON strictly, to a bounded depth, without panicking.

use crate::model::{Json, Number};
use std::fmt;
use std::str::FromStr;

/// The deepest nesting: far more than anyone needs, far less than the stack holds.
const MAX_DEPTH: usize = 128;

/// The string is not JSON; `at` is the offset of the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotJson {
    /// The offset of the error, in bytes.
    pub at: usize,
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be JSON; the mistake is at byte {}", self.at)
    }
}

impl std::error::Error for NotJson {}

impl FromStr for Json {
    type Err = NotJson;

    fn from_str(text: &str) -> Result<Self, NotJson> {
        parse(text)
    }
}

/// Parses a string with one JSON value.
pub fn parse(text: &str) -> Result<Json, NotJson> {
    let mut parser = Parser { text, at: 0 };
    let value = parser.value(0).ok_or(NotJson { at: parser.at })?;
    parser.skip_space();
    if parser.at == text.len() { Ok(value) } else { Err(NotJson { at: parser.at }) }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Skips `byte`, after any white space.
    fn take(&mut self, byte: u8) -> Option<()> {
        self.skip_space();
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        self.text.get(self.at..)?.starts_with(word).then(|| {
            self.at += word.len();
            value
        })
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.skip_space();
        match self.peek()? {
            b'n' => self.word("null", Json::Null),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'"' => self.string().map(Json::String),
            b'[' => self.array(depth),
            b'{' => self.object(depth),
            _ => self.number(),
        }
    }

    fn array(&mut self, depth: usize) -> Option<Json> {
        self.take(b'[')?;
        let mut items = Vec::new();
        if self.take(b']').is_some() {
            return Some(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.take(b']').is_some() {
                return Some(Json::Array(items));
            }
            self.take(b',')?;
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        self.take(b'{')?;
        let mut fields = Vec::new();
        if self.take(b'}').is_some() {
            return Some(Json::Object(fields));
        }
        loop {
            self.skip_space();
            let name = self.string()?;
            self.take(b':')?;
            fields.push((name, self.value(depth + 1)?));
            if self.take(b'}').is_some() {
                return Some(Json::Object(fields));
            }
            self.take(b',')?;
        }
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn number(&mut self) -> Option<Json> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(Json::Number(Number::from_digits(self.text.get(start..self.at)?)))
    }

    fn string(&mut self) -> Option<String> {
        if self.peek()? != b'"' {
            return None;
        }
        self.at += 1;
        let mut out = String::new();
        let mut plain = self.at;
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
            self.at += rest.iter().position(special).unwrap_or(rest.len());
            let byte = self.peek()?;
            match byte {
                b'"' | b'\\' => {
                    out.push_str(self.text.get(plain..self.at)?);
                    self.at += 1;
                    if byte == b'"' {
                        return Some(out);
                    }
                    out.push(self.escape()?);
                    plain = self.at;
                }
                _ => return None,
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let byte = self.peek()?;
        self.at += 1;
        Some(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.code_point(),
            _ => return None,
        })
    }

    /// Four hex digits, or two times four for a surrogate pair. A lone surrogate is an error (F28).
    fn code_point(&mut self) -> Option<char> {
        let high = self.hex4()?;
        if !(0xD800..0xDC00).contains(&high) {
            return char::from_u32(high);
        }
        if self.text.get(self.at..self.at + 2)? != "\\u" {
            return None;
        }
        self.at += 2;
        let low = self.hex4()?;
        if !(0xDC00..0xE000).contains(&low) {
            return None;
        }
        char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    }

    fn hex4(&mut self) -> Option<u32> {
        let mut value = 0;
        for _ in 0..4 {
            value = value << 4 | char::from(self.peek()?).to_digit(16)?;
            self.at += 1;
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of a well-known parser for the same string, in the same form.
    fn reference(text: &str) -> Option<String> {
        serde_json::from_str::<serde_json::Value>(text).ok().map(|value| value.to_string())
    }

    fn ours(text: &str) -> Option<String> {
        let printed = parse(text).ok()?.to_string();
        // Sorted and with numbers in its own format, so that only the meaning is compared.
        Some(reference(&printed).expect("what is printed is JSON"))
    }

    #[test]
    fn agrees_with_a_reference_on_good_and_bad_texts() {
        let texts = [
            "null",
            "true",
            "false",
            "0",
            "-0",
            "12",
            "-1.5e+3",
            "1E-2",
            "\"\"",
            "\"a\\u00e9\\n\\\"\\\\\\/\\b\\f\\r\\t\"",
            "\"\\ud83d\\ude00\"",
            "[]",
            "[1,[2,[3]],{}]",
            "{}",
            "{\"a\":1,\"b\":[null,true]}",
            " [ 1 , 2 ] ",
            "\"việt 日本\"",
            "{\"__proto__\":{\"a\":1}}",
            "",
            " ",
            "nul",
            "truee",
            "01",
            "1.",
            ".5",
            "+1",
            "-",
            "1e",
            "\"",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\\udc00\"",
            "\"\n\"",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "{\"a\":1,}",
            "[",
            "{",
            "]",
            "1 1",
            "\"\u{7f}\"",
            "\u{feff}1",
            "NaN",
            "Infinity",
        ];
        for text in texts {
            assert_eq!(ours(text), reference(text), "{text:?}");
        }
    }

    #[test]
    fn agrees_with_a_reference_on_random_texts() {
        let pieces = [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"b\\n\"",
            "\"\\u00e9\"",
            "1",
            "-2.5",
            "3e2",
            "true",
            "null",
            " ",
            "\"",
            "\\",
        ];
        let mut seed = 42_u64;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        let mut good = 0;
        for _ in 0..200_000 {
            let text: String = (0..1 + next(8)).map(|_| pieces[next(pieces.len())]).collect();
            let wanted = reference(&text);
            good += usize::from(wanted.is_some());
            assert_eq!(ours(&text), wanted, "{text:?}");
        }
        assert!(good > 1000, "only {good} of the texts were JSON");
    }

    #[test]
    fn s12_depth_is_bounded() {
        assert!(parse(&format!("{}{}", "[".repeat(100), "]".repeat(100))).is_ok());
        assert!(parse(&"[".repeat(1_000_000)).is_err());
        assert!(parse(&"{\"a\":".repeat(1_000_000)).is_err());
    }

    #[test]
    fn numbers_and_key_order_come_back_as_written() {
        for text in ["{\"z\":1.10,\"a\":12345678901234567890123,\"m\":-0.0e+5}", "0.30000000000000004"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn doubles_are_the_nearest_for_fifteen_digits_and_close_beyond() {
        let mut seed = 7_u64;
        for _ in 0..100_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (digits, exponent) = (seed % 1_000_000_000_000_000, (seed >> 50) as i32 % 22 - 21);
            let text = format!("{digits}e{exponent}");
            assert_eq!(parse(&text).unwrap().as_f64(), text.parse().ok(), "{text}");
        }
        for text in [
            "0.1",
            "1e300",
            "1e-300",
            "1e400",
            "-1e400",
            "1e-400",
            "123456789012345678901234567890",
            "5e-324",
            "0e999999999999",
        ] {
            let (seen, wanted): (f64, f64) = (parse(text).unwrap().as_f64().unwrap(), text.parse().unwrap());
            let close = seen == wanted || (seen - wanted).abs() <= wanted.abs() * 1e-14;
            assert!(close, "{text}: {seen:e} and not {wanted:e}");
        }
        assert_eq!(parse("0.7").unwrap().as_f64(), Some(0.7));
    }
}
