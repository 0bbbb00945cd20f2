// Reading from and writing to a store that the app has put in the place of ours.

import { MemoryError, refused } from "../../base/errors.js";
import type { MessageInput, RoleInput } from "../../wire/messages.js";
import type { FullPolicy } from "../../wire/policy.js";
import type { MemoryPayloads, MemoryScope } from "../../wire/scopes.js";
import type { SemanticFilters } from "../../wire/search.js";
import { inCamelCase, STEP_NAMES, spelled } from "../../wire/spelling.js";
import type { TaskStatus } from "../../wire/state.js";
import type { StepData, StepPlace } from "../stores/experience.js";
import type { SkillInput } from "../stores/procedural.js";
import type { ProfileChanges } from "../stores/profile.js";
import type { DocumentInput } from "../stores/semantic.js";
import type { FlowState } from "../stores/state.js";
import { inWords, wordsOf } from "../stores/thrown.js";
import type { MemoryCaller, StoreCaller } from "./scopes.js";
import type { MemoryStores } from "./stores.js";

/** Data that nobody has looked at yet. */
interface Data {
  [name: string]: unknown;
  summary?: unknown;
  content?: unknown;
  state?: unknown;
  documents?: unknown;
  changes?: unknown;
  error?: unknown;
  input?: unknown;
  output?: unknown;
}

/** A query, with what of it the stores are told. */
export interface Asked {
  caller: StoreCaller;
  query: string;
  taskType: string | null;
}

/** How many steps and traces a read answers, as the core does. */
const FAILURES = 50;
const TRACES = 10;

/** Who asks or tells, by either spelling; what has to be there is. */
export function callerOf(fields: object): MemoryCaller {
  const required = (name: string) => {
    const value = spelled(fields, name);
    if (typeof value !== "string" || value === "") throw refused(name, "must be a text that is not empty");
    return value;
  };
  const optional = (name: string) => {
    const value = spelled(fields, name) ?? undefined;
    if (value !== undefined && typeof value !== "string") throw refused(name, "must be a text");
    return value === undefined ? {} : { [name]: value };
  };
  return {
    userId: required("userId"),
    sessionId: required("sessionId"),
    agentId: required("agentId"),
    ...optional("flowId"),
    ...optional("nodeId"),
  };
}

/** What an app's store answers for its scope, within the limits of the policy. */
export async function readFrom<S extends MemoryScope>(
  stores: Partial<MemoryStores>,
  scope: S,
  asked: Asked,
  policy: FullPolicy,
): Promise<MemoryPayloads[S]> {
  const payload = await guarded(scope, () => READS[scope](stores as MemoryStores, asked, policy));
  return payload as MemoryPayloads[S];
}

const READS: {
  [S in MemoryScope]: (stores: MemoryStores, asked: Asked, policy: FullPolicy) => Promise<MemoryPayloads[S]>;
} = {
  dialog: async ({ dialog }, { caller }, { max_dialog_turns }) =>
    object(await dialog.getContext(caller.userId, caller.sessionId, max_dialog_turns, caller)),
  state: async ({ state }, { caller }) => ({
    state: caller.flowId ? ((await state.getState(caller.flowId, caller.sessionId, caller)) ?? null) : null,
  }),
  semantic: async ({ semantic }, { caller, query }, { max_docs }) => ({
    docs: query
      ? list(await semantic.search(query, filtersOf(caller), max_docs, caller)).slice(0, max_docs)
      : [],
  }),
  procedural: async ({ procedural }, { caller, query, taskType }, { max_skills }) => {
    const found = list(await procedural.searchSkills(taskType, query, max_skills, caller));
    return { skills: found.slice(0, max_skills).map((skill) => Object.assign({ score: 0 }, skill)) };
  },
  profile: async ({ profile }, { caller }) => ({
    profile: object(await profile.getProfile(caller.userId, caller)),
  }),
  experience: async ({ experience }, { caller, taskType }) => {
    const [failures, successes] = await Promise.all([
      experience.getFailures(taskType, FAILURES, caller),
      experience.getSuccessfulTraces(taskType, TRACES, caller),
    ]);
    return { failures: list(failures), successes: list(successes) };
  },
};

/** Tells an app's store what was written to its scope. What it cannot be told is refused before it is asked. */
export async function writeTo(
  stores: Partial<MemoryStores>,
  scope: MemoryScope,
  caller: MemoryCaller,
  data: unknown,
  meta: unknown,
): Promise<void> {
  if (!isObject(data)) throw refused("data", "must be an object");
  if (meta !== undefined && !isObject(meta)) throw refused("meta", "must be an object");
  const teller = meta === undefined ? caller : { ...caller, meta: meta as StoreCaller["meta"] };
  const tell = WRITES[scope](stores as MemoryStores, teller, data, meta ?? {});
  await guarded(scope, tell);
}

