//! Exports of the log: whatever is done to their lines is found, at its first place and by its kind (C23–C26, X1).

use futures::executor::block_on;
use keepsake::codec::json::{message_draft, parse};
use keepsake::memory::Damage;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::model::{Block, MessageDraft, Role, SessionId, UserId};
use keepsake::{Config, MemStore};

type Scene = Memory<MemStore, Scripted>;

fn open(store: &MemStore, seed: u64) -> Scene {
    let user = UserId::new("user", "u-1").unwrap();
    let world = Scripted::new(1_735_812_000_000, seed);
    block_on(Memory::open(store.connect(), world, user, Config::default())).unwrap()
}

fn session(name: &str) -> SessionId {
    SessionId::new("session", name).unwrap()
}

fn said(role: Role, text: &str) -> MessageDraft {
    MessageDraft::new(role, vec![Block::text(text)])
}

fn json(text: &str) -> MessageDraft {
    message_draft(parse(text).unwrap()).unwrap()
}

fn append(memory: &Scene, session: &SessionId, drafts: &[MessageDraft]) {
    block_on(memory.append(session, None, drafts)).unwrap();
}

fn call(memory: &Scene, verb: &str, args: &str) -> serde_json::Value {
    let answer = block_on(memory.call(verb, parse(args).unwrap())).unwrap();
    serde_json::from_str(&answer.to_string()).unwrap()
}

/// Lines of a session of plain messages and one of three lines, with other sessions in between.
fn exported_talk() -> (Scene, Vec<String>) {
    let memory = open(&MemStore::new(), 1);
    for n in 0..4 {
        append(&memory, &session("s"), &[said(Role::User, &format!("message {n}"))]);
        append(&memory, &session("other"), &[said(Role::User, &format!("elsewhere {n}"))]);
    }
    let blocks = r#"{"role":"assistant","content":[{"type":"thought","text":"hm"},{"type":"text","text":"well"},{"type":"tool_use","id":"c","name":"t","input":{}}]}"#;
    append(&memory, &session("s"), &[json(blocks)]);
    append(&memory, &session("s"), &[said(Role::User, "last")]);
    let exported = block_on(memory.export_log(&session("s"))).unwrap();
    assert_eq!(exported.len(), 1 + 4 + 3 + 1);
    (memory, exported)
}

fn found(memory: &Scene, lines: &[String]) -> (Option<Damage>, Option<usize>) {
    let problem = block_on(memory.check_lines(lines)).unwrap().problem;
    (problem.map(|problem| problem.damage), problem.and_then(|problem| problem.line))
}

#[test]
fn c25_every_line_that_is_removed_swapped_doubled_or_cut_off_is_found() {
    let (memory, exported) = exported_talk();
    assert_eq!(found(&memory, &exported), (None, None));
    for line in 1..exported.len() {
        let mut removed = exported.clone();
        removed.remove(line);
        let wanted = if line + 1 == exported.len() { Damage::CutOff } else { Damage::Missing };
        assert_eq!(found(&memory, &removed), (Some(wanted), Some(line + 1)), "without line {}", line + 1);
        let mut doubled = exported.clone();
        doubled.insert(line, exported[line].clone());
        let (damage, place) = found(&memory, &doubled);
        assert_eq!(damage, Some(Damage::Doubled), "line {} twice", line + 1);
        assert!(place == Some(line + 2) || place == Some(line + 1), "line {} twice: {place:?}", line + 1);
        let (damage, _) = found(&memory, &exported[..line]);
        assert_eq!(damage, Some(Damage::CutOff), "{line} lines");
        if line + 1 < exported.len() {
            let mut swapped = exported.clone();
            swapped.swap(line, line + 1);
            let (damage, place) = found(&memory, &swapped);
            assert_eq!(damage, Some(Damage::Swapped), "line {} and the next", line + 1);
            assert!(place.is_some_and(|place| place >= line && place <= line + 2), "{place:?}");
        }
    }
    let mut far = exported.clone();
    far.swap(1, exported.len() - 1);
    assert_eq!(found(&memory, &far), (Some(Damage::Swapped), Some(2)));
    let mut twice = exported.clone();
    twice.insert(3, exported[0].clone());
    assert_eq!(found(&memory, &twice), (Some(Damage::Doubled), Some(4)));
}

#[test]
fn c25_a_header_that_was_mended_to_fit_is_found_too() {
    let (memory, exported) = exported_talk();
    let mut removed = exported.clone();
    removed.remove(3);
    removed[0] = removed[0].replacen(r#""links":6"#, r#""links":5"#, 1);
    assert_eq!(found(&memory, &removed), (Some(Damage::Missing), Some(4)));
    let mut other = exported.clone();
    other.push(block_on(memory.export_log(&session("other"))).unwrap()[2].clone());
    assert_eq!(found(&memory, &other), (Some(Damage::Added), Some(10)));
}

#[test]
fn c25_an_export_without_a_header_is_read_and_its_end_is_unknown() {
    let (memory, exported) = exported_talk();
    let older = &exported[1..];
    assert_eq!(found(&memory, older), (Some(Damage::EndUnknown), None));
    assert_eq!(found(&memory, &older[..3]), (Some(Damage::EndUnknown), None));
    assert_eq!(found(&memory, &[]), (Some(Damage::EndUnknown), None));
    let mut removed = older.to_vec();
    removed.remove(1);
    assert_eq!(found(&memory, &removed), (Some(Damage::Missing), Some(2)));
    for wrong in
        [vec!["no line".to_owned()], vec!["{}".to_owned()], vec![r#"{"kind":"keepsake","version":1}"#.to_owned()]]
    {
        assert_eq!(block_on(memory.check_lines(&wrong)).unwrap_err().field(), Some("lines"), "{wrong:?}");
    }
    let newer = [exported[0].replacen(r#""version":1"#, r#""version":9"#, 1)];
    assert_eq!(block_on(memory.check_lines(&newer)).unwrap_err().field(), Some("lines"));
}

#[test]
fn x1_exports_from_before_and_after_an_erasure_are_both_intact() {
    let (memory, before) = exported_talk();
    block_on(memory.delete_session(&session("s"), false)).unwrap();
    assert_eq!(found(&memory, &before), (None, None), "its links are still there");
    let erased = block_on(memory.export_log(&session("s"))).unwrap();
    assert_eq!(erased.len(), 1, "a header and no message");
    assert_eq!(found(&memory, &erased), (None, None));
    append(&memory, &session("s"), &[said(Role::User, "a new beginning")]);
    let after = block_on(memory.export_log(&session("s"))).unwrap();
    assert_eq!((after.len(), found(&memory, &after)), (2, (None, None)));
    let mut removed = before;
    removed.remove(2);
    assert_eq!(found(&memory, &removed), (Some(Damage::Missing), Some(3)));
}

#[test]
fn c6_lines_of_an_export_become_the_messages_that_they_were() {
    let (memory, s) = (open(&MemStore::new(), 1), session("s"));
    let own = r#"{"role":"user","content":[{"type":"text","text":"see","link":"https://example.org"},{"type":"card","link":{"seq":1}}]}"#;
    append(&memory, &s, &[said(Role::User, "hello"), json(own)]);
    let exported = block_on(memory.export_log(&s)).unwrap();
    assert_eq!(found(&memory, &exported), (None, None));
    let args = serde_json::json!({ "lines": exported.join("\n") + "\n" }).to_string();
    let stored = call(&memory, "messages", r#"{"session":"s"}"#)["messages"].clone();
    assert_eq!(call(&memory, "fromLines", &args), stored);
}
