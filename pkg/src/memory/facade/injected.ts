// Reads from and writes to the app's own stores.

import { MemoryError, refused } from "../../base/errors.js";
import type { FullPolicy } from "../../wire/policy.js";
import type { MemoryPayloads, MemoryResultItem, MemoryScope } from "../../wire/scopes.js";
import type { SemanticFilters } from "../../wire/search.js";
import { type Documented, inCamelCase, STEP_NAMES, spelled } from "../../wire/spelling.js";
import type { Metadata } from "../../wire/types.js";
import type { StepData, StepInput, StepPlace, WithOwn } from "../stores/experience.js";
import { inWords, wordsOf } from "../stores/thrown.js";
import type {
  MemoryCaller,
  MemoryWriteEvent,
  MemoryWrites,
  Own,
  StoreCaller,
  TaskStepInput,
} from "./scopes.js";
import type { MemoryStores } from "./stores.js";

/** The parts of a query that are passed to stores. */
export interface Asked {
  caller: StoreCaller;
  query: string;
  taskType: string | null;
}

/** The limits of steps and traces in a read, equal to the core's. */
const FAILURES = 50;
const TRACES = 10;

/** The caller, in either spelling. Throws `invalid-input` if a required field is missing. */
export function callerOf(fields: object): MemoryCaller {
  const userId = required(fields, "userId");
  return { ...ownCallerOf(fields), userId };
}

/** The caller with an optional user, for the memory of a single user. */
export function ownCallerOf(fields: object): Own<MemoryCaller> {
  const optional = (name: string) => {
    const value = spelled(fields, name) ?? undefined;
    if (value !== undefined && typeof value !== "string") throw refused(name, "must be a string");
    return value === undefined ? {} : { [name]: value };
  };
  return {
    ...optional("userId"),
    sessionId: required(fields, "sessionId"),
    agentId: required(fields, "agentId"),
    ...optional("flowId"),
    ...optional("nodeId"),
  };
}

function required(fields: object, name: string): string {
  const value = spelled(fields, name);
  if (typeof value !== "string" || value === "") throw refused(name, "must be a non-empty string");
  return value;
}

/** Reads a scope from the app's store, within the limits of the policy. */
export async function readFrom<S extends MemoryScope>(
  scope: S,
  store: MemoryStores[S],
  asked: Asked,
  policy: FullPolicy,
): Promise<MemoryResultItem<S>> {
  return { scope, payload: await guarded(scope, () => READS[scope](store, asked, policy)) };
}

const READS: {
  [S in MemoryScope]: (
    store: MemoryStores[S],
    asked: Asked,
    policy: FullPolicy,
  ) => Promise<MemoryPayloads[S]>;
} = {
  dialog: async (dialog, { caller }, { max_dialog_turns }) =>
    object(await dialog.getContext(caller.userId, caller.sessionId, max_dialog_turns, caller)),
  state: async (state, { caller }) => ({
    state: caller.flowId ? ((await state.getState(caller.flowId, caller.sessionId, caller)) ?? null) : null,
  }),
  semantic: async (semantic, { caller, query }, { max_docs }) => ({
    docs: query
      ? list(await semantic.search(query, filtersOf(caller), max_docs, caller)).slice(0, max_docs)
      : [],
  }),
  procedural: async (procedural, { caller, query, taskType }, { max_skills }) => {
    const found = list(await procedural.searchSkills(taskType, query, max_skills, caller));
    return { skills: found.slice(0, max_skills).map((skill) => Object.assign({ score: 0 }, skill)) };
  },
  profile: async (profile, { caller }) => ({
    profile: object(await profile.getProfile(caller.userId, caller)),
  }),
  experience: async (experience, { caller, taskType }) => {
    const [failures, successes] = await Promise.all([
      experience.getFailures(taskType, FAILURES, caller),
      experience.getSuccessfulTraces(taskType, TRACES, caller),
    ]);
    return { failures: list(failures), successes: list(successes) };
  },
};

/** Writes to the app's store. Invalid data is rejected before the store is called. */
export async function writeTo<S extends MemoryScope>(
  scope: S,
  store: MemoryStores[S],
  caller: MemoryCaller,
  data: MemoryWrites[S],
  meta: MemoryWriteEvent["meta"],
): Promise<void> {
  if (!isObject(data)) throw refused("data", "must be an object");
  if (meta !== undefined && !isObject(meta)) throw refused("meta", "must be an object");
  const beside = defined({ ...meta });
  const teller = meta === undefined ? caller : { ...caller, meta: beside };
  await guarded(scope, WRITES[scope](store, teller, data, beside));
}

