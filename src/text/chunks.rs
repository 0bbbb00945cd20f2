//! Splits a document into chunks at boundaries of meaning: headings, paragraphs, list items and whole code blocks.
//!
//! The chunks, joined, are the text: nothing is added or lost. So a code block that is too long even for the hard limit
//! is cut at line ends, and its second part has no fence of its own.

use std::ops::Range;

use super::chars::{Class, class, is_modifier};
use super::markdown::{Blocks, Kind};
use super::sentences::Sentences;

/// A chunk of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// Its range in the text, in bytes. Never empty.
    pub range: Range<usize>,
    /// Its headings, the outermost first; its own is included.
    pub heading_path: Vec<&'a str>,
}

/// Splits `text` into chunks of about `target` characters, and of `hard_max` at most.
///
/// A chunk begins at each heading, which stays with the text after it. Paragraphs and list items are combined up to the
/// target. Longer blocks: a code block stays whole up to the hard limit, a paragraph is cut between sentences, and a
/// sentence beyond the hard limit between words, or between characters in a script without spaces.
pub fn chunks(text: &str, target: usize, hard_max: usize) -> Vec<Chunk<'_>> {
    let mut chunker = Chunker::new(text, target, hard_max);
    while chunker.step().is_some() {}
    chunker.finish()
}

/// The same, one block at a time, for callers that yield in between.
pub struct Chunker<'a> {
    text: &'a str,
    blocks: Blocks<'a>,
    builder: Builder<'a>,
}

impl<'a> Chunker<'a> {
    /// Begins to split `text`.
    pub fn new(text: &'a str, target: usize, hard_max: usize) -> Self {
        let hard_max = hard_max.max(1);
        let builder = Builder {
            chunks: Vec::new(),
            path: Vec::new(),
            target: target.clamp(1, hard_max),
            hard_max,
            range: 0..0,
            size: 0,
            only_headings: true,
        };
        Self { text, blocks: Blocks::new(text), builder }
    }

    /// Processes the next block. Returns its size in bytes, or `None` at the end.
    pub fn step(&mut self) -> Option<usize> {
        let block = self.blocks.next()?;
        let size = block.range.len();
        match block.kind {
            Kind::Heading(level, title) => self.builder.heading(self.text, block.range, level, title),
            Kind::Code => self.builder.code(self.text, block.range),
            Kind::Text => self.builder.text(self.text, block.range),
        }
        Some(size)
    }

    /// The chunks of all processed blocks.
    pub fn finish(mut self) -> Vec<Chunk<'a>> {
        self.builder.flush();
        self.builder.chunks
    }
}

struct Builder<'a> {
    chunks: Vec<Chunk<'a>>,
    /// The headings above the current chunk, with their levels.
    path: Vec<(usize, &'a str)>,
    target: usize,
    hard_max: usize,
    /// The current chunk, and its size in characters.
    range: Range<usize>,
    size: usize,
    only_headings: bool,
}

impl<'a> Builder<'a> {
    fn flush(&mut self) {
        if !self.range.is_empty() {
            let heading_path = self.path.iter().map(|(_, title)| *title).collect();
            self.chunks.push(Chunk { range: self.range.clone(), heading_path });
        }
        self.range = self.range.end..self.range.end;
        self.size = 0;
        self.only_headings = true;
    }

    /// Adds a piece that must not be cut, unless it is longer than the hard limit.
    fn add(&mut self, text: &str, range: Range<usize>) {
        let size = slice(text, &range).chars().count();
        let limit = if self.only_headings { self.hard_max } else { self.target };
        if self.size + size > limit {
            self.flush();
        }
        self.range.end = range.end;
        self.size += size;
        self.only_headings = false;
        if self.size > self.hard_max {
            // Only a piece that came alone can be that long.
            self.range.end = self.range.start;
            self.words(text, range);
        }
    }

    fn heading(&mut self, text: &str, range: Range<usize>, level: usize, title: &'a str) {
        if !self.only_headings {
            self.flush();
        }
        // Headings of increasing depth share a chunk; one of the same level starts a new chunk.
        if self.path.last().is_some_and(|(last, _)| *last >= level) {
            self.flush();
        }
        self.path.retain(|(above, _)| *above < level);
        self.path.push((level, title));
        self.add(text, range);
        self.only_headings = true;
    }

    fn code(&mut self, text: &str, range: Range<usize>) {
        if slice(text, &range).chars().count() <= self.hard_max {
            self.add(text, range);
            return;
        }
        self.flush();
        let mut start = range.start;
        for line in slice(text, &range).split_inclusive('\n') {
            // Up to the hard limit, as if there were only a heading so far.
            self.only_headings = true;
            self.add(text, start..start + line.len());
            start += line.len();
        }
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        if slice(text, &range).chars().count() <= self.target {
            self.add(text, range);
            return;
        }
        let mut start = range.start;
        for sentence in Sentences::new(slice(text, &range)) {
            self.add(text, start..start + sentence.len());
            start += sentence.len();
        }
    }

    /// The last resort: pieces of at most the hard limit, cut at white space in their second half, else anywhere
    /// between characters.
    fn words(&mut self, text: &str, range: Range<usize>) {
        self.size = 0;
        let mut start = range.start;
        while start < range.end {
            let rest = slice(text, &(start..range.end));
            let length = match rest.char_indices().nth(self.hard_max) {
                Some((most, _)) => cut(rest, most),
                None => rest.len(),
            };
            self.range = start..start + length;
            self.size = slice(text, &self.range).chars().count();
            self.only_headings = false;
            start += length;
            if start < range.end {
                self.flush();
            }
        }
    }
}

