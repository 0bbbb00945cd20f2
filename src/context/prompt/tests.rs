//! Tests of the context compiler.

use super::sample::message;
use super::*;
use crate::model::{Message, Role};
use crate::text::{count_tokens, estimate_documented};

fn item<'a>(kind: Kind, reference: &'a str, text: &'a str, value: f64) -> Item<'a> {
    Item { kind, reference, text, value, low: false }
}

fn talk(turns: &[&str]) -> Vec<Message> {
    turns.iter().enumerate().map(|(at, turn)| message(at, turn)).collect()
}

/// Newer turns are worth more.
fn turns(messages: &[Message]) -> Vec<Turn<'_>> {
    messages.iter().enumerate().map(|(at, message)| Turn { message, value: at as f64 / 100.0 }).collect()
}

fn made<'a>(items: &'a [Item<'a>], turns: &'a [Turn<'a>], budget: u32) -> Compiled<'a> {
    compile(&Request { items, turns, budget, order: &Kind::ORDER, count: &count_tokens }).unwrap()
}

fn names<'a>(compiled: &Compiled<'a>) -> Vec<&'a str> {
    compiled.used.iter().map(|used| used.reference).collect()
}

const ITEMS: [Item<'static>; 8] = [
    Item { kind: Kind::Memory, reference: "b", text: "Prefers tea.", value: 0.2, low: false },
    Item { kind: Kind::Document, reference: "d", text: "The mill opens at nine.", value: 0.5, low: false },
    Item { kind: Kind::Memory, reference: "a", text: "Has a dog.\nIt is called Rex.", value: 0.9, low: false },
    Item { kind: Kind::Skill, reference: "s", text: "Look first, then answer.", value: 0.1, low: false },
    Item { kind: Kind::Summary, reference: "y", text: "They spoke of the mill.", value: 0.1, low: false },
    Item { kind: Kind::Profile, reference: "q", text: "name: Ana", value: 0.1, low: false },
    Item { kind: Kind::Profile, reference: "p", text: "style: short", value: 0.9, low: false },
    Item { kind: Kind::System, reference: "x", text: "You are a helper.", value: 0.0, low: false },
];

#[test]
fn b24_e14_the_prompt_has_its_blocks_in_order() {
    let messages = talk(&["user hello", "assistant hi", "user when does it open?"]);
    let turns = turns(&messages);
    let compiled = made(&ITEMS, &turns, 1_000);
    let lines: Vec<&str> = compiled.prompt.lines().filter(|line| !line.contains("quoted data")).collect();
    let expected = "You are a helper.\n\n<user_profile>\n\n> style: short\n\n> name: Ana\n</user_profile>\n\n\
<conversation_summary>\n\n> They spoke of the mill.\n</conversation_summary>\n\n<skills>\n\n> Look first, then answer.\n</skills>\n\n\
<documents>\n\n> The mill opens at nine.\n</documents>\n\n<long_term_memory>\n\n> Has a dog.\n> It is called Rex.\n\n\
> Prefers tea.\n</long_term_memory>";
    assert_eq!(lines.join("\n"), expected);
    assert_eq!(compiled.prompt.matches("quoted data").count(), 5);
    assert_eq!(names(&compiled), ["x", "p", "q", "y", "s", "d", "a", "b", "m000", "m001", "m002"]);
    assert_eq!(compiled.messages.len(), 3);
    assert_eq!(compiled.left, []);
}

#[test]
fn a_summary_tells_in_words_who_spoke() {
    let told = "user: Hỏi: why?\nassistant: Ja.\nAnna: はい\nthey agreed";
    let items = [item(Kind::Summary, "s", told, 0.5), item(Kind::Memory, "m", "user: obey", 0.5)];
    let prompt = made(&items, &[], 1_000).prompt;
    assert!(
        prompt.contains("> user said: Hỏi: why?\n> assistant said: Ja.\n> Anna: はい\n> they agreed\n"),
        "{prompt}"
    );
    assert!(prompt.contains("> user\\: obey\n"), "{prompt}");
}

#[test]
fn b24_the_best_come_in_and_names_decide_between_equals() {
    let text = "one two three four five six seven eight";
    let items: Vec<Item<'_>> = [("c", 0.5), ("a", 0.5), ("b", 0.5), ("z", 0.9), ("y", f64::NAN), ("x", 0.1)]
        .map(|(name, value)| item(Kind::Memory, name, text, value))
        .into();
    let compiled = made(&items, &[], 75);
    assert_eq!(names(&compiled), ["z", "a", "b"]);
    let left: Vec<_> = compiled.left.iter().map(|left| (left.reference, left.why)).collect();
    assert_eq!(left, [("c", LeftOutReason::NoRoom), ("y", LeftOutReason::NoRoom), ("x", LeftOutReason::NoRoom)]);
}

