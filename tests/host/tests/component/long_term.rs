//! Long-term memory through the component: documents, what is worth keeping, and what is found among everything.

use crate::{OPTIONS, blocks, draft, opened, said};
use keepsake_host::Storage;
use keepsake_host::wit::{Draft, Entry, Error, Invalid};
use keepsake_host::wit_dialog::{
    BlockKind, ContextOptions, IngestOptions, Ingested, Origin, Outcome, Recall, RecalledKind, Role,
};

const NOWHERE: Origin = Origin { session: None, agent: None, source: None };

fn recall(query: &str) -> Recall {
    Recall {
        query: query.to_owned(),
        limit: None,
        session: None,
        ranking: None,
        embedding: None,
        agent: None,
        include_tool_traffic: None,
        only_answers: None,
        explain: None,
        min_trust: None,
    }
}

#[test]
fn c17_c22_documents_and_sessions_are_searched_together_and_a_document_replaces_itself() {
    let storage = Storage::default();
    let (mut instance, memory) = opened(&storage);
    let options = IngestOptions { namespace: None, tags: vec!["adr".into()], target_chars: Some(40), trust: None };
    let text = "# Auth\n\nWe chose passkeys over passwords.\n\n# Deploy\n\nKeys rotate on Mondays.\n";
    assert_eq!(instance.ingest(memory, "adr.md", text, &options).unwrap(), Ok(Ingested { chunks: 2, replaced: 0 }));
    let session = instance.session(memory, "s").unwrap().unwrap();
    let kept = instance.append(session, &[said(Role::User, "Remember the decision: passkeys")]).unwrap().unwrap();
    let (mut other, others) = opened(&storage);
    let found = other.query_memory(others, &recall("passkeys decision")).unwrap().unwrap();
    let entry = found.iter().find(|found| found.kind == RecalledKind::Entry).unwrap();
    assert_eq!((entry.source.as_deref(), &entry.session), (Some("adr.md"), &None));
    let message = found.iter().find(|found| found.kind == RecalledKind::Message).unwrap();
    assert_eq!((Some(&message.reference), message.session.as_deref()), (kept[0].id.as_ref(), Some("s")));
    assert_eq!((message.speaker.as_deref(), &message.source), (Some("user"), &None));
    assert!(found.iter().all(|found| found.score > 0.0 && found.score <= 1.0));
    let only = Recall { session: Some("s".into()), limit: Some(9), ..recall("passkeys decision") };
    assert_eq!(other.query_memory(others, &only).unwrap().unwrap().len(), 1);
    let again = instance.ingest(memory, "adr.md", "# Auth\n\nWe chose magic links.\n", &options).unwrap();
    assert_eq!(again, Ok(Ingested { chunks: 1, replaced: 2 }));
    assert_eq!(other.query_memory(others, &recall("Mondays")).unwrap(), Ok(vec![]));
}

