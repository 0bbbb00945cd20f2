//! Tree-reduce: above 80 % of the limit the oldest half becomes a history, and the recent half stays (C8–C16).
//!
//! The half is floor(n/2) of the items, moved to the nearest border that splits no tool pair (X11). If that is not
//! enough, because the recent half is the heavy one, the border moves on until it is. An earlier history goes into the
//! next one with the messages that follow it. If a hot window is set, messages that have left it become a history as
//! well, even if there are tokens to spare.

use super::super::item::{Item, Kind, tokens};
use super::super::pairs::{Shape, nearest};
use super::fold::Fold;
use super::{Compression, TreeReduce, budget, share};

/// See [`super::plan`].
pub(super) fn plan(view: &[Item], settings: &TreeReduce) -> Option<Compression> {
    let (total, limit) = (tokens(view), settings.limit());
    let over = total > limit;
    if !over && view.len() <= settings.most_items() {
        return None;
    }
    let hot = settings.hot_window_size.unwrap_or(0);
    let shape = Shape::of(view, 1, &|_| false);
    let wish = if over { view.len() / 2 } else { view.len() - hot };
    let half = nearest(wish, 0, view.len(), &|at| !shape.splits(at)).unwrap_or(0);
    let mut movable = shape.movable();
    // Items that cannot be folded do not trigger a compression: only foldable ones count.
    if !over && movable.iter().filter(|at| **at < half).count() <= hot.div_ceil(2) {
        return None;
    }
    let mut kept = total;
    let mut taken = 0;
    // Only borders after a foldable item matter.
    for (count, at) in movable.iter().enumerate() {
        let enough = (!over || kept + share(limit) <= limit) && !shape.splits(*at);
        if *at >= half && enough {
            break;
        }
        kept -= u64::from(view[*at].tokens);
        taken = count + 1;
    }
    movable.truncate(taken);
    let room = budget(limit, kept, total - kept).filter(|_| taken > 0)?;
    let made = view.iter().map(|item| if let Kind::History(number, _) = item.kind { number } else { 0 });
    let number = made.max().unwrap_or(0).saturating_add(1);
    let (fold, requests) = Fold::start(view, &movable, &shape, (Some(number), settings.chunk_size, room));
    Some(Compression { requests, swaps: Vec::new(), fold })
}

#[cfg(test)]
mod tests {
    use super::super::super::story::{compressed, item, items, spans};
    use super::super::{Strategy, Task, plan};
    use super::*;

    fn way(context_tokens: u32) -> Strategy {
        Strategy::TreeReduce(TreeReduce { context_tokens, ..TreeReduce::default() })
    }

    fn story(word: &str, count: usize) -> Vec<Item> {
        items(&vec![word; count].join(" "))
    }

    #[test]
    fn c8_it_begins_above_eighty_percent_of_the_limit() {
        assert!(plan(&story("u2560", 10), &way(32_000)).is_none());
        let mut view = story("u2560", 10);
        view.push(item(10, "u1"));
        assert!(plan(&view, &way(32_000)).is_some());
        assert!(plan(&[], &way(1)).is_none());
    }

    #[test]
    fn c10_c11_c12_c14_e23_thirty_messages_become_a_history_of_fifteen_and_the_recent_fifteen() {
        let view = story("u900", 30);
        let mut compression = plan(&view, &way(32_000)).unwrap();
        let chunks: Vec<_> =
            compression.requests().iter().map(|request| (request.task, spans(&request.items))).collect();
        assert_eq!(
            chunks,
            [(Task::Summarise, "0 1 2 3 4 5 6 7 8 9".into()), (Task::Summarise, "10 11 12 13 14".into())]
        );
        // Three times their share of 2,560: the merge decides what is left out.
        assert!(compression.requests().iter().all(|request| request.max_tokens == 3 * 1280));

        let written = |text: &str, tokens| Some(super::super::Written { text: text.to_owned(), tokens });
        compression.answer(vec![written("first", 1000), written("second", 500)]);
        let [merge] = compression.requests() else { panic!() };
        assert_eq!((merge.task, spans(&merge.items), merge.max_tokens), (Task::Merge, "0-9 10-14".into(), 1500));
        assert_eq!(merge.items[1].kind, Kind::Summary("second".to_owned()));

        compression.answer(vec![written("master", 1200)]);
        let after = compression.apply(&view).unwrap();
        assert_eq!(spans(&after), "0-14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29");
        assert_eq!((&after[0].kind, after[0].tokens), (&Kind::History(1, "master".to_owned()), 1200));
        assert_eq!(after[1..], view[15..]);
    }

