// Shared files of a team: its decisions, handoffs, blockers, and its lead's dispatch log.

import type { Dispatch, DocumentEntry, EntryStatus } from "../../wire/documents.js";
import type { MemoryFile } from "../../wire/files.js";
import { recordOf } from "./agent.js";
import type { FileCalls } from "./calls.js";
import type { BlockerInput, DecisionInput, DispatchInput, HandoffFilter, HandoffInput } from "./drafts.js";
import { TEAM_FILES } from "./paths.js";

/** The files of a team. */
export class TeamFiles {
  /** Where they are. */
  readonly paths: typeof TEAM_FILES = TEAM_FILES;
  readonly #calls: FileCalls;

  /** @internal Use `memory.files.team`. */
  constructor(calls: FileCalls) {
    this.#calls = calls;
  }

  /** Writes down a decision of the team's. */
  async decide(decision: DecisionInput): Promise<MemoryFile> {
    return recordOf(this.#calls, { file: "teamDecisions" }, decision);
  }

  /**
   * Gives work to another agent, which has to have files here. Its next activation as a member shows it. A second handoff
   * of one pair in one minute has a number behind its heading.
   */
  async handOver(handoff: HandoffInput): Promise<DocumentEntry> {
    return this.#calls.write("handOver", handoff);
  }

  /** Handoffs, in the order of the file. Default: all. */
  async handoffs(filter: HandoffFilter = {}): Promise<DocumentEntry[]> {
    return this.#calls.ask("handoffs", filter);
  }

  /**
   * Says how the handoff with this heading stands now, and what came of it. Rejects with `invalid-input` if several have
   * that heading, and names their lines; `task` says which one is meant. Default: nothing came of it yet.
   */
  async setHandoff(
    heading: string,
    status: EntryStatus,
    outcome: { result?: string | undefined; task?: string | undefined } = {},
  ): Promise<DocumentEntry> {
    return this.#calls.write("setHandoff", { ...outcome, heading, status });
  }

  /** Writes down what is in the way. It gets a number: its heading is `BLOCKER-001: title`. */
  async addBlocker(blocker: BlockerInput): Promise<DocumentEntry> {
    return this.#calls.write("addBlocker", blocker);
  }

  /** What is in the way, in the order of the file. Default: all. */
  async blockers(filter: { status?: EntryStatus | undefined } = {}): Promise<DocumentEntry[]> {
    return this.#calls.ask("blockers", filter);
  }

  /** Writes a task into the dispatch log of the team's lead, below its day, with the plan of who does what. */
  async dispatch(lead: string, dispatch: DispatchInput): Promise<Dispatch> {
    return this.#calls.write("dispatch", { ...dispatch, lead });
  }

  /** The tasks in the dispatch log of a lead, in the order of the file. */
  async dispatches(lead: string): Promise<Dispatch[]> {
    return this.#calls.ask("dispatches", { lead });
  }

  /** Says how the blocker with this heading stands now, and who solved it how. Default: nobody yet. */
  async setBlocker(
    heading: string,
    status: EntryStatus,
    outcome: { resolvedBy?: string | undefined; resolution?: string | undefined } = {},
  ): Promise<DocumentEntry> {
    return this.#calls.write("setBlocker", { ...outcome, heading, status });
  }
}
