//! Compression through the component: with the library's own summaries, and with the host's.

use crate::{opened, said, talk, text};
use keepsake_host::wit::{Error, Invalid};
use keepsake_host::wit_dialog::{
    Compressed, Progress, Progressive, Recall, RecalledKind, Role, Strategy, SummaryRequest, Task, TreeReduce,
    ViewKind, Waiting,
};
use keepsake_host::{Instance, ResourceAny, Storage};

/// A model so small that thirty messages are too many for it.
fn small() -> Option<Strategy> {
    Some(Strategy::TreeReduce(TreeReduce {
        context_tokens: Some(1500),
        compression_threshold: None,
        chunk_size: None,
        hot_window_size: None,
    }))
}

fn waiting(instance: &mut Instance, session: ResourceAny) -> Waiting {
    match instance.start_compression(session, small()).unwrap().unwrap() {
        Progress::Waiting(waiting) => waiting,
        Progress::Done(done) => panic!("the host is asked, not told: {done:?}"),
    }
}

#[test]
fn c8_c14_thirty_messages_over_the_limit_become_a_history_of_fifteen_and_fifteen() {
    let storage = Storage::default();
    let (mut instance, _, session) = talk(&storage, 30, 20);
    let done = instance.compress(session, small()).unwrap().unwrap();
    assert_eq!(done, Compressed { changed: true, items: 16, history: Some("history-001".into()) });
    let view = instance.view(session).unwrap().unwrap();
    assert_eq!((view[0].reference.as_str(), view[0].role, view[0].messages), ("history-001", Role::System, 15));
    let ViewKind::History(told) = &view[0].kind else { panic!("{:?}", view[0].kind) };
    let shown = view[1..].iter().map(|item| match &item.kind {
        ViewKind::Message(message) => text(message).split(" and").next().unwrap().to_owned(),
        other => panic!("{other:?}"),
    });
    assert_eq!(shown.collect::<Vec<_>>(), (15..30).map(|n| format!("message {n}")).collect::<Vec<_>>());
    let again = instance.compress(session, small()).unwrap().unwrap();
    assert_eq!(again, Compressed { changed: false, items: 16, history: None }, "once is enough");
    assert_eq!(instance.messages(session, Some(1000), None).unwrap().unwrap().messages.len(), 30, "C25: none is gone");
    // Another instance sees the same.
    let (mut other, memory) = opened(&storage);
    let same = other.session(memory, "s").unwrap().unwrap();
    let histories = other.histories(same).unwrap().unwrap();
    assert_eq!(histories.len(), 1);
    assert_eq!((&histories[0].id, histories[0].messages, &histories[0].text), (&"history-001".to_owned(), 15, told));
    let all = other.messages(same, Some(30), None).unwrap().unwrap().messages;
    assert_eq!([&histories[0].first, &histories[0].last], [&all[0].id, &all[14].id]);
    assert_eq!(other.view(same).unwrap().unwrap(), view);
    assert_eq!(other.info(same).unwrap().unwrap().unwrap().histories, 1);
    assert_eq!(other.verify_log(memory).unwrap().unwrap().problem, None);
}

#[test]
fn x5_a_host_writes_the_summaries_itself_while_the_session_goes_on() {
    let (mut instance, memory, session) = talk(&Storage::default(), 30, 20);
    let Waiting { token, requests } = waiting(&mut instance, session);
    assert_eq!(requests.iter().map(|request| request.messages.len()).collect::<Vec<_>>(), [10, 5]);
    assert!(
        requests.iter().all(|request| request.task == Task::Summarise && request.texts.len() == request.messages.len())
    );
    assert!(requests[0].texts[0].starts_with("user: message 0 and"), "{}", requests[0].texts[0]);
    instance.append(session, &[said(Role::User, "meanwhile")]).unwrap().unwrap();
    let summaries = |requests: &[SummaryRequest], text: &str| vec![Some(text.to_owned()); requests.len()];
    let next = instance.continue_compression(session, token, &summaries(&requests, "They spoke at length.")).unwrap();
    let Ok(Progress::Waiting(Waiting { token, requests })) = next else { panic!("two summaries become one: {next:?}") };
    assert_eq!(requests.len(), 1);
    assert_eq!((requests[0].task, requests[0].messages.len()), (Task::Merge, 0));
    assert_eq!(requests[0].texts, ["They spoke at length."; 2]);
    let done = instance.continue_compression(session, token, &summaries(&requests, "It was a marathon.")).unwrap();
    let wanted = Compressed { changed: true, items: 17, history: Some("history-001".into()) };
    assert_eq!(done, Ok(Progress::Done(wanted)));
    assert_eq!(instance.histories(session).unwrap().unwrap()[0].text, "It was a marathon.");
    let recall = Recall {
        query: "marathon".into(),
        limit: None,
        session: None,
        ranking: None,
        embedding: None,
        agent: None,
        include_tool_traffic: None,
        only_answers: None,
        explain: None,
        min_trust: None,
    };
    let found = instance.query_memory(memory, &recall).unwrap().unwrap();
    assert_eq!((found[0].reference.as_str(), found[0].kind), ("history-001", RecalledKind::History));
}

