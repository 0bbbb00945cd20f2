// The documented stores backed by Keepsake, to pass to another facade or to call directly.

import type { MemoryScope } from "../../wire/scopes.js";
import type { Memory } from "../memory.js";
import type { MemoryWrites, StoreCaller } from "./scopes.js";
import type { MemoryStores } from "./stores.js";

/** The data of a write, with its scope. */
type Told = { [S in MemoryScope]: { scope: S; data: MemoryWrites[S] } }[MemoryScope];

/**
 * Returns the six documented stores backed by users' memories. `memoryOf` returns the memory of a user, usually through
 * a facade's `memory`.
 *
 * @example
 * const shared = new MemoryFacade({ open: openMemory });
 * const stores = keepsakeStores((user) => shared.memory(user));
 * const facade = new MemoryFacade({ open, experienceStore: stores.experience });
 */
export function keepsakeStores(memoryOf: (userId: string) => Promise<Memory>): MemoryStores {
  const of = ({ userId }: StoreCaller) => memoryOf(userId);
  /** Writes without the `userId`: the memory's user may have another id than the caller's. */
  const write = async (caller: StoreCaller, told: Told, flow?: string) => {
    const { userId: _, extra: __, ...who } = caller;
    return (await of(caller)).write({ ...who, ...(flow !== undefined && { flowId: flow }), ...told });
  };
  const deleteSession = async (userId: string, sessionId: string) =>
    (await memoryOf(userId)).deleteSession(userId, sessionId);
  return {
    dialog: {
      deleteSession,
      getContext: async (user, session, turns) => (await memoryOf(user)).dialog.getContext(session, turns),
      append: async (user, session, role, content, caller, more) => {
        const { id, name, at, pinned, metadata, ...own } = { ...more };
        const message = { id, name, at, pinned, metadata: { ...caller?.meta, ...own, ...metadata } };
        return (await memoryOf(user)).dialog.append(session, role, content, message);
      },
      updateSummary: async (user, session, summary, caller) =>
        (await memoryOf(user)).dialog.updateSummary(session, summary, { metadata: caller?.meta }),
    },
    state: {
      deleteSession,
      getState: async (flow, session, caller) => (await of(caller)).state.getState(flow, session),
      saveState: async (flow, session, state, caller) =>
        write({ ...caller, sessionId: session }, { scope: "state", data: { state } }, flow),
      logTaskStep: async (taskId, step, status, error, caller, more) =>
        write(caller, { scope: "state", data: { ...more, taskId, step, status, error } }),
    },
    semantic: {
      search: async (query, filters, topK, caller) =>
        (await of(caller)).semantic.search(query, filters, topK),
      addDocuments: async (documents, caller) => write(caller, { scope: "semantic", data: { documents } }),
    },
    procedural: {
      searchSkills: async (taskType, query, topK, caller) =>
        (await of(caller)).procedural.searchSkills(taskType, query, topK),
      addSkill: async (sop, caller) => write(caller, { scope: "procedural", data: sop }),
    },
    profile: {
      getProfile: async (user) => (await memoryOf(user)).profile.getProfile(),
      updateProfile: async (user, changes, { agentId, meta }) =>
        (await memoryOf(user)).profile.updateProfile(changes, { agent: agentId, metadata: meta }),
    },
    experience: {
      deleteSession,
      logStep: async (step, caller) => (await of(caller)).experience.logStep(step),
      getFailures: async (taskType, limit, caller) =>
        (await of(caller)).experience.getFailures(taskType, limit),
      getSuccessfulTraces: async (taskType, limit, caller) =>
        (await of(caller)).experience.getSuccessfulTraces(taskType, limit),
    },
  };
}
