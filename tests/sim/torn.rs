//! A storage that breaks its promise in its last commit, as a disk does that writes a part of it: rows are missing, cut or
//! flipped. It must be noticed: by an error, or by `verify`; where neither says anything, every answer is as it was.

use super::calls::Call;
use super::chance::Chance;
use super::model::Model;
use super::plan::Plan;
use super::run::{Opened, Run};
use keepsake::Error;
use keepsake::model::Json;
use keepsake::store::{Op, WriteBatch};

/// So many in every test run.
const SEEDS: u64 = 150;

/// Everything that can be read, and what a check of the storage says.
fn read(run: &mut Run<'_>, seed: u64) -> Result<Vec<Result<Json, Error>>, Error> {
    let memory: Opened = run.opened_anew()?;
    let calls: Vec<Call> = Model::last_reads(seed);
    Ok(calls.iter().map(|call| run.asked(&memory, call).expect("nothing waits for ever")).collect())
}

fn is_reported(run: &mut Run<'_>) -> bool {
    let Ok(memory) = run.opened_anew() else { return true };
    let verify = Call { token: 0, what: super::calls::What::Other("verify", "{}") };
    let verified = run.asked(&memory, &verify).expect("nothing waits for ever");
    !verified.is_ok_and(|found| *found.get("ok") == Json::Bool(true))
}

/// A commit of which only a part was written, or one row of it not as it should be.
fn torn(batch: &WriteBatch, chance: &mut Chance) -> WriteBatch {
    let mut torn = batch.clone();
    let at = chance.below(torn.ops.len());
    let value = match &mut torn.ops[at] {
        Op::Put(_, _, value) | Op::Add(_, _, value) if !value.is_empty() => Some(value),
        _ => None,
    };
    match (value, chance.below(3)) {
        (Some(value), 0) => value.truncate(chance.below(value.len())),
        (Some(value), 1) => {
            let bit = chance.below(value.len() * 8);
            value[bit / 8] ^= 1 << (bit % 8);
        }
        // Some of its rows, in any combination.
        _ => torn.ops.retain(|_| chance.once_in(2)),
    }
    torn
}

/// F17 F40.
#[test]
fn a_torn_commit_is_never_a_wrong_answer() {
    let seeds = super::told("KEEPSAKE_SEEDS").unwrap_or(SEEDS);
    let (mut reported, mut harmless) = (0, 0);
    for seed in 0..seeds {
        let plan = Plan { mishaps: Vec::new(), ..Plan::random(seed) };
        let mut run = Run::new(&plan, seed, None);
        run.work().unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let Some(last) = run.world.borrow().last_commit().cloned().filter(|last| !last.ops.is_empty()) else {
            continue;
        };
        run.world.borrow_mut().pending.clear();
        let intact = read(&mut run, seed).expect("it was not torn yet");
        let broken = torn(&last, &mut Chance::new(seed ^ 0x7042));
        run.world.borrow_mut().replace_last(broken.clone());
        if is_reported(&mut run) {
            reported += 1;
            continue;
        }
        let found = read(&mut run, seed).unwrap_or_else(|error| panic!("seed {seed}: not reported: {error}"));
        for ((call, before), after) in Model::last_reads(seed).iter().zip(&intact).zip(&found) {
            let same = after.is_err() || before == after;
            assert!(
                same,
                "seed {seed}: {:?} changed:\n  {before:?}\n  {after:?}\n{last:?}\n{broken:?}\n{plan}",
                call.what
            );
        }
        harmless += 1;
    }
    println!("{seeds} torn commits: {reported} reported, {harmless} without a wrong answer");
    assert!(reported > harmless / 4, "{reported} {harmless}");
}
