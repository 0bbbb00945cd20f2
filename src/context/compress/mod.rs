//! Compression of a view: what is summarised, merged and offloaded when a session outgrows its window.
//!
//! Nothing here reads a message or writes a summary. [`plan`] looks at the facts and returns a [`Compression`], which
//! requests texts until it has them all:
//!
//! ```text
//! while let requests = compression.requests(), !requests.is_empty() { compression.answer(written(requests)) }
//! view = compression.apply(&view)?
//! ```
//!
//! The session may continue meanwhile: `apply` accepts a view that has grown at its end. Nothing is destroyed: a
//! stand-in names every message that it replaces.
//!
//! # When one compression is enough
//!
//! Trigger and cut count the same tokens, and a plan leaves room for all of its requests. So if each text keeps to its
//! `max_tokens`, the view is under its limits after `apply`, and `plan` returns `None`. There are two exceptions.
//!
//! - The part that must stay (by the rules in `context/pairs.rs`) may itself be over a limit. Then there is a plan only
//!   if the rest is more than twice the share of a summary (or, where messages are counted, more than may be in the
//!   view), and it takes all of the rest. The view is still over the limit, but `plan` returns `None` until as much has
//!   come again.
//! - A text longer than what it replaces is refused, and so is a missing one: that part stays as it was. A plan before
//!   the next message requests the same again.

mod fold;
mod progressive;
#[cfg(test)]
mod properties;
mod settings;
mod tree;

use super::item::{Item, Kind, put, tokens};
use super::pairs::links;
pub use settings::{Progressive, Strategy, TreeReduce};
use std::{fmt, mem};

/// Plans how to bring a view under its limits, if it is over one and something can be done.
pub fn plan(view: &[Item], way: &Strategy) -> Option<Compression> {
    match way {
        Strategy::TreeReduce(settings) => tree::plan(view, settings),
        Strategy::Progressive(settings) => progressive::plan(view, settings),
    }
}

/// A request for a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The task.
    pub task: Task,
    /// The items: messages, to be read from the storage by place, and summaries, which contain their text.
    pub items: Vec<Item>,
    /// The most tokens of the text, by the counter that counted the items.
    pub max_tokens: u32,
}

/// The task of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// A summary of a part of the session.
    Summarise,
    /// One summary of several.
    Merge,
    /// The beginning of one message, with at most so many characters.
    Preview(usize),
}

/// A requested text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The number of its tokens, by the counter that counted the items.
    pub tokens: u32,
}

/// The reason why a compression cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejected {
    /// A replaced item is gone, changed, already replaced, or has a new result. A new plan is needed.
    Stale,
    /// Texts are missing.
    Unfinished,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stale => "the view is no longer the one that was planned for",
            Self::Unfinished => "texts are still missing",
        })
    }
}

impl std::error::Error for Rejected {}

/// A compression in progress: its open requests, and its replacements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compression {
    requests: Vec<Request>,
    swaps: Vec<Swap>,
    fold: fold::Fold,
}

/// A stand-in, and the items that it replaces.
#[derive(Clone, Debug, PartialEq)]
struct Swap {
    of: Vec<Item>,
    with: Item,
}

impl Compression {
    /// The open requests. If there are none, the compression can be applied.
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// Numbers the resulting history after `made` earlier ones, which the view may no longer show.
    pub fn numbered_after(mut self, made: u32) -> Self {
        self.fold.number_after(made);
        self
    }

    /// Accepts the texts for all requests, in order; `None`, or a shorter vector, for missing ones. There may be
    /// further requests afterwards, for summaries of these summaries.
    pub fn answer(&mut self, written: Vec<Option<Written>>) {
        let mut written = written.into_iter();
        let mut summaries = Vec::new();
        for request in mem::take(&mut self.requests) {
            let Some(Some(Written { text, tokens: length })) = written.next() else { continue };
            let chars = text.chars().count();
            let (of, with) = match (request.task, request.items.as_slice()) {
                (Task::Preview(_), [item]) => (request.items.clone(), item.offloaded(text, length, chars)),
                _ => {
                    let with = Item::told(&request.items, Kind::Summary(text), length, chars);
                    (self.fold.originals(&with), with)
                }
            };
            if u64::from(length) > tokens(&of) {
                continue;
            }
            match request.task {
                Task::Preview(_) => self.swaps.push(Swap { of, with }),
                _ => summaries.push(with),
            }
        }
        let summaries = self.fold.with_told(summaries);
        match summaries.len() {
            0 => {}
            1 => self.swaps.extend(summaries.into_iter().map(|summary| self.fold.finish(summary))),
            _ => self.requests = self.fold.next_level(summaries),
        }
    }

    /// The new stand-ins of [`apply`](Self::apply), which are to be stored.
    pub fn stand_ins(&self) -> impl Iterator<Item = &Item> {
        let lasts = |swap: &&Swap| !self.swaps.iter().any(|other| other.of.contains(&swap.with));
        self.swaps.iter().filter(lasts).map(|swap| &swap.with)
    }

    /// The view with the stand-ins in their places. It may have grown at its end since the plan was made.
    pub fn apply(&self, view: &[Item]) -> Result<Vec<Item>, Rejected> {
        if !self.requests.is_empty() {
            return Err(Rejected::Unfinished);
        }
        let mut view = view.to_vec();
        self.swaps.iter().try_for_each(|swap| swap.exchange(&mut view))?;
        Ok(view)
    }
}

