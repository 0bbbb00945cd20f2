// Generated from wit/ by `cargo xtask generate`. Do not edit.

import type { Listed } from "../base/listed.js";

/**
 * The name of a tool for models.
 *
 * - `memory_add`: Stores a piece of information.
 * - `memory_search`: Searches memories, conversations, documents, learnings and knowledge.
 * - `memory_get`: Reads one memory.
 * - `memory_stats`: Counts the memories.
 * - `memory_delete`: Deletes one memory.
 * - `record_to_memory`: Records sentences in long-term memory.
 * - `update_profile`: Changes the user's profile.
 * - `list_memory_files`: Lists the Markdown files.
 * - `read_memory_file`: Reads a Markdown file.
 * - `write_memory_file`: Writes a Markdown file.
 * - `update_memory_section`: Replaces a section of an agent's file.
 * - `record_decision`: Appends to an agent's decisions.
 * - `record_learning`: Appends to an agent's learnings.
 * - `hand_over`: Hands work over to another agent.
 */
export type ToolName = Listed<
  | "memory_add"
  | "memory_search"
  | "memory_get"
  | "memory_stats"
  | "memory_delete"
  | "record_to_memory"
  | "update_profile"
  | "list_memory_files"
  | "read_memory_file"
  | "write_memory_file"
  | "update_memory_section"
  | "record_decision"
  | "record_learning"
  | "hand_over"
>;
