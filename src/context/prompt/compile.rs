//! The context compiler: out of everything that could be in the next prompt, what is worth most within a budget.
//!
//! A pure function: the same candidates give the same prompt. What changes seldom comes first and in a fixed order, so
//! that a provider's prompt cache keeps hitting; it is chosen without a look at the rest, from half of the budget, for
//! the same reason. Turns, documents and memories share what remains, the most valuable first.

use super::groups::{Why, groups};
use super::parts::{BudgetTooSmall, Compiled, Item, Kind, Left, Request, Turn, Used};
use super::render::{envelope, quoted, render, spoken};
use crate::model::{Message, Role, sorted};

/// Something to take or to leave as a whole: an item, or messages that belong together.
struct Candidate {
    /// Places in `items` or in `turns`.
    members: Vec<usize>,
    kind: Kind,
    /// Taken before all others: instructions, pinned messages.
    first: bool,
    value: f64,
    tokens: u32,
}

/// Makes the prompt.
///
/// The last message of the user that is no tool's result is always in, whole. A tool call and its results are in
/// together or not at all; a half of such a pair never. A turn that finds no room keeps out those worth less than it,
/// so that the talk has no hole, unless they are pinned.
pub fn compile<'a>(request: &Request<'a>) -> Result<Compiled<'a>, BudgetTooSmall> {
    let Request { items, turns, budget, count, .. } = *request;
    let mut fate: Vec<Option<Why>> = vec![Some(Why::NotIncluded); items.len() + turns.len()];
    let reference = |candidate: &Candidate| {
        let at = candidate.members.first().copied().unwrap_or(0);
        let turn = || turns.get(at).map_or("", |turn| turn.message.id.as_str());
        if candidate.kind == Kind::Turn { turn() } else { items.get(at).map_or("", |item| item.reference) }
    };

    // The one message that must be in. What a tool answers can come with the user's role.
    let asks = |turn: &Turn<'_>| turn.message.role == Role::User && turn.message.answers().next().is_none();
    let last = turns.iter().rposition(asks);
    let needed = last.map_or(0, |at| count(&spoken(turns[at].message)));
    if needed > budget {
        return Err(BudgetTooSmall { needed, given: budget });
    }

    let mut candidates = text_candidates(request, &mut fate);
    candidates.extend(turn_candidates(request, last, &mut fate));
    // The better value first, and a name decides between equals; what is no number is worth nothing.
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
    for candidate in candidates {
        let opens = !chosen.iter().any(|other| other.kind == candidate.kind);
        let price = candidate.tokens.saturating_add(if opens { count(&envelope(candidate.kind)) } else { 0 });
        let room = if candidate.kind.is_stable() { (budget / 2).min(budget - needed) } else { budget - needed };
        let shut = closed && candidate.kind == Kind::Turn && !candidate.first;
        let fits = !shut && spent.saturating_add(price) <= room;
        closed |= !fits && candidate.kind == Kind::Turn && !candidate.first;
        settle(&mut fate, &candidate, items.len(), if fits { None } else { Some(Why::NoRoom) });
        if fits {
            spent += price;
            chosen.push(candidate);
        }
    }

    // Parts need not add up to the whole: the counter has the last word on that.
    loop {
        let mut compiled = assemble(request, &chosen, last);
        if compiled.tokens <= budget {
            compiled.left = left(request, &fate);
            return Ok(compiled);
        }
        let Some(candidate) = chosen.pop() else {
            return Err(BudgetTooSmall { needed: compiled.tokens, given: budget });
        };
        settle(&mut fate, &candidate, items.len(), Some(Why::NoRoom));
    }
}

/// The prompt and the messages of what was chosen.
fn assemble<'a>(request: &Request<'a>, chosen: &[Candidate], last: Option<usize>) -> Compiled<'a> {
    let (mut places, mut parts) = (Vec::from_iter(last), Vec::new());
    for candidate in chosen {
        if candidate.kind == Kind::Turn {
            places.extend(&candidate.members);
        } else {
            let items = candidate.members.iter().filter_map(|at| request.items.get(*at));
            parts.extend(items.map(|item| (item, candidate.tokens)));
        }
    }
    let places: Vec<usize> =
        sorted(places.len(), &|one, other| places[one].cmp(&places[other])).into_iter().map(|at| places[at]).collect();
    let (prompt, parts) = render(parts, request.order);
    let mut tokens = (request.count)(&prompt);
    let mut used: Vec<Used<'a>> = Vec::new();
    for (Item { reference, kind, .. }, tokens) in parts {
        used.push(Used { reference, kind: *kind, tokens });
    }
    let messages: Vec<&'a Message> =
        places.iter().filter_map(|at| request.turns.get(*at)).map(|turn| turn.message).collect();
    for message in &messages {
        let own = (request.count)(&spoken(message));
        tokens = tokens.saturating_add(own);
        used.push(Used { reference: message.id.as_str(), kind: Kind::Turn, tokens: own });
    }
    Compiled { prompt, messages, tokens, used, left: Vec::new() }
}

fn left<'a>(request: &Request<'a>, fate: &[Option<Why>]) -> Vec<Left<'a>> {
    let items = request.items.iter().map(|item| (item.reference, item.kind));
    let turns = request.turns.iter().map(|turn| (turn.message.id.as_str(), Kind::Turn));
    let all = items.chain(turns).zip(fate);
    all.filter_map(|((reference, kind), why)| Some(Left { reference, kind, why: (*why)? })).collect()
}

/// Writes down what becomes of a candidate's members; turns come after items.
fn settle(fate: &mut [Option<Why>], candidate: &Candidate, items: usize, why: Option<Why>) {
    let offset = if candidate.kind == Kind::Turn { items } else { 0 };
    for member in &candidate.members {
        if let Some(place) = fate.get_mut(offset + member) {
            *place = why;
        }
    }
}

fn text_candidates(request: &Request<'_>, fate: &mut [Option<Why>]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (at, item) in request.items.iter().enumerate() {
        if item.kind == Kind::Turn || !request.order.contains(&item.kind) {
            continue;
        }
        let text = quoted(item);
        if text.trim().is_empty() {
            fate[at] = Some(Why::Empty);
            continue;
        }
        let first = item.kind == Kind::System;
        let tokens = (request.count)(&text);
        candidates.push(Candidate { members: vec![at], kind: item.kind, first, value: item.value, tokens });
    }
    candidates
}

fn turn_candidates(request: &Request<'_>, last: Option<usize>, fate: &mut [Option<Why>]) -> Vec<Candidate> {
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
                let tokens = (request.count)(&spoken(turn.message));
                // A group is known by its first member, which came before the others.
                match candidates.iter_mut().find(|candidate| candidate.members.first() == Some(&group)) {
                    Some(candidate) => {
                        candidate.members.push(at);
                        candidate.first |= turn.message.pinned;
                        candidate.value = candidate.value.max(turn.value);
                        candidate.tokens = candidate.tokens.saturating_add(tokens);
                    }
                    None => candidates.push(Candidate {
                        members: vec![at],
                        kind: Kind::Turn,
                        first: turn.message.pinned,
                        value: turn.value,
                        tokens,
                    }),
                }
            }
            _ => {}
        }
    }
    candidates
}
