//! Tools for models: one table, from which provider schemas are made and calls are validated. The memory runs the
//! calls.

mod check;
mod guidance;
mod own;
mod schema;
mod table;

pub use check::{Args, check};
pub use guidance::GUIDANCE;
pub use own::is_own;
pub use schema::{Format, SchemaOptions, shown};
pub use table::{Effect, FORMER, Kind, Param, TOOLS, Tool, listed, tool};