const WRITES: {
  [S in MemoryScope]: (
    stores: MemoryStores,
    caller: StoreCaller,
    data: Data,
    meta: Data,
  ) => () => Promise<unknown>;
} = {
  dialog: ({ dialog }, caller, data) => {
    const { userId, sessionId } = caller;
    if ("summary" in data) {
      const summary = text(data, "summary");
      return () => dialog.updateSummary(userId, sessionId, summary, caller);
    }
    const role = text(data, "role") as RoleInput;
    const { role: _, content, ...more } = data;
    if (typeof content !== "string" && !Array.isArray(content))
      throw refused("data.content", "must be a text or a list of blocks");
    const said = content as MessageInput["content"];
    return () => dialog.append(userId, sessionId, role, said, caller, more as Partial<MessageInput>);
  },
  state: ({ state }, caller, data) => {
    if (spelled(data, "taskId") == null) {
      const { flowId } = caller;
      // A dictionary that is neither a step nor holds a state is the state.
      const saved = "state" in data ? data.state : data;
      if (flowId === undefined) throw refused("flowId", "must be there to save a state");
      if (!isObject(saved)) throw refused("data.state", "must be an object");
      return () => state.saveState(flowId, caller.sessionId, saved as FlowState, caller);
    }
    const { taskId: _, step: __, status: ___, error: thrown, ...more } = inCamelCase(data, ["taskId"]);
    const [taskId, step] = [text(data, "taskId"), text(data, "step")];
    const status = text(data, "status") as TaskStatus;
    const error = thrown == null ? null : wordsOf(thrown);
    return () => state.logTaskStep(taskId, step, status, error, caller, more);
  },
  semantic: ({ semantic }, caller, data) => {
    const documents = "documents" in data ? data.documents : [data];
    if (!Array.isArray(documents)) throw refused("data.documents", "must be a list");
    return () => semantic.addDocuments(documents as DocumentInput[], caller);
  },
  procedural: ({ procedural }, caller, data) => {
    if (!spelled(data, "useWhen")) throw refused("data.use_when", "must be a text that is not empty");
    return () => procedural.addSkill(data as unknown as SkillInput, caller);
  },
  profile: ({ profile }, caller, data) => {
    const changes = "changes" in data ? data.changes : data;
    if (!isObject(changes)) throw refused("data.changes", "must be an object");
    return () => profile.updateProfile(caller.userId, changes as ProfileChanges, caller);
  },
  experience: ({ experience }, caller, data, meta) => {
    const step = stepOf(caller, data, meta);
    return () => experience.logStep(step, caller);
  },
};

/** The filters that a query asks for, if it does. */
function filtersOf({ extra }: StoreCaller): SemanticFilters | null {
  const { filters = null } = { ...extra } as { filters?: SemanticFilters | null };
  return filters;
}

/** A step by our names, with where it was taken. */
function stepOf(caller: MemoryCaller, data: Data, meta: Data): StepData & StepPlace {
  text(data, "taskType");
  text(data, "toolName");
  const { error, metadata, ...told } = inWords(inCamelCase(data, STEP_NAMES));
  const { cost, latencyMs, traceId, skillId, ...beside } = inCamelCase(meta, STEP_NAMES);
  const known = Object.entries({ cost, latencyMs, traceId, skillId }).filter(
    ([, value]) => value !== undefined,
  );
  const said = { ...beside, ...(metadata as object | undefined) };
  const step = {
    success: error == null,
    ...Object.fromEntries(known),
    ...told,
    ...(error != null && { error }),
    ...(Object.keys(said).length > 0 && { metadata: said }),
    session: caller.sessionId,
    agent: caller.agentId,
    ...(caller.flowId !== undefined && { flow: caller.flowId }),
    ...(caller.nodeId !== undefined && { node: caller.nodeId }),
  };
  return step as unknown as StepData & StepPlace;
}

/** What `ask` answers. A failure of the app's store is told as one, by its scope. */
export async function guarded<T>(scope: MemoryScope, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof MemoryError) throw cause;
    throw new MemoryError("storage-failed", `the store of the scope ${scope} failed`, { cause });
  }
}

function list<T>(answer: T[]): T[] {
  if (!Array.isArray(answer)) throw new TypeError("it answered no list");
  return answer;
}

function object<T>(answer: T): T {
  if (!isObject(answer)) throw new TypeError("it answered no object");
  return answer;
}

function isObject(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(data: Data, name: string): string {
  const value = spelled(data, name);
  if (typeof value !== "string" || value.trim() === "")
    throw refused(`data.${name}`, "must be a text that is not empty");
  return value;
}
