//! Prints the engine's stem of each word on standard input, one a line: `distill.py` must not have a stemmer of its own.

use keepsake::text::{Role, terms};
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for word in std::io::stdin().lock().lines() {
        let mut stem = String::new();
        terms(&word?, &mut |term| {
            if term.role == Role::Stem {
                stem = term.text.to_owned();
            }
        });
        writeln!(out, "{stem}")?;
    }
    out.flush()
}
