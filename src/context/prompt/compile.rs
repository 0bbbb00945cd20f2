//! The context compiler: chooses the most valuable candidates for the next prompt within a budget.
//!
//! A pure function: the same candidates give the same prompt. Stable parts come first and in a fixed order, so that a
//! provider's prompt cache keeps hitting; for the same reason they are chosen independently of the rest, from half of
//! the budget. Turns, documents and memories share the remainder, the most valuable first.

use super::groups::{LeftOutReason, groups};
use super::parts::{BudgetTooSmall, Compiled, Item, Kind, Left, Request, Turn, Used};
use super::render::{envelope, quoted, render, spoken};
use super::shorten::fitted;
use crate::model::{Message, Role, sorted};
use std::borrow::Cow;

/// A message with more tokens than the budget divided by this is large: it is shortened rather than left out.
pub const LARGE: u32 = 8;

/// A unit of choice: an item, or messages that belong together.
struct Candidate {
    /// Indexes in `items` or in `turns`.
    members: Vec<usize>,
    kind: Kind,
    low: bool,
    /// Chosen before all others: instructions, pinned messages.
    first: bool,
    value: f64,
    tokens: u32,
    /// Its shortened messages, by index, with their tokens.
    short: Vec<(usize, Message, u32)>,
}

/// Compiles the prompt.
///
/// The last user message that is no tool result is always included, whole. A tool call and its results are included
/// together or not at all. A message that is large for the budget is cut to its beginning and its end if it does not
/// fit. Any other turn that does not fit excludes those worth less, so that the conversation has no gap, unless they
/// are pinned.
pub fn compile<'a>(request: &Request<'a>) -> Result<Compiled<'a>, BudgetTooSmall> {
    let Request { items, turns, budget, count, .. } = *request;
    let mut fate: Vec<Option<LeftOutReason>> = vec![Some(LeftOutReason::NotIncluded); items.len() + turns.len()];
    let reference = |candidate: &Candidate| {
        let at = candidate.members.first().copied().unwrap_or(0);
        let turn = || turns.get(at).map_or("", |turn| turn.message.id.as_str());
        if candidate.kind == Kind::Turn { turn() } else { items.get(at).map_or("", |item| item.reference) }
    };

    // The message that must be included. A tool result can have the user's role.
    let asks = |turn: &Turn<'_>| turn.message.role == Role::User && turn.message.answers().next().is_none();
    let last = turns.iter().rposition(asks);
    let lengths: Vec<u32> = turns.iter().map(|turn| count(&spoken(turn.message))).collect();
    let needed = last.map_or(0, |at| lengths[at]);
    if needed > budget {
        return Err(BudgetTooSmall { needed, given: budget });
    }

    let mut candidates = text_candidates(request, &mut fate);
    candidates.extend(turn_candidates(request, &lengths, last, &mut fate));
    // By value, then by name; NaN is worth nothing.
    let worth = |candidate: &Candidate| if candidate.value.is_nan() { f64::NEG_INFINITY } else { candidate.value };
    let in_order = sorted(candidates.len(), &|one, other| {
        let (one, other) = (&candidates[one], &candidates[other]);
        let stable = other.kind.is_stable().cmp(&one.kind.is_stable()).then(other.first.cmp(&one.first));
        stable.then(worth(other).total_cmp(&worth(one))).then_with(|| reference(one).cmp(reference(other)))
    });
    let mut candidates: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
    let candidates = in_order.into_iter().filter_map(|at| candidates[at].take());

    let mut chosen: Vec<Candidate> = Vec::new();
    let mut spent = 0_u32;
    let mut closed = false;
    for mut candidate in candidates {
        let (kind, low) = (candidate.kind, candidate.low);
        let opens = !chosen.iter().any(|other| other.kind == kind && other.low == low);
        let price = candidate.tokens.saturating_add(if opens { count(&envelope(kind, low)) } else { 0 });
        let room = if candidate.kind.is_stable() { (budget / 2).min(budget - needed) } else { budget - needed };
        let shut = closed && candidate.kind == Kind::Turn && !candidate.first;
        let mut fits = !shut && spent.saturating_add(price) <= room;
        let mut price = price;
        if !fits && !shut && candidate.kind == Kind::Turn {
            fits = shorten(request, &lengths, &mut candidate, room.saturating_sub(spent));
            price = candidate.tokens;
        }
        closed |= !fits && candidate.kind == Kind::Turn && !candidate.first;
        settle(&mut fate, &candidate, items.len(), if fits { None } else { Some(LeftOutReason::NoRoom) });
        if fits {
            spent += price;
            chosen.push(candidate);
        }
    }

    // Parts need not add up to the whole, so the token counter decides.
    loop {
        let mut compiled = assemble(request, &lengths, &chosen, last);
        if compiled.tokens <= budget {
            compiled.left = left(request, &fate);
            return Ok(compiled);
        }
        let Some(candidate) = chosen.pop() else {
            return Err(BudgetTooSmall { needed: compiled.tokens, given: budget });
        };
        settle(&mut fate, &candidate, items.len(), Some(LeftOutReason::NoRoom));
    }
}

