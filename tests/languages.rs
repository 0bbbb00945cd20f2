//! Questions in languages that nothing was tuned for: other forms of a document's words find it among others.

use futures::executor::block_on;
use keepsake::index::Ranking;
use keepsake::memory::Memory;
use keepsake::memory::SearchOptions;
use keepsake::memory::scripted::Scripted;
use keepsake::model::Draft;
use keepsake::model::{Speaker, UserId};
use keepsake::{Config, MemStore};

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
    assert!(pairs.len() >= 12, "{language}");
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
    for language in ["ar", "bn", "el", "es", "fa", "he", "hi", "id", "ja", "ko", "pl", "ro", "th", "tr", "uk", "zh"] {
        for half in [0, 1] {
            let found: Vec<Option<usize>> = places(language).into_iter().skip(half).step_by(2).collect();
            assert!(found.iter().all(|place| place.is_some_and(|place| place < 5)), "{language}: {found:?}");
            let first = found.iter().filter(|place| **place == Some(0)).count();
            assert!(4 * first >= 3 * found.len(), "{language}: {found:?}");
        }
    }
}

/// The speaker, another speaker, what both say, and questions that name the first one as people would.
const NAMED: &[(&str, &str, &str, &[&str])] = &[
    ("田中", "鈴木", "旅行は楽しかった", &["田中さんの旅行はどうでしたか？", "旅行について田中は何と言った?"]),
    ("田中太郎", "鈴木一郎", "旅行は楽しかった", &["田中さんの旅行は？", "太郎の旅行は？", "田中太郎の旅行は？"]),
    ("ガブリエル", "ダニエル", "旅行は楽しかった", &["ガブリエルの旅行はどうでしたか"]),
    ("王小明", "李华", "这次旅行很开心", &["王小明的旅行怎么样？", "小明的旅行怎么样？"]),
    ("민수", "지은", "여행은 즐거웠어요", &["민수는 여행이 어땠나요?", "여행에서 민수가 뭐라고 했나요?"]),
    ("김민수", "박지은", "여행은 즐거웠어요", &["민수의 여행은 어땠나요?", "김민수에게 여행은 어땠나요?"]),
    ("สมชาย", "มาลี", "การเดินทางสนุกมาก", &["สมชายพูดถึงการเดินทางว่าอย่างไร", "การเดินทางของสมชายเป็นอย่างไร?"]),
    (
        "محمد",
        "خالد",
        "كانت الرحلة ممتعة",
        &["محمد ماذا قال عن الرحلة؟", "كيف كانت الرحلة لمحمد؟", "ماذا عن الرحلة ومحمد؟"],
    ),
    ("राहुल", "अमित", "यात्रा बहुत अच्छी थी", &["राहुल की यात्रा कैसी थी?", "यात्रा के बारे में राहुल ने क्या कहा?"]),
    ("דוד", "יוסי", "הטיול היה נהדר", &["איך היה הטיול לדוד?", "דוד מה אמר על הטיול?"]),
    ("ნინო", "გიორგი", "მოგზაურობა კარგი იყო", &["როგორი იყო ნინოს მოგზაურობა?"]),
    ("ராகுல்", "குமார்", "பயணம் நன்றாக இருந்தது", &["ராகுல் பயணம் எப்படி இருந்தது?"]),
];

#[test]
fn a_question_names_a_speaker_in_a_script_without_capitals() {
    for (speaker, other, said, questions) in NAMED {
        let world = Scripted::new(1_735_812_000_000, 1);
        let user = UserId::new("user", "u-1").unwrap();
        let memory = block_on(Memory::open(MemStore::new(), world, user, Config::default())).unwrap();
        for name in [other, speaker] {
            let speaker = Some(Speaker::new("speaker", *name).unwrap());
            let draft = Draft { content: (*said).to_owned(), speaker, ..Draft::default() };
            block_on(memory.add(draft)).unwrap();
        }
        for question in *questions {
            let (query, ranking) = ((*question).to_owned(), Ranking::Best);
            let options = SearchOptions { query, ranking, explain: true, ..SearchOptions::default() };
            let hits = block_on(memory.search(&options)).unwrap();
            let named = |hit: &&keepsake::memory::Hit| hit.receipt.iter().any(|part| part.label == "speaker");
            let named: Vec<&str> = hits.iter().filter(named).filter_map(|hit| hit.speaker.as_deref()).collect();
            assert_eq!(named, [*speaker], "{question}");
        }
    }
}
