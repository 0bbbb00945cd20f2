// The six stores that an app can put in the place of ours, each on its own, with the documented functions.
//
// The documented arguments come first. Behind them stands who asks, since several have no user among them.

import type { DialogContext } from "../../wire/dialog.js";
import type { OwnFields, StepExperience, Trace } from "../../wire/experience.js";
import type { MessageInput, RoleInput } from "../../wire/messages.js";
import type { FoundSkill, Skill } from "../../wire/procedural.js";
import type { UserProfile } from "../../wire/profile.js";
import type { SemanticFilters } from "../../wire/search.js";
import type { RetrievalResult } from "../../wire/semantic.js";
import type { StateSnapshot, TaskStatus, Variables } from "../../wire/state.js";
import type { StepData, StepPlace } from "../stores/experience.js";
import type { SkillInput } from "../stores/procedural.js";
import type { ProfileChanges } from "../stores/profile.js";
import type { DocumentInput } from "../stores/semantic.js";
import type { FlowState } from "../stores/state.js";
import type { StoreCaller } from "./scopes.js";

/** What every store may have. */
export interface SessionStore {
  /** Takes away everything of a session. Default: nothing of it is kept here, or it stays. */
  deleteSession?(userId: string, sessionId: string): Promise<unknown>;
}

/** Conversations. */
export interface DialogStore extends SessionStore {
  /** The summary, the last turns and the facts of a session. */
  getContext(
    userId: string,
    sessionId: string,
    limitTurns: number,
    caller: StoreCaller,
  ): Promise<DialogContext>;
  /** Keeps what was said. `more` is everything else that the message has: an id, a name, metadata, fields of the app's own. */
  append(
    userId: string,
    sessionId: string,
    role: RoleInput,
    content: MessageInput["content"],
    caller: StoreCaller,
    more: Omit<MessageInput, "role" | "content">,
  ): Promise<unknown>;
  /** Sums a session up. */
  updateSummary(userId: string, sessionId: string, summary: string, caller: StoreCaller): Promise<unknown>;
}

/** Where flows stand. */
export interface StateStore extends SessionStore {
  /** The latest state; `null` if there is none. */
  getState(flowId: string, sessionId: string, caller: StoreCaller): Promise<StateSnapshot | null>;
  /** Keeps a state. */
  saveState(
    flowId: string,
    sessionId: string,
    state: FlowState | Variables,
    caller: StoreCaller,
  ): Promise<unknown>;
  /** Keeps a step of a task. `more` is everything else that the event says of it. */
  logTaskStep(
    taskId: string,
    step: string,
    status: TaskStatus,
    error: string | null,
    caller: StoreCaller,
    more: OwnFields,
  ): Promise<unknown>;
}

/** Knowledge. */
export interface SemanticStore extends SessionStore {
  /** What bears on a query, best first. */
  search(
    query: string,
    filters: SemanticFilters | null,
    topK: number,
    caller: StoreCaller,
  ): Promise<RetrievalResult[]>;
  /** Takes documents in. */
  addDocuments(documents: readonly DocumentInput[], caller: StoreCaller): Promise<unknown>;
}

/** Skills. */
export interface ProceduralStore extends SessionStore {
  /** Skills for a kind of task, and for a query in words; `null`: any kind. */
  searchSkills(
    taskType: string | null,
    query: string,
    topK: number,
    caller: StoreCaller,
  ): Promise<(FoundSkill | Skill)[]>;
  /** Keeps a skill. */
  addSkill(sop: SkillInput, caller: StoreCaller): Promise<unknown>;
}

/** Profiles. */
export interface ProfileStore extends SessionStore {
  /** What is known of a user. */
  getProfile(userId: string, caller: StoreCaller): Promise<UserProfile>;
  /** Changes it: objects merge, `null` deletes. */
  updateProfile(userId: string, changes: ProfileChanges, caller: StoreCaller): Promise<unknown>;
}

/** Experience. */
export interface ExperienceStore extends SessionStore {
  /** Keeps a step. */
  logStep(step: StepData & StepPlace, caller: StoreCaller): Promise<unknown>;
  /** Steps that failed, newest first; `null`: of any kind of task. */
  getFailures(taskType: string | null, limit: number, caller: StoreCaller): Promise<StepExperience[]>;
  /** Traces that went well in the end, newest first; `null`: of any kind of task. */
  getSuccessfulTraces(taskType: string | null, limit: number, caller: StoreCaller): Promise<Trace[]>;
}

/** The stores of a facade by their scopes; what is left out is ours. */
export interface MemoryStores {
  /** Conversations. */
  dialog: DialogStore;
  /** Where flows stand. */
  state: StateStore;
  /** Knowledge. */
  semantic: SemanticStore;
  /** Skills. */
  procedural: ProceduralStore;
  /** Profiles. */
  profile: ProfileStore;
  /** Experience. */
  experience: ExperienceStore;
}
