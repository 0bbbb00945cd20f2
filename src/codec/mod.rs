//! Values as bytes and as JSON. Bytes are framed: versioned and checksummed, refused if damaged or of a newer version.

mod crc;
mod dialog;
mod frame;
pub mod hex;
pub mod json;
mod record;

pub use dialog::{Beside, SessionRecord, StoredMessage};
pub use frame::{CodecError, FORMAT, Frame, Kind};
pub use record::{Body, Record, SALT, Vector};
