//! A million tenants on a service's key-value store, simulated: the real engine answers real requests, on a bucket that has
//! the delays and the limits of the service, in a time of its own.
//!
//! `cargo xtask sim-scale [--requests N] [--tenants N] [--rate N] [--engine NAME]`

mod bucket;
mod dice;
mod engine;
mod memories;
mod meter;
mod objects;
mod pattern;
mod report;
mod run;
#[cfg(test)]
mod tests;
mod world;

use engine::{ENGINES, Engine};
use run::{Asked, Made};
use std::process::ExitCode;

const USAGE: &str = "usage: sim_scale [--requests N] [--tenants N] [--rate N] [--engine NAME]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((asked, engines)) = parse(&args) else {
        eprintln!("{USAGE}\nengines: {}", ENGINES.map(|engine| engine.name).join(", "));
        return ExitCode::from(2);
    };
    println!("{} tenants; {} requests on each service, {:.0} a second", asked.tenants, asked.requests, asked.rate);
    let mut made = Made::default();
    for engine in engines {
        match run::run(engine, &asked, &mut made) {
            Ok(outcome) => report::print(&outcome, &asked),
            Err(error) => {
                eprintln!("{}: {error}", engine.name);
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn parse(args: &[String]) -> Option<(Asked, Vec<&'static Engine>)> {
    let (mut requests, mut tenants, mut rate) = (pattern::REQUESTS, pattern::TENANTS, None);
    let mut engines = ENGINES.to_vec();
    let mut args = args.iter();
    while let Some(name) = args.next() {
        let value = args.next()?;
        let number = || value.parse::<usize>().ok().filter(|number| *number > 0);
        match name.as_str() {
            "--requests" => requests = number()?,
            "--tenants" => tenants = number()?,
            "--rate" => rate = Some(number()? as f64),
            "--engine" => engines = vec![*ENGINES.iter().find(|engine| engine.name == value)?],
            _ => return None,
        }
    }
    Some((Asked { requests, tenants, rate: rate.unwrap_or_else(|| pattern::rate(tenants)) }, engines))
}