const WRITES: {
  [S in MemoryScope]: (
    store: MemoryStores[S],
    caller: StoreCaller,
    data: MemoryWrites[S],
    meta: Metadata,
  ) => () => Promise<unknown>;
} = {
  dialog: (dialog, caller, data) => {
    const { userId, sessionId } = caller;
    if ("summary" in data) {
      const summary = text(data, "summary");
      return () => dialog.updateSummary(userId, sessionId, summary, caller);
    }
    text(data, "role");
    const { role, content, ...more } = data;
    if (typeof content !== "string" && !Array.isArray(content))
      throw refused("data.content", "must be a string or an array of blocks");
    return () => dialog.append(userId, sessionId, role, content, caller, more);
  },
  state: (state, caller, data) => {
    if (!isTaskStep(data)) {
      const { flowId } = caller;
      // An object that is no step and has no `state` is the state itself.
      const saved = "state" in data ? data.state : data;
      if (flowId === undefined) throw refused("flowId", "is required to save a state");
      if (!isObject(saved)) throw refused("data.state", "must be an object");
      return () => state.saveState(flowId, caller.sessionId, saved, caller);
    }
    const { taskId: _, step: __, status: ___, error: thrown, ...more } = inCamelCase(data, ["taskId"]);
    const [taskId, step] = [text(data, "taskId"), text(data, "step")];
    const status = text(data, "status");
    const error = thrown == null ? null : wordsOf(thrown);
    return () => state.logTaskStep(taskId, step, status, error, caller, more);
  },
  semantic: (semantic, caller, data) => {
    const documents = "documents" in data ? data.documents : [data];
    if (!Array.isArray(documents)) throw refused("data.documents", "must be an array");
    return () => semantic.addDocuments(documents, caller);
  },
  procedural: (procedural, caller, data) => {
    if (!spelled(data, "useWhen")) throw refused("data.use_when", "must be a non-empty string");
    return () => procedural.addSkill(data, caller);
  },
  profile: (profile, caller, data) => {
    const changes = "changes" in data ? data.changes : data;
    if (!isObject(changes)) throw refused("data.changes", "must be an object");
    return () => profile.updateProfile(caller.userId, changes, caller);
  },
  experience: (experience, caller, data, meta) => {
    const step = stepOf(caller, data, meta);
    return () => experience.logStep(step, caller);
  },
};

/** The filters of a query, or `null`. */
function filtersOf({ extra }: StoreCaller): SemanticFilters | null {
  const { filters = null } = { ...extra };
  if (filters !== null && !isObject(filters)) throw refused("extra.filters", "must be an object");
  return filters;
}

/** A step in camelCase, with its context. */
function stepOf(caller: MemoryCaller, data: StepInput, meta: Metadata): StepData & StepPlace {
  text(data, "taskType");
  text(data, "toolName");
  const { error, metadata, ...told } = inWords(inCamelCase<StepData>(data, STEP_NAMES));
  const { cost, latencyMs, traceId, skillId, ...beside } = inCamelCase(meta, STEP_NAMES);
  const said = { ...beside, ...metadata };
  return {
    success: error == null,
    ...defined({ cost, latencyMs, traceId, skillId }),
    ...told,
    ...(error != null && { error }),
    ...(Object.keys(said).length > 0 && { metadata: said }),
    session: caller.sessionId,
    agent: caller.agentId,
    ...(caller.flowId !== undefined && { flow: caller.flowId }),
    ...(caller.nodeId !== undefined && { node: caller.nodeId }),
  };
}

/** Calls `ask`. Wraps a failure of the app's store in a `storage-failed` error that names the scope. */
export async function guarded<T>(scope: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof MemoryError) throw cause;
    throw new MemoryError("storage-failed", `the store of the scope ${scope} failed`, { cause });
  }
}

function list<T>(answer: T[]): T[] {
  if (!Array.isArray(answer)) throw new TypeError("the store did not return an array");
  return answer;
}

function object<T>(answer: T): T {
  if (!isObject(answer)) throw new TypeError("the store did not return an object");
  return answer;
}

function isObject<T>(value: T): value is Exclude<T, readonly unknown[]> & object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(data: object, name: string): string {
  const value = spelled(data, name);
  if (typeof value !== "string" || value.trim() === "")
    throw refused(`data.${name}`, "must be a non-empty string");
  return value;
}

/** The fields that are not `undefined`. */
function defined<T>(fields: { [name: string]: T | undefined }): { [name: string]: T } {
  const all = Object.entries(fields);
  return Object.fromEntries(
    all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/** Whether a write to the `state` scope is a task step. */
function isTaskStep(data: MemoryWrites["state"]): data is WithOwn<TaskStepInput | Documented<TaskStepInput>> {
  return spelled(data, "taskId") != null;
}
