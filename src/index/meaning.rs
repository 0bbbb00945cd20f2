//! What an embedder knows of a query: how near each entry lies to it, fused with the words.

use super::query::Query;
use super::search::Scratch;
use super::store::Index;
use super::vector::Compare;

/// Fills `scratch.cosines` with how near each entry lies to the query, and `scratch.meanings` with the same and a part of
/// what the turns beside it have: the next one, and the one before if that asks. Says whether there is anything to
/// compare.
pub(super) fn compare(index: &Index, query: &Query<'_>, scratch: &mut Scratch) -> bool {
    let Some(embedding) = query.embedding.filter(|_| index.embedded > 0) else { return false };
    let compare = Compare::new(embedding);
    let cosines = &mut scratch.cosines;
    cosines.clear();
    for (row, length) in index.rows.iter().zip(&index.lengths) {
        let known = *length > 0 && row.vector.1 > 0;
        let cosine = if known { compare.cosine(index.vectors.get(row.vector.0, row.vector.1)) } else { 0.0 };
        cosines.push(cosine.max(0.0));
    }
    scratch.meanings.clear();
    scratch.meanings.extend_from_slice(cosines);
    let weights = &index.weights;
    for turns in &index.sessions {
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
    true
}

/// How near something has to lie that has no word of the query. Above it, models put what belongs together.
pub(super) const NEAR: f64 = 0.3;