#[test]
fn e14_e17_what_is_worth_keeping_is_kept_once_and_told_in_a_block() {
    let (mut instance, memory) = opened(&Storage::default());
    let talk = [
        said(Role::User, "Hi there! I'm allergic to peanuts. ok, thanks"),
        blocks(Role::Tool, vec![BlockKind::Text("I'm allergic to tools".into())]),
    ];
    let origin = Origin { session: Some("s".into()), agent: Some("helper".into()), ..NOWHERE };
    let kept = instance.record(memory, &talk, &["The user lives in Hanoi".into()], &origin).unwrap().unwrap();
    assert_eq!(kept.len(), 2);
    assert!(kept.iter().all(|recorded| recorded.outcome == Outcome::New));
    let entries: Vec<&Entry> = kept.iter().map(|recorded| &recorded.entry).collect();
    assert_eq!(entries[0].summary, "The user lives in Hanoi");
    assert!(entries[1].summary.contains("peanuts"));
    assert!(entries.iter().all(|entry| entry.namespace == "long-term" && entry.agent.as_deref() == Some("helper")));
    assert_eq!(entries[1].speaker.as_deref(), Some("user"));
    let again = instance.record(memory, &talk, &[], &origin).unwrap().unwrap();
    assert_eq!((again[0].outcome, &again[0].entry.id), (Outcome::Same, &entries[1].id), "it is known");
    let moved = instance.record(memory, &[], &["The user lives in Saigon".into()], &origin).unwrap().unwrap();
    assert_eq!((moved[0].outcome, &moved[0].replaced), (Outcome::Corrected, &vec![entries[0].id.clone()]));
    let block =
        instance.retrieve(memory, "Where does the user live?", None, Some("helper"), None, None).unwrap().unwrap();
    assert!(block.contains("Saigon") && !block.contains("Hanoi"), "{block}");
    let others = instance.record(memory, &talk, &[], &NOWHERE).unwrap().unwrap();
    assert_eq!(others[0].outcome, Outcome::New, "what one agent knows, all do not");
    let block = instance.retrieve(memory, "peanuts", None, None, None, None).unwrap().unwrap();
    assert!(block.contains("<long_term_memory>") && block.contains("allergic to peanuts"), "{block}");
    assert_eq!(instance.retrieve(memory, "zebra", None, None, None, None).unwrap(), Ok(String::new()));
    let block = instance.retrieve(memory, "peanuts", None, Some("another"), None, None).unwrap().unwrap();
    assert_eq!(block.matches("peanuts").count(), 1, "what no agent recorded, and not what helper did: {block}");
    assert_eq!(instance.retrieve(memory, "peanuts", Some(0), None, None, None).unwrap(), Ok(String::new()));
}

#[test]
fn what_no_word_leads_to_is_found_by_its_meaning() {
    let (mut instance, memory) = opened(&Storage::default());
    let direction = |at: usize| (0..6).map(|axis| if axis == at { 2.0 } else { 0.1 }).collect::<Vec<f32>>();
    for (at, content) in
        ["our terrier", "that garage", "more flour", "two tickets", "a summit", "pills"].iter().enumerate()
    {
        let draft = Draft { embedding: Some(direction(at)), ..draft(&format!("e-{at}"), content) };
        instance.add(memory, &draft).unwrap().unwrap();
    }
    let near = Recall { embedding: Some(direction(0)), ..recall("void") };
    let found = instance.query_memory(memory, &near).unwrap().unwrap();
    assert_eq!(found.iter().map(|found| found.reference.as_str()).collect::<Vec<_>>(), ["e-0"]);
    assert_eq!(instance.query_memory(memory, &recall("void")).unwrap(), Ok(vec![]));
    let block = instance.retrieve(memory, "void", None, None, Some(&direction(0)), None).unwrap().unwrap();
    assert!(block.contains("our terrier"), "{block}");
    let session = instance.session(memory, "s").unwrap().unwrap();
    instance.append(session, &[said(Role::User, "void")]).unwrap().unwrap();
    let options = ContextOptions { embedding: Some(direction(0)), ..OPTIONS };
    assert!(instance.context(session, &options).unwrap().unwrap().prompt.contains("our terrier"));
    for wrong in [vec![], vec![0.0], vec![f32::NAN]] {
        let near = Recall { embedding: Some(wrong.clone()), ..recall("void") };
        let refused = instance.query_memory(memory, &near).unwrap().unwrap_err();
        assert!(matches!(&refused, Error::InvalidInput(Invalid { field, .. }) if field == "embedding"), "{refused:?}");
        assert_eq!(instance.retrieve(memory, "void", None, None, Some(&wrong), None).unwrap(), Err(refused.clone()));
        let options = ContextOptions { embedding: Some(wrong), ..options.clone() };
        assert_eq!(instance.context(session, &options).unwrap(), Err(refused));
    }
}

#[test]
fn tokens_are_counted_as_the_library_counts_them() {
    let (mut instance, memory) = opened(&Storage::default());
    for text in ["", "hello", "Xin chào thế giới", "日本語のテキスト", &"and some words ".repeat(50)] {
        assert_eq!(instance.count_tokens(memory, text).unwrap().unwrap(), keepsake::text::count_tokens(text), "{text}");
    }
}
