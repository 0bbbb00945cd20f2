//! Groups of messages: a tool call and its results are in a prompt together or not at all.

use crate::model::Message;

/// The reason why a candidate is left out of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeftOutReason {
    /// It does not fit into the budget.
    NoRoom,
    /// It has no content.
    Empty,
    /// Its kind was not requested.
    NotIncluded,
    /// It is older than the requested window.
    Window,
    /// The policy of the flow or of the agent excludes it.
    Policy,
    /// It answers a tool call that is missing.
    NoCall,
    /// It calls a tool, and the result is missing although the conversation continued.
    NoResult,
}

/// For each message, the first of its group, or the reason why it can be in no prompt.
pub(super) fn groups(messages: &[&Message]) -> Vec<Result<usize, LeftOutReason>> {
    let mut groups: Vec<Result<usize, LeftOutReason>> = (0..messages.len()).map(Ok).collect();
    // Removing a message may leave another without its call or its result, so repeat until nothing changes.
    let mut before = messages.len() + 1;
    while before != living(&groups) {
        before = living(&groups);
        for at in 0..messages.len() {
            if groups[at].is_ok()
                && let Some(why) = broken(messages, &groups, at)
            {
                groups[at] = Err(why);
            }
        }
    }
    for (at, message) in messages.iter().enumerate() {
        if groups[at].is_err() {
            continue;
        }
        for call in message.answers().filter_map(|id| call_of(messages, &groups, at, id)).collect::<Vec<_>>() {
            let (one, other) = (groups[call], groups[at]);
            let first = if one.ok() < other.ok() { one } else { other };
            groups.iter_mut().filter(|group| **group == one || **group == other).for_each(|group| *group = first);
        }
    }
    groups
}

fn living(groups: &[Result<usize, LeftOutReason>]) -> usize {
    groups.iter().filter(|group| group.is_ok()).count()
}

/// The missing partner of a message. Only the last message may have a call without a result: it is pending.
fn broken(messages: &[&Message], groups: &[Result<usize, LeftOutReason>], at: usize) -> Option<LeftOutReason> {
    if messages[at].answers().any(|id| call_of(messages, groups, at, id).is_none()) {
        return Some(LeftOutReason::NoCall);
    }
    let answers = |result: usize, id: &str| {
        groups[result].is_ok()
            && messages[result].answers().any(|answer| answer == id)
            && call_of(messages, groups, result, id) == Some(at)
    };
    let answered = |id: &str| (at + 1..messages.len()).any(|result| answers(result, id));
    (at + 1 < messages.len() && messages[at].calls().any(|id| !answered(id))).then_some(LeftOutReason::NoResult)
}

/// The nearest message before `at` with a call of this id: some models restart their ids in each turn.
fn call_of(messages: &[&Message], groups: &[Result<usize, LeftOutReason>], at: usize, id: &str) -> Option<usize> {
    (0..at).rev().find(|call| groups[*call].is_ok() && messages[*call].calls().any(|known| known == id))
}

#[cfg(test)]
mod tests {
    use super::super::sample::message;
    use super::*;

    #[track_caller]
    fn check(turns: &[&str], expected: &[Result<usize, LeftOutReason>]) {
        let messages: Vec<Message> = turns.iter().enumerate().map(|(at, turn)| message(at, turn)).collect();
        assert_eq!(groups(&messages.iter().collect::<Vec<_>>()), expected);
    }

    #[test]
    fn e23_a_call_and_its_results_are_one() {
        check(
            &["user hi", "assistant call:a call:b", "tool result:a", "tool result:b", "assistant ok"],
            &[Ok(0), Ok(1), Ok(1), Ok(1), Ok(4)],
        );
        // The same id again is another call.
        check(
            &["assistant call:a", "tool result:a", "assistant call:a", "tool result:a"],
            &[Ok(0), Ok(0), Ok(2), Ok(2)],
        );
        // One message that answers two joins them.
        check(&["assistant call:a", "assistant call:b", "user result:a result:b"], &[Ok(0), Ok(0), Ok(0)]);
    }

    #[test]
    fn e23_halves_are_left_and_what_hangs_on_them_too() {
        check(&["tool result:a", "user hi"], &[Err(LeftOutReason::NoCall), Ok(1)]);
        check(&["assistant call:a", "user hi"], &[Err(LeftOutReason::NoResult), Ok(1)]);
        check(&["user hi", "assistant call:a"], &[Ok(0), Ok(1)]);
        check(
            &["assistant call:a call:b", "tool result:a", "user hi"],
            &[Err(LeftOutReason::NoResult), Err(LeftOutReason::NoCall), Ok(2)],
        );
        check(
            &["tool result:a", "assistant call:a", "user hi"],
            &[Err(LeftOutReason::NoCall), Err(LeftOutReason::NoResult), Ok(2)],
        );
    }
}