/// Shortens the large messages of a group until it fits into `room`, of which they take at most half, to leave room for
/// older ones. Returns whether it fits.
fn shorten(request: &Request<'_>, lengths: &[u32], group: &mut Candidate, room: u32) -> bool {
    let large = |at: &&usize| lengths[**at] > request.budget / LARGE;
    let count = group.members.iter().filter(large).count() as u32;
    let whole: u32 = group.members.iter().filter(|at| !large(at)).map(|at| lengths[*at]).sum();
    let Some(each) = room.saturating_sub(whole).min(room / 2).checked_div(count) else { return false };
    let mut tokens = whole;
    for at in group.members.iter().filter(large) {
        if lengths[*at] <= each {
            tokens += lengths[*at];
            continue;
        }
        let Some((message, length)) = fitted(request.turns[*at].message, each, request.count) else { return false };
        tokens += length;
        group.short.push((*at, message, length));
    }
    group.tokens = tokens;
    true
}

/// The prompt and the messages of the chosen candidates.
fn assemble<'a>(request: &Request<'a>, lengths: &[u32], chosen: &[Candidate], last: Option<usize>) -> Compiled<'a> {
    let (mut places, mut parts) = (Vec::from_iter(last.map(|at| (at, None))), Vec::new());
    for candidate in chosen {
        if candidate.kind == Kind::Turn {
            let short = |at: usize| candidate.short.iter().find(|(place, ..)| *place == at);
            places.extend(candidate.members.iter().map(|at| (*at, short(*at))));
        } else {
            let items = candidate.members.iter().filter_map(|at| request.items.get(*at));
            parts.extend(items.map(|item| (item, candidate.tokens)));
        }
    }
    let (prompt, parts) = render(parts, request.order);
    let mut tokens = (request.count)(&prompt);
    let mut used: Vec<Used<'a>> = Vec::new();
    for (Item { reference, kind, .. }, tokens) in parts {
        used.push(Used { reference, kind: *kind, tokens, shortened: false });
    }
    let mut messages = Vec::with_capacity(places.len());
    for (at, short) in
        sorted(places.len(), &|one, other| places[one].0.cmp(&places[other].0)).into_iter().map(|at| places[at])
    {
        let whole = request.turns[at].message;
        let (message, own) = match short {
            Some((_, short, length)) => (Cow::Owned(short.clone()), *length),
            None => (Cow::Borrowed(whole), lengths[at]),
        };
        tokens = tokens.saturating_add(own);
        let reference = whole.id.as_str();
        used.push(Used { reference, kind: Kind::Turn, tokens: own, shortened: short.is_some() });
        messages.push(message);
    }
    Compiled { prompt, messages, tokens, used, left: Vec::new() }
}

fn left<'a>(request: &Request<'a>, fate: &[Option<LeftOutReason>]) -> Vec<Left<'a>> {
    let items = request.items.iter().map(|item| (item.reference, item.kind));
    let turns = request.turns.iter().map(|turn| (turn.message.id.as_str(), Kind::Turn));
    let all = items.chain(turns).zip(fate);
    all.filter_map(|((reference, kind), why)| Some(Left { reference, kind, why: (*why)? })).collect()
}

/// Records the result for a candidate's members; turns come after items.
fn settle(fate: &mut [Option<LeftOutReason>], candidate: &Candidate, items: usize, why: Option<LeftOutReason>) {
    let offset = if candidate.kind == Kind::Turn { items } else { 0 };
    for member in &candidate.members {
        if let Some(place) = fate.get_mut(offset + member) {
            *place = why;
        }
    }
}

fn text_candidates(request: &Request<'_>, fate: &mut [Option<LeftOutReason>]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (at, item) in request.items.iter().enumerate() {
        if item.kind == Kind::Turn || !request.order.contains(&item.kind) {
            continue;
        }
        let text = quoted(item);
        if text.trim().is_empty() {
            fate[at] = Some(LeftOutReason::Empty);
            continue;
        }
        let first = item.kind == Kind::System;
        let tokens = (request.count)(&text);
        let (kind, low, value) = (item.kind, item.low, item.value);
        candidates.push(Candidate { members: vec![at], kind, low, first, value, tokens, short: Vec::new() });
    }
    candidates
}

fn turn_candidates(
    request: &Request<'_>,
    lengths: &[u32],
    last: Option<usize>,
    fate: &mut [Option<LeftOutReason>],
) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let messages: Vec<&Message> = request.turns.iter().map(|turn| turn.message).collect();
    let wanted = request.order.contains(&Kind::Turn);
    for (at, (turn, group)) in request.turns.iter().zip(groups(&messages)).enumerate() {
        let place = &mut fate[request.items.len() + at];
        if Some(at) == last {
            *place = None;
            continue;
        }
        match group {
            Err(why) if wanted => *place = Some(why),
            Ok(group) if wanted => {
                let tokens = lengths[at];
                // A group is identified by its first member, which came before the others: they are in order.
                let known = candidates.binary_search_by_key(&Some(&group), |candidate| candidate.members.first());
                match known.ok().and_then(|at| candidates.get_mut(at)) {
                    Some(candidate) => {
                        candidate.members.push(at);
                        candidate.first |= turn.message.pinned;
                        candidate.value = candidate.value.max(turn.value);
                        candidate.tokens = candidate.tokens.saturating_add(tokens);
                    }
                    None => candidates.push(Candidate {
                        members: vec![at],
                        kind: Kind::Turn,
                        low: false,
                        first: turn.message.pinned,
                        value: turn.value,
                        tokens,
                        short: Vec::new(),
                    }),
                }
            }
            _ => {}
        }
    }
    candidates
}
