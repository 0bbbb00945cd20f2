//! This test program as another process: a test starts itself again, and there plays the part that it is given.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const PART: &str = "KEEPSAKE_TEST_PART";
const FILE: &str = "KEEPSAKE_TEST_FILE";

/// The part and its file, if this process is one that [`start`] has started.
pub(crate) fn part() -> Option<(String, PathBuf)> {
    Some((std::env::var(PART).ok()?, std::env::var_os(FILE)?.into()))
}

/// Starts this program again with the test called `test`, which plays `part`. `prefix` is a command that starts it.
pub(crate) fn start(prefix: &[&str], test: &str, part: &str, file: &Path) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut command = match prefix {
        [] => Command::new(program),
        [first, rest @ ..] => {
            let mut command = Command::new(first);
            command.args(rest).arg(program);
            command
        }
    };
    command.args([test, "--exact", "--nocapture"]).env(PART, part).env(FILE, file);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// Says a line to the process that has started this one. It arrives even if this one is killed right after it.
pub(crate) fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    output.write_all(format!("\n> {line}\n").as_bytes()).and_then(|()| output.flush()).unwrap();
}

/// What a child says, without what the test harness prints around it.
pub(crate) fn said(child: &mut Child) -> impl Iterator<Item = String> + Send + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("> ").map(str::to_owned))
}