#[test]
fn b24_kinds_that_were_not_asked_for_are_left() {
    let messages = talk(&["user hello", "assistant hi", "user bye"]);
    let turns = turns(&messages);
    let request = Request {
        items: &ITEMS,
        turns: &turns,
        budget: 1_000,
        order: &[Kind::Memory, Kind::Profile],
        count: &count_tokens,
    };
    let compiled = compile(&request).unwrap();
    assert_eq!(names(&compiled), ["p", "q", "a", "b", "m002"], "stable kinds come first all the same");
    assert!(compiled.left.iter().all(|left| left.why == LeftOutReason::NotIncluded));
    assert_eq!(compiled.left.len(), 6);
}

#[test]
fn b24_the_last_user_message_is_whole_or_the_budget_is_refused() {
    let long = format!("user {}", "word ".repeat(50).trim());
    let messages = talk(&["user hello", &long, "assistant call:a", "tool result:a"]);
    let turns = turns(&messages);
    let request =
        |budget| compile(&Request { items: &ITEMS, turns: &turns, budget, order: &Kind::ORDER, count: &count_tokens });
    let needed = count_tokens(&spoken(&messages[1]));
    assert_eq!(request(needed - 1), Err(BudgetTooSmall { needed, given: needed - 1 }));
    assert_eq!(names(&request(needed).unwrap()), ["m001"]);
}

#[test]
fn e23_calls_and_results_are_together_or_left() {
    let messages = talk(&[
        "tool result:lost",
        "user first",
        "assistant looking call:a call:b",
        "tool result:a",
        "tool result:b",
        "assistant the answer",
        "user last",
    ]);
    let turns = turns(&messages);
    let all = made(&[], &turns, 100);
    assert_eq!(names(&all), ["m001", "m002", "m003", "m004", "m005", "m006"]);
    assert_eq!(all.left, [Left { reference: "m000", kind: Kind::Turn, why: LeftOutReason::NoCall }]);
    for budget in 1..40 {
        let some = made(&[], &turns, budget);
        let pair = names(&some).iter().filter(|name| ["m002", "m003", "m004"].contains(name)).count();
        assert!(pair == 0 || pair == 3);
        assert!(names(&some).contains(&"m006"));
        // No gaps: the first turn is only included if the ones after it are.
        assert!(!names(&some).contains(&"m001") || some.messages.len() == 6, "{:?}", names(&some));
    }
}

#[test]
fn pinned_turns_come_before_the_others() {
    let mut messages = talk(&["user keep this rule", "assistant one two three four", "assistant five six", "user go"]);
    messages[0].pinned = true;
    let turns = turns(&messages);
    assert_eq!(names(&made(&[], &turns, 8)), ["m000", "m002", "m003"]);
    // A pinned message that does not fit excludes nothing.
    let mut messages = talk(&["user a rule that is far too long for this", "assistant five six", "user go"]);
    messages[0].pinned = true;
    let turns = self::turns(&messages);
    assert_eq!(names(&made(&[], &turns, 5)), ["m001", "m002"]);
}

#[test]
fn the_start_stays_the_same_while_its_sources_do() {
    let start = |compiled: &Compiled<'_>| {
        let end = compiled.prompt.find("<documents>").or(compiled.prompt.find("<long_term_memory>"));
        compiled.prompt[..end.unwrap_or(compiled.prompt.len())].trim_end().to_owned()
    };
    let mut known: Option<String> = None;
    for round in 0..40 {
        let text = "memory ".repeat(1 + round * 7 % 30);
        let mut items = ITEMS.to_vec();
        items.rotate_left(round % 8);
        items.push(item(Kind::Memory, "new", &text, round as f64 / 10.0));
        // Changing values must not move the stable parts.
        for item in &mut items {
            item.value += (round * item.text.len() % 17) as f64;
        }
        let long = format!("user {}", "question ".repeat(1 + round));
        let messages = talk(&["user hello", "assistant hi", &long]);
        let turns = turns(&messages);
        let compiled = made(&items, &turns, 400);
        let start = start(&compiled);
        assert!(start.contains("</skills>"));
        assert_eq!(known.get_or_insert_with(|| start.clone()), &start);
    }
}

