//! The index: against a naive scan, against one that was built anew, and from segments that were damaged.

use crate::dice::Dice;
use keepsake::index::{Doc, DocKind, Index, Query, Ranking, Text};
use keepsake::model::{Importance, Metadata, Timestamp};
use keepsake::text::Voice;
use std::collections::BTreeMap;

/// Words of which some are inside of others, in several scripts, in NFKD. None is a single character.
const WORDS: [&str; 16] = [
    "tea",
    "team",
    "steam",
    "teapot",
    "deploy",
    "redeploy",
    "key",
    "keys",
    "monkey",
    "vie\u{323}\u{302}c",
    "трава",
    "травами",
    "ε\u{301}να",
    "42",
    "420",
    "nai\u{308}ve",
];

const NOW: i64 = 1_735_812_000_000;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis("at", millis).unwrap()
}

/// What is indexed of an entry.
#[derive(Clone, Debug)]
struct Note {
    seq: u64,
    summary: String,
    content: String,
    tags: Vec<String>,
    importance: f64,
    created: i64,
    expires: i64,
    session: Option<&'static str>,
}

fn note(dice: &mut Dice, seq: u64) -> Note {
    let mut said = |count: usize| -> String {
        let words: Vec<String> = (0..dice.below(count))
            .map(|_| {
                let word = *dice.choose(&WORDS);
                if dice.chance(5) { word.to_uppercase() } else { word.to_owned() }
            })
            .collect();
        words.join(if dice.chance(4) { ", " } else { " " })
    };
    let (summary, content) = (said(6), said(20));
    let tags = (0..dice.below(3)).map(|_| (*dice.choose(&WORDS)).to_owned()).collect();
    Note {
        seq,
        summary,
        content,
        tags,
        importance: dice.below(5) as f64 / 4.0,
        created: NOW - dice.below(600_000_000) as i64,
        expires: if dice.chance(8) { NOW - 1 } else { NOW + 1_000_000 },
        session: dice.chance(3).then_some("talk"),
    }
}

