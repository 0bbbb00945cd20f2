//! What an embedder knows of a query: how near each entry lies to it, fused with the words.

use super::query::Query;
use super::search::Scratch;
use super::store::Index;
use super::vector::Compare;

/// Fills `scratch.cosines` with how near each entry lies to the query, and `scratch.meanings` with the same and a part of
/// what the turns beside it have: the next one, and the one before if that asks. Answers how near something has to lie that
/// has no word of the query; nothing if there is nothing to compare.
pub(super) fn compare(index: &Index, query: &Query<'_>, scratch: &mut Scratch) -> Option<f64> {
    let embedding = query.embedding.filter(|_| index.embedded > 0)?;
    let compare = Compare::new(embedding);
    let cosines = &mut scratch.cosines;
    cosines.clear();
    // In whole steps, so that the order in which entries came does not show (F42).
    let mut sum = 0_i64;
    for (row, length) in index.rows.iter().zip(&index.lengths) {
        let known = *length > 0 && row.vector.1 > 0;
        let cosine = if known { compare.cosine(index.vectors.get(row.vector.0, row.vector.1)) } else { 0.0 };
        // A byte a number is not exact: a cosine can come out a little above 1, and a score must not.
        let cosine = cosine.clamp(0.0, 1.0);
        sum += (cosine * STEPS) as i64;
        cosines.push(cosine);
    }
    scratch.meanings.clear();
    scratch.meanings.extend_from_slice(cosines);
    let weights = &index.weights;
    let mut turns: Vec<u32> = Vec::new();
    for all in &index.sessions {
        turns.clear();
        turns.extend(all.iter().filter(|turn| index.is_turn(turn)));
        for (at, turn) in turns.iter().enumerate() {
            let cosine = |turn: u32| cosines.get(turn as usize).copied().unwrap_or(0.0);
            let after = turns.get(at + 1).map_or(0.0, |next| cosine(*next) * weights.meaning_after);
            let asked = at.checked_sub(1).and_then(|at| turns.get(at));
            let asked =
                asked.filter(|turn| index.traits.get(**turn as usize).is_some_and(|traits| traits.asks_at_all()));
            let asked = asked.map_or(0.0, |turn| cosine(*turn) * weights.meaning_asked);
            if let Some(meaning) = scratch.meanings.get_mut(*turn as usize) {
                *meaning += after + asked;
            }
        }
    }
    // As if some lay far away: where there are only a few, the near ones would be the average.
    let average = sum as f64 / STEPS / f64::from(index.embedded + IMAGINED);
    Some(NEAR.max(average + (1.0 - average) * FARTHER))
}

/// Above this cosine models put what belongs together. With those that put everything together, it takes a part of the way
/// from the average to 1.
const NEAR: f64 = 0.3;
const FARTHER: f64 = 0.25;

const IMAGINED: u32 = 3;

const STEPS: f64 = 1_048_576.0;
