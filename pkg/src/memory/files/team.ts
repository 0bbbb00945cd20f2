// Shared files of a team: its decisions, handoffs, blockers, and its lead's dispatch log.

import type { Dispatch, DocumentEntry, EntryStatus } from "../../wire/documents.js";
import type { MemoryFile } from "../../wire/files.js";
import { recordOf } from "./agent.js";
import type { FileCalls } from "./calls.js";
import type { BlockerInput, DecisionInput, DispatchInput, HandoffFilter, HandoffInput } from "./drafts.js";
import { TEAM_FILES } from "./paths.js";

/** The files of a team. */
export class TeamFiles {
  /** The paths of the shared files. */
  readonly paths: typeof TEAM_FILES = TEAM_FILES;
  readonly #calls: FileCalls;

  /** @internal Use `memory.files.team`. */
  constructor(calls: FileCalls) {
    this.#calls = calls;
  }

  /** Appends a team decision and returns the file. */
  async decide(decision: DecisionInput): Promise<MemoryFile> {
    return recordOf(this.#calls, { file: "teamDecisions" }, decision);
  }

  /**
   * Hands work over to another agent, which must have files here, and returns the handoff. The agent's next
   * `activateMember` includes it. A second handoff between the same two agents within a minute gets a number after its
   * heading.
   */
  async handOver(handoff: HandoffInput): Promise<DocumentEntry> {
    return this.#calls.write("handOver", handoff);
  }

  /** Returns handoffs, in file order. Default: all. */
  async handoffs(filter: HandoffFilter = {}): Promise<DocumentEntry[]> {
    return this.#calls.ask("handoffs", filter);
  }

  /**
   * Sets the status and result of the handoff with this heading, and returns it. Rejects with `invalid-input` and their
   * line numbers if several handoffs have this heading; pass `task` to select one. Default for `result`: none.
   */
  async setHandoff(
    heading: string,
    status: EntryStatus,
    outcome: {
      /** The result. Default: none. */
      result?: string | undefined;
      /** The task of the handoff, if several have this heading. Default: any. */
      task?: string | undefined;
    } = {},
  ): Promise<DocumentEntry> {
    return this.#calls.write("setHandoff", { ...outcome, heading, status });
  }

  /** Appends a blocker and returns it. Its heading is numbered: `BLOCKER-001: title`. */
  async addBlocker(blocker: BlockerInput): Promise<DocumentEntry> {
    return this.#calls.write("addBlocker", blocker);
  }

  /** Returns blockers, in file order. Default: all. */
  async blockers(
    filter: {
      /** Only blockers with this status. Default: all. */
      status?: EntryStatus | undefined;
    } = {},
  ): Promise<DocumentEntry[]> {
    return this.#calls.ask("blockers", filter);
  }

  /** Appends a task with its plan of assignments to the lead's dispatch log, under its day. Returns the task. */
  async dispatch(lead: string, dispatch: DispatchInput): Promise<Dispatch> {
    return this.#calls.write("dispatch", { ...dispatch, lead });
  }

  /** Returns the tasks in a lead's dispatch log, in file order. */
  async dispatches(lead: string): Promise<Dispatch[]> {
    return this.#calls.ask("dispatches", { lead });
  }

  /** Sets the status and resolution of the blocker with this heading, and returns it. Default: no resolution. */
  async setBlocker(
    heading: string,
    status: EntryStatus,
    outcome: {
      /** Who resolved it. Default: nobody is named. */
      resolvedBy?: string | undefined;
      /** How it was resolved. Default: none. */
      resolution?: string | undefined;
    } = {},
  ): Promise<DocumentEntry> {
    return this.#calls.write("setBlocker", { ...outcome, heading, status });
  }
}
