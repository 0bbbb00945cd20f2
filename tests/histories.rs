//! Prompts and histories of long conversations: what matters is still told after five compressions, and every message is
//! in the prompt, in a summary that is, or named among what is left.

#[path = "shared/planted.rs"]
mod planted;

use futures::executor::block_on;
use keepsake::context::compress::{Progressive, Strategy, TreeReduce};
use keepsake::context::prompt::Kind as PromptKind;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::memory::{Context, ContextOptions, ViewContent};
use keepsake::model::{Block, BlockKind, Json, Message, MessageDraft, Role, SessionId, UserId};
use keepsake::{Config, MemStore};
use planted::{APART, Dice, KNOWN, Language, Planted};

type Open = Memory<MemStore, Scripted>;

fn open() -> Open {
    let user = UserId::new("user", "u-1").unwrap();
    block_on(Memory::open(MemStore::new(), Scripted::new(1_735_812_000_000, 1), user, Config::default())).unwrap()
}

fn session() -> SessionId {
    SessionId::new("session", "s").unwrap()
}

fn said(role: Role, text: &str) -> MessageDraft {
    MessageDraft::new(role, vec![Block::text(text)])
}

fn options(budget: u32) -> ContextOptions {
    ContextOptions {
        query: None,
        budget,
        order: PromptKind::ORDER.to_vec(),
        window: None,
        limit: None,
        system: None,
        embedding: None,
        task_type: None,
        agent: None,
        flow: None,
        ranked: Vec::new(),
        min_trust: None,
    }
}

/// Talks on until the view has been compressed five times, with a fact in every 25th message, and gives what of the
/// facts the summaries stand for is still told by them.
fn told_after_five(language: &Language, way: &Strategy) -> (Vec<Planted>, Vec<Planted>) {
    let (memory, s, mut dice) = (open(), session(), Dice(11));
    let (mut facts, mut compressed): (Vec<(u64, Planted)>, u32) = (Vec::new(), 0);
    for place in 0_u64.. {
        let role = if place % 2 == 0 { Role::User } else { Role::Assistant };
        let mut text = language.filler(&mut dice);
        if place % 25 == 4 {
            let fact = language.fact(&mut dice, facts.len());
            text = format!("{text} {}", fact.said);
            facts.push((place, fact));
        }
        block_on(memory.append(&s, None, &[said(role, &text)])).unwrap();
        let progress = block_on(memory.compress(&s, way, false)).unwrap();
        compressed += u32::from(matches!(progress, keepsake::memory::Progress::Done { changed: true, .. }));
        if compressed == 5 {
            break;
        }
        assert!(place < 5_000, "it is compressed in the end");
    }
    let view = block_on(memory.session_view(&s)).unwrap();
    let (mut kept, mut lost) = (Vec::new(), Vec::new());
    for (place, fact) in facts {
        let shown = view.iter().find(|shown| shown.item.covers(place)).expect("it is in the view");
        match &shown.says {
            ViewContent::Text(text) if text.contains(&fact.key) => kept.push(fact),
            ViewContent::Text(_) => lost.push(fact),
            ViewContent::Message(_) => {}
        }
    }
    (kept, lost)
}

fn share_of(languages: &[Language], way: &Strategy) -> (usize, usize) {
    let (mut kept, mut all) = (0, 0);
    for language in languages {
        let (here, lost) = told_after_five(language, way);
        println!("{}: {} of {} {:?}", language.name, here.len(), here.len() + lost.len(), lost.first());
        (kept, all) = (kept + here.len(), all + here.len() + lost.len());
    }
    assert!(all >= languages.len() * 4, "{all} facts are told of by summaries");
    (kept, all)
}

#[test]
fn x5_planted_facts_are_still_told_after_five_compressions() {
    let tree = Strategy::TreeReduce(TreeReduce { context_tokens: 2_500, ..TreeReduce::default() });
    let progressive = Strategy::Progressive(Progressive { context_tokens: 12_000, ..Progressive::default() });
    for way in [tree, progressive] {
        for (group, languages) in [("known", &KNOWN), ("apart", &APART)] {
            let (kept, all) = share_of(languages, &way);
            println!("{group}: {kept} of {all}");
            assert!(kept * 100 >= all * 95, "{group}: {kept} of {all}");
        }
    }
}

/// A message of a random conversation: words, a call, its result, now and then a page.
fn next(dice: &mut Dice, number: usize, open: &mut Vec<String>) -> MessageDraft {
    let words = |dice: &mut Dice| {
        let most = [3, 12, 40, 400][dice.below(40).min(3)];
        format!("message {number} {}", "word ".repeat(1 + dice.below(most)))
    };
    let mut draft = match (open.pop(), dice.below(9)) {
        (Some(id), 0..=7) => {
            let output = vec![Block::text(words(dice))];
            MessageDraft::new(
                Role::Tool,
                vec![BlockKind::ToolResult { tool_use_id: id, output, is_error: false }.into()],
            )
        }
        (None, 0) => {
            let ids: Vec<String> = (0..1 + dice.below(2)).map(|at| format!("c-{number}-{at}")).collect();
            let call =
                |id: &String| BlockKind::ToolUse { id: id.clone(), name: "look".into(), input: Json::Null }.into();
            let content: Vec<Block> = ids.iter().map(call).collect();
            open.extend(ids);
            MessageDraft::new(Role::Assistant, content)
        }
        (_, other) => said(if other % 2 == 0 { Role::User } else { Role::Assistant }, &words(dice)),
    };
    draft.pinned = dice.below(40) == 0;
    draft
}

