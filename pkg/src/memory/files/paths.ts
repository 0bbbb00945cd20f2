// The paths of the documented files.

import { refused } from "../../base/errors.js";
import type { Listed } from "../../base/listed.js";

/** The agent files that a session updates. */
export type AgentFile = Listed<"context" | "decisions" | "learnings">;

/** The names of an agent's documented files, without `.md`. */
export const AGENT_FILES: readonly AgentFile[] = ["context", "decisions", "learnings"];

/** Identifies a documented file; the core resolves its path. */
export interface DocumentedFile {
  file: AgentFile | "teamDecisions";
  /** The owning agent; not set for team files. */
  agent?: string;
}

/** Identifies one of an agent's files. */
export function agentFile(agent: string, file: AgentFile): DocumentedFile {
  if (!AGENT_FILES.includes(file)) throw refused("file", `must be ${AGENT_FILES.join(", ")}`);
  return { agent, file };
}

/** The paths of a team's shared files, unless its project keeps them below `.microai/`. */
export const TEAM_FILES = {
  /** The team's current work. */
  context: "team-memory/context.md",
  /** The team's decisions. */
  decisions: "team-memory/decisions.md",
  /** Handoffs between agents. */
  handoffs: "team-memory/handoffs.md",
  /** The team's blockers. */
  blockers: "team-memory/blockers.md",
} as const;