fn with_doc<T>(id: &str, note: &Note, work: impl FnOnce(&Doc<'_>) -> T) -> T {
    let metadata = Metadata::default();
    work(&Doc {
        seq: note.seq,
        kind: DocKind::Entry,
        id,
        namespace: "short-term",
        summary: &note.summary,
        tags: &note.tags,
        importance: Importance::new("importance", note.importance).unwrap(),
        created_at: at(note.created),
        expires_at: at(note.expires),
        at: at(note.created),
        valid: None,
        session: note.session,
        agent: None,
        speaker: None,
        voice: Voice::of_speaker(""),
        source: None,
        trust: 1,
        key: None,
        metadata: &metadata,
        vector: &[],
        text: Text { content: &note.content, summary: &note.summary, tags: &note.tags, speaker: "" },
    })
}

/// The ids and scores of a search with no limit.
fn found(index: &Index, query: &str, ranking: Ranking) -> Vec<(String, f64)> {
    let query = Query { limit: 1000, min_score: 0.0, ..Query::new(query, ranking) };
    index.search(&query, at(NOW)).iter().map(|hit| (hit.found.id.to_owned(), hit.score)).collect()
}

fn query(dice: &mut Dice) -> String {
    (0..1 + dice.below(3)).map(|_| *dice.choose(&WORDS)).collect::<Vec<_>>().join(" ")
}

/// The documented formula by a look at every word of every entry.
fn scanned(notes: &BTreeMap<String, Note>, query: &str) -> Vec<(String, f64)> {
    let plain = |text: &str| text.to_lowercase();
    let mut tokens: Vec<String> = Vec::new();
    for token in plain(query).split(' ').map(str::to_owned) {
        if !tokens.contains(&token) {
            tokens.push(token);
        }
    }
    let n = tokens.len() as f64;
    let mut hits = Vec::new();
    for (id, note) in notes.iter().filter(|(_, note)| note.expires > NOW) {
        let matches = |texts: &[String]| {
            let words: Vec<String> = texts
                .iter()
                .flat_map(|text| plain(text).split([' ', ',']).map(str::to_owned).collect::<Vec<_>>())
                .collect();
            tokens.iter().filter(|token| words.iter().any(|word| word.contains(token.as_str()))).count() as f64
        };
        let counts = [
            matches(std::slice::from_ref(&note.summary)),
            matches(std::slice::from_ref(&note.content)),
            matches(&note.tags),
        ];
        if counts.iter().all(|count| *count == 0.0) {
            continue;
        }
        let age = NOW - note.created;
        let recency = if age >= 360_000_000 { 0.0 } else { 0.1 - 0.001 * (age as f64 / 3_600_000.0) };
        let [summary, content, tags] = [0.40, 0.25, 0.20];
        let parts =
            [counts[0] / n * summary, counts[1] / n * content, counts[2] / n * tags, recency, note.importance * 0.05];
        hits.push((id.clone(), parts.iter().fold(0.0, |sum, part| sum + part).min(1.0)));
    }
    hits.sort_by(|(id, score), (other, than)| than.total_cmp(score).then_with(|| id.cmp(other)));
    hits
}

/// The documented formula gives the hits, the order and the scores of a naive scan.
pub(crate) fn formula(dice: &mut Dice) {
    let (index, notes) = lived(dice);
    for _ in 0..3 {
        let query = query(dice);
        assert_eq!(found(&index, &query, Ranking::Formula), scanned(&notes, &query), "{query:?} in {notes:#?}");
    }
}

/// An index with a life behind it, and what should be in it.
fn lived(dice: &mut Dice) -> (Index, BTreeMap<String, Note>) {
    let (mut index, mut notes) = (Index::default(), BTreeMap::new());
    for seq in 0..1 + dice.below(14) as u64 {
        let id = format!("n-{}", dice.below(10));
        match dice.below(6) {
            0 => assert_eq!(index.remove(DocKind::Entry, &id), notes.remove(&id).is_some()),
            1 if dice.chance(2) => index.compact(),
            2 if dice.chance(2) => {
                // Stored, and loaded as the next program does.
                let bytes = index.segment(0..u64::MAX);
                index = Index::default();
                assert!(index.load(&bytes), "a segment that was written is read");
            }
            _ => {
                let note = note(dice, seq);
                with_doc(&id, &note, |doc| index.put(doc));
                notes.insert(id, note);
            }
        }
    }
    assert_eq!(index.len(), notes.len());
    (index, notes)
}

/// What an index has been through does not show: both rankings answer as one that was built of what is left, to the bit.
pub(crate) fn index(dice: &mut Dice) {
    let (index, notes) = lived(dice);
    let mut fresh = Index::default();
    let mut order: Vec<_> = notes.iter().collect();
    order.sort_by_key(|(_, note)| note.seq);
    for (id, note) in order {
        with_doc(id, note, |doc| fresh.put(doc));
    }
    for _ in 0..3 {
        let query = query(dice);
        for ranking in [Ranking::Best, Ranking::Formula] {
            let hits = found(&index, &query, ranking);
            assert_eq!(hits, found(&fresh, &query, ranking), "{query:?} in {notes:#?}");
            assert!(hits.iter().all(|(_, score)| (0.0..=1.0).contains(score)), "{hits:?}");
        }
    }
}

/// A damaged segment is refused, or answers without a panic and within bounds.
pub(crate) fn segments(dice: &mut Dice) {
    let mut whole = Index::default();
    for seq in 0..1 + dice.below(4) as u64 {
        let note = note(dice, seq);
        with_doc(&format!("n-{seq}"), &note, |doc| whole.put(doc));
    }
    let mut bytes = whole.segment(0..u64::MAX);
    dice.damage(&mut bytes);
    let mut index = Index::default();
    if !index.load(&bytes) {
        assert_eq!(index.len(), 0, "what is refused leaves nothing");
        return;
    }
    let query = query(dice);
    for ranking in [Ranking::Best, Ranking::Formula] {
        assert!(found(&index, &query, ranking).len() <= index.len());
    }
    let _ = index.all().count();
    let again = index.segment(0..u64::MAX);
    assert!(Index::default().load(&again), "what was loaded can be stored");
    index.compact();
}
