//! What an embedder knows of a query: how near each entry lies to it, fused with the words.

use super::query::Query;
use super::search::Scratch;
use super::store::Index;
use super::vector::Compare;

/// So many steps a cosine has up to 1.
pub(super) const STEPS: f64 = 1_048_576.0;

/// Fills `scratch.meanings`: for each entry how much nearer it lies than entries do on average, a little of which turns
/// have from their neighbours. Says whether there is anything to compare.
///
/// Counted from the average because models differ in what is near: with some, no two texts are far from each other.
pub(super) fn compare(index: &Index, query: &Query<'_>, scratch: &mut Scratch) -> bool {
    let Some(embedding) = query.embedding.filter(|_| index.embedded > 0) else { return false };
    let compare = Compare::new(embedding);
    let cosines = &mut scratch.cosines;
    cosines.clear();
    // Added up as whole numbers, so that the order in which entries came does not show (F42).
    let mut sum = 0_i64;
    for (row, length) in index.rows.iter().zip(&index.lengths) {
        let known = *length > 0 && row.vector.1 > 0;
        let cosine = if known { compare.cosine(index.vectors.get(row.vector.0, row.vector.1)) } else { 0.0 };
        let steps = (cosine * STEPS) as i32;
        sum += i64::from(steps);
        // What is not there, or has no vector, counts for nothing.
        cosines.push(if known { steps } else { i32::MIN });
    }
    let average = (sum / i64::from(index.embedded)) as i32;
    for cosine in cosines.iter_mut() {
        *cosine = cosine.saturating_sub(average).max(0);
    }
    scratch.meanings.clear();
    scratch.meanings.extend(cosines.iter().map(|cosine| f64::from(*cosine) / STEPS));
    let weights = &index.weights;
    for turns in &index.sessions {
        for (at, turn) in turns.iter().enumerate() {
            let cosine = |turn: u32| cosines.get(turn as usize).map_or(0.0, |steps| f64::from(*steps) / STEPS);
            let after = turns.get(at + 1).map_or(0.0, |next| cosine(*next) * weights.meaning_after);
            let asked = at.checked_sub(1).and_then(|at| turns.get(at));
            let asked = asked.filter(|turn| index.traits.get(**turn as usize).is_some_and(|traits| traits.asks()));
            let asked = asked.map_or(0.0, |turn| cosine(*turn) * weights.meaning_asked);
            if let Some(meaning) = scratch.meanings.get_mut(*turn as usize) {
                *meaning += after + asked;
            }
        }
    }
    true
}
