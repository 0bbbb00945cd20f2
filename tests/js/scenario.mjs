// Runs a scenario file through the TypeScript API, in Node and in browsers alike.

import { snapshot } from "./snapshot.mjs";

/** A clock set by hand and chance from a seed, as the Rust side's `Scripted`. */
export function scripted({ now, seed }) {
  let state = BigInt(seed);
  let clock = now;
  const nextByte = () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 56n);
  };
  return {
    now: () => clock,
    random: (length) => Uint8Array.from({ length }, nextByte),
    wait: (millis) => {
      clock += millis;
    },
  };
}

async function answer(memory, { call, args = {} }) {
  switch (call) {
    case "add": {
      const { content, ...draft } = args;
      return memory.add(content, draft);
    }
    case "get":
      return memory.get(args.id);
    case "update": {
      const { id, ...changes } = args;
      return memory.update(id, changes);
    }
    case "history":
      return memory.history(args.id);
    case "delete":
      return memory.delete(args.id);
    case "list":
      return memory.list(args);
    case "search": {
      const { query, ...options } = args;
      return memory.search(query, options);
    }
    case "explainMiss": {
      const { id, query, ...options } = args;
      return memory.explainMiss(id, query, options);
    }
    case "count":
      return memory.count(args.namespace);
    case "stats":
      return memory.stats();
    case "clear":
      return memory.clear(args.namespace);
    case "cleanup":
      return memory.cleanup();
    case "flush":
      return (await memory.flush()) ?? null;
    case "close":
      return (await memory.close()) ?? null;
    default:
      return answerOfStores(memory, call, args);
  }
}

/** The facade and its six stores, each verb through the store that has it. */
async function answerOfStores(memory, call, args) {
  const { dialog, state, semantic, procedural, profile, experience } = memory;
  switch (call) {
    case "read":
      return memory.read(args);
    case "write":
      return memory.write(args);
    case "deleteSession":
      return memory.session(args.session).delete();
    case "policy":
      return memory.policy(args);
    case "getContext":
      return dialog.getContext(args.session, args.limitTurns ?? args.limit_turns);
    case "updateSummary": {
      const { session, summary, ...options } = args;
      return (await dialog.updateSummary(session, summary, options)) ?? null;
    }
    case "getProfile":
      return profile.details();
    case "updateProfile": {
      const { changes, ...options } = args;
      await profile.updateProfile(changes, options);
      return profile.details();
    }
    case "getState":
      return state.getState(args.flow, args.session, args.version);
    case "saveState": {
      const { flow, session, state: saved, ...options } = args;
      return state.saveState(flow, session, saved, options);
    }
    case "stateVersions":
      return state.versions(args.flow, args.session);
    case "logTaskStep": {
      const { taskId, task_id = taskId, step, status, error, ...place } = args;
      return state.logTaskStep(task_id, step, status, error, place);
    }
    case "taskSteps":
      return state.steps(args.taskId, args.session);
    case "addDocuments":
      return semantic.addDocuments(args.documents);
    case "deleteDocument":
      return semantic.delete(args.id);
    case "semanticSearch": {
      const { query, filters, topK, top_k = topK, ...options } = args;
      return semantic.search(query, filters, top_k, options);
    }
    case "graphAdd":
      return semantic.graph.add(args);
    case "graphDelete":
      return semantic.graph.delete(args);
    case "graphOpen":
      return semantic.graph.open(args.names);
    case "graphRead":
      return semantic.graph.read();
    case "graphSearch": {
      const { query, ...options } = args;
      return semantic.graph.search(query, options);
    }
    case "addSkill":
      return procedural.addSkill(args);
    case "searchSkills": {
      const { taskType = null, query, topK, ...options } = args;
      return procedural.searchSkills(taskType, query, topK, options);
    }
    case "getSkill":
      return procedural.get(args.id, args.version);
    case "skills":
      return procedural.list();
    case "skillVersions":
      return procedural.versions(args.id);
    case "deleteSkill":
      return procedural.delete(args.id);
    case "recordSkillUse":
      return procedural.recordUse(args.id, args.success);
    case "logStep":
      return experience.logStep(args);
    case "getFailures":
      return experience.getFailures(args.taskType, args.limit);
    case "getSuccessfulTraces":
      return experience.getSuccessfulTraces(args.taskType, args.limit);
    case "experienceStats":
      return experience.stats(args.taskType);
    default:
      throw new Error(`no such verb: ${call}`);
  }
}

/**
 * Every step's number, what it should give and what it gave; and as one more step what should be stored in the end.
 * `open` gets the options of the scenario's world and opens a memory on a storage that outlives it; `connect` gives
 * another handle to that storage.
 */
export async function run(scenario, open, connect) {
  const world = scripted(scenario);
  const options = { user: scenario.user, config: scenario.config, now: world.now, random: world.random };
  let memory = await open(options);
  const outcomes = [];
  for (const [at, step] of scenario.steps.entries()) {
    if (step.wait !== undefined) {
      world.wait(step.wait);
    } else if (step.reopen) {
      await memory.close();
      memory = await open(options);
    } else {
      const wanted = "gives" in step ? { gives: step.gives } : { fails: step.fails };
      let seen;
      try {
        seen = { gives: await answer(memory, step) };
      } catch (error) {
        seen = { fails: { code: error.code, field: error.field ?? null } };
      }
      outcomes.push({ at, wanted, seen });
    }
  }
  await memory.close();
  const storage = connect();
  const stored = { wanted: { snapshot: scenario.snapshot }, seen: { snapshot: await snapshot(storage) } };
  await storage.close();
  return [...outcomes, { at: scenario.steps.length, ...stored }];
}
