//! Secrets known by their shape alone: keys with a prefix, private keys, tokens, long hex, cards, accounts, passwords.

use std::ops::Range;

use super::fold::place;
use super::secrets::Secret;
use crate::model::SecretKind;

/// Prefixes of keys, and how many characters follow at least.
const PREFIXES: &[(&str, usize)] = &[
    ("sk-", 16),
    ("sk_", 16),
    ("pk_live_", 12),
    ("pk_test_", 12),
    ("rk_live_", 12),
    ("rk_test_", 12),
    ("whsec_", 16),
    ("ghp_", 16),
    ("gho_", 16),
    ("ghu_", 16),
    ("ghs_", 16),
    ("ghr_", 16),
    ("github_pat_", 16),
    ("glpat-", 12),
    ("AKIA", 12),
    ("ASIA", 12),
    ("AIza", 20),
    ("xoxa-", 8),
    ("xoxb-", 8),
    ("xoxp-", 8),
    ("xoxr-", 8),
    ("xoxs-", 8),
    ("npm_", 20),
    ("hf_", 20),
    ("SG.", 20),
    ("ya29.", 20),
    ("dop_v1_", 20),
    ("shpat_", 20),
    ("gsk_", 20),
    ("xai-", 20),
];

/// Words before a long hex number that say it is no secret.
const HASHES: &[&str] = &[
    "commit",
    "sha",
    "hash",
    "md5",
    "rev",
    "checksum",
    "digest",
    "head",
    "etag",
    "tree",
    "blob",
    "merge",
    "pick",
    "integrity",
    "id",
];

/// Finds all secrets by shape.
pub(super) fn by_shape(text: &str, out: &mut Vec<Secret>) {
    private_keys(text, out);
    for range in runs(text) {
        let run = text.get(range.clone()).unwrap_or("");
        let before = text.get(..range.start).unwrap_or("");
        let mut add =
            |kind, own: Range<usize>| out.push(Secret { kind, range: range.start + own.start..range.start + own.end });
        if let Some(own) = prefixed(run) {
            add(SecretKind::ApiKey, own);
        } else if let Some(own) = web_token(run) {
            add(SecretKind::Token, own);
        } else if let Some(own) = credentials(run) {
            add(SecretKind::Password, own);
        } else if let Some(own) = long_hex(run, before) {
            add(SecretKind::ApiKey, own);
        } else if let Some(own) = password(run) {
            add(SecretKind::Password, own);
        }
    }
    grouped(text, out);
}

/// Runs of visible ASCII characters.
pub(super) fn runs(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut begin = None;
    for (at, byte) in text.bytes().chain([b' ']).enumerate() {
        match (byte.is_ascii_graphic(), begin) {
            (true, None) => begin = Some(at),
            (false, Some(from)) => {
                out.push(from..at);
                begin = None;
            }
            _ => {}
        }
    }
    out
}

/// Where a part begins in a run, not within a word.
fn find(run: &str, part: &str) -> Option<usize> {
    let bytes = run.as_bytes();
    (0..bytes.len()).find(|at| {
        bytes.get(*at..).is_some_and(|rest| rest.starts_with(part.as_bytes()))
            && !at.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(u8::is_ascii_alphanumeric)
    })
}

/// How many characters of a key follow from `from` on.
fn tail(run: &str, from: usize) -> usize {
    run.bytes().skip(from).take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')).count()
}

/// A key by its prefix. Words have no digits, so `sk-learn-pipeline-demo` is none.
fn prefixed(run: &str) -> Option<Range<usize>> {
    PREFIXES.iter().find_map(|(prefix, least)| {
        let at = find(run, prefix)?;
        let from = at + prefix.len();
        let end = from + tail(run, from);
        let own = run.get(from..end)?.trim_end_matches('.');
        (own.len() >= *least && own.bytes().any(|byte| byte.is_ascii_digit())).then(|| at..from + own.len())
    })
}

/// A JSON Web Token: two or three parts, the first of which begins with `{"`.
fn web_token(run: &str) -> Option<Range<usize>> {
    let at = find(run, "eyJ")?;
    let end = at + tail(run, at);
    let token = run.get(at..end)?;
    (token.len() >= 20 && token.contains('.')).then_some(at..end)
}

