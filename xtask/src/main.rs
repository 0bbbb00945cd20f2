//! The project's command runner: `cargo xtask <command>`.

mod bench;
mod build;
mod census;
mod demo;
mod docs;
mod eval;
mod example;
mod fuzz;
mod generate;
mod mutants;
mod paths;
mod reference;
mod reliability;
mod reproducible;
mod results;
mod run;
mod setup;
mod sim;
mod sim_scale;
mod size;
mod supply;
mod test;
mod tidy;

use std::process::ExitCode;

use anyhow::Result;

const HELP: &str = "\
usage: cargo xtask <command>

  setup                      install what is missing: the wasm target, Chromium, npm packages
  build [--testing|--rust-page|--quick|--web|--components]
                             build the web modules, the components and the npm packages; --quick: only what the tests in
                             Node need, not optimised; --web: without the components; --components: only those; --testing:
                             what tests of the page need; --rust-page [--release]: the tests of the Rust
                             door, optimised for benchmarks
  demo [--check] [--port N]  build what the demo loads, then serve it on 127.0.0.1 (4173), or check it in a browser
  docs [--check] [--port N]  build the documentation site in target/docs-site, with the pages of `reference`, then serve it
                             on 127.0.0.1 (4175), or check it in a browser
  example [--check]          build the chat in Rust of examples/leptos-chat and serve it on 127.0.0.1 (4174), or try it in
                             a browser
  test [--rust|--web|--quick|--native]
                             run every check and every test; the last line is the count; --rust: the tests of the
                             crate, the components and the service; --web: the lints, the web modules and the npm
                             package; --quick: lints, types, the tests of the crate and the fast ones in Node; --native:
                             only the lints and the tests of the crate
  examples                   run every example of examples/ as its README says, on the packed package, after `build`
  browsers                   run all browser tests in Firefox and WebKit as well, after `build`, `build --testing` and
                             `build --rust-page`
  tidy [--all]               check formatting and the rules of the house; --all: lint the hosts of wasmtime, too
  eval PATH [--json] [--ranking best|formula|both] [--set NAME] [--no-peers] [--apart] [--check] [--meaning FILE]
                             measure how well search finds what it should, on a folder of data, beside other libraries;
                             --apart: each conversation alone, too; --check: fail below the floors
  bench [--json] [--full] [--dialog | --search] [--chats FILE] [--service]
                             measure search and conversations in Chromium beside other libraries; --full: up to
                             200,000 entries; --dialog or --search: only one of them; --chats: search also in the chats
                             of this file; --service: the service in wasmtime, on Redis
  results [--quick [--record] | --render | --publish | --republish | [--full] [--data PATH]]
                             measure beside other libraries and databases, and write target/results: figures as JSON,
                             plots and a page; --quick: in a minute, and fail if a ratio to MiniSearch or IndexedDB is
                             more than twice the recorded one; --record: record the ratios of this run; --full: up to
                             1,000,000 entries; --data: with retrieval on a folder of data; --render: write the page
                             again from the JSON; --publish: write docs/results and the figures of the README from the
                             JSON; --republish: the same from docs/results/results.json
  sim --seeds N | --seed S   simulate programs on one disk that crash, freeze and lose answers; each seed is a run
  fuzz [--inputs N] [--from N] [--target NAME [--input N]]
                             feed decoders, texts, calls and the index with N mutated inputs; --input repeats one
  mutants [--part N/OF] [--list]
                             change the core in small ways and see whether the tests fail (cargo mutants): a fixed
                             sample, or a part of it (0/10 to 9/10); --list: print the mutants
  sim-scale [--requests N] [--tenants N] [--rate N] [--engine NAME]
                             simulate a million tenants on the limits of each key-value service
  generate                   write from wit/ what repeats it
  census                     count how often the contract is repeated by hand, and what lies outside of the rooms
  reliability                write the tables of docs/reliability.md and docs/spec.md from the tests
  supply                     check licences, sources and advisories of crates (cargo deny), and the lock files of npm
  reproducible               build the web modules twice, in two folders, and compare their bytes
  reference                  write the pages about every exported name to target/reference
  size [--json]              print the size of each artefact and compare it with budgets.json
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match dispatch(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[&str]) -> Result<ExitCode> {
    match args {
        ["setup"] => setup::everything().map(|_| ExitCode::SUCCESS),
        ["build"] => build::all().map(|()| ExitCode::SUCCESS),
        ["build", "--quick"] => build::quick().map(|()| ExitCode::SUCCESS),
        ["build", "--web"] => build::web_alone().map(|()| ExitCode::SUCCESS),
        ["build", "--components"] => build::components().map(|()| ExitCode::SUCCESS),
        ["build", "--rust-page"] => build::rust_page().map(|()| ExitCode::SUCCESS),
        ["build", "--rust-page", "--release"] => build::optimised_rust_page().map(|()| ExitCode::SUCCESS),
        ["build", "--testing"] => build::testing().map(|()| ExitCode::SUCCESS),
        ["demo", options @ ..] => match demo::Options::parse(options, demo::PORT) {
            Some(options) => demo::demo(&options),
            None => Ok(usage()),
        },
        ["docs", options @ ..] => match demo::Options::parse(options, docs::PORT) {
            Some(options) => docs::docs(&options),
            None => Ok(usage()),
        },
        ["example"] => example::example(example::Then::Serve),
        ["example", "--check"] => example::example(example::Then::Check),
        ["test"] => test::test(),
        ["test", "--rust"] => test::rust(),
        ["test", "--web"] => test::web(),
        ["test", "--quick"] => test::quick(),
        ["test", "--native"] => test::native(),
        ["examples"] => test::examples(),
        ["browsers"] => test::browsers(),
        ["tidy"] => tidy::tidy(false).map(|()| ExitCode::SUCCESS),
        ["tidy", "--all"] => tidy::tidy(true).map(|()| ExitCode::SUCCESS),
        ["eval", options @ ..] => match eval::Options::parse(options) {
            Some(options) => eval::eval(&options),
            None => Ok(usage()),
        },
        ["bench", options @ ..] => match bench::Options::parse(options) {
            Some(options) => bench::bench(&options),
            None => Ok(usage()),
        },
        ["results", options @ ..] => match results::Options::parse(options) {
            Some(options) => results::results(&options),
            None => Ok(usage()),
        },
        ["sim", options @ ..] => match sim::Seeds::parse(options) {
            Some(seeds) => sim::sim(seeds),
            None => Ok(usage()),
        },
        ["fuzz", options @ ..] => match fuzz::Options::parse(options) {
            Some(options) => fuzz::fuzz(&options),
            None => Ok(usage()),
        },
        ["mutants", options @ ..] => match mutants::Options::parse(options) {
            Some(options) => mutants::mutants(&options),
            None => Ok(usage()),
        },
        ["sim-scale", options @ ..] if sim_scale::knows(options) => sim_scale::sim_scale(options),
        ["generate"] => generate::generate(),
        ["census"] => census::print().map(|()| ExitCode::SUCCESS),
        ["reliability"] => reliability::reliability().map(|()| ExitCode::SUCCESS),
        ["supply"] => supply::supply(),
        ["reproducible"] => reproducible::reproducible(),
        ["reference"] => reference::reference().map(|()| ExitCode::SUCCESS),
        ["size"] => size::size(false),
        ["size", "--json"] => size::size(true),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        _ => Ok(usage()),
    }
}

fn usage() -> ExitCode {
    eprint!("{HELP}");
    ExitCode::from(2)
}
