//! The frame around every stored value: `K`, format, kind, checksum, payload.

use super::crc::crc32;
use std::fmt;

/// The newest format. Every older format stays readable.
pub const FORMAT: u8 = 2;

/// A frame without a key.
const LOOSE: u8 = 1;

/// A frame that is bound to its key: see [`Frame::bind`].
const BOUND: u8 = 2;

const MAGIC: u8 = b'K';
const HEADER: usize = 7;

/// The kind of a frame's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// An entry without its content.
    Record = 1,
    /// A content that is longer than its entry's summary.
    Body = 2,
    /// The log links of one commit.
    Links = 3,
    /// A piece of the stored index, or its manifest.
    Index = 4,
    /// The embedding of an entry's content.
    Vector = 5,
    /// A message.
    Message = 6,
    /// The record of a session.
    Session = 7,
    /// The items of a session's view that replace or hide messages.
    View = 8,
    /// A history: a summary of messages.
    History = 9,
    /// The states of an app's components.
    Components = 10,
    /// JSON under a name of its own: the profile, states, skills, steps, the graph.
    Kept = 11,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Record => "record",
            Self::Body => "body",
            Self::Links => "links",
            Self::Index => "index",
            Self::Vector => "vector",
            Self::Message => "message",
            Self::Session => "session",
            Self::View => "view",
            Self::History => "history",
            Self::Components => "components",
            Self::Kept => "kept value",
        })
    }
}

/// The reason why bytes could not be read. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodecError {
    /// The bytes are truncated, damaged or not ours.
    Corrupt {
        /// The expected kind.
        kind: Kind,
        /// The problem found.
        problem: &'static str,
    },
    /// A newer version of this library wrote them.
    Newer {
        /// Its format.
        found: u8,
        /// The newest that this code reads.
        known: u8,
    },
}

impl CodecError {
    pub(crate) fn corrupt(kind: Kind, problem: &'static str) -> Self {
        Self::Corrupt { kind, problem }
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corrupt { kind, problem } => write!(f, "a stored {kind} cannot be read: {problem}"),
            Self::Newer { found, known } => {
                write!(f, "format {found} is newer than this version reads ({known}); update keepsake")
            }
        }
    }
}

impl std::error::Error for CodecError {}

/// An opened frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Its format.
    pub format: u8,
    /// Its payload.
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Wraps `payload` in a frame that is not bound to a key.
    pub fn seal(kind: Kind, payload: &[u8]) -> Vec<u8> {
        let head = [LOOSE, kind as u8];
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        bytes.push(MAGIC);
        bytes.extend(head);
        bytes.extend(crc32(&[&head, payload]).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    /// Opens a frame that must be of `kind`.
    pub fn open(kind: Kind, bytes: &'a [u8]) -> Result<Self, CodecError> {
        let corrupt = |problem| CodecError::corrupt(kind, problem);
        let Some((header, payload)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(corrupt("shorter than a frame"));
        };
        let [magic, format, found, crc @ ..] = *header;
        if magic != MAGIC {
            return Err(corrupt("no frame header"));
        }
        // The checksum is checked before the version: a flipped bit in the version byte is damage, not a newer version.
        if u32::from_le_bytes(crc) != crc32(&[&[format, found], payload]) {
            return Err(corrupt("checksum mismatch"));
        }
        if format > FORMAT {
            return Err(CodecError::Newer { found: format, known: FORMAT });
        }
        if format != LOOSE || found != kind as u8 {
            return Err(corrupt("unexpected kind"));
        }
        Ok(Self { format, payload })
    }

    /// Binds a sealed value to its key: read under another key, checksum mismatch. Bytes that are no frame
    /// stay unchanged.
    pub fn bind(space: &str, key: &[u8], bytes: &mut [u8]) {
        mix(LOOSE, BOUND, space, key, bytes);
    }

    /// The inverse of `bind`, with the key that the value was read under. A frame that was never bound stays unchanged.
    pub fn release(space: &str, key: &[u8], bytes: &mut [u8]) {
        mix(BOUND, LOOSE, space, key, bytes);
    }
}

/// Converts a frame between the two formats: the checksum of the key is XORed into its own.
fn mix(from: u8, to: u8, space: &str, key: &[u8], bytes: &mut [u8]) {
    if let Some([MAGIC, format, _, crc @ ..]) = bytes.first_chunk_mut::<HEADER>()
        && *format == from
    {
        *format = to;
        for (byte, key) in crc.iter_mut().zip(crc32(&[space.as_bytes(), key]).to_le_bytes()) {
            *byte ^= key;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f40_a_frame_cut_or_flipped_anywhere_is_refused() {
        let bytes = Frame::seal(Kind::Body, b"payload");
        assert_eq!(Frame::open(Kind::Body, &bytes).unwrap().payload, b"payload");
        for end in 0..bytes.len() {
            assert!(matches!(Frame::open(Kind::Body, &bytes[..end]), Err(CodecError::Corrupt { .. })), "cut at {end}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(matches!(Frame::open(Kind::Body, &flipped), Err(CodecError::Corrupt { .. })), "bit {bit}");
        }
        assert!(matches!(Frame::open(Kind::Record, &bytes), Err(CodecError::Corrupt { .. })));
    }

    #[test]
    fn f41_a_frame_of_a_newer_format_says_so() {
        let head = [FORMAT + 1, Kind::Body as u8];
        let mut bytes = vec![MAGIC];
        bytes.extend(head);
        bytes.extend(crc32(&[&head, b"x"]).to_le_bytes());
        bytes.extend(b"x");
        let refused = Frame::open(Kind::Body, &bytes).unwrap_err();
        assert_eq!(refused, CodecError::Newer { found: FORMAT + 1, known: FORMAT });
    }

    /// Its checksum matches only without a key: no version ever wrote it, so an update would not help.
    #[test]
    fn f40_a_bound_frame_that_was_not_released_is_damage() {
        let head = [BOUND, Kind::Body as u8];
        let bytes = [&[MAGIC], head.as_slice(), &crc32(&[&head, b"x"]).to_le_bytes(), b"x"].concat();
        assert!(matches!(Frame::open(Kind::Body, &bytes), Err(CodecError::Corrupt { .. })));
    }
}
