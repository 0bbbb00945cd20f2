// Where the documented files are.

import { refused } from "../errors.js";

/** The files of an agent that a session changes. */
export type AgentFile = "context" | "decisions" | "learnings";

/** The documented files of an agent, by their names without `.md`. */
export const AGENT_FILES: readonly AgentFile[] = ["context", "decisions", "learnings"];

/** The path of one of an agent's files. */
export function agentFile(agent: string, file: AgentFile): string {
  // A slash would make a folder of its own of what is another agent's name.
  if (typeof agent !== "string" || agent === "" || agent.includes("/")) {
    throw refused("agent", "must be a name without a slash");
  }
  if (!AGENT_FILES.includes(file)) throw refused("file", `must be ${AGENT_FILES.join(", ")}`);
  return `agents/${agent}/memory/${file}.md`;
}

/** The documented files that a team shares. */
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
