//! Tools for models: one table, shown in the form that each maker wants, and by which calls are checked. Nothing is done
//! here: that is for the memory.

mod check;
mod guidance;
mod own;
mod schema;
mod table;

pub use check::{Args, check};
pub use guidance::GUIDANCE;
pub use own::is_own;
pub use schema::{Format, SchemaOptions, shown};
pub use table::{Effect, Kind, Param, TOOLS, Tool, tool};
