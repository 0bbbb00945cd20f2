//! Grows procedures step by step from pairs of steps that follow each other more often than by chance.

use super::cover::Cover;
use super::trace::Settings;
use crate::model::sorted;

/// The most pairs to grow before the best procedure is chosen.
const SEEDS: usize = 16;

/// The number of extensions tried at each step.
const TRIES: usize = 3;

/// Finds procedures until no further one is worth its cost.
pub(super) fn procedures(cover: &mut Cover, settings: &Settings) {
    let least = i32::try_from(settings.min_evidence).unwrap_or(i32::MAX).saturating_mul(super::bits::BIT);
    // Later ones make earlier ones redundant, so there may be more during the search than at the end.
    for _ in 0..settings.max_skills {
        let mut grown: Vec<(i32, Vec<u16>)> = Vec::new();
        let mut tried = Tried::default();
        for (first, second) in seeds(cover, settings) {
            let known = grown.iter().any(|(_, steps)| steps.windows(2).any(|pair| pair == [first, second]));
            if !known {
                grown.push(grow(cover, vec![first, second], &mut tried, settings));
            }
        }
        let value = |at: usize| grown.get(at).map_or(i32::MIN, |(value, _)| *value);
        let order = sorted(grown.len(), &|one, other| value(other).cmp(&value(one)));
        let mut added = false;
        for at in order {
            let Some((before, steps)) = grown.get(at).filter(|(value, _)| *value > least) else { break };
            // The best one; and of the others those that it takes nothing from.
            if !added || cover.value(steps) > before - before / 8 {
                cover.add(steps.clone());
                added = true;
            }
        }
        if !added {
            break;
        }
        prune(cover, least);
    }
    // One that was grown before others existed may now be too short or too long.
    for _ in 0..cover.procedures.len() {
        let steps = cover.remove(0);
        let (_, better) = grow(cover, steps, &mut Tried::default(), settings);
        cover.add(better);
    }
    prune(cover, least);
    while let Some(at) = variant(cover) {
        cover.remove(at);
    }
}

/// A procedure that equals another, which is followed far more often, except for two swapped steps or for one step more
/// or less.
fn variant(cover: &Cover) -> Option<usize> {
    let mut used = vec![0; cover.procedures.len()];
    for (at, _) in cover.runs.iter().flat_map(|run| &run.uses) {
        if let Some(used) = used.get_mut(*at) {
            *used += 1;
        }
    }
    let of = |at: usize| cover.procedures.get(at).map_or(&[][..], |procedure| &procedure.steps);
    (0..used.len()).find(|at| {
        (0..used.len())
            .any(|other| used.get(*at).unwrap_or(&0) * 2 < *used.get(other).unwrap_or(&0) && near(of(*at), of(other)))
    })
}

fn near(one: &[u16], other: &[u16]) -> bool {
    let parted = one.iter().zip(other).position(|(one, other)| one != other).unwrap_or(one.len().min(other.len()));
    let (one, other) = (one.get(parted..).unwrap_or(&[]), other.get(parted..).unwrap_or(&[]));
    match (one, other) {
        ([_, rest @ ..], longer) if rest == longer => true,
        (longer, [_, rest @ ..]) if rest == longer => true,
        ([a, b, rest @ ..], [c, d, same @ ..]) => a == d && b == c && rest == same,
        _ => false,
    }
}

/// Removes redundant procedures, the most redundant first.
fn prune(cover: &mut Cover, least: i32) {
    loop {
        let worths: Vec<i32> = (0..cover.procedures.len()).map(|at| cover.worth(at)).collect();
        let worst = worths.iter().enumerate().min_by_key(|(_, worth)| **worth);
        match worst {
            Some((at, worth)) if *worth < least => cover.remove(at),
            _ => return,
        };
    }
}

/// Unexplained pairs of steps that follow each other more often than by chance.
fn seeds(cover: &Cover, settings: &Settings) -> Vec<(u16, u16)> {
    let symbols = cover.aligner.bits.len();
    // The number of runs with each pair, and the last run that had it.
    let mut pairs = vec![(0_usize, usize::MAX); symbols * symbols];
    for (number, run) in cover.runs.iter().enumerate() {
        for (at, first) in run.symbols.iter().enumerate() {
            let done = run.explained.get(at) == Some(&true);
            for (next, second) in run.symbols.iter().enumerate().skip(at + 1).take(settings.max_gap + 1) {
                if done && run.explained.get(next) == Some(&true) || first == second {
                    continue;
                }
                match pairs.get_mut(usize::from(*first) * symbols + usize::from(*second)) {
                    Some((count, last)) if *last != number => (*count, *last) = (*count + 1, number),
                    _ => {}
                }
            }
        }
    }
    let score = |place: usize| {
        let seen = pairs.get(place).map_or(0, |pair| pair.0);
        let bits = |symbol: usize| cover.aligner.bits.get(symbol).copied().unwrap_or(0);
        let (first, second) = (bits(place / symbols), bits(place % symbols));
        let rare = seen < settings.min_support as usize || first == 0 || second == 0;
        if rare { 0 } else { seen as i64 * i64::from(first + second) }
    };
    let worth: Vec<(usize, i64)> =
        (0..pairs.len()).map(|place| (place, score(place))).filter(|(_, score)| *score > 0).collect();
    let of = |at: usize| worth.get(at).copied().unwrap_or_default();
    let order = sorted(worth.len(), &|one, other| of(other).1.cmp(&of(one).1));
    order.into_iter().take(SEEDS).map(|at| ((of(at).0 / symbols) as u16, (of(at).0 % symbols) as u16)).collect()
}

