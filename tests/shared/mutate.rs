//! Texts made from others by what happens to files: lines doubled, lost and moved, bytes flipped, fences left open.

/// A generator whose texts depend on its seed alone.
pub(crate) struct Mutator(u64);

const LINES: [&str; 34] = [
    "```",
    "```go",
    "~~~",
    "````",
    "   ```",
    "``` a`b",
    "<!--",
    "-->",
    "<!-- x -->",
    "---",
    "***",
    "## Notes | Ghi chú",
    "## Điểm nghẽn",
    "# Current Context",
    "## 2025-13-45: Bad",
    "## 2026-01-01: Dated",
    "### Deep",
    "##",
    "  ## Indented ##",
    "> Last updated:",
    "> Last updated: soon",
    "**Status**: ⏳",
    "**Reason:**",
    "Context: plain",
    "- [ ] task",
    "  - deep",
    "12. number",
    "| a | b |",
    "|---|---|",
    "|",
    "Title\n=====",
    "\\## escaped",
    "<<<<<<< memory",
    "",
];

const WORDS: [&str; 16] = [
    "word",
    "",
    "two words",
    "a | b",
    "## heading",
    "---",
    "```\nopen",
    "line\n## two\n---\n",
    "**Reason**: x",
    "<!-- open",
    "\r\n",
    "Đang tập trung 👩‍🚀",
    "- item\n- other",
    "\\",
    "~~~\nx\n~~~",
    "\u{feff}",
];

impl Mutator {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number from 0 to `limit`, which is not one of them unless it is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub(crate) fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Text that someone could want to have written.
    pub(crate) fn word(&mut self) -> String {
        (*self.choose(&WORDS)).to_owned()
    }

    /// A text made from `text`, and sometimes from others.
    pub(crate) fn mutate(&mut self, text: &str, others: &[&str]) -> String {
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        for _ in 0..=self.below(6) {
            let (at, other) = (self.below(lines.len()), self.below(lines.len()));
            match self.below(12) {
                0 | 1 => lines.insert(at.min(lines.len()), format!("{}\n", self.choose(&LINES))),
                2 if !lines.is_empty() => drop(lines.remove(at)),
                3 if !lines.is_empty() => lines.insert(other, lines[at].clone()),
                4 if !lines.is_empty() => lines.swap(at, other),
                5 => {
                    let lent = *self.choose(others);
                    let from = self.below(lent.matches('\n').count());
                    let count = self.below(12);
                    let lent = lent.split_inclusive('\n').skip(from).take(count).map(str::to_owned);
                    lines.splice(at.min(lines.len())..at.min(lines.len()), lent.collect::<Vec<_>>());
                }
                6 if !lines.is_empty() => {
                    let mut bytes = std::mem::take(&mut lines[at]).into_bytes();
                    let place = self.below(bytes.len());
                    if let Some(byte) = bytes.get_mut(place) {
                        *byte ^= 1 << self.below(8);
                    }
                    lines[at] = String::from_utf8_lossy(&bytes).into_owned();
                }
                7 if self.below(30) == 0 => {
                    let word = self.word();
                    let count = if word.contains('\n') { 100 } else { 2000 };
                    lines.insert(at.min(lines.len()), word.repeat(count));
                }
                8 if !lines.is_empty() => lines[at] = lines[at].replace('\n', "\r\n"),
                9 if !lines.is_empty() => {
                    let kept = lines[at].trim_end_matches(['\n', '\r']).len();
                    lines[at].truncate(kept);
                }
                10 if self.below(4) == 0 => lines.truncate(at),
                11 if self.below(4) == 0 => lines.insert(0, "\u{feff}".to_owned()),
                _ => lines.insert(at.min(lines.len()), self.word()),
            }
        }
        let text = lines.concat();
        if self.below(30) == 0 { text.replace('\n', "\r\n") } else { text }
    }
}
