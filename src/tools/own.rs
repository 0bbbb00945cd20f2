//! Detects calls of this memory's own tools, by the names under which hosts offer them.
//!
//! Only names, separate from the table: indexing a message needs them, and the small module of the web has no room for
//! the table's descriptions.

use crate::model::{Json, within};

/// Names that clearly refer to a memory or its graph. A host may put any namespace before them.
const DISTINCT: [&str; 22] = [
    "memory_add",
    "memory_search",
    "memory_get",
    "memory_stats",
    "memory_delete",
    "query_memory",
    "record_to_memory",
    "retrieve_from_memory",
    "list_memory_files",
    "read_memory_file",
    "write_memory_file",
    "update_memory_section",
    "search_learnings",
    "create_entities",
    "create_relations",
    "add_observations",
    "delete_entities",
    "delete_observations",
    "delete_relations",
    "read_graph",
    "search_nodes",
    "open_nodes",
];

/// Names that an app may give to a tool of its own: after a namespace they are ours only if it names this library.
const COMMON: [&str; 5] = ["update_profile", "record_decision", "record_learning", "search_knowledge", "hand_over"];

/// The commands of the memory tool for files, whose name alone is ambiguous.
const FILE_COMMANDS: [&str; 6] = ["view", "create", "str_replace", "insert", "delete", "rename"];

/// Whether a call is one of this memory's own tools: by its name, alone or after a namespace (`mcp__notes__`,
/// `functions.`, `keepsake/`). A prefix that only ends in `_` or `-` may be part of another tool's name, so it must
/// name this library, or a server as some hosts do (`mcp_notes_`).
pub fn is_own(name: &str, input: &Json) -> bool {
    if name == "memory" {
        return input.get("command").as_str().is_some_and(|command| FILE_COMMANDS.contains(&command));
    }
    let prefixed = |own: &&str, any: bool| match name.strip_suffix(*own) {
        None => false,
        Some("") => true,
        Some(prefix) => {
            let namespace = prefix.ends_with("__") || prefix.ends_with(['.', '/', ':']);
            let names_us = prefix.ends_with(['_', '-', '.', '/', ':']) && within(prefix, "keepsake");
            let server = prefix.ends_with('_') && prefix.starts_with("mcp_");
            names_us || any && (namespace || server)
        }
    };
    DISTINCT.iter().any(|own| prefixed(own, true)) || COMMON.iter().any(|own| prefixed(own, false))
}

#[cfg(test)]
mod tests {
    use super::super::{FORMER, TOOLS};
    use super::*;

    #[test]
    fn every_tool_of_the_table_is_known_by_its_name() {
        for tool in TOOLS.iter().chain(FORMER) {
            assert!(is_own(tool.name, &Json::Null), "{}", tool.name);
            assert!(is_own(&format!("mcp__keepsake__{}", tool.name), &Json::Null), "{}", tool.name);
        }
        assert_eq!(DISTINCT.len() + COMMON.len(), TOOLS.len() + FORMER.len() + 9, "and the nine tools of the graph");
    }

    #[test]
    fn a_prefix_has_to_be_a_namespace() {
        let own = |name: &str| is_own(name, &Json::Null);
        for name in ["functions.memory_search", "notes:query_memory", "mcp__a__read_graph", "mcp_a_search_nodes"] {
            assert!(own(name), "{name}");
        }
        for name in ["company_memory_search", "crm.update_profile", "mcp__crm__hand_over", "memory_searcher", ""] {
            assert!(!own(name), "{name}");
        }
        assert!(!own("memory") && is_own("memory", &Json::object(vec![("command", "view".into())])));
    }
}
