//! The context compiler: the most valuable content within a budget, quoted so that it cannot imitate a role.

mod compile;
#[cfg(test)]
mod fuzz;
mod groups;
mod parts;
mod quote;
mod render;
#[cfg(test)]
mod sample;
mod shorten;
#[cfg(test)]
mod tests;

pub use compile::{LARGE, compile};
pub use groups::LeftOutReason;
pub use parts::{BudgetTooSmall, Compiled, Item, Kind, Left, Request, Turn, Used};
pub use render::{apart, block_of, cost, spoken, tag};
pub use shorten::shortened;
