//! Child processes with a time limit. Each has its own process group, which is killed when its step ends. (Process
//! groups are a Unix feature, and so is this file.)

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::paths;

/// The limit for a compile step, while another one runs.
pub(crate) const COMPILE: Duration = Duration::from_secs(40 * 60);
/// The limit for every other step.
pub(crate) const OTHER: Duration = Duration::from_secs(10 * 60);
/// The limit for all Node tests of a folder, one browser after the other.
pub(crate) const TESTS: Duration = Duration::from_secs(30 * 60);

/// The limit for half of all steps.
pub(crate) const HALF: Duration = Duration::from_secs(90 * 60);

const POLL: Duration = Duration::from_millis(50);

/// The outcome of a child process.
#[derive(Debug)]
pub(crate) enum Outcome {
    Ended(ExitStatus),
    TimedOut,
}

/// A command that runs in the repository's root.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(paths::root());
    command
}

/// A cargo command: `args[0]` is the subcommand. On CI the lock file must not change.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let (subcommand, rest) = args.split_at(1);
    let mut command = command(program, subcommand);
    if std::env::var("CI").is_ok_and(|value| value == "true" || value == "1") && subcommand != ["fmt"] {
        command.arg("--locked");
    }
    command.args(rest);
    // The variables of `cargo run` for this crate would look like a change of environment to build scripts.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(name.as_ref());
        }
    }
    command
}

/// Runs to the end with the output passed through; anything but success is an error.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Result<()> {
    let outcome = supervise(command, limit, None)?;
    success(command, &outcome, limit)
}

/// Runs a step and prints its duration.
pub(crate) fn timed<T>(name: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let done = step()?;
    println!("{name}: {:.1} s", started.elapsed().as_secs_f64());
    Ok(done)
}

/// Runs to the end and calls `on_line` with each line of standard output; the caller checks the outcome.
pub(crate) fn watch(command: &mut Command, limit: Duration, on_line: &mut dyn FnMut(&str)) -> Result<Outcome> {
    supervise(command, limit, Some(on_line))
}

/// Runs to the end and returns standard output; anything but success is an error.
pub(crate) fn capture(command: &mut Command, limit: Duration) -> Result<String> {
    let mut text = String::new();
    let outcome = watch(command, limit, &mut |line| {
        text.push_str(line);
        text.push('\n');
    })?;
    success(command, &outcome, limit)?;
    Ok(text)
}

/// Turns an outcome into an error that names the command.
pub(crate) fn success(command: &Command, outcome: &Outcome, limit: Duration) -> Result<()> {
    match outcome {
        Outcome::Ended(status) if status.success() => Ok(()),
        Outcome::Ended(status) => bail!("`{}` failed ({status})", describe(command)),
        Outcome::TimedOut => bail!(
            "`{}` took longer than {} minutes and was stopped, with every process it had started",
            describe(command),
            limit.as_secs() / 60
        ),
    }
}

/// The command as one would type it.
pub(crate) fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let mut text = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    for arg in command.get_args() {
        text.push(' ');
        text.push_str(&arg.to_string_lossy());
    }
    text
}

fn supervise(command: &mut Command, limit: Duration, mut on_line: Option<&mut dyn FnMut(&str)>) -> Result<Outcome> {
    let stdout = if on_line.is_some() { Stdio::piped() } else { Stdio::inherit() };
    let spawned = command.stdin(Stdio::null()).stdout(stdout).process_group(0).spawn();
    let mut child = spawned.with_context(|| {
        format!("could not start `{}`; `cargo xtask setup` names what is missing", describe(command))
    })?;
    let group = match Group::guard(child.id()) {
        Ok(group) => group,
        Err(error) => {
            let _ = child.kill();
            return Err(error);
        }
    };
    let lines = lines_of(child.stdout.take());
    let deadline = Instant::now() + limit;
    let outcome = loop {
        match lines.recv_timeout(POLL) {
            Ok(line) => {
                if let Some(on_line) = on_line.as_mut() {
                    on_line(&line);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => thread::sleep(POLL),
        }
        if let Some(status) = child.try_wait().context("could not wait for a child process")? {
            break Outcome::Ended(status);
        }
        if Instant::now() >= deadline {
            break Outcome::TimedOut;
        }
    };
    group.end();
    let _ = child.wait();
    // A process that left the group may still hold the pipe: do not wait for its output.
    while let Ok(line) = lines.recv_timeout(Duration::from_secs(1)) {
        if let Some(on_line) = on_line.as_mut() {
            on_line(&line);
        }
    }
    Ok(outcome)
}

fn lines_of(stdout: Option<ChildStdout>) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    if let Some(stdout) = stdout {
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut line = Vec::new();
            while reader.by_ref().read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
                line.clear();
                if sender.send(text).is_err() {
                    break;
                }
            }
        });
    }
    receiver
}

/// Kills a process group on request, and also when this process dies in any way, such as by Ctrl-C: a shell outside the
/// group waits for the end of its input, which the system closes.
struct Group(Child);

impl Group {
    fn guard(leader: u32) -> Result<Self> {
        Command::new("sh")
            .args(["-c", "read -r _; kill -s KILL -- \"-$0\"", &leader.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map(Self)
            .context("could not start `sh`, which stops what a step leaves behind")
    }

    fn end(mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_comes_line_by_line() {
        let text = capture(&mut command("sh", &["-c", "echo one; printf two"]), OTHER).unwrap();
        assert_eq!(text, "one\ntwo\n");
    }

    #[test]
    fn a_failure_names_the_command() {
        let error = run(&mut command("sh", &["-c", "exit 3"]), OTHER).unwrap_err().to_string();
        assert!(error.contains("`sh -c exit 3` failed") && error.contains('3'), "{error}");
    }

    #[test]
    fn a_missing_program_names_the_remedy() {
        let error = run(&mut command("no-such-program", &[]), OTHER).unwrap_err().to_string();
        assert!(error.contains("cargo xtask setup"), "{error}");
    }

    #[test]
    fn the_limit_stops_the_grandchildren_too() {
        let started = Instant::now();
        let mut pid = String::new();
        let mut shell = command("sh", &["-c", "sleep 60 & echo $!; wait"]);
        let outcome = watch(&mut shell, Duration::from_millis(300), &mut |line| pid = line.to_owned()).unwrap();
        assert!(matches!(outcome, Outcome::TimedOut));
        assert!(started.elapsed() < Duration::from_secs(10));
        assert_gone(&pid);
    }

    #[test]
    fn what_a_child_leaves_behind_is_stopped() {
        let mut pid = String::new();
        let mut shell = command("sh", &["-c", "sleep 60 & echo $!"]);
        let outcome = watch(&mut shell, OTHER, &mut |line| pid = line.to_owned()).unwrap();
        assert!(matches!(outcome, Outcome::Ended(status) if status.success()));
        assert_gone(&pid);
    }

    /// Waits until the process has ended; an unreaped zombie has ended too.
    fn assert_gone(pid: &str) {
        assert!(!pid.is_empty());
        for _ in 0..100 {
            match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
                Ok(stat) if !stat.contains(") Z") => thread::sleep(POLL),
                _ => return,
            }
        }
        panic!("process {pid} is still there");
    }
}
