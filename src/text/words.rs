//! Word boundaries, close to the Unicode rules, and the compounds of code and links.
//!
//! Input is text in Unicode NFKD, so combining marks follow their character.

use super::chars::{Class, class, is_capital, is_digit, is_flag_half, is_modifier};

/// A piece of text of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Letters and digits of a script with spaces, perhaps joined: `foo-bar`, `a.b.c`, `https://x.y/z`.
    Compound(&'a str),
    /// A run of Han and kana.
    Cjk(&'a str),
    /// A run of another script without spaces.
    Unspaced(&'a str),
    /// One pictograph, or the two halves of a flag.
    Picture(&'a str),
}

/// The pieces of `text`, in order.
pub(super) struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (head, tail) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = tail;
        head
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            let first = self.rest.chars().next()?;
            match class(first) {
                Class::Gap | Class::Mark => {
                    self.take(first.len_utf8());
                }
                Class::Picture if is_modifier(first) => {
                    self.take(first.len_utf8());
                }
                Class::Picture => {
                    let second = self.rest.chars().nth(1).filter(|second| is_flag_half(first) && is_flag_half(*second));
                    return Some(Piece::Picture(self.take(first.len_utf8() + second.map_or(0, char::len_utf8))));
                }
                Class::Cjk => return Some(Piece::Cjk(self.take(run(self.rest, Class::Cjk)))),
                Class::Unspaced => return Some(Piece::Unspaced(self.take(run(self.rest, Class::Unspaced)))),
                Class::Letter | Class::Digit => return Some(Piece::Compound(self.take(compound(self.rest)))),
            }
        }
    }
}

/// The number of bytes at the start of `text` of one class, with combining marks.
fn run(text: &str, wanted: Class) -> usize {
    let end = text.char_indices().find(|(_, c)| !matches!(class(*c), Class::Mark) && class(*c) != wanted);
    end.map_or(text.len(), |(at, _)| at)
}

fn is_word(c: char) -> bool {
    matches!(class(c), Class::Letter | Class::Digit)
}

/// The number of bytes of the word at the start of `text` with everything joined to it.
fn compound(text: &str) -> usize {
    // A fast path: most words are ASCII letters and need no table.
    let mut end = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let mut link = false;
    let mut last = if end == 0 { ' ' } else { 'a' };
    while let Some((tail, c)) = text.get(end..).and_then(|tail| Some((tail, tail.chars().next()?))) {
        let joined = match class(c) {
            Class::Letter | Class::Digit => {
                last = c;
                c.len_utf8()
            }
            Class::Mark => c.len_utf8(),
            Class::Gap if tail.starts_with("://") => {
                link = true;
                3
            }
            Class::Gap => {
                let rest = tail.get(c.len_utf8()..).unwrap_or("");
                let joins = match c {
                    '_' => true,
                    '\'' | '’' | '.' | '-' | '\u{2010}' | '/' | '\\' | '@' | ':' | '+' => rest.starts_with(is_word),
                    ',' => last.is_ascii_digit() && rest.starts_with(|c: char| c.is_ascii_digit()),
                    '?' | '=' | '&' | '%' | '~' | '#' => link && rest.starts_with(is_word),
                    _ => false,
                };
                if joins { c.len_utf8() } else { 0 }
            }
            _ => 0,
        };
        if joined == 0 {
            break;
        }
        end += joined;
    }
    end
}

/// The words of a compound: joining characters split it, except underscores, full stops and apostrophes between two
/// letters, and full stops and commas between two digits.
pub(super) fn words(compound: &str) -> impl Iterator<Item = &str> {
    split(compound, |before, joint, after| match joint {
        '_' => false,
        '.' | '\'' | '’' => is_digit(before) != is_digit(after),
        ',' => !(is_digit(before) && is_digit(after)),
        _ => true,
    })
}

/// The parts of a word: `snake_case`, `camelCase`, `HTTPServer`, `mod.rs`, `l'homme`. A simple word has one part.
pub(super) fn parts(word: &str) -> impl Iterator<Item = &str> {
    split(word, |_, joint, _| !matches!(joint, '\'' | '’')).flat_map(humps)
}

/// Splits at every character outside words for which `cuts` returns true, given the characters around it.
fn split(text: &str, cuts: impl Fn(char, char, char) -> bool) -> impl Iterator<Item = &str> {
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    let mut start = 0;
    let mut done = false;
    std::iter::from_fn(move || {
        while !done {
            let Some((at, c)) = chars.next() else {
                done = true;
                return text.get(start..).filter(|part| !part.is_empty());
            };
            if class(c) == Class::Gap {
                let after = chars.peek().map_or(' ', |(_, after)| *after);
                if cuts(before, c, after) {
                    let part = text.get(start..at).filter(|part| !part.is_empty());
                    start = at + c.len_utf8();
                    if part.is_some() {
                        return part;
                    }
                }
            } else if class(c) != Class::Mark {
                before = c;
            }
        }
        None
    })
}

/// Splits between a lowercase letter and a capital, and before the last of several capitals followed by a lowercase
/// letter.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut before = [' ', ' '];
        let mut last_at = 0;
        let mut cut = rest.len();
        for (at, c) in rest.char_indices() {
            let is_small = |c: char| class(c) == Class::Letter && !is_capital(c);
            if is_small(before[1]) && is_capital(c) {
                cut = at;
                break;
            }
            if is_capital(before[0]) && is_capital(before[1]) && is_small(c) {
                cut = last_at;
                break;
            }
            if class(c) != Class::Mark {
                before = [before[1], c];
                last_at = at;
            }
        }
        let (part, tail) = rest.split_at_checked(cut)?;
        rest = tail;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        Pieces::new(text)
            .map(|piece| match piece {
                Piece::Compound(text) | Piece::Cjk(text) | Piece::Unspaced(text) | Piece::Picture(text) => text,
            })
            .collect()
    }

    #[test]
    fn words_follow_the_unicode_rules() {
        assert_eq!(pieces("The quick (\"brown\") fox can't jump 32.3 feet, right?").join("|"), {
            "The|quick|brown|fox|can't|jump|32.3|feet|right"
        });
        assert_eq!(pieces("iPhone15を買う🎉🇻🇳ok").join("|"), "iPhone15|を買う|🎉|🇻🇳|ok");
        assert_eq!(pieces("ภาษาไทย hello").join("|"), "ภาษาไทย|hello");
        assert_eq!(pieces("\u{301}\u{200d} ''..--").len(), 0);
    }

    #[test]
    fn code_and_links_hold_together() {
        assert_eq!(pieces("see https://a.b/c?d=e#f, foo-bar.").join("|"), "see|https://a.b/c?d=e#f|foo-bar");
        assert_eq!(words("src/index/mod.rs").collect::<Vec<_>>(), ["src", "index", "mod.rs"]);
        assert_eq!(words("v1.2.3-beta_2").collect::<Vec<_>>(), ["v1.2.3", "beta_2"]);
        assert_eq!(parts("beta_2").collect::<Vec<_>>(), ["beta", "2"]);
        assert_eq!(parts("parseHTTPRequest2").collect::<Vec<_>>(), ["parse", "HTTP", "Request2"]);
        assert_eq!(parts("v1.2.3").collect::<Vec<_>>(), ["v1", "2", "3"]);
        assert_eq!(parts("Simple").collect::<Vec<_>>(), ["Simple"]);
        assert_eq!(parts("ALLCAPS").collect::<Vec<_>>(), ["ALLCAPS"]);
    }
}
