//! Secrets in a text: by shape, and by words for passwords, PINs and keys with something like a value beside them.

use std::ops::Range;

use super::fold::{
    any, char_before, each, first, folded, is_digit, is_of, len, place, seek, slice, spaced, tail, trim_end, words,
};
use super::lang::{Lang, by_script};
use super::pack::{List, PREFIX, Pack};
use super::packs::Packs;
use super::sentence::sentences;
use super::shapes::by_shape;
use super::values::{after_copula, joined, last_latin, narrow, quoted, trimmed, values};
use crate::model::{SecretKind, add_kinds, sorted};

impl SecretKind {
    /// The text that replaces a secret of this kind.
    pub fn mark(self) -> String {
        [MARK, self.name(), "]"].concat()
    }
}

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its kind.
    pub kind: SecretKind,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// The prefix of the text that replaces a secret.
const MARK: &str = "[secret: ";

/// Finds the secrets of a text, in order, none within another. `decompose` gives a text in NFKD.
pub fn secrets(text: &str, packs: &Packs, decompose: &dyn Fn(&str) -> String) -> Vec<Secret> {
    let mut found = Vec::new();
    by_shape(text, &mut found);
    for sentence in sentences(text) {
        let from = sentence.as_ptr() as usize - text.as_ptr() as usize;
        by_cue(sentence, from, packs, decompose, &mut found);
    }
    apart(&found)
}

/// The secrets of a text that have the shape of one. This needs no pack.
pub fn secrets_by_shape(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    by_shape(text, &mut found);
    apart(&found)
}

/// Secrets in order, without those that overlap an earlier or a longer one.
fn apart(found: &[Secret]) -> Vec<Secret> {
    let key = |at: usize| found.get(at).map(|secret| (secret.range.start, usize::MAX - secret.range.end));
    let mut out: Vec<Secret> = Vec::new();
    for secret in
        sorted(found.len(), &|one, other| key(one).cmp(&key(other))).into_iter().filter_map(|at| found.get(at))
    {
        if out.last().is_none_or(|last| secret.range.start >= last.range.end) {
            out.push(secret.clone());
        }
    }
    out
}

/// A text with its secrets replaced: `[secret: api key]`.
pub fn redact(text: &str, found: &[Secret]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for secret in found {
        out.push_str(text.get(from..secret.range.start).unwrap_or(""));
        out.push_str(&secret.kind.mark());
        from = secret.range.end;
    }
    out.push_str(text.get(from..).unwrap_or(""));
    out
}

/// A text with each secret replaced by its kind, and the kinds.
pub fn without_secrets(text: &str, found: &[Secret]) -> (String, Vec<SecretKind>) {
    let mut kinds = Vec::new();
    add_kinds(&mut kinds, found.iter().map(|secret| secret.kind));
    (redact(text, found), kinds)
}

/// A text without the marks of replaced secrets.
pub(super) fn unmarked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = place(rest, MARK) {
        let after = tail(rest, at);
        out.push_str(slice(rest, 0, at));
        out.push(' ');
        rest = tail(after, seek(after, &mut |_, c| c == ']') + 1);
    }
    out.push_str(rest);
    out
}

/// A word for a secret that was found.
struct Cue {
    /// Whether a number alone may be its value: a PIN's, not a token's.
    takes_numbers: bool,
    is_api: bool,
    /// Whether the text ends with it.
    is_last: bool,
}

