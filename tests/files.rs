//! Markdown memory: every sample of the document goes through byte for byte, and so does anything made of them.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

#[path = "shared/mutate.rs"]
mod mutate;

use keepsake::files::{
    Blocker, Change, Command, Decision, Document, Field, Handoff, Issue, Item, Kind, Learning, Log, Part,
    SessionArchive, Sheet, Status, Tree, inject, lint, merge, newest, run, skeleton,
};
use mutate::Mutator;
use std::fs;
use std::path::Path;

/// The samples of the document, and of the team's files in its manner.
fn samples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/markdown");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut samples: Vec<_> = files.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect();
    samples.sort();
    samples
}

fn sample(name: &str) -> String {
    samples().into_iter().find(|(known, _)| known == name).unwrap().1
}

/// A sample with headings and labels in one language: 0 for English, 1 for Vietnamese.
fn in_language(text: &str, language: usize) -> String {
    let line = |line: &str| match line.split_once(" | ") {
        Some((english, rest)) if line.starts_with('#') => {
            let signs = &english[..english.find(' ').unwrap() + 1];
            if language == 0 { english.to_owned() } else { format!("{signs}{rest}") }
        }
        Some((english, rest)) if line.starts_with("**") => {
            let (vietnamese, value) = rest.split_once("**").unwrap();
            let label = if language == 0 { english.to_owned() } else { format!("**{vietnamese}") };
            format!("{label}**{value}")
        }
        _ => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn kind_of(name: &str) -> Kind {
    match name {
        "context.md" | "practice-context.md" => Kind::Context,
        "decisions.md" | "practice-decisions.md" | "practice-dates.md" => Kind::Decisions,
        "learnings.md" | "practice-learnings.md" => Kind::Learnings,
        "session.md" => Kind::Session,
        "handoffs.md" => Kind::Handoffs,
        "blockers.md" => Kind::Blockers,
        "dispatch-log.md" => Kind::DispatchLog,
        "team-context.md" => Kind::TeamContext,
        _ => Kind::Other,
    }
}

/// Sections joined are the text, at every depth, and typed readings change nothing.
fn assert_identity(text: &str, kind: Kind) {
    for depth in [2, 6] {
        let document = Document::to_depth(text, depth);
        let joined: String = (0..document.sections().len()).map(|at| document.section(at)).collect();
        assert_eq!(joined, text);
        assert_eq!(document.into_text(), text);
    }
    if !kind.is_log() {
        let sheet = Sheet::parse(kind, text);
        for part in kind.parts() {
            let _ = (sheet.items(*part), sheet.rows(*part), sheet.prose(*part));
        }
        let _ = sheet.updated();
        assert_eq!(sheet.into_text(), text);
    }
    if kind.parts().is_empty() {
        let log = Log::parse(kind, text);
        let lines = text.lines().count();
        for entry in log.entries() {
            assert!(entry.line <= lines && log.entry_text(&entry).contains(&entry.heading));
            assert!(entry.fields.iter().all(|field| field.line > entry.line && field.line <= lines));
        }
        assert_eq!(log.into_text(), text);
    }
}

#[test]
fn a20_every_sample_goes_through_byte_for_byte_in_both_languages() {
    let samples = samples();
    assert_eq!(samples.len(), 14);
    for (name, text) in samples {
        let languages = [text.clone(), in_language(&text, 0), in_language(&text, 1)];
        for text in languages {
            let crlf = text.replace('\n', "\r\n");
            let unended = text.trim_end().to_owned();
            let marked = format!("\u{feff}{text}");
            for text in [text, crlf, unended, marked] {
                assert_identity(&text, kind_of(&name));
            }
        }
    }
}

fn owned(rows: &[&[&str]]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
}

fn tasks(items: &[(&str, Option<bool>)]) -> Vec<Item> {
    items.iter().map(|(text, done)| Item::new(*text, *done)).collect()
}

const FOCUS: [(&str, Option<bool>); 3] = [
    ("Implementing user authentication module", Some(false)),
    ("Fixing race condition in worker pool", Some(false)),
    ("Completed database schema design", Some(true)),
];

#[test]
fn a7_to_a14_a_new_context_is_the_sample() {
    let mut sheet = Sheet::parse(Kind::Context, "");
    sheet.set_items(Part::Focus, &tasks(&FOCUS));
    let state = [
        ["Build", "✅ Passing", "All tests green"],
        ["Security", "⚠️ Review needed", "Auth module pending"],
        ["Performance", "✅ Good", "50ms avg response"],
    ];
    for row in &state {
        sheet.set_row(Part::State, &owned(&[row])[0]);
    }
    let files: [&[&str]; 3] = [
        &["internal/auth/handler.go", "In progress", "JWT implementation"],
        &["internal/worker/pool.go", "Needs review", "Race condition reported"],
        &["`api/routes.go`", "Complete", "All endpoints documented"],
    ];
    sheet.set_rows(Part::Files, &owned(&files));
    sheet.add_item(Part::Blockers, &Item::new("Waiting for security team approval on auth design", None));
    sheet.add_item(Part::Blockers, &Item::new("Need decision on rate limiting strategy", None));
    let next = [
        "Continue JWT implementation in auth handler",
        "Review worker pool race condition fix",
        "Update API documentation",
    ];
    sheet.set_items(Part::Next, &tasks(&next.map(|text| (text, None))));
    sheet.add_item(Part::Notes, &Item::new("Consider using `errgroup` for worker pool", None));
    sheet.add_item(Part::Notes, &Item::new("Rate limiting: prefer token bucket algorithm", None));
    sheet.set_updated("2025-12-31").unwrap();
    assert_eq!(sheet.text(), sample("context.md"));
}

#[test]
fn a9_a_context_reads_the_same_in_either_language() {
    let text = sample("context.md");
    for text in [text.clone(), in_language(&text, 0), in_language(&text, 1), text.replace('\n', "\r\n")] {
        let sheet = Sheet::parse(Kind::Context, text);
        assert_eq!(sheet.updated(), Some((3, "2025-12-31".to_owned())));
        let focus: Vec<_> = sheet.items(Part::Focus).into_iter().map(|item| (item.text, item.done)).collect();
        assert_eq!(focus, FOCUS.map(|(text, done)| (text.to_owned(), done)));
        assert_eq!(sheet.items(Part::Focus)[0].line, 9);
        let state = sheet.rows(Part::State);
        assert_eq!((state[1].line, state[1].cells[1].as_str()), (20, "⚠️ Review needed"));
        assert_eq!(sheet.rows(Part::Files)[2].cells, ["`api/routes.go`", "Complete", "All endpoints documented"]);
        let counts = [Part::Blockers, Part::Next, Part::Notes].map(|part| sheet.items(part).len());
        assert_eq!(counts, [2, 3, 2]);
        assert_eq!(sheet.items(Part::Next)[2].text, "Update API documentation");
    }
}

#[test]
fn a30_a34_an_edit_of_a_context_changes_its_lines_and_no_others() {
    let text = sample("context.md");
    for (text, end) in [(text.clone(), "\n"), (in_language(&text, 1), "\n"), (text.replace('\n', "\r\n"), "\r\n")] {
        let mut sheet = Sheet::parse(Kind::Context, text.clone());
        assert!(sheet.tick(Part::Focus, "Fixing race condition in worker pool", true));
        assert!(!sheet.tick(Part::Focus, "no such task", true));
        sheet.set_updated("2026-01-02").unwrap();
        assert!(sheet.remove_item(Part::Blockers, "Need decision on rate limiting strategy"));
        sheet.add_item(Part::Blockers, &Item::new("Waiting for a key", None));
        sheet.set_row(Part::State, &owned(&[&["Build", "❌ Red", "-"]])[0]);
        assert!(sheet.remove_row(Part::Files, "api/routes.go"));
        let expected = text
            .replace("- [ ] Fixing", "- [x] Fixing")
            .replace("2025-12-31", "2026-01-02")
            .replace("Need decision on rate limiting strategy", "Waiting for a key")
            .replace("| Build | ✅ Passing | All tests green |", "| Build | ❌ Red | - |")
            .replace(&format!("| `api/routes.go` | Complete | All endpoints documented |{end}"), "");
        assert_eq!(sheet.text(), expected);
        assert!(sheet.set_section("ghi chú", "Only this."));
        assert!(sheet.text().ends_with(&format!("{end}{end}Only this.{end}")));
        assert!(!sheet.set_section("Nothing like it", "x"));
    }
    assert!(Sheet::parse(Kind::Context, "").set_updated("2025-13-45").is_err());
    // What stands above the title, headings of lower levels too, does not hide the date below it.
    let mut sheet = Sheet::parse(Kind::Context, "### Before\n\n# C\n\n> Last updated: 2025-12-31\n");
    sheet.set_updated("2026-01-02").unwrap();
    assert_eq!(sheet.text(), "### Before\n\n# C\n\n> Last updated: 2026-01-02\n");
}

#[test]
fn a8_a_missing_section_is_put_in_its_place() {
    let mut sheet = Sheet::parse(Kind::Context, "# Mine\n\n## Notes\n\nkeep me\n");
    sheet.add_item(Part::Blockers, &Item::new("x", None));
    assert_eq!(sheet.text(), "# Mine\n\n## Blockers | Điểm nghẽn\n\n- [ ] x\n\n---\n\n## Notes\n\nkeep me\n");
    let mut sheet = Sheet::parse(Kind::Context, "# Mine\n\n## Blockers\n\n```\nopen");
    sheet.add_item(Part::Notes, &Item::new("x", None));
    assert_eq!(
        sheet.text(),
        "# Mine\n\n## Blockers\n\n```\nopen\n```\n\n---\n\n## Notes | Ghi chú\n\n- x\n",
        "what was open is closed"
    );
}

#[test]
fn a15_to_a20_decisions_are_read_and_written_as_the_sample() {
    let text = sample("decisions.md");
    let log = Log::parse(Kind::Decisions, text.clone());
    let entries = log.entries();
    assert_eq!(entries.iter().map(|entry| entry.line).collect::<Vec<_>>(), [5, 30]);
    let mut again = Log::parse(Kind::Decisions, "");
    for entry in &entries {
        let get = |field| entry.get(field).unwrap().to_owned();
        let decision = Decision {
            date: entry.date.clone().unwrap(),
            title: entry.title.clone(),
            context: get(Field::Context),
            decision: get(Field::Decision),
            reason: get(Field::Reason),
            alternatives: get(Field::Alternatives),
            impact: get(Field::Impact),
            reversible: get(Field::Reversible),
        };
        again.append(&decision.written().unwrap());
    }
    assert_eq!(again.text(), text);
    assert_eq!(entries[0].get(Field::Reversible), Some("Yes, with migration effort"));
    for language in [0, 1] {
        let same = Log::parse(Kind::Decisions, in_language(&text, language)).entries();
        let values = |entries: &[keepsake::files::Entry]| -> Vec<Vec<(Option<Field>, String)>> {
            entries.iter().map(|entry| entry.fields.iter().map(|f| (f.field, f.text.clone())).collect()).collect()
        };
        assert_eq!(values(&same), values(&entries));
    }
    assert!(Decision { date: "2025-13-45".into(), title: "x".into(), ..Decision::default() }.written().is_err());
    assert!(Decision { date: "2025-12-31".into(), title: " \n".into(), ..Decision::default() }.written().is_err());
}

#[test]
fn a21_to_a23_learnings_are_read_and_written_as_the_sample() {
    let text = sample("learnings.md");
    let log = Log::parse(Kind::Learnings, text.clone());
    assert_eq!(log.entries().len(), 3);
    let mut again = Log::parse(Kind::Learnings, "");
    for entry in log.entries() {
        let said = entry.said();
        let said = |name: &str| said.iter().find(|(known, _)| *known == name).unwrap().1.clone();
        let learning = Learning {
            date: entry.date.clone().unwrap(),
            title: entry.title.clone(),
            pattern: entry.get(Field::Pattern).unwrap().to_owned(),
            language: said("language"),
            code: said("code"),
            why: entry.get(Field::Why).unwrap().to_owned(),
        };
        again.append(&learning.written().unwrap());
    }
    assert_eq!(again.into_text(), text);
    let fenced =
        Learning { date: "2025-12-31".into(), title: "t".into(), code: "```\n## x\n".into(), ..Learning::default() };
    let mut log = Log::parse(Kind::Learnings, "");
    log.append(&fenced.written().unwrap());
    assert_eq!(log.entries()[0].get(Field::Code), Some("````\n```\n## x\n\n````"));
    assert_eq!(log.entries()[0].said(), [("code", "```\n## x\n".to_owned())], "as it was given");
}

#[test]
fn a24_an_undated_pattern_is_read_and_flagged() {
    let text = sample("practice-learnings.md");
    let entries = Log::parse(Kind::Learnings, text.clone()).entries();
    assert_eq!((entries.len(), entries[0].date.as_ref()), (2, None));
    assert!(entries[0].get(Field::Code).unwrap().starts_with("```go"));
    let found = lint(Kind::Learnings, &text, None);
    let rules: Vec<_> = found.iter().map(|warning| (warning.rule, warning.line)).collect();
    assert_eq!(rules, [("undated", 2), ("undated", 14), ("no-code", 14), ("duplicate-heading", 14)]);
}

#[test]
fn a25_a_session_is_read_and_written_as_the_sample() {
    let text = sample("session.md");
    for language in [text.clone(), in_language(&text, 0), in_language(&text, 1)] {
        let sheet = Sheet::parse(Kind::Session, language);
        let archive = SessionArchive {
            date: sheet.updated().unwrap().1,
            summary: sheet.prose(Part::Summary),
            tasks_completed: sheet.items(Part::Done).into_iter().map(|item| item.text).collect(),
            key_changes: sheet.rows(Part::Changes).into_iter().map(|row| row.cells.try_into().unwrap()).collect(),
            issues: sheet.items(Part::Issues).iter().map(Issue::read).collect(),
            follow_ups: sheet.items(Part::FollowUps),
        };
        assert_eq!(archive.issues[0].problem, "Using `==` for token comparison");
        assert_eq!(archive.written().unwrap(), text);
    }
    assert!(SessionArchive::default().written().is_err());
}

#[test]
fn a32_the_sample_files_in_the_documented_frame() {
    let context = sample("context.md");
    let decisions = sample("decisions.md");
    let frame = sample("injection.md");
    let entries: String = decisions.split_once("---\n\n").unwrap().1.trim_end().trim_end_matches("---").to_owned();
    let expected = frame
        .replace("{content of context.md}", context.trim_end())
        .replace("{last 10 entries from decisions.md}", entries.trim_end())
        .replace("{Rest of agent prompt}\n", "You are a tester.");
    assert_eq!(inject(&context, &decisions, "You are a tester."), expected);
}

#[test]
fn a38_to_a41_the_documents_own_good_and_bad_examples() {
    let rules = |name: &str| {
        let found = lint(kind_of(name), &sample(name), None);
        found.iter().map(|warning| (warning.rule, warning.line)).collect::<Vec<_>>()
    };
    assert_eq!(rules("practice-context.md"), [("vague", 7), ("vague", 8), ("vague", 9)]);
    assert_eq!(rules("practice-decisions.md"), [("trivial-decision", 6)]);
    assert_eq!(rules("practice-dates.md"), [("undated", 5)]);
    for good in ["context.md", "decisions.md", "learnings.md", "session.md", "handoffs.md", "blockers.md"] {
        assert_eq!(rules(good), [], "{good}");
    }
}

#[test]
fn a44_handoffs_and_blockers_are_read_and_written_in_their_shape() {
    let text = sample("handoffs.md");
    let mut log = Log::parse(Kind::Handoffs, text.clone());
    let first = &log.entries()[0];
    let get = |field| first.get(field).unwrap_or("").to_owned();
    let (from, to) = first.route().unwrap();
    let handoff = Handoff {
        timestamp: format!("{} {}", first.date.clone().unwrap(), first.time.clone().unwrap()),
        from_agent: from.to_owned(),
        to_agent: to.to_owned(),
        task: get(Field::Task),
        context: get(Field::ContextProvided),
        files: get(Field::FilesInvolved),
        expected_deliverable: get(Field::Deliverable),
        priority: get(Field::Priority),
    };
    let mut again = Log::parse(Kind::Handoffs, "");
    again.append(&handoff.written(&again).unwrap());
    assert!(text.starts_with(again.text()), "{}", again.text());
    let second = handoff.written(&again).unwrap();
    again.append(&second);
    let headings: Vec<String> = again.entries().into_iter().map(|entry| entry.heading).collect();
    assert_eq!(headings[1], format!("{} (2)", headings[0]));
    assert_eq!(again.entries()[1].route(), again.entries()[0].route());
    assert!(log.set_status(0, Status::InProgress));
    assert_eq!(log.text(), text.replace("⏳ Pending", "🔄 In Progress"));
    for (field, broken) in [
        ("task", Handoff { task: String::new(), ..handoff.clone() }),
        ("context", Handoff { context: " ".into(), ..handoff.clone() }),
        ("toAgent", Handoff { to_agent: "\n".into(), ..handoff.clone() }),
        ("fromAgent", Handoff { from_agent: "A → B".into(), ..handoff.clone() }),
        ("timestamp", Handoff { timestamp: "2025-12-31".into(), ..handoff.clone() }),
        ("timestamp", Handoff { timestamp: "2025-12-31 25:00".into(), ..handoff.clone() }),
    ] {
        assert_eq!(broken.written(&again).unwrap_err().field(), field);
    }

    let text = sample("blockers.md");
    let known = Log::parse(Kind::Blockers, text.clone());
    let first = &known.entries()[0];
    let get = |field| first.get(field).unwrap_or("").to_owned();
    let blocker = Blocker {
        title: first.title.split_once(": ").unwrap().1.to_owned(),
        identified_by: get(Field::IdentifiedBy),
        identified_at: get(Field::IdentifiedAt),
        blocking: get(Field::Blocking),
        description: get(Field::Description),
        proposed: get(Field::Proposed),
        owner: get(Field::Owner),
    };
    let mut again = Log::parse(Kind::Blockers, "");
    again.append(&blocker.written(&again).unwrap());
    assert_eq!(again.text(), text);
    assert!(blocker.written(&again).unwrap().starts_with("## BLOCKER-002: "));
}

/// One file in a tree.
struct One(String);

impl Tree for One {
    fn read(&self, path: &str) -> Option<String> {
        (path == "a/b.md").then(|| self.0.clone())
    }

    fn list(&self, folder: &str) -> Vec<(String, usize)> {
        if "a/b.md".starts_with(folder) { vec![("a/b.md".to_owned(), self.0.len())] } else { Vec::new() }
    }
}

/// How many bytes two texts have in common at their beginning and at their end.
fn common(one: &str, other: &str) -> (usize, usize) {
    let head = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let tail = one.bytes().rev().zip(other.bytes().rev()).take_while(|(one, other)| one == other).count();
    (head, tail)
}

/// An edit of a part leaves every byte outside of its section.
fn check_sheet(random: &mut Mutator, kind: Kind, text: &str) {
    let part = *random.choose(kind.parts());
    let mut sheet = Sheet::parse(kind, text);
    let place = sheet.find(part.heading());
    let word = random.word();
    let some = sheet.items(part).first().map_or(String::new(), |item| item.text.clone());
    let what = random.below(7);
    match what {
        0 => sheet.add_item(part, &Item::new(&word, Some(true))),
        1 => drop(sheet.remove_item(part, &some)),
        2 => drop(sheet.tick(part, &some, true)),
        3 => sheet.set_row(part, &[word.clone(), some]),
        4 => sheet.set_prose(part, &word),
        5 => sheet.set_items(part, &[Item::new(&word, None), Item::new(some, Some(false))]),
        _ => drop(sheet.set_section(part.heading(), &word)),
    }
    let after = sheet.text();
    if text.trim_start_matches('\u{feff}').trim().is_empty() || after == text {
        return;
    }
    let (head, tail) = common(text, after);
    let document = Document::to_depth(text, 2);
    if let Some(section) = place.map(|at| &document.sections()[at]) {
        let sections = Document::to_depth(after, 2).sections().len();
        assert!(head >= section.body && tail >= text.len() - section.range.end, "{what} {part:?}\n{text}\n-> {after}");
        assert_eq!(sections, document.sections().len(), "{what} {part:?} {word:?}\n{text}\n-> {after}");
    } else {
        assert!(head + tail >= text.len(), "{what} {part:?}\n{text}\n-> {after}");
    }
    if what == 0 && !word.trim().is_empty() {
        let added = sheet.items(part).iter().any(|item| word.contains(item.text.split(' ').next().unwrap_or("")));
        assert!(added, "{part:?} {word:?}\n{text}\n-> {after}");
    }
}

/// An entry goes to the end and is seen there; a field changes in its entry.
fn check_log(random: &mut Mutator, kind: Kind, text: &str) {
    let mut log = Log::parse(kind, text);
    let count = log.entries().len();
    let entry =
        Decision { date: "2026-02-03".into(), title: "New".into(), reason: random.word(), ..Decision::default() };
    log.append(&entry.written().unwrap());
    let blank = text.trim_start_matches('\u{feff}').trim().is_empty();
    assert!(blank || log.text().starts_with(text));
    let entries = log.entries();
    assert_eq!((entries.len(), entries.last().unwrap().title.as_str()), (count + 1, "New"), "{text}");
    assert_eq!(newest(&entries, 1).len(), 1);

    if count > 0 {
        let mut log = Log::parse(kind, text);
        let at = random.below(count);
        let (field, value) = (*random.choose(&[Field::Status, Field::Reason, Field::Code]), random.word());
        assert!(log.set_field(at, field, &value));
        let document = Document::to_depth(text, 2);
        let section = &document.sections()[Log::parse(kind, text).entries()[at].section];
        let (head, tail) = common(text, log.text());
        assert!(head >= section.body && tail >= text.len() - section.range.end, "{field:?}\n{text}\n-> {}", log.text());
        assert_eq!(log.entries().len(), count, "{field:?} {value:?}\n{text}\n-> {}", log.text());
    }
}

/// What is new on either side is in the merged text.
fn check_merge(base: &str, ours: &str, theirs: &str) {
    assert_eq!(merge(base, base, theirs).text, theirs);
    assert_eq!(merge(base, ours, base).text, ours);
    assert_eq!(merge(base, ours, ours).text, ours);
    let merged = merge(base, ours, theirs);
    let has = |text: &str| -> std::collections::BTreeSet<String> {
        text.lines().map(|line| line.trim_start_matches('\u{feff}').trim_end().to_owned()).collect()
    };
    let (old, new) = (has(base), has(&merged.text));
    for line in has(ours).union(&has(theirs)) {
        let kept = old.contains(line) || line.starts_with('>') || new.contains(line);
        assert!(
            kept,
            "{line:?} is lost\n--- base\n{base}\n--- ours\n{ours}\n--- theirs\n{theirs}\n--- {}",
            merged.text
        );
    }
    let lines = merged.text.matches('\n').count() + 1;
    assert!(merged.conflicts.iter().all(|conflict| conflict.line <= lines));
}

/// Text that no mutation makes.
const MARK: &str = "\u{1}\u{f8ff}mark\u{f8ff}\u{1}";

fn check_tool(random: &mut Mutator, text: &str) {
    let tree = One(text.to_owned());
    let line = text.lines().nth(random.below(30)).unwrap_or("x").to_owned();
    let path = "/memories/b.md".to_owned();
    let (start, end) = (random.below(50) as i64 - 5, random.below(50) as i64 - 5);
    let shown = run(&tree, "a", &Command::View { path: path.clone(), view_range: Some((start, end)) }).unwrap();
    assert!(shown.changes.is_empty());
    let replace = Command::StrReplace { path: path.clone(), old_str: line.clone(), new_str: MARK.to_owned() };
    if let Ok(answer) = run(&tree, "a", &replace) {
        let [Change::Write(_, new)] = &answer.changes[..] else { panic!("{answer:?}") };
        assert_eq!(new.replacen(MARK, &line, 1), text);
    }
    let insert = Command::Insert { path, insert_line: start, insert_text: format!("{MARK}\n") };
    if let Ok(answer) = run(&tree, "a", &insert) {
        let [Change::Write(_, new)] = &answer.changes[..] else { panic!("{answer:?}") };
        assert!(new.len() == text.len() + MARK.len() + 1 && new.contains(MARK));
    }
}

/// Mutated samples, as many as `KEEPSAKE_FUZZ` says.
#[test]
fn a6_a20_a23_anything_goes_through_and_edits_stay_in_their_section() {
    let count = std::env::var("KEEPSAKE_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(5_000);
    let samples: Vec<(Kind, String)> = samples().into_iter().map(|(name, text)| (kind_of(&name), text)).collect();
    let texts: Vec<&str> = samples.iter().map(|(_, text)| text.as_str()).collect();
    let sheets = [Kind::Context, Kind::Session, Kind::TeamContext];
    let logs = [Kind::Decisions, Kind::Learnings, Kind::Handoffs, Kind::Blockers];
    let mut random = Mutator::new(0x6D61_726B);
    for turn in 0..count {
        let mut picked = random.choose(&samples);
        // The whole document is as long as the others together: it comes less often.
        while picked.1.len() > 10_000 && random.below(8) > 0 {
            picked = random.choose(&samples);
        }
        let (kind, sample) = picked.clone();
        let text = random.mutate(&sample, &texts);
        assert_identity(&text, kind);
        match turn % 6 {
            0 | 1 => {
                let kind = if kind.parts().is_empty() { *random.choose(&sheets) } else { kind };
                check_sheet(&mut random, kind, &text);
            }
            2 => {
                let kind = if kind.is_log() { kind } else { *random.choose(&logs) };
                check_log(&mut random, kind, &text);
            }
            3 => {
                let theirs = random.mutate(&sample, &texts);
                check_merge(&sample, &text, &theirs);
            }
            4 => check_tool(&mut random, &text),
            _ => {
                let found = lint(kind, &text, Some("2026-01-15"));
                assert!(found.iter().all(|warning| warning.line >= 1 && warning.line <= text.lines().count().max(1)));
                assert!(inject(&text, &text, "END").ends_with("END"));
                let mut sheet = Sheet::parse(kind, text.clone());
                sheet.set_updated("2026-01-02").unwrap();
                let known = kind.parts().is_empty() || kind == Kind::Session || sheet.updated().is_some();
                assert!(known, "{text}\n-> {}", sheet.text());
            }
        }
    }
}

#[test]
fn a4_every_kind_has_a_skeleton_that_reads_as_itself() {
    for kind in [Kind::Context, Kind::Session, Kind::TeamContext, Kind::Decisions, Kind::Learnings, Kind::Handoffs] {
        let text = skeleton(kind, Some("2025-12-31"));
        assert_identity(&text, kind);
        assert_eq!(lint(kind, &text, Some("2025-12-31")), [], "{kind:?}");
        assert!(Log::parse(kind, text.clone()).entries().len() == kind.parts().len());
    }
}

#[test]
fn large_files_are_read_in_one_go() {
    let entry = sample("decisions.md");
    let text = entry.repeat(3000);
    let log = Log::parse(Kind::Decisions, text.clone());
    assert_eq!(log.entries().len(), 6000);
    assert_eq!(lint(Kind::Decisions, &text, None).len(), 8997);
    assert_eq!(newest(&log.entries(), 10).len(), 10);
    let merged = merge(&text, &format!("{text}\n## a\n"), &format!("{text}\n## b\n"));
    assert_eq!(merged.text, format!("{text}\n## a\n\n## b\n"));
}