/// A cache of values: many paths lead to the same procedure.
#[derive(Default)]
struct Tried(Vec<(Vec<u16>, i32)>);

impl Tried {
    fn value(&mut self, cover: &mut Cover, steps: &[u16]) -> i32 {
        if let Some((_, value)) = self.0.iter().find(|(known, _)| known == steps) {
            return *value;
        }
        let value = cover.value(steps);
        self.0.push((steps.to_vec(), value));
        value
    }
}

/// The best procedure reachable from `steps`, one step more or less at a time, and its value.
fn grow(cover: &mut Cover, steps: Vec<u16>, tried: &mut Tried, settings: &Settings) -> (i32, Vec<u16>) {
    let mut best = (tried.value(cover, &steps), steps);
    let mut now = best.clone();
    while now.1.len() < settings.max_steps {
        let mut next = (i32::MIN, Vec::new());
        for (at, symbol) in extensions(cover, &now.1, settings) {
            let mut longer = now.1.clone();
            longer.insert(at.min(longer.len()), symbol);
            let value = tried.value(cover, &longer);
            if value > next.0 {
                next = (value, longer);
            }
        }
        // Two or three steps are often too few to be worth anything: continue up to four to find out.
        if next.1.is_empty() || next.0 <= now.0 && now.1.len() > 3 {
            break;
        }
        now = next;
        if now.0 > best.0 {
            best = now.clone();
        }
    }
    let mut at = 0;
    while at < best.1.len() && best.1.len() > 2 {
        let mut shorter = best.1.clone();
        shorter.remove(at);
        let value = tried.value(cover, &shorter);
        if value >= best.0 {
            best = (value, shorter);
        } else {
            at += 1;
        }
    }
    if best.1.len() < settings.min_steps { (i32::MIN, best.1) } else { best }
}

/// The most frequent steps before, between or after those of a procedure, with their positions.
fn extensions(cover: &mut Cover, steps: &[u16], settings: &Settings) -> Vec<(usize, u16)> {
    let symbols = cover.aligner.bits.len();
    let mut counts = vec![(0_i32, usize::MAX); symbols * (steps.len() + 1)];
    for (number, run) in cover.runs.iter().enumerate() {
        let least = (steps.len() - steps.len() / 4).max(2);
        if !run.can_follow(steps) {
            continue;
        }
        let Some(fit) = cover.aligner.fit(steps, &run.symbols, i32::MIN) else { continue };
        let places: Vec<usize> = fit.pairs.iter().map(|pair| usize::from(pair.0)).collect();
        if places.len() < least || places.iter().all(|place| run.explained.get(*place) == Some(&true)) {
            continue;
        }
        let reach = settings.max_gap + 1;
        let (Some(first), Some(last)) = (places.first(), places.last()) else { continue };
        for place in first.saturating_sub(reach)..(last + reach + 1).min(run.symbols.len()) {
            if places.contains(&place) {
                continue;
            }
            // It would come before the first matched step after it.
            let slot = fit.pairs.iter().find(|pair| usize::from(pair.0) > place);
            let slot = slot.map_or(steps.len(), |pair| usize::from(pair.1));
            let Some(symbol) = run.symbols.get(place) else { continue };
            match counts.get_mut(slot * symbols + usize::from(*symbol)) {
                Some((count, seen)) if *seen != number => (*count, *seen) = (*count + 1, number),
                _ => {}
            }
        }
    }
    let least = i32::try_from(settings.min_support).unwrap_or(i32::MAX);
    let mut found = Vec::new();
    for _ in 0..TRIES {
        let score = |at: usize, count: i32| {
            if count < least { 0 } else { count * cover.aligner.bits.get(at % symbols).copied().unwrap_or(0) }
        };
        let best = counts.iter().enumerate().map(|(at, (count, _))| (score(at, *count), at)).max();
        let Some((1.., at)) = best else { break };
        found.push((at / symbols, (at % symbols) as u16));
        if let Some(count) = counts.get_mut(at) {
            count.0 = 0;
        }
    }
    found
}
