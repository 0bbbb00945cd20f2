//! Views for tests, from a short notation: `s u a t` for the roles, the tokens, `+x` a call, `=x` a result, `!` pinned.

use super::compress::{Compression, Request, Strategy, Written, plan};
use super::item::{Item, Kind};
use crate::model::{MessageId, Role};

/// `u1 a20+x t300=x!` are three messages `m0`, `m1`, `m2`, with four characters per token.
pub(super) fn items(story: &str) -> Vec<Item> {
    story.split_whitespace().enumerate().map(|(seq, word)| item(seq as u64, word)).collect()
}

/// One message of a story.
pub(super) fn item(seq: u64, word: &str) -> Item {
    let role = match word.as_bytes()[0] {
        b's' => Role::System,
        b'u' => Role::User,
        b'a' => Role::Assistant,
        b't' => Role::Tool,
        other => panic!("no role: {other}"),
    };
    let rest = word[1..].trim_end_matches('!');
    let marks: Vec<usize> = rest.match_indices(['+', '=']).map(|(at, _)| at).chain([rest.len()]).collect();
    let ids = |mark: char| {
        let parts = marks.windows(2).map(|ends| &rest[ends[0]..ends[1]]);
        parts.filter_map(|part| part.strip_prefix(mark)).map(str::to_owned).collect()
    };
    let tokens = rest[..marks[0]].parse().unwrap();
    Item {
        spans: vec![(seq, seq)],
        kind: Kind::Message(MessageId::new("id", format!("m{seq}")).unwrap()),
        role,
        tokens,
        chars: tokens * 4,
        calls: ids('+'),
        answers: ids('='),
        pinned: word.ends_with('!'),
    }
}

/// The places of each item: `0-3,5 4 6`.
pub(super) fn spans(view: &[Item]) -> String {
    let span = |(from, to): &(u64, u64)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    let item = |item: &Item| item.spans.iter().map(span).collect::<Vec<_>>().join(",");
    view.iter().map(item).collect::<Vec<_>>().join(" ")
}

/// Answers all requests of a compression with texts of `length` tokens, until it is finished.
pub(super) fn finish(mut compression: Compression, length: &dyn Fn(&Request) -> Option<u32>) -> Compression {
    while !compression.requests().is_empty() {
        let write = |request: &Request| {
            length(request).map(|tokens| Written { text: "x".repeat(tokens.min(50) as usize), tokens })
        };
        let written = compression.requests().iter().map(write).collect();
        compression.answer(written);
    }
    compression
}

/// `view` after one compression in which every text has its maximum length.
pub(super) fn compressed(view: &[Item], way: &Strategy) -> Vec<Item> {
    let compression = plan(view, way).expect("a plan");
    finish(compression, &|request| Some(request.max_tokens)).apply(view).expect("a view")
}
