// An agent that was activated: what it knows to begin with, and what it leaves behind.

import { MemoryError } from "../errors.js";
import type { FileCalls } from "./calls.js";
import type { DocumentEntry, FoundEntry } from "./document.js";
import type { DecisionInput, LearningInput, SessionEndInput } from "./drafts.js";
import type { MemoryFile } from "./file.js";
import { type AgentFile, agentFile } from "./paths.js";

/** What the core answers to an activation. */
interface Activation {
  agent: string;
  context: string;
  decisions: DocumentEntry[];
  frame: string;
}

/** The same of a member of a team. */
interface MemberActivation extends Activation {
  teamContext: string;
  teamDecisions: DocumentEntry[];
  handoffs: DocumentEntry[];
}

/** What was learned, which is looked up only when it is needed. */
export interface AgentLearnings {
  /** The learnings that fit a question, best first. Default: 5 of them. */
  search(query: string, options?: { limit?: number | undefined }): Promise<FoundEntry[]>;
}

/** An agent as it was when it was activated. Its files may be changed through it. */
export class ActiveAgent {
  /** Its name. */
  readonly agent: string;
  /** Its `context.md`, whole; empty if there is none. */
  readonly context: string;
  /** Its ten newest decisions, the newest first. */
  readonly decisions: DocumentEntry[];
  /** What it has learned. */
  readonly learnings: AgentLearnings;
  readonly #frame: string;
  readonly #calls: FileCalls;

  /** @internal Use `memory.files.activate`. */
  constructor(calls: FileCalls, { agent, context, decisions, frame }: Activation) {
    this.agent = agent;
    this.context = context;
    this.decisions = decisions;
    this.learnings = { search: (query, options) => searchLearnings(calls, agent, query, options) };
    this.#frame = frame;
    this.#calls = calls;
  }

  /** The prompt with the agent's memory in front of it; the prompt alone if there is none. */
  inject(prompt: string): string {
    return this.#frame + prompt;
  }

  /**
   * Writes what the session leaves behind, all at once: the context, then decisions, learnings and the archive. Answers
   * the files that were written. Two who end a session at the same time both have their decisions in the file.
   */
  async endSession(end: SessionEndInput): Promise<MemoryFile[]> {
    return this.#calls.write("endSession", { ...end, agent: this.agent });
  }

  /** Puts another text in the place of one section of one file. Every other byte stays. */
  async updateSection(file: AgentFile, section: string, text: string): Promise<MemoryFile> {
    return this.#calls.write("updateSection", { path: agentFile(this.agent, file), section, text });
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
  constructor(calls: FileCalls, activation: MemberActivation) {
    super(calls, activation);
    this.teamContext = activation.teamContext;
    this.teamDecisions = activation.teamDecisions;
    this.handoffs = activation.handoffs;
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
  path: string,
  entry: DecisionInput | LearningInput,
): Promise<MemoryFile> {
  try {
    return await calls.write("recordNotes", { path, entries: [entry] });
  } catch (error) {
    if (!(error instanceof MemoryError) || !error.field?.startsWith(ALONE)) throw error;
    const field = error.field.slice(ALONE.length);
    throw new MemoryError(error.code, error.message.replace(ALONE, ""), { field });
  }
}

/** The learnings of an agent that fit a question. */
export async function searchLearnings(
  calls: FileCalls,
  agent: string,
  query: string,
  options: { limit?: number | undefined } = {},
): Promise<FoundEntry[]> {
  return calls.ask("searchLearnings", { ...options, agent, query });
}