/// Finds the values beside a word for a secret.
fn by_cue(sentence: &str, from: usize, packs: &Packs, decompose: &dyn Fn(&str) -> String, out: &mut Vec<Secret>) {
    let ascii = narrow(sentence);
    let values = values(&ascii);
    let colon = seek(&ascii, &mut |_, c| is_of(c, ":="));
    let lang = by_script(sentence, None).flatten();
    let mut range = quoted(sentence);
    if range.is_empty() {
        range = joined(&ascii);
    }
    if range.is_empty() && lang.is_some() {
        range = last_latin(&ascii);
    }
    if range.is_empty() {
        range = after_copula(sentence, decompose);
    }
    // Most sentences have nothing like a value, so that no word for a secret need be sought.
    if values.is_empty() && colon == ascii.len() && range.is_empty() {
        return;
    }
    let decomposed = decompose(sentence);
    let Some(cue) = find_cue(&decomposed, lang, packs) else { return };
    let before = out.len();
    let add = |range: Range<usize>, out: &mut Vec<Secret>| {
        let value = slice(sentence, range.start, range.end);
        if value.is_empty() || value.starts_with(MARK) || is_marked(slice(&ascii, 0, range.start)) {
            return;
        }
        let kind = kind_of(slice(&ascii, range.start, range.end), len(value), &cue);
        out.push(Secret { kind, range: from + range.start..from + range.end });
    };

    for range in values {
        let is_number = !has_letter(slice(&ascii, range.start, range.end));
        if cue.takes_numbers || !is_number {
            add(range, out);
        }
    }
    // After a colon everything is the value; quoted, joined and last words are, too.
    if out.len() == before && cue.takes_numbers {
        if colon < ascii.len()
            && find_cue(&decompose(slice(sentence, 0, colon)), lang, packs).is_some_and(|cue| cue.is_last)
        {
            range = trimmed(sentence, colon + 1..sentence.len());
        }
        add(range, out);
    }
}

/// Whether a mark of a replaced secret is open at the end.
fn is_marked(before: &str) -> bool {
    let open = trim_end(before, &|c| c != '[' && c != ']');
    open.ends_with('[') && tail(before, open.len() - 1).starts_with(MARK)
}

/// Whether a text has a Latin letter.
fn has_letter(text: &str) -> bool {
    any(text, &|c| c.is_ascii_alphabetic())
}

fn kind_of(value: &str, count: usize, cue: &Cue) -> SecretKind {
    if has_letter(value) || !any(value, &is_digit) {
        return if cue.is_api {
            SecretKind::ApiKey
        } else if !cue.takes_numbers {
            SecretKind::Token
        } else {
            SecretKind::Password
        };
    }
    if count <= 8 { SecretKind::Pin } else { SecretKind::Account }
}

/// The first word for a secret in a text; one that takes numbers before one that does not. A text in Latin letters may mix
/// their languages, and English is everywhere.
fn find_cue(decomposed: &str, lang: Option<Lang>, packs: &Packs) -> Option<Cue> {
    let folded = folded(decomposed, false);
    let spaced = spaced(&words(&folded));
    let mut best = None;
    for pack in packs.iter() {
        let own = if lang.is_none() { pack.lang.is_latin() } else { lang == Some(pack.lang) };
        if own || pack.lang == Lang::En {
            let text = if pack.lang.is_unspaced() { folded.trim() } else { &spaced };
            find_in(text, pack, &mut best);
        }
    }
    best
}

