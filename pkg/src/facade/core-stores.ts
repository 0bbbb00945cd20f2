// The documented stores on Keepsake itself: to hand one to another facade, or to use it by its documented functions.

import type { Memory } from "../memory.js";
import type { StepInput } from "../stores/experience.js";
import type { MemoryCaller } from "./scopes.js";
import type { MemoryStores } from "./stores.js";

/**
 * The six documented stores over users' memories. `memoryOf` finds the memory of a user: a facade's `memory`, usually.
 *
 * @example
 * const shared = new MemoryFacade({ open: openMemory });
 * const stores = keepsakeStores((user) => shared.memory(user));
 * const facade = new MemoryFacade({ open, experienceStore: stores.experience });
 */
export function keepsakeStores(memoryOf: (userId: string) => Promise<Memory>): MemoryStores {
  const of = ({ userId }: MemoryCaller) => memoryOf(userId);
  const deleteSession = async (userId: string, sessionId: string) =>
    (await memoryOf(userId)).deleteSession(userId, sessionId);
  return {
    dialog: {
      deleteSession,
      getContext: async (user, session, turns) => (await memoryOf(user)).dialog.getContext(session, turns),
      append: async (user, session, role, content) =>
        (await memoryOf(user)).dialog.append(session, role, content),
      updateSummary: async (user, session, summary) =>
        (await memoryOf(user)).dialog.updateSummary(session, summary),
    },
    state: {
      deleteSession,
      getState: async (flow, session, caller) => (await of(caller)).state.getState(flow, session),
      saveState: async (flow, session, state, caller) =>
        (await of(caller)).state.saveState(flow, session, state),
      logTaskStep: async (task, step, status, error, caller) => {
        const place = { flow: caller.flowId, session: caller.sessionId };
        return (await of(caller)).state.logTaskStep(task, step, status, error, place);
      },
    },
    semantic: {
      search: async (query, filters, topK, caller) =>
        (await of(caller)).semantic.search(query, filters, topK),
      addDocuments: async (documents, caller) => (await of(caller)).semantic.addDocuments(documents),
    },
    procedural: {
      searchSkills: async (taskType, query, topK, caller) =>
        (await of(caller)).procedural.searchSkills(taskType, query, topK),
      addSkill: async (sop, caller) => (await of(caller)).procedural.addSkill(sop),
    },
    profile: {
      getProfile: async (user) => (await memoryOf(user)).profile.getProfile(),
      updateProfile: async (user, changes, { agentId }) =>
        (await memoryOf(user)).profile.updateProfile(changes, { agent: agentId }),
    },
    experience: {
      deleteSession,
      logStep: async (step, caller) => (await of(caller)).experience.logStep(step as StepInput),
      getFailures: async (taskType, limit, caller) =>
        (await of(caller)).experience.getFailures(taskType, limit),
      getSuccessfulTraces: async (taskType, limit, caller) =>
        (await of(caller)).experience.getSuccessfulTraces(taskType, limit),
    },
  };
}
