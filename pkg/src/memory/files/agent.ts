// An agent that was activated: what it knows to begin with, and what it leaves behind.

import { MemoryError } from "../../base/errors.js";
import type { Activation, FoundPassage } from "../../wire/agents.js";
import type { DocumentEntry, FoundEntry } from "../../wire/documents.js";
import type { MemoryFile } from "../../wire/files.js";
import type { FileCalls } from "./calls.js";
import type { DecisionInput, LearningInput, SessionEndInput } from "./drafts.js";
import { type AgentFile, agentFile, type DocumentedFile } from "./paths.js";

/** What was learned, which is looked up only when it is needed. */
export interface AgentLearnings {
  /** The learnings that fit a question, best first. Default: 5 of them. */
  search(query: string, options?: { limit?: number | undefined }): Promise<FoundEntry[]>;
}

/** The static knowledge beside an agent's memory, which is looked up only when it is needed. */
export interface AgentKnowledge {
  /** The passages that fit a question, best first. Default: 5 of them. */
  search(query: string, options?: { limit?: number | undefined }): Promise<FoundPassage[]>;
}

/** An agent as it was when it was activated. Its files may be changed through it. */
export class ActiveAgent {
  /** Its name. */
  readonly agent: string;
  /** Its folder: `agents/planner`, or `.microai/agents/planner` where a project keeps its agents there. */
  readonly folder: string;
  /** Its definition: the whole of its `agent.md`; empty if there is none. */
  readonly definition: string;
  /** Its `context.md`, whole; empty if there is none. */
  readonly context: string;
  /** Its ten newest decisions, the newest first. */
  readonly decisions: DocumentEntry[];
  /** What it has learned. */
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
   * The prompt with the agent's memory in front of it; the prompt alone if there is none. Default: its definition.
   */
  inject(prompt: string = this.definition): string {
    return this.#frame + prompt;
  }

  /**
   * Writes what the session leaves behind, all at once: the context, then decisions, learnings and the archive. Answers
   * the files that were written. Two who end a session at the same time both have their decisions in the file. A context
   * that says when it was last updated says so of this day; a second archive of one day gets a file of its own,
   * `sessions/2025-12-31_02.md`.
   */
  async endSession(end: SessionEndInput): Promise<MemoryFile[]> {
    return this.#calls.write("endSession", { ...end, agent: this.agent });
  }

  /**
   * Puts another text in the place of one section of one file. Every other byte stays. A documented section that is
   * missing is made in its place.
   */
  async updateSection(file: AgentFile, section: string, text: string): Promise<MemoryFile> {
    return this.#calls.write("updateSection", { ...agentFile(this.agent, file), section, text });
  }

  /** Writes a decision down when it is made. */
  async decide(decision: DecisionInput): Promise<MemoryFile> {
    return recordOf(this.#calls, agentFile(this.agent, "decisions"), decision);
  }

  /** Writes down what was learned when it was. */
  async learned(learning: LearningInput): Promise<MemoryFile> {
    return recordOf(this.#calls, agentFile(this.agent, "learnings"), learning);
  }
}

/** A member of a team as it was when it was activated. */
export class ActiveMember extends ActiveAgent {
  /** The team's context, whole; empty if there is none. */
  readonly teamContext: string;
  /** The team's five newest decisions, the newest first. */
  readonly teamDecisions: DocumentEntry[];
  /** The handoffs that wait for it. */
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

/** Appends one entry. A mistake in it is named as if it had come alone. */
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
