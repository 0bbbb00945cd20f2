// The six stores that an app can replace individually, with the documented functions.
//
// The documented arguments come first. The caller follows, since several of the functions have no user argument.

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

/** The optional method of all stores. */
export interface SessionStore {
  /** Deletes all data of a session. Default: the store keeps its data. */
  deleteSession?(userId: string, sessionId: string): Promise<unknown>;
}

/** A store of session messages. */
export interface DialogStore extends SessionStore {
  /** Returns the summary, the recent turns and the facts of a session. */
  getContext(
    userId: string,
    sessionId: string,
    limitTurns: number,
    caller: StoreCaller,
  ): Promise<DialogContext>;
  /** Appends a message. `more` has its other fields: an id, a name, metadata, custom fields. */
  append(
    userId: string,
    sessionId: string,
    role: RoleInput,
    content: MessageInput["content"],
    caller: StoreCaller,
    more: Omit<MessageInput, "role" | "content">,
  ): Promise<unknown>;
  /** Replaces the summary of a session. */
  updateSummary(userId: string, sessionId: string, summary: string, caller: StoreCaller): Promise<unknown>;
}

/** A store of flow states. */
export interface StateStore extends SessionStore {
  /** Returns the latest state, or `null` if there is none. */
  getState(flowId: string, sessionId: string, caller: StoreCaller): Promise<StateSnapshot | null>;
  /** Saves a state. */
  saveState(
    flowId: string,
    sessionId: string,
    state: FlowState | Variables,
    caller: StoreCaller,
  ): Promise<unknown>;
  /** Logs a step of a task. `more` has the other fields of the event. */
  logTaskStep(
    taskId: string,
    step: string,
    status: TaskStatus,
    error: string | null,
    caller: StoreCaller,
    more: OwnFields,
  ): Promise<unknown>;
}

/** A store of documents. */
export interface SemanticStore extends SessionStore {
  /** Returns the hits for a query, best first. */
  search(
    query: string,
    filters: SemanticFilters | null,
    topK: number,
    caller: StoreCaller,
  ): Promise<RetrievalResult[]>;
  /** Adds documents. */
  addDocuments(documents: readonly DocumentInput[], caller: StoreCaller): Promise<unknown>;
}

/** A store of skills. */
export interface ProceduralStore extends SessionStore {
  /** Returns the skills for a task type and a query. `null` matches any task type. */
  searchSkills(
    taskType: string | null,
    query: string,
    topK: number,
    caller: StoreCaller,
  ): Promise<(FoundSkill | Skill)[]>;
  /** Adds a skill. */
  addSkill(sop: SkillInput, caller: StoreCaller): Promise<unknown>;
}

/** A store of user profiles. */
export interface ProfileStore extends SessionStore {
  /** Returns the profile of a user. */
  getProfile(userId: string, caller: StoreCaller): Promise<UserProfile>;
  /** Updates the profile: objects merge, `null` deletes. */
  updateProfile(userId: string, changes: ProfileChanges, caller: StoreCaller): Promise<unknown>;
}

/** A store of executed steps. */
export interface ExperienceStore extends SessionStore {
  /** Logs a step. */
  logStep(step: StepData & StepPlace, caller: StoreCaller): Promise<unknown>;
  /** Returns failed steps, newest first. `null` matches any task type. */
  getFailures(taskType: string | null, limit: number, caller: StoreCaller): Promise<StepExperience[]>;
  /** Returns traces that ended in success, newest first. `null` matches any task type. */
  getSuccessfulTraces(taskType: string | null, limit: number, caller: StoreCaller): Promise<Trace[]>;
}

/** The stores by scope. */
export interface MemoryStores {
  /** Session messages. */
  dialog: DialogStore;
  /** Flow states. */
  state: StateStore;
  /** Documents. */
  semantic: SemanticStore;
  /** Skills. */
  procedural: ProceduralStore;
  /** User profiles. */
  profile: ProfileStore;
  /** Executed steps. */
  experience: ExperienceStore;
}
