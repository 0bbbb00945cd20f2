//! Guidance for an agent on its memory (C28), for its system prompt.

/// Instructions for using this memory, in a few lines for a model.
pub const GUIDANCE: &str = "\
## Working with your memory

- Keep answers short. Every word you write takes room in your context; leave out what nobody asked for.
- Refer to files, entries and histories by their path or reference id instead of repeating what they say.
- When you need something from earlier, from another conversation or from a document, call `memory_search` with words \
that would be in it. Do not guess.
- Trust the summaries. Older messages are replaced by summaries on purpose, and the full text is kept: read it again \
when you need the exact words, and do not try to hold all of it in mind.
";
