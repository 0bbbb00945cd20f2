//! An instance that is stopped in the middle of a call leaves the old state or the new one, never half (F38).

use crate::{ALL, draft, everything, opened, prepared};
use keepsake_host::wit::Draft;
use keepsake_host::{Storage, Trap};

/// How an `add` with a certain amount of fuel went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    StoppedBefore,
    StoppedAfter,
    Done,
}

struct Case {
    before: Storage,
    after: Storage,
    draft: Draft,
    /// What the whole `add` takes.
    whole: u64,
}

impl Case {
    fn new() -> Self {
        let draft = draft("new", &"A content with a body of its own. ".repeat(60));
        let before = prepared();
        let after = before.copy();
        let (mut instance, memory) = opened(&after);
        let full = instance.fuel();
        instance.add(memory, &draft).unwrap().unwrap();
        Self { before, after, draft, whole: full - instance.fuel() }
    }

    /// Adds with this much fuel, and looks at what is left behind.
    fn try_with(&self, fuel: u64) -> (Outcome, Storage) {
        let storage = self.before.copy();
        let (mut instance, memory) = opened(&storage);
        instance.set_fuel(fuel);
        let result = instance.add(memory, &self.draft);
        // Clock and dice are scripted, so that there are exactly two states the storage can be in.
        let written = storage.holds_the_same_as(&self.after);
        assert!(written || storage.holds_the_same_as(&self.before), "half a state with {fuel} of fuel");
        let outcome = match result {
            Ok(answer) => {
                answer.unwrap();
                assert!(written, "an answer without a write with {fuel} of fuel");
                Outcome::Done
            }
            Err(trapped) => {
                assert_eq!(trapped.downcast_ref(), Some(&Trap::OutOfFuel), "{trapped:?}");
                // What was stopped stays stopped: it may be in the middle of anything.
                instance.set_fuel(u64::MAX);
                assert!(instance.list(memory, &ALL).is_err());
                if written { Outcome::StoppedAfter } else { Outcome::StoppedBefore }
            }
        };
        (outcome, storage)
    }

    /// As [`try_with`](Self::try_with), and a new instance finds everything in order and can go on.
    fn check(&self, fuel: u64) -> Outcome {
        let (outcome, storage) = self.try_with(fuel);
        let mut wanted = vec!["long", "short"];
        if outcome != Outcome::StoppedBefore {
            wanted.insert(0, "new");
        }
        let seen = everything(&storage);
        assert_eq!(seen.iter().map(|found| found.entry.id.as_str()).collect::<Vec<_>>(), wanted, "{fuel}");
        if outcome != Outcome::StoppedBefore {
            assert_eq!(seen[0].content, self.draft.content);
        }
        let (mut instance, memory) = opened(&storage);
        instance.add(memory, &draft("next", "goes on")).unwrap().unwrap();
        assert_eq!(everything(&storage).len(), wanted.len() + 1);
        outcome
    }

    /// The least fuel that leads to `outcome` or beyond.
    fn least(&self, outcome: Outcome) -> u64 {
        let (mut too_little, mut enough) = (0, self.whole * 2);
        while enough - too_little > 1 {
            let middle = u64::midpoint(too_little, enough);
            if self.try_with(middle).0 < outcome { too_little = middle } else { enough = middle }
        }
        enough
    }
}

#[test]
fn f38_fuel_that_runs_out_in_an_add_leaves_the_old_or_the_new_state() {
    let case = Case::new();
    let written = case.least(Outcome::StoppedAfter);
    let done = case.least(Outcome::Done);
    assert!(written < done, "{written} < {done}");
    // From nothing to everything in even steps, and every single unit around the two moments that matter.
    let even = (0..=64).map(|step| case.whole * step / 64);
    let around = [written, done].into_iter().flat_map(|moment| moment - 8..=moment + 8);
    let mut seen = Vec::new();
    for fuel in even.chain(around) {
        let outcome = case.check(fuel);
        let wanted = match fuel {
            _ if fuel < written => Outcome::StoppedBefore,
            _ if fuel < done => Outcome::StoppedAfter,
            _ => Outcome::Done,
        };
        assert_eq!(outcome, wanted, "{fuel}");
        seen.push(outcome);
    }
    for outcome in [Outcome::StoppedBefore, Outcome::StoppedAfter, Outcome::Done] {
        assert!(seen.contains(&outcome), "{outcome:?}");
    }
}
