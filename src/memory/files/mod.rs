//! The Markdown memory: a tree of files with versions, and the files of agents, teams and sessions in it.

pub(super) mod agent_files;
pub(super) mod agent_search;
mod homes;
pub(super) mod session_files;
mod team_files;
pub(super) mod tree;
