//! A program of the former version: its frames are not bound to their keys (format 1), and it reads no others.

use keepsake::codec::{FORMAT, Frame};
use keepsake::store::Op;

/// Turns what this version writes into what the former one did.
pub(crate) fn write_formerly(op: &mut Op) {
    if let Op::Put(space, key, value) | Op::Add(space, key, value) = op {
        Frame::release(space.name(), key.as_bytes(), value);
    }
}

/// Whether the former version refuses a stored value.
pub(crate) fn is_newer(value: &[u8]) -> bool {
    matches!(value, [b'K', FORMAT, ..])
}