    #[test]
    fn c16_x11_an_odd_count_is_cut_below_its_half() {
        assert_eq!(spans(&compressed(&story("u20", 5), &way(100))), "0-1 2 3 4");
    }

    #[test]
    fn x11_the_cut_moves_to_the_nearest_border_that_splits_no_pair() {
        let check = |story: &str, expected: &str| assert_eq!(spans(&compressed(&items(story), &way(100))), expected);
        // Equally near on both sides: the earlier.
        check("u15 u15 a15+x t15=x u15 a15", "0-1 2 3 4 5");
        // Later is nearer.
        check("u15 a15+x+y t15=x t15=y a15 u15 a15", "0-3 4 5 6");
        // The results of one call are in two messages, and not in order.
        check("u11 a11 a11+x+y a11 t11=y t11=x a11 u11", "0-1 2 3 4 5 6 7");
    }

    #[test]
    fn c13_the_next_history_has_the_next_number_and_takes_the_earlier_one_in() {
        let mut view = compressed(&story("u20", 5), &way(100));
        assert_eq!(view[0].name(), "history-001");
        assert!(plan(&view, &way(100)).is_none());
        view.extend((5..8).map(|seq| item(seq, "a20")));
        let next = compressed(&view, &way(100));
        assert_eq!((spans(&next).as_str(), next[0].name().as_str()), ("0-4 5 6 7", "history-002"));
    }

    #[test]
    fn c12_many_chunks_are_merged_in_several_levels() {
        let view = story("u10", 2000);
        let mut compression = plan(&view, &way(20_000)).unwrap();
        let mut levels = Vec::new();
        while !compression.requests().is_empty() {
            levels.push(compression.requests().len());
            let write = |_: &_| Some(super::super::Written { text: String::new(), tokens: 1 });
            let written = compression.requests().iter().map(write).collect();
            compression.answer(written);
        }
        assert_eq!(levels, [100, 10, 1]);
        assert_eq!(spans(&compression.apply(&view).unwrap()[..2]), "0-999 1000");
    }

    #[test]
    fn more_than_half_is_taken_if_the_recent_half_is_the_heavy_one() {
        let check = |story: &str, expected: &str| assert_eq!(spans(&compressed(&items(story), &way(100))), expected);
        check("u1 a1 u1 a1 u70 a20 u20 a20", "0-4 5 6 7");
        // Never the newest, a system message or a pinned one.
        check("s1 u1 u5! a70 u60", "0 1,3 2 4");
    }

    #[test]
    fn c27_what_leaves_the_hot_window_becomes_a_history_and_the_window_stays() {
        let hot = |size| Strategy::TreeReduce(TreeReduce { hot_window_size: Some(size), ..TreeReduce::default() });
        let view = story("u1", 16);
        assert!(plan(&view, &way(32_000)).is_none());
        assert!(plan(&view[..15], &hot(10)).is_none());
        let after = compressed(&view, &hot(10));
        assert_eq!(spans(&after), "0-5 6 7 8 9 10 11 12 13 14 15");
        assert!(plan(&after, &hot(10)).is_none());
        // A pair is not split, and pinned items trigger nothing.
        assert_eq!(spans(&compressed(&items("u1 u1 u1 u1 a1+x t1=x u1 a1"), &hot(3))), "0-3 4 5 6 7");
        assert!(plan(&items("u1! u1! u1! u1! u1! u1! u1! a1"), &hot(3)).is_none());
    }

    #[test]
    fn if_what_stays_is_too_much_it_helps_once_and_not_for_ever() {
        // The limit is 80, a summary takes 8.
        assert!(plan(&items("u90! u16 a1"), &way(100)).is_none());
        let view = items("u90! u9 a9 a1");
        let after = compressed(&view, &way(100));
        assert_eq!(spans(&after), "0 1-2 3");
        assert!(plan(&after, &way(100)).is_none());
        // An unread result stays, even if it is too large.
        assert!(plan(&items("u1 a1+x t100=x"), &way(100)).is_none());
    }
}
