//! The context compiler: the most valuable within a budget, quoted so that no content speaks in a role.

mod compile;
#[cfg(test)]
mod fuzz;
mod groups;
mod parts;
mod quote;
mod render;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

pub use compile::compile;
pub use groups::Why;
pub use parts::{BudgetTooSmall, Compiled, Item, Kind, Left, Request, Turn, Used};
pub use render::spoken;
