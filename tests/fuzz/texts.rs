//! Texts of people and models: JSON, paths, Markdown, and what is made of any text.

use crate::dice::Dice;
use crate::mutate::Mutator;
use keepsake::codec::json::parse;
use keepsake::context::formats::Format;
use keepsake::files::{
    Answer, Change, Command, Document, Kind, Log, Sheet, Tree, TreePath, below, check_writable, dispatches,
    from_memories, lint, merge, plain_name, refused_to_tools, run, to_memories,
};
use keepsake::text::{chunks, count_tokens, extract, salient, summarize, terms, visible};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The sample files, of every kind.
static SAMPLES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/markdown");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
});

const DOCUMENTS: [&str; 5] = [
    r#"{"role":"user","content":[{"type":"text","text":"hi \u00e9"},{"type":"tool_use","id":"t","name":"n","input":{"x":1.50}}]}"#,
    r#"[1,-0.0,1e5,[],{},[[["deep"]]],null,true,"\ud83d\ude00"]"#,
    r#"{"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}]}"#,
    r#"{"contents":[{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"name":"f","args":{"a":[1]}}}]}]}"#,
    r#"{"input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1}"},{"type":"message","role":"user","content":"x"}]}"#,
];

/// JSON: serde_json's verdict, and written again it is the same value. As a request of any provider it is read or refused, and
/// what was read is written and read again.
pub(crate) fn json(dice: &mut Dice) {
    let mut text = dice.choose(&DOCUMENTS).to_string();
    if dice.chance(2) {
        let mut value = serde_json::from_str(&text).unwrap();
        (0..1 + dice.below(4)).for_each(|_| dice.twist(&mut value));
        text = value.to_string();
    } else {
        let mut bytes = text.into_bytes();
        dice.damage(&mut bytes);
        text = String::from_utf8_lossy(&bytes).into_owned();
    }
    let ours = parse(&text);
    // Numbers that no double can hold are refused there, and kept here.
    let theirs = serde_json::from_str::<serde_json::Value>(&text);
    let huge = theirs.as_ref().is_err_and(|error| error.to_string().contains("number out of range"));
    assert!(ours.is_ok() == theirs.is_ok() || huge, "{text}");
    let Ok(value) = ours else { return };
    assert_eq!(parse(&value.to_string()).as_ref(), Ok(&value), "{text}");
    for format in Format::ALL {
        let Ok(drafts) = format.read(&value) else { continue };
        assert!(drafts.len() <= text.len());
    }
}

const PIECES: [&str; 30] = [
    "memories",
    "memories",
    "notes",
    "a.md",
    "b.txt",
    "..",
    ".",
    "...",
    "",
    " ",
    ".git",
    ".GIT",
    "git~1",
    "node_modules",
    "aux.md",
    "con",
    "%2e%2e",
    "%2f",
    "a:b",
    "c\\d",
    "\u{0}",
    "\u{200c}",
    "．．",
    "é.md",
    "e\u{301}.md",
    "package.json",
    ".env",
    "x.sh",
    "agents",
    "secret.md",
];

fn path(dice: &mut Dice) -> String {
    let mut text = String::new();
    if dice.chance(2) {
        text.push('/');
    }
    for at in 0..dice.below(5) {
        if at > 0 || dice.chance(8) {
            text.push_str(dice.choose::<&str>(&["/", "/", "/", "//", "\\", "/./"]));
        }
        text.push_str(dice.choose::<&str>(&PIECES));
    }
    if dice.chance(20) { text.repeat(200) } else { text }
}

/// Files of a tree. The model's are below its root; beside them there is one that it must never see.
struct Files(BTreeMap<String, String>);

const SECRET: &str = "the key under the mat";

impl Tree for Files {
    fn read(&self, path: &str) -> Option<String> {
        self.0.get(path).cloned()
    }

    fn list(&self, folder: &str) -> Vec<(String, usize)> {
        let inside = self.0.iter().filter(|(path, _)| below(path, folder).is_some());
        inside.map(|(path, text)| (path.clone(), text.len())).collect()
    }
}

/// Whether a path is plain: it stays below whatever folder it is put in, on every system.
fn stays_inside(path: &str) -> bool {
    !path.is_empty()
        && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
        && !path.contains(['\\', ':', '\0'])
}

/// Paths never leave their folder, whichever way they come in; a model's commands see and change nothing outside of its root.
pub(crate) fn paths(dice: &mut Dice) {
    let text = path(dice);
    if let Ok(path) = TreePath::new("path", text.as_str()) {
        assert!(stays_inside(path.as_str()), "{text:?}");
        assert_eq!(path.as_str(), text);
        let writable = [dice.choose(&PIECES).to_string()];
        let refused = refused_to_tools(&path, &text, &[], &plain_name);
        if check_writable(&writable).is_ok() && refused.is_none() {
            assert_eq!(refused_to_tools(&path, &text, &writable, &plain_name), None, "what is allowed stays allowed");
        }
    }
    for root in ["", "agents/a", "team"] {
        if let Ok(Some(found)) = from_memories(root, &text) {
            assert!(stays_inside(found.as_str()) && below(found.as_str(), root).is_some(), "{root:?} {text:?}");
            let back = to_memories(root, found.as_str()).unwrap();
            assert_eq!(from_memories(root, &back), Ok(Some(found)), "{text:?}");
        }
    }
    let mut tree = Files(BTreeMap::from([("agents/a/notes/a.md".into(), "one\ntwo\n".into())]));
    tree.0.insert("agents/secret.md".into(), SECRET.into());
    tree.0.insert("agents/ab/a.md".into(), SECRET.into());
    let command = match dice.below(6) {
        0 => Command::View {
            path: text,
            view_range: dice.chance(2).then(|| (dice.next() as i64, dice.below(9) as i64 - 3)),
        },
        1 => Command::Create { path: text, file_text: dice.word() },
        2 => Command::StrReplace { path: text, old_str: dice.odd().into(), new_str: dice.word() },
        3 => {
            Command::Insert { path: text, insert_line: dice.next() as i64 >> dice.below(64), insert_text: dice.word() }
        }
        4 => Command::Delete { path: text },
        _ => Command::Rename { old_path: text, new_path: path(dice) },
    };
    let Ok(Answer { text, changes }) = run(&tree, "agents/a", &command) else { return };
    assert!(!text.contains(SECRET), "{command:?} shows {text}");
    for change in changes {
        let touched = match &change {
            Change::Write(path, _) | Change::Delete(path) => vec![path],
            Change::Rename(from, to) => vec![from, to],
        };
        for path in touched {
            assert!(below(path.as_str(), "agents/a").is_some() && stays_inside(path.as_str()), "{command:?} {path:?}");
        }
    }
}

