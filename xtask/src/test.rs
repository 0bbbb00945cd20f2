//! `cargo xtask test`: every step runs, whatever became of the one before; the last line is the count.

mod count;
mod js;
mod locks;
mod report;
mod rust;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use crate::{build, demo, paths, reference, run, setup, size};
use count::Tally;
use report::Row;

/// One line of the table: its name and what it does.
struct Step {
    name: String,
    run: Box<dyn FnOnce() -> Result<Tally>>,
}

impl Step {
    fn new(name: impl Into<String>, run: impl FnOnce() -> Result<Tally> + 'static) -> Self {
        Self { name: name.into(), run: Box::new(run) }
    }

    /// A step that holds or does not: it counts as one.
    fn check(name: impl Into<String>, check: impl FnOnce() -> Result<()> + 'static) -> Self {
        Self::new(name, move || check().map(|()| Tally { passed: 1, failed: 0 }))
    }
}

pub(crate) fn test() -> Result<ExitCode> {
    let locks = locks::read();
    let browser = match setup::everything() {
        Ok(browser) => browser,
        Err(error) => {
            let row = Row { name: "setup".to_owned(), tally: Tally::FAILURE, seconds: 0.0 };
            eprintln!("error: {error:#}");
            return Ok(report::print(&[row]));
        }
    };

    let mut steps = rust::lints();
    steps.extend(rust::native_tests());
    steps.push(Step::check("build", || build::all(false)));
    steps.push(Step::check("build --testing", || build::all(true)));
    steps.push(rust::component_tests());
    steps.extend(js::lints());
    steps.extend(js::tests(&browser));
    steps.push(js::service_tests());
    let mut demo = demo::check(&browser);
    steps.push(Step::check("demo --check", move || run::run(&mut demo, run::OTHER)));
    steps.push(js::firefox());
    steps.push(Step::check("reference", reference::reference));
    steps.push(Step::check("size", size::check));
    steps.push(Step::check("lock files unchanged", move || locks.compare()));

    let rows: Vec<Row> = steps.into_iter().map(execute).collect();
    Ok(report::print(&rows))
}

/// `cargo xtask browsers`: the browser tests in Firefox and WebKit. The packages must have been built.
pub(crate) fn browsers() -> Result<ExitCode> {
    setup::for_building()?;
    let rows: Vec<Row> = js::all_in_other_browsers().into_iter().map(execute).collect();
    Ok(report::print(&rows))
}

fn execute(step: Step) -> Row {
    println!("\n=== {} ===", step.name);
    let started = Instant::now();
    let tally = (step.run)().unwrap_or_else(|error| {
        println!("error: {}: {error:#}", step.name);
        Tally::FAILURE
    });
    Row { name: step.name, tally, seconds: started.elapsed().as_secs_f64() }
}

/// Whether a file or folder of the repository exists.
fn exists(path: &str) -> bool {
    paths::at(path).exists()
}
