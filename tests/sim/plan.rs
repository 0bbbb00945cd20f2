//! The plan of a run: its programs, the calls of their clients, and which faults strike when.

use super::calls::Call;
use super::chance::Chance;
use super::world::Trouble;
use keepsake::codec::json::parse;
use keepsake::model::Json;
use keepsake::store::StoreError;
use std::fmt;

/// A fault, and the number of scheduler steps before it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mishap {
    pub(crate) at: usize,
    pub(crate) what: Wrong,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wrong {
    /// A program ends; requests that are on their way may arrive or not. It is started again.
    Crash { program: usize },
    /// A program ends, and is started in the newest version.
    Upgrade { program: usize },
    /// All programs end. Of the commits since the last flush, so many hundredths are kept, from the first on.
    PowerCut { keeps: usize },
    /// The storage is emptied while programs use it.
    Emptied,
    /// A program does not go on for so many steps. What it has asked for happens.
    Freeze { program: usize, steps: usize },
    /// Time passes, for all.
    Wait { millis: i64 },
    /// The clock of a program is set.
    Skew { program: usize, millis: i64 },
    /// The next request that arrives has trouble.
    Request(Trouble),
    /// The index, which is derived from the records, is dropped.
    DropIndex,
    /// All programs are told that others may have written.
    Hint,
}

/// A whole run but for the order in which things happen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    /// By program and client, its calls.
    pub(crate) calls: Vec<Vec<Vec<Call>>>,
    pub(crate) mishaps: Vec<Mishap>,
    /// Whether short-term memory holds two entries and no more.
    pub(crate) capped: bool,
    /// Whether the programs are of the former version in the beginning.
    pub(crate) former: bool,
}

impl Plan {
    pub(crate) fn random(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let mut token = 0;
        let programs = 1 + chance.below(3);
        let calls = (0..programs)
            .map(|_| {
                let clients = 1 + chance.below(3);
                let mut client = || {
                    let count = 2 + chance.below(9);
                    let mut call = || {
                        token += 1;
                        Call::random(token, &mut chance)
                    };
                    (0..count).map(|_| call()).collect()
                };
                (0..clients).map(|_| client()).collect()
            })
            .collect();
        let wrong = |chance: &mut Chance| match chance.below(18) {
            0..=2 => Wrong::Crash { program: chance.below(programs) },
            3..=4 => {
                let steps = chance.of(&[20, 200, 2000]);
                Wrong::Freeze { program: chance.below(programs), steps: steps + chance.below(steps) }
            }
            5 => Wrong::Wait { millis: 1 + chance.below(200_000) as i64 },
            6 => Wrong::Skew { program: chance.below(programs), millis: chance.below(400_000) as i64 - 200_000 },
            7..=8 => Wrong::Request(Trouble::LosesAnswer),
            9 => Wrong::Request(Trouble::Fails(StoreError::QuotaExceeded)),
            10 => Wrong::Request(Trouble::Fails(StoreError::Failed("broken".into()))),
            11 => Wrong::Request(Trouble::Fails(StoreError::Unavailable("gone".into()))),
            12 => Wrong::DropIndex,
            13..=14 => Wrong::Upgrade { program: chance.below(programs) },
            15 => Wrong::PowerCut { keeps: chance.below(101) },
            16 if chance.once_in(2) => Wrong::Emptied,
            _ => Wrong::Hint,
        };
        let count = chance.of(&[0, 1, 2, 4, 8]);
        let mut mishaps: Vec<Mishap> =
            (0..count).map(|_| Mishap { at: chance.below(400), what: wrong(&mut chance) }).collect();
        mishaps.sort_by_key(|mishap| mishap.at);
        Self { calls, mishaps, capped: chance.once_in(3), former: chance.once_in(4) }
    }

    pub(crate) fn config(&self) -> Json {
        let most = if self.capped { 2 } else { 100 };
        parse(&format!(r#"{{"namespaces":{{"short-term":{{"maxEntries":{most}}}}}}}"#)).expect("it is JSON")
    }

    /// Whether somebody is told of what others write: from then on a search need not see what it was not told of.
    pub(crate) fn hints(&self) -> bool {
        self.mishaps.iter().any(|mishap| mishap.what == Wrong::Hint)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (program, clients) in self.calls.iter().enumerate() {
            for (client, calls) in clients.iter().enumerate() {
                for call in calls {
                    writeln!(f, "  program {program}, client {client}: w{} {:?}", call.token, call.what)?;
                }
            }
        }
        for Mishap { at, what } in &self.mishaps {
            writeln!(f, "  after {at} steps: {what:?}")?;
        }
        if self.former {
            writeln!(f, "  the programs begin in the former version")?;
        }
        writeln!(f, "  short-term memory holds {}", if self.capped { "2 entries" } else { "all" })
    }
}
