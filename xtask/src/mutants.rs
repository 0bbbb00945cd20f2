//! `cargo xtask mutants`: mutation testing of the core by cargo-mutants, on a fixed sample, with the tests that run natively.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::paths;
use crate::run::{self, Outcome};

/// The sample: of each folder the first mutant, and every nth after it.
const SAMPLE: [(&str, usize); 5] =
    [("src/memory/engine", 7), ("src/log", 1), ("src/store", 3), ("src/codec", 4), ("src/index", 40)];

/// The tests that run on a mutant. They are options of the build as well: other tests would be built for each mutant.
const JUDGES: [&str; 5] = ["--lib", "--test=scenarios", "--test=faults", "--test=segments", "--test=sim"];

/// The number of simulation seeds per mutant.
const SEEDS: &str = "100";

/// The mutants of one folder take hours on two cores.
const LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The part of the sample to run: its index from 0, and the number of parts.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    part: usize,
    parts: usize,
    list: bool,
}

impl Options {
    pub(crate) fn parse(mut args: &[&str]) -> Option<Self> {
        let mut options = Self { part: 0, parts: 1, list: false };
        loop {
            args = match args {
                [] => return (options.part < options.parts).then_some(options),
                ["--part", part, rest @ ..] => {
                    let (part, parts) = part.split_once('/')?;
                    (options.part, options.parts) = (part.parse().ok()?, parts.parse().ok()?);
                    rest
                }
                ["--list", rest @ ..] => {
                    options.list = true;
                    rest
                }
                _ => return None,
            }
        }
    }

    /// The shard of a folder's mutants for this part of every nth.
    fn shard(&self, nth: usize) -> String {
        format!("{}/{}", nth * self.part, nth * self.parts)
    }
}

pub(crate) fn mutants(options: &Options) -> Result<ExitCode> {
    let program = program()?;
    let mut code = ExitCode::SUCCESS;
    for (folder, nth) in SAMPLE {
        let mut mutants = of_folder(&program, folder, &options.shard(nth));
        if options.list {
            run::run(mutants.arg("--list"), run::OTHER)?;
            continue;
        }
        // Each folder has its own report: cargo-mutants keeps only the last two per path.
        let report = paths::at("target/mutants").join(folder.replace('/', "-"));
        mutants.arg("--output").arg(report).args(JUDGES.map(|judge| format!("--cargo-arg={judge}")));
        mutants.args(["--features=testing", "--minimum-test-timeout=120"]).env("KEEPSAKE_SEEDS", SEEDS);
        println!("{folder}: every {nth}th mutant");
        match run::watch(&mut mutants, LIMIT, &mut |line| println!("{line}"))? {
            Outcome::Ended(status) if status.success() => {}
            // A mutant has survived, or hit the time limit.
            Outcome::Ended(status) if matches!(status.code(), Some(2 | 3)) => code = ExitCode::FAILURE,
            outcome => run::success(&mutants, &outcome, LIMIT)?,
        }
    }
    Ok(code)
}

/// Every mutant of a folder in a shard. A filter by names would be simpler, but includes all mutants that delete a
/// field.
fn of_folder(program: &Path, folder: &str, shard: &str) -> Command {
    let mut command = run::command(program, &["mutants", "--sharding=round-robin", "--shard", shard, "--file"]);
    command.arg(format!("{folder}/**/*.rs"));
    command
}

fn program() -> Result<PathBuf> {
    let name = format!("cargo-mutants{EXE_SUFFIX}");
    let installed = paths::cargo_home().join("bin").join(&name);
    paths::on_path(&name)
        .or_else(|| installed.is_file().then_some(installed))
        .context("cargo-mutants is not installed: cargo install cargo-mutants --locked")
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn options() {
        assert_eq!(Options::parse(&[]), Some(Options { part: 0, parts: 1, list: false }));
        assert_eq!(Options::parse(&["--list", "--part", "2/5"]), Some(Options { part: 2, parts: 5, list: true }));
        for wrong in [&["--part"] as &[&str], &["--part", "5/5"], &["--part", "1"], &["--part", "x/2"], &["7"]] {
            assert_eq!(Options::parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn the_parts_of_a_sample_are_the_sample() {
        let is_in = |mutant: usize, shard: &str| {
            let (this, all) = shard.split_once('/').unwrap();
            mutant % all.parse::<usize>().unwrap() == this.parse::<usize>().unwrap()
        };
        for mutant in 0..100 {
            let parts = (0..3).map(|part| Options { part, parts: 3, list: false });
            let holding = parts.filter(|options| is_in(mutant, &options.shard(7))).count();
            assert_eq!(holding, usize::from(mutant % 7 == 0), "{mutant}");
        }
    }
}