/// Looks for the words of one pack.
fn find_in(text: &str, pack: &Pack, best: &mut Option<Cue>) {
    for list in [List::Secret, List::Token] {
        let takes_numbers = list == List::Secret;
        each!(text, |at, _c| {
            let rest = tail(text, at);
            // EC-Karten-PIN, PIN-Code.
            let begins = is_of(char_before(text, at), " -");
            pack.at(list as u8, rest, &mut |entry| {
                let end = usize::from(entry.len);
                let (name, after) = (slice(rest, 0, end), tail(rest, end));
                let whole = begins && (entry.flags & PREFIX != 0 || is_of(first(after), " -"));
                // Compounds: WLAN-Passwort, Routerpasswort. Other scripts join particles and prefixes.
                if whole || len(name) > 4 || !pack.lang.is_latin() && pack.lang != Lang::Ru {
                    let is_last = after.trim().is_empty();
                    let own = Cue { takes_numbers, is_api: place(name, "api").is_some(), is_last };
                    if best.as_ref().is_none_or(|best| !best.takes_numbers && takes_numbers || !best.is_last && is_last)
                    {
                        *best = Some(own);
                    }
                }
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english() -> Packs {
        let mut packs = Packs::new();
        packs.add(Pack::parse(include_str!("../../packs/en.txt"), &str::to_owned).unwrap());
        packs
    }

    fn hidden(text: &str, packs: &Packs) -> String {
        redact(text, &secrets(text, packs, &str::to_owned))
    }

    #[test]
    fn shapes_are_known_without_a_pack() {
        for (text, expected) in [
            ("use sk-proj-abcDEF1234567890abcd now", "use [secret: api key] now"),
            ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[secret: api key]"),
            ("key=AKIAIOSFODNN7EXAMPLE", "key=[secret: api key]"),
            ("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_-1", "jwt [secret: token]"),
            ("4539 1488 0343 6467, exp 09/28", "[secret: card number], exp 09/28"),
            ("pay DE89 3704 0044 0532 0130 00 today", "pay [secret: account number] today"),
            ("postgres://app:s3cr3t@db.internal/x", "postgres://app:[secret: password]@db.internal/x"),
            ("a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b", "a [secret: private key] b"),
            ("try Tr0mbone!77 first", "try [secret: password] first"),
            ("our 9f86d081884c7d659a2feaa0c55ad015", "our [secret: api key]"),
        ] {
            assert_eq!(hidden(text, &Packs::new()), expected);
        }
    }

    #[test]
    fn words_for_secrets_find_their_values() {
        let packs = english();
        for (text, expected) in [
            ("my PIN is 7391, ok", "my PIN is [secret: pin], ok"),
            ("the password is hunter2.", "the password is [secret: password]."),
            ("my wifi password is swordfish", "my wifi password is [secret: password]"),
            ("passphrase: correct horse battery staple", "passphrase: [secret: password]"),
            ("the password is \"open sesame1\"", "the password is \"open [secret: password]\""),
            ("seed phrase=apple banana cherry", "seed phrase=[secret: password]"),
            ("my api key is abc123def", "my api key is [secret: api key]"),
            ("login token abc123def", "login token [secret: token]"),
            ("PIN: ７３９１", "PIN: [secret: pin]"),
            ("my sim-PIN is 4471", "my sim-PIN is [secret: pin]"),
            ("the PIN-code is 4471", "the PIN-code is [secret: pin]"),
        ] {
            assert_eq!(hidden(text, &packs), expected);
            let again = hidden(expected, &packs);
            assert_eq!(again, expected, "a replaced secret is none");
        }
    }

    #[test]
    fn ordinary_numbers_and_code_are_no_secrets() {
        let packs = english();
        for text in [
            "call me at +49 151 23456789 or 0113 496 0021",
            "order 4021-88817-2291 shipped on 2024-05-12 at 18:30",
            "fixed in commit 3f2a9c1b7e4d5f60718293a4b5c6d7e8f9012345",
            "sha256:9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015",
            "https://github.com/a/b/commit/3f2a9c1b7e4d5f60718293a4b5c6d7e8f9012345",
            "request 123e4567-e89b-12d3-a456-426614174000 failed",
            "mail teresa.m92@example.com or ssh root@server01",
            "npm i typescript@5 vite@5.1.0 and C#12",
            "see https://example.com/a?b=1&c=2#d3",
            "timestamp 1700000000000, tracking 1Z999AA10123456784",
            "I forgot my password again",
            "my password is wrong",
            "I changed my password in 2023",
            "the token limit is 4096 and the token expired after 3600 seconds",
            "sk-learn-pipeline-demo and user_name_v2 = foo(bar2)",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
            "@user123 has #tag2024 and $100k, 50%off",
        ] {
            assert_eq!(hidden(text, &packs), text);
        }
    }
}
