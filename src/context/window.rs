//! The most recent part of a view: the last messages, or the last turns.
//!
//! A window never begins inside a tool pair: its start moves back until no call is separated from its result. Items
//! before the window are not lost, only not shown (C5).

use super::item::Item;
use super::pairs::{Shape, links};
use crate::model::Role;

/// The documented hot window (C2); here an optional limit, without which the budget decides.
pub const HOT_WINDOW_SIZE: usize = 30;

/// The default number of turns of a dialog (B15).
pub const MAX_DIALOG_TURNS: usize = 20;

/// The start of the last `count` items (C4, E22).
pub fn last_messages(items: &[Item], count: usize) -> usize {
    whole(items, items.len().saturating_sub(count))
}

/// The start of the last `count` turns. A turn begins with a user message (B16).
pub fn last_turns(items: &[Item], count: usize) -> usize {
    let opens = |item: &Item| item.role == Role::User && item.answers.is_empty();
    let turns = items.iter().enumerate().rev().filter(|(_, item)| opens(item)).map(|(at, _)| at);
    let start = match count {
        0 => items.len(),
        _ => turns.take(count).enumerate().last().map_or(0, |(found, at)| if found + 1 == count { at } else { 0 }),
    };
    whole(items, start)
}

/// The items that a window from `start` shows: all from there on, and before it histories, summaries, instructions of
/// the app, and pinned messages with their partners.
pub fn shown(items: &[Item], start: usize) -> Vec<bool> {
    let stays = |(at, item): (usize, &Item)| at >= start || item.is_fixed() || item.is_told();
    let shape = Shape::closed(items, items.iter().enumerate().map(stays).collect());
    (0..items.len()).map(|at| shape.stays(at)).collect()
}

/// `start`, or the latest position before it at which no pair is split.
fn whole(items: &[Item], start: usize) -> usize {
    let links = links(items);
    let mut start = start;
    while let Some((call, _)) = links.iter().find(|(a, b)| *a < start && start <= *b) {
        start = *call;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::super::item::Kind;
    use super::super::story::{item, items, spans};
    use super::*;

    fn story(word: &str, count: usize) -> Vec<Item> {
        items(&vec![word; count].join(" "))
    }

    #[test]
    fn c2_c4_the_last_thirty_messages_are_hot() {
        assert_eq!(last_messages(&story("u1", 75), HOT_WINDOW_SIZE), 45);
        assert_eq!(last_messages(&story("u1", 30), HOT_WINDOW_SIZE), 0);
        assert_eq!(last_messages(&story("u1", 3), HOT_WINDOW_SIZE), 0);
        assert_eq!(last_messages(&story("u1", 3), 0), 3);
        assert_eq!(last_messages(&[], 5), 0);
    }

    #[test]
    fn c5_the_oldest_leaves_the_window_first_and_is_still_in_the_view() {
        let mut view = story("u1", 30);
        view.push(item(30, "a1"));
        assert_eq!(last_messages(&view, HOT_WINDOW_SIZE), 1);
        assert_eq!(view.len(), 31);
    }

    #[test]
    fn b15_b16_turns_are_counted_by_what_the_user_says() {
        let view = items("s1 u1 a1 u1 a1+x t1=x a1 u1 a1");
        let starts: Vec<_> = (0..5).map(|count| last_turns(&view, count)).collect();
        assert_eq!(starts, [9, 7, 3, 1, 0]);
        // Some providers give tool results the user's role.
        assert_eq!(last_turns(&items("u1 a1+x u1=x a1"), 1), 0);
        assert_eq!(last_turns(&story("u1", 45), MAX_DIALOG_TURNS), 25);
    }

    #[test]
    fn e22_x11_no_window_begins_between_a_call_and_its_result() {
        let check = |story: &str, count, start| assert_eq!(last_messages(&items(story), count), start, "{story}");
        check("u1 a1+x t1=x a1", 2, 1);
        check("u1 a1+x+y t1=y t1=x a1", 2, 1);
        check("u1 a1+x u1 a1+y t1=x t1=y", 1, 1);
        check("u1 a1+x t1=y a1", 2, 2);
        check("a1+x u1 a1", 2, 1);
        assert_eq!(last_turns(&items("a1+x u1 t1=x a1"), 1), 0);
    }

    #[test]
    fn what_must_not_be_missing_is_shown_before_the_window() {
        let mut view = items("s1 u1 a1+x t1=x! a1 u1 a1 u1 a1");
        let history = Item::standing_for(&view[1..2], Kind::History(1, String::new()), Role::System, 1, 4);
        view[1] = history;
        let shown: Vec<Item> =
            view.iter().zip(shown(&view, 7)).filter(|(_, shown)| *shown).map(|(item, _)| item.clone()).collect();
        assert_eq!(spans(&shown), "0 1 2 3 7 8");
    }
}
