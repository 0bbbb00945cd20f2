//! Embeddings in the ranking: the similarity of each entry to the query, fused with the words.

use super::query::Query;
use super::search::Scratch;
use super::store::Index;
use super::vector::Compare;

/// Fills `scratch.cosines` with the cosine of each entry and the query, and `scratch.meanings` with the same plus a
/// share of the neighbouring turns: the next one, and the previous one if it is a question. Returns the lowest cosine
/// for an entry without a word of the query; `None` if there is nothing to compare.
pub(super) fn compare(index: &Index, query: &Query<'_>, scratch: &mut Scratch) -> Option<f64> {
    let embedding = query.embedding.filter(|_| index.embedded > 0)?;
    let compare = Compare::new(embedding);
    let cosines = &mut scratch.cosines;
    cosines.clear();
    // In integer steps, so that the order in which entries were added does not matter (F42).
    let mut sum = 0_i64;
    for (row, length) in index.rows.iter().zip(&index.lengths) {
        let known = *length > 0 && row.vector.1 > 0;
        let cosine = if known { compare.cosine(index.vectors.get(row.vector.0, row.vector.1)) } else { 0.0 };
        // Quantised vectors are not exact: a cosine can be a little above 1, and a score must not be.
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
    // As if some were far away: with only a few entries, the near ones would be the average.
    let average = sum as f64 / STEPS / f64::from(index.embedded + IMAGINED);
    Some(NEAR.max(average + (1.0 - average) * FARTHER))
}

/// Models place related texts above this cosine. For models that place everything close together, it is a fraction of
/// the way from the average to 1.
const NEAR: f64 = 0.3;
const FARTHER: f64 = 0.25;

const IMAGINED: u32 = 3;

const STEPS: f64 = 1_048_576.0;