/// The position of a cut in `text` with at most `most` bytes before it.
fn cut(text: &str, most: usize) -> usize {
    let head = text.get(..most).unwrap_or(text);
    if let Some((space, c)) = head.char_indices().rfind(|(_, c)| c.is_whitespace())
        && space >= most / 2
    {
        return space + c.len_utf8();
    }
    // Do not separate combining marks, skin tones or joined characters.
    let mut end = most;
    while let Some(next) = text.get(end..).and_then(|tail| tail.chars().next())
        && let Some(last) = text.get(..end).and_then(|head| head.chars().next_back())
        && (class(next) == Class::Mark || is_modifier(next) || last == '\u{200d}')
    {
        end -= last.len_utf8();
    }
    if end == 0 { most } else { end }
}

fn slice<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
    text.get(range.clone()).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'t>(text: &'t str, chunks: &[Chunk<'_>]) -> Vec<&'t str> {
        chunks.iter().map(|chunk| &text[chunk.range.clone()]).collect()
    }

    /// Checks the properties that hold for any text and any limits.
    #[track_caller]
    fn check(text: &str, target: usize, hard_max: usize) -> Vec<Chunk<'_>> {
        let chunks = chunks(text, target, hard_max);
        let mut end = 0;
        for chunk in &chunks {
            assert_eq!(chunk.range.start, end);
            assert!(!chunk.range.is_empty());
            end = chunk.range.end;
            let size = text[chunk.range.clone()].chars().count();
            assert!(size <= hard_max.max(1), "{size} characters of {hard_max}");
        }
        assert_eq!(end, text.len());
        chunks
    }

    #[test]
    fn c18_headings_begin_chunks_and_name_them() {
        let text = "intro\n\n# A\n\nfirst\n\n## B\n\nsecond\n\n# C\n## D\nthird\n# E\n";
        let chunks = check(text, 100, 200);
        let paths: Vec<String> = chunks.iter().map(|chunk| chunk.heading_path.join("/")).collect();
        assert_eq!(paths, ["", "A", "A/B", "C/D", "E"]);
        assert_eq!(texts(text, &chunks)[3], "# C\n## D\nthird\n");
    }

    #[test]
    fn c18_paragraphs_and_items_are_put_together_up_to_the_target() {
        let text = "one one\n\ntwo two\n\nthree\n\n- a a a a\n- b b b b\n";
        let chunks = check(text, 18, 40);
        assert_eq!(texts(text, &chunks), ["one one\n\ntwo two\n\n", "three\n\n- a a a a\n", "- b b b b\n"]);
    }

    #[test]
    fn c18_code_stays_whole_up_to_the_hard_limit_and_is_then_cut_at_lines() {
        let code = "```rust\nlet a = 1;\n\n# not a heading\nlet b = 2;\n```\n";
        let text = format!("Some words before.\n\n{code}\nSome words after.\n");
        let whole = check(&text, 20, 60);
        assert!(texts(&text, &whole).iter().any(|chunk| chunk.contains(code)));
        let lines = check(&text, 20, 30);
        assert!(texts(&text, &lines).iter().all(|chunk| chunk.ends_with('\n')));
    }

    #[test]
    fn c18_a_long_paragraph_is_cut_between_sentences_then_words_then_characters() {
        let text = "The first one is short. The second is too. And a third.";
        assert_eq!(
            texts(text, &check(text, 30, 60)),
            ["The first one is short. ", "The second is too. ", "And a third."]
        );
        let text = "今日は寒い。明日も寒い。週末は暖かい。";
        assert_eq!(texts(text, &check(text, 8, 20)), ["今日は寒い。", "明日も寒い。", "週末は暖かい。"]);
        let text = "no stop in these words at all";
        assert_eq!(texts(text, &check(text, 10, 10)), ["no stop ", "in these ", "words at ", "all"]);
        let text = "ไม่มีช่องว่างเลย";
        assert!(texts(text, &check(text, 5, 5)).iter().all(|part| class(part.chars().next().unwrap()) != Class::Mark));
        let family = "👩\u{200d}👩\u{200d}👧";
        let text = format!("{family}{family}");
        assert_eq!(texts(&text, &check(&text, 7, 7)), [family, family]);
    }

    #[test]
    fn c18_every_byte_of_any_text_is_in_exactly_one_chunk() {
        let pieces = [
            "# ",
            "## h\n",
            "\n",
            "\n\n",
            "```",
            "~~~~",
            "`",
            "---\n",
            "===\n",
            "- ",
            "1. ",
            "word ",
            "x",
            ". ",
            "。",
            "日本",
            "ไทย",
            "\u{301}",
            "👩\u{200d}",
            " ",
            "\t",
            "\r\n",
            "| a |",
            "> ",
            "no",
            "\u{0}",
            "é",
            "…",
            ")",
            "#",
            "e.g. ",
            "」",
        ];
        let mut state = 7_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..3_000 {
            let text: String = (0..next(60)).map(|_| pieces[next(pieces.len())]).collect();
            check(&text, next(40), next(60));
        }
        for piece in pieces {
            check(&piece.repeat(20_000), 500, 1_000);
        }
    }
}
