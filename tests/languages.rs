//! Questions in languages that nothing was tuned for: other forms of a document's words find it among others.

use futures::executor::block_on;
use keepsake::index::Ranking;
use keepsake::memory::SearchOptions;
use keepsake::memory::scripted::Scripted;
use keepsake::model::UserId;
use keepsake::{Config, Draft, MemStore, Memory};

/// Language, document and question in each line. Constants were chosen on other data, before these were asked.
const PAIRS: &str = include_str!("shared/languages.txt");

/// Where each question finds its document, the first place being 0.
fn places(language: &str) -> Vec<Option<usize>> {
    let world = Scripted::new(1_735_812_000_000, 1);
    let user = UserId::new("user", "u-1").unwrap();
    let memory = block_on(Memory::open(MemStore::new(), world, user, Config::default())).unwrap();
    let pairs: Vec<(&str, &str)> = PAIRS
        .lines()
        .filter_map(|line| line.split_once('|').filter(|(known, _)| *known == language)?.1.split_once('|'))
        .collect();
    assert!(pairs.len() >= 16, "{language}");
    let ids: Vec<String> = pairs
        .iter()
        .map(|(document, _)| {
            let draft = Draft { content: (*document).to_owned(), ..Draft::default() };
            block_on(memory.add(draft)).unwrap().id.to_string()
        })
        .collect();
    let place = |(question, id): (&str, &String)| {
        let options = SearchOptions { query: question.to_owned(), ranking: Ranking::Best, ..SearchOptions::default() };
        let hits = block_on(memory.search(&options)).unwrap();
        hits.iter().position(|hit| hit.id.to_string() == *id)
    };
    pairs.iter().map(|(_, question)| *question).zip(&ids).map(place).collect()
}

#[test]
fn inflected_questions_find_their_documents_in_any_language() {
    for language in ["ar", "el", "es", "hi", "ko", "ro", "th", "tr"] {
        for half in [0, 1] {
            let found: Vec<Option<usize>> = places(language).into_iter().skip(half).step_by(2).collect();
            assert!(found.iter().all(|place| place.is_some_and(|place| place < 5)), "{language}: {found:?}");
            let first = found.iter().filter(|place| **place == Some(0)).count();
            assert!(first >= 6, "{language}: {found:?}");
        }
    }
}