/// The password of a URL with a user: `postgres://user:password@host`.
fn credentials(run: &str) -> Option<Range<usize>> {
    let from = place(run, "://")? + 3;
    let rest = run.get(from..)?;
    let host = rest.find('/').unwrap_or(rest.len());
    let at = rest.get(..host)?.rfind('@')?;
    let colon = rest.get(..at)?.find(':')?;
    (at > colon + 1).then_some(from + colon + 1..from + at)
}

/// A hex number of 32 digits or more that is not called a hash, and is no part of a path.
fn long_hex(run: &str, before: &str) -> Option<Range<usize>> {
    let mut at = 0;
    for piece in run.split(|c: char| !c.is_ascii_alphanumeric()) {
        let (digits, letters) = piece.bytes().fold((0, 0), |(digits, letters), byte| match byte {
            b'0'..=b'9' => (digits + 1, letters),
            b'a'..=b'f' | b'A'..=b'F' => (digits, letters + 1),
            _ => (digits, 1000),
        });
        let hex = digits > 0 && (1..1000).contains(&letters) && digits + letters >= 32;
        let in_path = at > 0 && run.as_bytes().get(at - 1) == Some(&b'/');
        if hex && !in_path && !is_called_hash(before, run.get(..at).unwrap_or("")) {
            return Some(at..at + piece.len());
        }
        at += piece.len() + 1;
    }
    None
}

/// Whether one of the last three words before a number, or the part before its colon, says that it is a hash.
fn is_called_hash(before: &str, own: &str) -> bool {
    let near = before.rsplit(' ').filter(|word| !word.is_empty()).take(3).chain([own]);
    near.flat_map(|word| word.split(|c: char| !c.is_ascii_alphanumeric())).any(|word| {
        let word = word.to_ascii_lowercase();
        HASHES.iter().any(|hash| {
            if hash.len() > 3 || *hash == "sha" || *hash == "md5" { word.starts_with(hash) } else { word == *hash }
        })
    })
}

/// A token that looks like a password: small letters, a digit, and a capital with a sign, or a sign inside. Addresses,
/// handles, versions, amounts, code and links are not.
fn password(run: &str) -> Option<Range<usize>> {
    let own = run.trim_matches(['"', '\'', '(', ')', '[', ']', '<', '>', '{', '}', ',', ';', ':', '.', '?', '`']);
    let own = own.trim_end_matches('!');
    let from = own.as_ptr() as usize - run.as_ptr() as usize;
    let bytes = own.as_bytes();
    let plain = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"!@#$%^&*_+=?-".contains(byte));
    let has = |test: &dyn Fn(u8) -> bool| bytes.iter().any(|byte| test(*byte));
    let inner = bytes.iter().skip(1).rev().skip(1).any(|byte| b"!#$".contains(byte));
    let sign = has(&|byte| b"!@#$%^&*".contains(&byte));
    let capital = has(&|byte| byte.is_ascii_uppercase());
    let starts = own.starts_with(['#', '@', '$', '-']);
    let code = has(&|byte| byte == b'=') || own.starts_with("C#") || is_version(own);
    let found = (7..=64).contains(&own.len())
        && plain
        && !starts
        && !code
        && has(&|byte| byte.is_ascii_digit())
        && has(&|byte| byte.is_ascii_lowercase())
        && (capital && sign || inner);
    found.then_some(from..from + own.len())
}

/// Whether it is a package with its version, or a user at a host: `vite@5`, `root@server01`.
fn is_version(own: &str) -> bool {
    own.split_once('@').is_some_and(|(name, rest)| {
        let word = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_'));
        word(name)
            && name.len() > 1
            && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    })
}

