// Where the documented files are.

import { refused } from "../../base/errors.js";

/** The files of an agent that a session changes. */
export type AgentFile = "context" | "decisions" | "learnings";

/** The documented files of an agent, by their names without `.md`. */
export const AGENT_FILES: readonly AgentFile[] = ["context", "decisions", "learnings"];

/** One of the documented files, wherever the core finds it. */
export interface DocumentedFile {
  file: AgentFile | "teamDecisions";
  /** Whose it is; a team's is nobody's. */
  agent?: string;
}

/** One of an agent's files. */
export function agentFile(agent: string, file: AgentFile): DocumentedFile {
  if (!AGENT_FILES.includes(file)) throw refused("file", `must be ${AGENT_FILES.join(", ")}`);
  return { agent, file };
}

/** The documented files that a team shares, unless its project keeps them below `.microai/`. */
export const TEAM_FILES = {
  /** What the team is at. */
  context: "team-memory/context.md",
  /** What it has decided. */
  decisions: "team-memory/decisions.md",
  /** Who has given what to whom. */
  handoffs: "team-memory/handoffs.md",
  /** What is in its way. */
  blockers: "team-memory/blockers.md",
} as const;
