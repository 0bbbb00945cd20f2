// An activated agent: its initial context, and the files it updates.

import { MemoryError } from "../../base/errors.js";
import type { Activation, FoundPassage } from "../../wire/agents.js";
import type { DocumentEntry, FoundEntry } from "../../wire/documents.js";
import type { MemoryFile } from "../../wire/files.js";
import type { FileCalls } from "./calls.js";
import type { DecisionInput, LearningInput, SessionEndInput } from "./drafts.js";
import { type AgentFile, agentFile, type DocumentedFile } from "./paths.js";

/** An agent's learnings, searched on demand. */
export interface AgentLearnings {
  /** Returns the learnings that match a query, best first. Default for `limit`: 5. */
  search(
    query: string,
    options?: {
      /** The maximum number of results. Default: 5. */
      limit?: number | undefined;
    },
  ): Promise<FoundEntry[]>;
}

/** An agent's static knowledge, searched on demand. */
export interface AgentKnowledge {
  /** Returns the passages that match a query, best first. Default for `limit`: 5. */
  search(
    query: string,
    options?: {
      /** The maximum number of results. Default: 5. */
      limit?: number | undefined;
    },
  ): Promise<FoundPassage[]>;
}

/** A snapshot of an agent at its activation, with methods that update its files. */
export class ActiveAgent {
  /** The agent's name. */
  readonly agent: string;
  /** The agent's folder: `agents/planner`, or `.microai/agents/planner` in projects that keep agents there. */
  readonly folder: string;
  /** The text of its `agent.md`; empty if there is none. */
  readonly definition: string;
  /** The text of its `context.md`; empty if there is none. */
  readonly context: string;
  /** Its ten newest decisions, newest first. */
  readonly decisions: DocumentEntry[];
  /** Its learnings. */
  readonly learnings: AgentLearnings;
  /** The contents of the files in its `knowledge/`. */
  readonly knowledge: AgentKnowledge;
  readonly #frame: string;
  readonly #calls: FileCalls;

  /** @internal Use `memory.files.activate`. */
  constructor(calls: FileCalls, { agent, folder, definition, context, decisions, frame }: Activation) {
    this.agent = agent;
    this.folder = folder;
    this.definition = definition;
    this.context = context;
    this.decisions = decisions;
    this.learnings = {
      search: (query, options) => calls.ask("searchLearnings", { ...options, agent, query }),
    };
    this.knowledge = {
      search: (query, options) => calls.ask("searchKnowledge", { ...options, agent, query }),
    };
    this.#frame = frame;
    this.#calls = calls;
  }

  /**
   * Returns the prompt prefixed with the agent's memory, or the prompt alone if there is none. Default: `definition`.
   */
  inject(prompt: string = this.definition): string {
    return this.#frame + prompt;
  }

  /**
   * Writes the results of a session atomically: the context, decisions, learnings and the archive. Returns the written
   * files. Concurrent calls keep the decisions of both. The "last updated" date of the context is set to this day; a
   * second archive on the same day gets its own file, `sessions/2025-12-31_02.md`.
   */
  async endSession(end: SessionEndInput): Promise<MemoryFile[]> {
    return this.#calls.write("endSession", { ...end, agent: this.agent });
  }

  /**
   * Replaces one section of one file and returns the file. All other bytes stay. A missing documented section is created
   * in its place.
   */
  async updateSection(file: AgentFile, section: string, text: string): Promise<MemoryFile> {
    return this.#calls.write("updateSection", { ...agentFile(this.agent, file), section, text });
  }

  /** Appends a decision to the agent's `decisions.md` and returns the file. */
  async decide(decision: DecisionInput): Promise<MemoryFile> {
    return recordOf(this.#calls, agentFile(this.agent, "decisions"), decision);
  }

  /** Appends a learning to the agent's `learnings.md` and returns the file. */
  async learned(learning: LearningInput): Promise<MemoryFile> {
    return recordOf(this.#calls, agentFile(this.agent, "learnings"), learning);
  }
}

/** A snapshot of a team member at its activation. */
export class ActiveMember extends ActiveAgent {
  /** The full text of the team's context; empty if there is none. */
  readonly teamContext: string;
  /** The team's five newest decisions, newest first. */
  readonly teamDecisions: DocumentEntry[];
  /** The member's pending handoffs. */
  readonly handoffs: DocumentEntry[];

  /** @internal Use `memory.files.activateMember`. */
  constructor(calls: FileCalls, activation: Activation) {
    super(calls, activation);
    this.teamContext = activation.teamContext ?? "";
    this.teamDecisions = activation.teamDecisions ?? [];
    this.handoffs = activation.handoffs ?? [];
  }
}

/** Activates an agent. */
export async function activated(calls: FileCalls, agent: string): Promise<ActiveAgent> {
  return new ActiveAgent(calls, await calls.ask("activate", { agent }));
}

/** Activates a member of a team. */
export async function activatedMember(calls: FileCalls, agent: string): Promise<ActiveMember> {
  return new ActiveMember(calls, await calls.ask("activate", { agent, member: true }));
}

const ALONE = "entries[0].";

/** Appends one entry. Errors name its fields without the `entries[0].` prefix. */
export async function recordOf(
  calls: FileCalls,
  file: DocumentedFile,
  entry: DecisionInput | LearningInput,
): Promise<MemoryFile> {
  try {
    return await calls.write("recordNotes", { ...file, entries: [entry] });
  } catch (error) {
    if (!(error instanceof MemoryError) || !error.field?.startsWith(ALONE)) throw error;
    const field = error.field.slice(ALONE.length);
    throw new MemoryError(error.code, error.message.replace(ALONE, ""), { field });
  }
}