/// The blocks of private keys. Certificates and public keys are no secrets.
fn private_keys(text: &str, out: &mut Vec<Secret>) {
    let mut begin: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let mut from = 0;
        while let Some(dashes) = line.get(from..).and_then(|rest| place(rest, "-----")).map(|dashes| from + dashes) {
            let rest = line.get(dashes + 5..).unwrap_or("");
            let name = rest.split('-').next().unwrap_or("");
            let is_key = name.ends_with("PRIVATE KEY");
            from = dashes + 5 + name.len();
            if is_key && name.starts_with("BEGIN") {
                begin = begin.or(Some(at + dashes));
            } else if let Some(start) = begin.filter(|_| is_key && name.starts_with("END")) {
                from = (from + 5).min(line.len());
                out.push(Secret { kind: SecretKind::PrivateKey, range: start..at + from });
                begin = None;
            }
        }
        at += line.len();
    }
    if let Some(start) = begin {
        out.push(Secret { kind: SecretKind::PrivateKey, range: start..text.len() });
    }
}

/// Numbers in groups: cards and bank accounts.
fn grouped(text: &str, out: &mut Vec<Secret>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before)).copied().unwrap_or(b' ');
        let starts = !before.is_ascii_alphanumeric() && !matches!(before, b'+' | b'.' | b'_' | b'/');
        let end = if starts {
            card(bytes, at)
                .map(|end| (SecretKind::Card, end))
                .or_else(|| account(bytes, at).map(|end| (SecretKind::Account, end)))
        } else {
            None
        };
        match end {
            Some((kind, end)) => {
                out.push(Secret { kind, range: at..end });
                at = end;
            }
            None => at += 1,
        }
    }
}

/// The end of a card number that begins here: 13 to 19 digits of an issuer, with the right check digit.
fn card(bytes: &[u8], from: usize) -> Option<usize> {
    let mut digits: Vec<u8> = Vec::new();
    let mut at = from;
    let mut end = None;
    while let Some(byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        match byte {
            b'0'..=b'9' => digits.push(byte - b'0'),
            b' ' | b'-' if next.is_ascii_digit() && !digits.is_empty() => {
                at += 1;
                continue;
            }
            _ => break,
        }
        at += 1;
        if digits.len() > 19 {
            break;
        }
        if !next.is_ascii_alphanumeric() && is_issued(&digits) && is_luhn(&digits) {
            end = Some(at);
        }
    }
    end
}

/// Whether a number has the beginning and length of a card: a time in milliseconds or a tracking number mostly has not.
fn is_issued(digits: &[u8]) -> bool {
    let head = digits.iter().take(4).fold(0_u32, |head, digit| head * 10 + u32::from(*digit));
    match digits.len() {
        13 => head / 1000 == 4,
        14 => matches!(head / 100, 36 | 38 | 39) || (3000..3060).contains(&head),
        15 => matches!(head / 100, 34 | 37),
        16..=19 => {
            matches!(head / 100, 40..=49 | 51..=55 | 62 | 65 | 35) || (2221..=2720).contains(&head) || head == 6011
        }
        _ => false,
    }
}

fn is_luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| {
            let twice = u32::from(*digit) * if at % 2 == 1 { 2 } else { 1 };
            if twice > 9 { twice - 9 } else { twice }
        })
        .sum();
    sum.is_multiple_of(10)
}

/// The end of an IBAN that begins here: two capitals, two digits, 11 to 30 more, the rest of 97 is 1.
fn account(bytes: &[u8], from: usize) -> Option<usize> {
    let head = bytes.get(from..from + 4)?;
    if !head.iter().take(2).all(u8::is_ascii_uppercase) || !head.iter().skip(2).all(u8::is_ascii_digit) {
        return None;
    }
    let mut number: Vec<u8> = Vec::new();
    let mut end = None;
    for (at, byte) in bytes.iter().enumerate().skip(from).take(48) {
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' => number.push(*byte),
            b' ' if next.is_ascii_alphanumeric() => continue,
            _ => break,
        }
        if (15..=34).contains(&number.len()) && !next.is_ascii_alphanumeric() && rest_of_97(&number) == 1 {
            end = Some(at + 1);
        }
    }
    end
}

/// The rest of an account number by 97, its first four characters moved to the end, letters from 10 on.
fn rest_of_97(number: &[u8]) -> u32 {
    let (head, tail) = number.split_at(4.min(number.len()));
    tail.iter().chain(head).fold(0, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
    })
}