/// A sample, and texts that were made of it.
fn samples(dice: &mut Dice) -> (String, Mutator) {
    let mut mutator = Mutator::new(dice.next());
    let others: Vec<&str> = SAMPLES.iter().map(String::as_str).collect();
    let seed = *dice.choose(&others);
    let text = mutator.mutate(seed, &others);
    (text, mutator)
}

/// A Markdown file goes through every reader byte for byte, its sections lie in it one behind the other, and an edit of one leaves the
/// others as they were.
pub(crate) fn markdown(dice: &mut Dice) {
    let (text, mut mutator) = samples(dice);
    let document = Document::parse(text.as_str());
    assert_eq!(document.text(), text);
    let kind = *dice.choose(&[Kind::Context, Kind::Decisions, Kind::Learnings, Kind::Session, Kind::Handoffs]);
    assert_eq!(Sheet::parse(kind, text.as_str()).into_text(), text);
    let log = Log::parse(kind, text.as_str());
    for entry in log.entries() {
        assert!(text.contains(log.entry_text(&entry)));
    }
    assert_eq!(log.into_text(), text);
    let lines = text.lines().count() + 1;
    for warning in lint(kind, &text, Some("2026-01-02")) {
        assert!(warning.line <= lines, "{warning:?} of {lines}");
    }
    let _ = dispatches(&text);
    let count = document.sections().len();
    if count > 0 {
        let at = dice.below(count);
        let start = document.section(at).as_ptr() as usize - document.text().as_ptr() as usize;
        let mut edited = document.clone();
        edited.set_body(at, &mutator.word());
        assert_eq!(edited.text().get(..start), text.get(..start), "what lies before section {at} stays");
        assert_eq!(Document::parse(edited.text()).sections(), edited.sections());
    }
}

/// Merging: a side without a change loses nothing, and every line of the outcome is one of the three texts or a mark.
pub(crate) fn merging(dice: &mut Dice) {
    let (base, mut mutator) = samples(dice);
    let ours = mutator.mutate(&base, &[&base]);
    let theirs = mutator.mutate(&base, &[&ours]);
    assert_eq!(merge(&base, &base, &theirs).text, theirs);
    assert_eq!(merge(&base, &ours, &base).text, ours);
    assert_eq!(merge(&base, &ours, &ours).text, ours);
    let merged = merge(&base, &ours, &theirs);
    // The mark at the beginning of a file stays there, whichever line comes first, and line ends do not tell lines apart.
    let bare = |line: &'_ str| line.replace(['\u{feff}', '\r'], "");
    let known: BTreeSet<String> = [&base, &ours, &theirs].into_iter().flat_map(|text| text.lines()).map(bare).collect();
    for line in merged.text.lines().map(bare) {
        // A fence or a comment that a section leaves open is closed.
        let mark = ["<<<<<<<", "=======", ">>>>>>>", "```", "~~~", "-->"].iter().any(|mark| line.starts_with(mark));
        assert!(mark || line.trim().is_empty() || known.contains(&line), "{line:?} comes from nowhere");
    }
    if merged.conflicts.is_empty() {
        let marks = |text: &str| text.lines().filter(|line| line.starts_with("<<<<<<<")).count();
        assert!(marks(&merged.text) <= marks(&base).max(marks(&ours)) + marks(&theirs), "marks without a conflict");
    }
}

/// Any text: few and short terms, pieces that are in it, a summary that is not longer, nothing that cannot be seen.
pub(crate) fn text(dice: &mut Dice) {
    let (mut text, _) = samples(dice);
    for _ in 0..dice.below(6) {
        let at = text.char_indices().map(|(at, _)| at).nth(dice.below(400)).unwrap_or(0);
        text.insert_str(at, dice.odd());
    }
    let mut found = 0;
    terms(&text, &mut |term| {
        assert!(term.text.len() <= keepsake::text::MAX_TERM, "{}", term.text);
        found += 1;
    });
    assert!(found <= 4 * text.chars().count());
    let tokens = count_tokens(&text);
    assert!(tokens as usize <= 4 * text.len() + 16);
    let shown = visible(&text);
    assert_eq!(visible(&shown), shown);
    let summary = summarize(&text, 80);
    assert!(summary.chars().count() <= 80, "{summary}");
    for chunk in chunks(&text, 200, 400) {
        assert!(text.get(chunk.range.clone()).is_some_and(|piece| !piece.is_empty()), "{:?}", chunk.range);
    }
    assert!(count_tokens(&extract(&[&text], 50, &count_tokens)) <= 50);
    assert!(salient(&text).iter().all(|sentence| text.contains(sentence)));
}
