//! A test run must not change lock files: a changed one was out of date.

use std::fs;

use anyhow::{Result, bail};

use crate::paths;

const FILES: [&str; 2] = ["Cargo.lock", "package-lock.json"];

/// The contents of the lock files before the run.
pub(crate) struct Locks(Vec<Option<Vec<u8>>>);

pub(crate) fn read() -> Locks {
    Locks(FILES.iter().map(|file| fs::read(paths::at(file)).ok()).collect())
}

impl Locks {
    pub(crate) fn compare(&self) -> Result<()> {
        for ((file, before), after) in FILES.iter().zip(&self.0).zip(read().0) {
            if after.is_none() {
                bail!("{file} is missing");
            }
            if *before != after {
                bail!("{file} was out of date and has been changed by this run; commit the new one");
            }
        }
        Ok(())
    }
}