impl Swap {
    fn exchange(&self, view: &mut Vec<Item>) -> Result<(), Rejected> {
        // Both are in order, and no two items of a view begin at the same message.
        let is_inside = |item: &Item| {
            let at = self.of.partition_point(|other| other.first() < item.first());
            self.of.get(at) == Some(item)
        };
        let inside: Vec<bool> = view.iter().map(is_inside).collect();
        let found = inside.iter().filter(|inside| **inside).count();
        // A late result may have arrived for a call. An offloaded message still answers its call.
        let split = |links: Vec<(usize, usize)>| links.iter().any(|(a, b)| inside[*a] != inside[*b]);
        if found != self.of.len() || !matches!(self.with.kind, Kind::Offload(..)) && split(links(view)) {
            return Err(Rejected::Stale);
        }
        put(view, &inside, self.with.clone());
        Ok(())
    }
}

/// The most tokens of a summary under `limit`: a tenth, which leaves the rest for the session.
fn share(limit: u64) -> u64 {
    (limit / 10).max(1)
}

/// The most tokens of a summary of `movable` tokens, beside `kept` ones that stay. `None` if it would not help enough:
/// see "When one compression is enough".
fn budget(limit: u64, kept: u64, movable: u64) -> Option<u64> {
    let share = share(limit);
    match limit.saturating_sub(kept) {
        0 => (movable > 2 * share).then_some(share),
        room => Some(room.min(share)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::item::restore;
    use super::super::story::{finish, item, items, spans};
    use super::*;

    /// Over its limit of 80 with 100 tokens: three chunks of about two items, each with two tokens at most.
    fn way() -> Strategy {
        Strategy::TreeReduce(TreeReduce { context_tokens: 100, chunk_size: 2, ..TreeReduce::default() })
    }

    const STORY: &str = "u9 a9 u9 a9 u9 a9 u9 a9 u9 a9 u9 a9";

    #[test]
    fn a_text_longer_than_what_it_replaces_is_refused_and_that_part_left_as_it_was() {
        let view = items(STORY);
        let compression = plan(&view, &way()).unwrap();
        assert_eq!(compression.requests().len(), 3);
        let second = |request: &Request| request.task == Task::Summarise && request.items[0].first() == 2;
        let after = |length: &dyn Fn(&Request) -> u32| {
            let done = finish(compression.clone(), &|request| Some(length(request)));
            spans(&done.apply(&view).unwrap())
        };
        assert_eq!(after(&|request| if second(request) { 19 } else { 1 }), "0-1,4-5 2 3 6 7 8 9 10 11");
        assert_eq!(after(&|request| if second(request) { 18 } else { 1 }), "0-5 6 7 8 9 10 11");
        assert_eq!(after(&|request| if request.task == Task::Merge { 55 } else { 1 }), spans(&view));
        assert_eq!(after(&|_| 1000), spans(&view));
    }

    #[test]
    fn a_text_that_never_came_leaves_its_part_as_it_was() {
        let view = items(STORY);
        let mut compression = plan(&view, &way()).unwrap();
        assert_eq!(compression.apply(&view), Err(Rejected::Unfinished));
        compression.answer(vec![None, Some(Written { text: "short".to_owned(), tokens: 2 })]);
        assert_eq!(compression.requests(), []);
        let after = compression.apply(&view).unwrap();
        assert_eq!(spans(&after), "0 1 2-3 4 5 6 7 8 9 10 11");
        assert_eq!((&after[2].kind, after[2].chars), (&Kind::History(1, "short".to_owned()), 5));
        assert!(compression.stand_ins().eq([&after[2]]));
        assert_eq!(restore(view, compression.stand_ins().cloned().collect()).unwrap(), after);
    }

    #[test]
    fn c9_a_view_that_has_grown_is_taken_and_one_that_has_changed_is_refused() {
        let view = items(STORY);
        let done = finish(plan(&view, &way()).unwrap(), &|_| Some(1));
        let mut grown = view.clone();
        grown.push(item(12, "u9"));
        assert_eq!(spans(&done.apply(&grown).unwrap()), "0-5 6 7 8 9 10 11 12");

        let after = done.apply(&view).unwrap();
        assert_eq!(done.apply(&after), Err(Rejected::Stale), "already replaced");
        assert_eq!(done.apply(&view[1..]), Err(Rejected::Stale), "gone");
        let mut pinned = view.clone();
        pinned[3].pinned = true;
        assert_eq!(done.apply(&pinned), Err(Rejected::Stale), "changed");
    }

    #[test]
    fn x11_a_result_that_came_while_its_call_was_summarised_is_not_split_from_it() {
        let mut view = items("u9 a9+x u9 a9 u9 a9 u9 a9 u9 a9 u9 a9");
        let done = finish(plan(&view, &way()).unwrap(), &|_| Some(1));
        assert!(done.apply(&view).is_ok());
        view.push(item(12, "t1=x"));
        assert_eq!(done.apply(&view), Err(Rejected::Stale));
        let again = finish(plan(&view, &way()).unwrap(), &|_| Some(1));
        assert_eq!(spans(&again.apply(&view).unwrap()), "0,2-5 1 6 7 8 9 10 11 12");
    }
}
