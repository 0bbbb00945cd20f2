//! `cargo xtask test`: every step runs, even after a failure; the last line is the count.

mod count;
mod js;
mod locks;
mod report;
mod rust;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::Result;

use crate::setup::Driven;
use crate::{build, demo, paths, reference, results, run, setup, size};
use count::Tally;
use report::Row;

/// One row of the table: its name and its action.
struct Step {
    name: String,
    run: Box<dyn FnOnce() -> Result<Tally>>,
}

impl Step {
    fn new(name: impl Into<String>, run: impl FnOnce() -> Result<Tally> + 'static) -> Self {
        Self { name: name.into(), run: Box::new(run) }
    }

    /// A step that succeeds or fails: it counts as one test.
    fn check(name: impl Into<String>, check: impl FnOnce() -> Result<()> + 'static) -> Self {
        Self::new(name, move || check().map(|()| Tally::passed(1)))
    }
}

/// Runs both halves at the same time: one compiler or one browser does not fill two cores. The output of the compiling
/// half is printed when it has ended.
pub(crate) fn test() -> Result<ExitCode> {
    let locks = locks::read();
    let browser = match setup::everything() {
        Ok(browser) => browser,
        Err(error) => return Ok(report::print(&[Row::failed("setup", &format!("{error:#}"))])),
    };
    let mut rows = beside("--rust", web_steps(&browser));
    let mut guard = results::guard(&browser);
    rows.extend(run_all(vec![
        // After both halves: it weighs the packages of the one and the components of the other.
        Step::check("size", size::check),
        // Last, when nothing else runs.
        Step::check("results --quick", move || run::run(&mut guard, run::OTHER)),
        Step::check("lock files unchanged", move || locks.compare()),
    ]));
    Ok(report::print(&rows))
}

/// `cargo xtask test --rust`: the crate, the service and the components.
pub(crate) fn rust() -> Result<ExitCode> {
    setup::for_building()?;
    let rows = run_all(rust_steps());
    report::save(&rows, &half_report())?;
    Ok(report::print(&rows))
}

/// `cargo xtask test --web`: the lints, the web modules, the npm package, and the tests of the tools.
pub(crate) fn web() -> Result<ExitCode> {
    let browser = setup::everything()?;
    Ok(report::print(&run_all(web_steps(&browser))))
}

/// `cargo xtask test --quick`: the checks that a change breaks most often, without a browser, a component or an optimised module.
/// The native half runs beside the other one.
pub(crate) fn quick() -> Result<ExitCode> {
    setup::for_building()?;
    let mut steps = vec![Step::check("build --quick", build::quick)];
    steps.extend(js::lints());
    steps.push(js::quick_node());
    Ok(report::print(&beside("--native", steps)))
}

/// `cargo xtask test --native`: the crate alone, on this machine.
pub(crate) fn native() -> Result<ExitCode> {
    let mut steps = rust::quick_lints();
    steps.push(rust::crate_tests());
    let rows = run_all(steps);
    report::save(&rows, &half_report())?;
    Ok(report::print(&rows))
}

fn rust_steps() -> Vec<Step> {
    let mut steps = rust::native_tests();
    steps.push(Step::check("build components", build::components));
    steps.push(rust::component_tests());
    steps.push(js::service_tests());
    steps.push(js::bindings_tests());
    steps
}

fn web_steps(browser: &Driven) -> Vec<Step> {
    // The lints are here because this half is the shorter one.
    let mut steps = rust::lints();
    steps.push(Step::check("build web", build::web));
    steps.push(Step::check("build --testing", build::testing));
    steps.push(Step::check("build --rust-page", build::rust_page));
    steps.extend(js::lints());
    steps.extend(js::tests(browser));
    let mut demo = demo::check(browser);
    steps.push(Step::check("demo --check", move || run::run(&mut demo, run::OTHER)));
    steps.push(js::firefox());
    steps.push(Step::check("reference", reference::reference));
    steps.push(js::examples(browser));
    // Last, when the other half compiles no more: one of two waits for cargo.
    steps.extend(rust::other_tests());
    steps
}

/// Runs steps while another process runs `cargo xtask test` with this option.
fn beside(option: &'static str, steps: Vec<Step>) -> Vec<Row> {
    let other = thread::spawn(move || other_half(option));
    let mut rows = run_all(steps);
    match other.join() {
        Ok(half) => rows.extend(half),
        Err(_) => rows.push(Row::failed("rust", "the half that compiles panicked")),
    }
    rows
}

/// Half of the steps as a process of its own, so that its output stays together.
fn other_half(option: &str) -> Vec<Row> {
    let mut printed = Vec::new();
    let rows = half(option, &mut |line| printed.push(line.to_owned()));
    println!("{}", printed.join("\n"));
    rows.unwrap_or_else(|error| vec![Row::failed("rust", &format!("{error:#}"))])
}

fn half(option: &str, on_line: &mut dyn FnMut(&str)) -> Result<Vec<Row>> {
    let report = half_report();
    // Remove the report of an earlier run.
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let itself = std::env::current_exe()?;
    let mut command = run::command("sh", &["-c", "exec \"$0\" test \"$1\" 2>&1"]);
    run::watch(command.arg(itself).arg(option), run::HALF, on_line)?;
    report::load(&report)
}

fn half_report() -> PathBuf {
    paths::at("target/test-rust.json")
}

fn run_all(steps: Vec<Step>) -> Vec<Row> {
    steps.into_iter().map(execute).collect()
}

/// `cargo xtask examples`: runs every example as its README says. The packages must have been built.
pub(crate) fn examples() -> Result<ExitCode> {
    let browser = setup::everything()?;
    Ok(report::print(&run_all(vec![js::examples(&browser)])))
}

/// `cargo xtask browsers`: the browser tests in Firefox and WebKit. The packages must have been built.
pub(crate) fn browsers() -> Result<ExitCode> {
    setup::for_building()?;
    Ok(report::print(&run_all(js::all_in_other_browsers())))
}

fn execute(step: Step) -> Row {
    println!("\n=== {} ===", step.name);
    let started = Instant::now();
    let tally = (step.run)().unwrap_or_else(|error| {
        println!("error: {}: {error:#}", step.name);
        Tally::failure(&format!("{error:#}"))
    });
    Row { name: step.name, tally, seconds: started.elapsed().as_secs_f64() }
}

/// Whether a file or folder of the repository exists.
fn exists(path: &str) -> bool {
    paths::at(path).exists()
}