/// Every message is in exactly one place.
fn check(memory: &Open, s: &SessionId, context: &Context, budget: u32) {
    assert!(context.tokens <= budget, "{} of {budget}", context.tokens);
    let all = block_on(memory.messages(s, 100_000, None)).unwrap().messages;
    let place = |id: &str| all.iter().position(|message| message.id.as_str() == id).expect("it is of the session");
    let view = block_on(memory.session_view(s)).unwrap();
    let mut seen = vec![0; all.len()];
    for used in &context.used {
        match used.kind {
            PromptKind::Turn => seen[place(&used.reference)] += 1,
            PromptKind::Summary => {
                let item = view.iter().find(|shown| shown.item.name() == used.reference).expect("an item of the view");
                item.item.spans.iter().for_each(|(from, to)| (*from..=*to).for_each(|at| seen[at as usize] += 1));
            }
            _ => {}
        }
    }
    for left in &context.left {
        match (left.kind, &left.range) {
            (PromptKind::Turn, None) => seen[place(&left.reference)] += 1,
            (PromptKind::Turn, Some(range)) => {
                let page = block_on(memory.messages(s, range.count, range.before.as_ref())).unwrap().messages;
                let read: Vec<&Message> = page.iter().rev().take(range.count as usize).rev().collect();
                assert_eq!((read[0].id.as_str(), &read[0].id), (left.reference.as_str(), &range.first));
                assert_eq!(read[read.len() - 1].id, range.last);
                read.iter().for_each(|message| seen[place(message.id.as_str())] += 1);
            }
            (PromptKind::Summary, Some(range)) => {
                let item = view.iter().find(|shown| shown.item.name() == left.reference).expect("an item of the view");
                assert_eq!(place(range.first.as_str()) as u64, item.item.first());
                assert_eq!(place(range.last.as_str()) as u64, item.item.last());
                item.item.spans.iter().for_each(|(from, to)| (*from..=*to).for_each(|at| seen[at as usize] += 1));
            }
            (PromptKind::Summary, None) => panic!("a summary stands for messages"),
            _ => {}
        }
    }
    let odd: Vec<usize> = (0..seen.len()).filter(|at| seen[*at] != 1).collect();
    assert!(odd.is_empty(), "not exactly once: {odd:?} of {} {:?}", seen.len(), context.left);
    for (at, message) in context.messages.iter().enumerate() {
        let called = |id: &str| context.messages[..at].iter().any(|before| before.calls().any(|call| call == id));
        assert!(message.answers().all(called), "a result has its call");
    }
}

#[test]
fn b24_every_message_is_in_the_prompt_in_a_summary_of_it_or_named_among_what_is_left() {
    let mut shortened = 0;
    for seed in 1..=15 {
        let (memory, s, mut dice) = (open(), session(), Dice(seed));
        let tokens = 400 + dice.below(3_000) as u32;
        let way = match seed % 3 {
            0 => None,
            1 => Some(Strategy::TreeReduce(TreeReduce {
                context_tokens: tokens,
                hot_window_size: (seed % 4 == 0).then_some(12),
                ..TreeReduce::default()
            })),
            _ => Some(Strategy::Progressive(Progressive { context_tokens: tokens, ..Progressive::default() })),
        };
        let mut calls = Vec::new();
        for number in 0..30 + dice.below(170) {
            block_on(memory.append(&s, None, &[next(&mut dice, number, &mut calls)])).unwrap();
            if let Some(way) = way.as_ref().filter(|_| number % 5 == 0) {
                block_on(memory.compress(&s, way, false)).unwrap();
            }
        }
        block_on(memory.append(&s, None, &[said(Role::User, "and now?")])).unwrap();
        for budget in [20, 90, 333, 1_000, 5_000, 50_000] {
            for window in [None, Some(1), Some(7), Some(40)] {
                let asked = ContextOptions { window, ..options(budget) };
                let context = block_on(memory.context(&s, &asked)).unwrap();
                check(&memory, &s, &context, budget);
                shortened += context.used.iter().filter(|used| used.shortened).count();
            }
            let order = vec![PromptKind::Summary, PromptKind::Memory];
            check(
                &memory,
                &s,
                &block_on(memory.context(&s, &ContextOptions { order, ..options(budget) })).unwrap(),
                budget,
            );
        }
    }
    assert!(shortened > 30, "{shortened}");
}