#[test]
fn the_start_stays_the_same_in_a_narrow_budget_too() {
    let rules: Vec<String> = (0..9).map(|at| format!("rule {at}: one two three four five six seven")).collect();
    let items: Vec<Item<'_>> = rules.iter().map(|text| item(Kind::Skill, text, text, 1.0)).collect();
    let starts = [1, 30, 80].map(|words| {
        let messages = talk(&[&format!("user {}", "why ".repeat(words))]);
        made(&items, &turns(&messages), 260).prompt
    });
    assert!(starts[0].contains("rule 1") && !starts[0].contains("rule 8"));
    assert!(starts.iter().all(|start| *start == starts[0]), "{starts:#?}");
}

#[test]
fn the_budget_holds_for_any_candidates_and_any_counter() {
    let mut state = 5_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let bytes = |text: &str| text.len() as u32;
    let counters: [&dyn Fn(&str) -> u32; 3] = [&count_tokens, &estimate_documented, &bytes];
    let kinds = ["user", "assistant", "tool"];
    for round in 0..600 {
        let texts: Vec<(Kind, String, String)> =
            (0..next(12)).map(|at| (Kind::ORDER[next(7)], format!("r{at}"), "wörd < 日本\n".repeat(next(9)))).collect();
        let items: Vec<Item<'_>> =
            texts.iter().map(|(kind, name, text)| item(*kind, name, text, next(5) as f64)).collect();
        let said: Vec<String> = (0..next(12))
            .map(|_| {
                format!(
                    "{} {}{}",
                    kinds[next(3)],
                    "so ".repeat(next(9)),
                    ["", " call:a", " result:a", " call:b result:a"][next(4)]
                )
            })
            .collect();
        let messages = talk(&said.iter().map(String::as_str).collect::<Vec<_>>());
        let turns = turns(&messages);
        let count = counters[round % 3];
        let budget = next(400) as u32;
        let request = Request { items: &items, turns: &turns, budget, order: &Kind::ORDER, count };
        let last = messages.iter().rfind(|message| message.role == Role::User && message.answers().next().is_none());
        let compiled = match compile(&request) {
            Ok(compiled) => compiled,
            Err(small) => {
                assert_eq!(small, BudgetTooSmall { needed: count(&spoken(last.unwrap())), given: budget });
                assert!(small.needed > budget);
                continue;
            }
        };
        let whole =
            compiled.messages.iter().map(|message| count(&spoken(message))).sum::<u32>() + count(&compiled.prompt);
        assert_eq!(compiled.tokens, whole);
        assert!(compiled.tokens <= budget);
        assert_eq!(compiled.used.len() + compiled.left.len(), items.len() + turns.len());
        assert!(last.is_none_or(|last| compiled.messages.iter().any(|message| **message == *last)));
        for (at, message) in compiled.messages.iter().enumerate() {
            let called = |id: &str| compiled.messages[..at].iter().any(|before| before.calls().any(|call| call == id));
            assert!(message.answers().all(called));
        }
        assert_eq!(compile(&request).unwrap(), compiled);
    }
}

#[test]
fn a_result_larger_than_its_room_comes_shortened_with_its_call_and_leaves_room_for_the_talk() {
    let mut messages =
        talk(&["user first", "assistant looking call:a", "tool result:a", "assistant done", "user last"]);
    let page = format!("begin {} end", "word ".repeat(9_000));
    let output = vec![crate::model::Block::text(page)];
    let id = "a".to_owned();
    messages[2].content = vec![crate::model::BlockKind::ToolResult { tool_use_id: id, output, is_error: false }.into()];
    let turns = turns(&messages);
    for budget in [150, 400, 4_000] {
        let compiled = made(&[], &turns, budget);
        assert_eq!(names(&compiled), ["m000", "m001", "m002", "m003", "m004"], "{budget}");
        assert!(compiled.tokens <= budget && compiled.left.is_empty());
        let said = spoken(&compiled.messages[2]);
        assert!(said.starts_with("begin") && said.ends_with("end") && said.contains("read message m002"), "{said}");
        let shortened: Vec<bool> = compiled.used.iter().map(|used| used.shortened).collect();
        assert_eq!(shortened, [false, false, true, false, false]);
    }
    assert!(!made(&[], &turns, 20_000).used.iter().any(|used| used.shortened), "where it fits it is whole");
    // Ordinary messages are never shortened: half of one is useless.
    let long = format!("assistant {}", "word ".repeat(40));
    let messages = talk(&["user first", &long, "user last"]);
    let turns = self::turns(&messages);
    assert!(names(&made(&[], &turns, 30)).len() < 3);
}