#[test]
fn x5_a_host_that_writes_nothing_or_too_much_changes_nothing() {
    let (mut instance, _, session) = talk(&Storage::default(), 30, 20);
    let Waiting { token, requests } = waiting(&mut instance, session);
    assert_eq!(requests.len(), 2);
    let bad = [None, Some("far too long ".repeat(5000))];
    let done = instance.continue_compression(session, token, &bad).unwrap().unwrap();
    assert_eq!(done, Progress::Done(Compressed { changed: false, items: 30, history: None }));
    let Err(Error::InvalidInput(Invalid { field, .. })) = instance.continue_compression(session, token, &[]).unwrap()
    else {
        panic!("nothing waits any more")
    };
    assert_eq!(field, "token");
    let Waiting { token, .. } = waiting(&mut instance, session);
    instance.delete_session(session).unwrap().unwrap();
    let short = [Some("short".to_owned()), None];
    let done = instance.continue_compression(session, token, &short).unwrap().unwrap();
    assert_eq!(done, Progress::Done(Compressed { changed: false, items: 0, history: None }), "there is nothing left");
}

#[test]
fn e5_progressive_compression_is_for_what_is_many_or_large() {
    let (mut instance, _, session) = talk(&Storage::default(), 12, 2);
    let large = format!("A large one. {}", "x".repeat(6000));
    instance.append(session, &[said(Role::User, &large)]).unwrap().unwrap();
    for n in 0..4 {
        instance.append(session, &[said(Role::Assistant, &format!("reply {n}"))]).unwrap().unwrap();
    }
    let usual = Progressive {
        context_tokens: None,
        msg_threshold: None,
        token_ratio: None,
        last_keep: None,
        large_payload: None,
        preview: None,
    };
    let plain = instance.compress(session, Some(Strategy::Progressive(usual))).unwrap().unwrap();
    assert_eq!(plain, Compressed { changed: false, items: 17, history: None });
    let tight = Progressive { context_tokens: Some(1000), last_keep: Some(3), preview: Some(20), ..usual };
    let done = instance.compress(session, Some(Strategy::Progressive(tight))).unwrap().unwrap();
    assert!(done.changed && done.history.is_none(), "{done:?}");
    let view = instance.view(session).unwrap().unwrap();
    assert!(!view.iter().any(|item| matches!(&item.kind, ViewKind::Message(message) if text(message) == large)));
    assert_eq!(view.iter().map(|item| item.messages).sum::<u64>(), 17, "nothing is lost");
}

#[test]
fn settings_that_make_no_sense_are_refused_by_their_names() {
    let (mut instance, _, session) = talk(&Storage::default(), 1, 1);
    let Some(Strategy::TreeReduce(tree)) = small() else { unreachable!() };
    let ways = [
        (TreeReduce { compression_threshold: Some(f64::NAN), ..tree }, "way.compressionThreshold"),
        (TreeReduce { compression_threshold: Some(1.5), ..tree }, "way.compressionThreshold"),
        (TreeReduce { chunk_size: Some(0), ..tree }, "way.chunkSize"),
        (TreeReduce { context_tokens: Some(0), ..tree }, "way.contextTokens"),
    ];
    for (way, wanted) in ways {
        let way = Some(Strategy::TreeReduce(way));
        let started = instance.start_compression(session, way).unwrap().unwrap_err();
        assert_eq!(instance.compress(session, way).unwrap(), Err(started.clone()));
        let Error::InvalidInput(Invalid { field, .. }) = started else { panic!("{started:?}") };
        assert_eq!(field, wanted);
    }
}
