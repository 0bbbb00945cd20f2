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
    case "addMany":
      return memory.addMany(args.drafts);
    case "get":
      return memory.get(args.id);
    case "promote": {
      const { id, ...promotion } = args;
      return memory.promote(id, promotion);
    }
    case "rollback":
      return memory.rollback(args);
    case "conflicts":
      return memory.conflicts(args);
    case "resolve":
      return memory.resolve(args.id, args.keep);
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
    case "forget":
      return memory.forget(args);
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
      return answerOfTalk(memory, call, args);
  }
}

/** Conversations and long-term memory. Nothing is compressed in the background, at a time of its own. */
async function answerOfTalk(memory, call, { session: id, agent, ...args }) {
  // Some calls are of no session.
  const session = memory.session(id ?? "", { agent, compression: false });
  const longTerm = (options) => memory.longTerm({ session: id, agent, ...options });
  switch (call) {
    case "append":
      return session.append(args.messages);
    case "messages":
      return session.messages(args);
    case "message":
      return session.message(args.id);
    case "session":
      return session.info();
    case "sessions":
      return memory.sessions();
    case "setTitle":
      return session.setTitle(args.title);
    case "fork":
      return (await session.fork(args)).info();
    case "deleteSession":
      return session.delete(args);
    case "view":
      return session.view();
    case "viewMessages":
      return session.viewMessages();
    case "hide":
      return session.hide(args.refs);
    case "clearView":
      return session.clearView();
    case "restoreView":
      return session.restoreView(args.messages);
    case "hidden":
      return session.hidden();
    case "histories":
      return session.histories();
    case "context":
      return session.context(args);
    case "saveComponents":
      return (await session.saveComponents(args.components)) ?? null;
    case "loadComponents":
      return session.loadComponents();
    case "logExport":
      return (await memory.log.export(id)).split("\n").slice(0, -1);
    case "logVerify":
      return memory.log.verify(args);
    case "digest":
      return memory.digest(args);
    case "queryMemory": {
      const { query, ...options } = args;
      const hits = await memory.queryMemory(query, { session: id, agent, ...options });
      return hits.digest ? { hits: [...hits], digest: hits.digest } : [...hits];
    }
    case "record":
      // The app's own texts come out of a filter.
      if (args.source !== undefined || args.understood !== undefined)
        return asItIs(memory, call, { session: id, agent, ...args });
      return longTerm(args.texts && { recordFilter: () => args.texts }).record(args.messages ?? []);
    case "retrieve":
      return longTerm({ limit: args.limit, minTrust: args.minTrust }).retrieve(args.query, {
        instructions: args.instructions,
      });
    case "recordToMemory":
      return longTerm().tools[0].call(args);
    default:
      return answerOfFiles(memory, call, { session: id, agent, ...args });
  }
}

/** Files, and the agents that live in them. */
async function answerOfFiles(memory, call, args) {
  const { files } = memory;
  const { path, text, expect } = args;
  const options = "expect" in args ? { expect } : {};
  switch (call) {
    case "file":
      return files.read(path);
    case "files":
      return files.list(args.folder);
    case "writeFile":
      return files.write(path, text, options);
    case "appendFile":
      return files.append(path, text, options);
    case "moveFile":
      return files.move(args.from, args.to, options);
    case "deleteFile":
      return files.delete(path, options);
    case "fileHistory":
      return files.history(path);
    case "fileNames":
      return files.judge(args.names);
    case "parseFile":
      return files.parse(path, text);
    case "diff":
      return files.diff(args.before, args.after);
    case "lintFile":
      return files.lint(path, text);
    case "updateFile":
      return files.update(path, args.changes, options);
    case "updateSection":
      return files.updateSection(path, args.section, text, options);
    case "memoryTool": {
      const { command, ...where } = args;
      return files.memoryTool(where).run(command);
    }
    case "writeSession": {
      const { session, ...where } = args;
      return files.writeSession(session, where);
    }
    case "ingestSources":
      return files.ingestSources(args);
    case "handOver":
      return files.team.handOver(args);
    case "handoffs":
      return files.team.handoffs(args);
    case "setHandoff": {
      const { heading, status, ...outcome } = args;
      return files.team.setHandoff(heading, status, outcome);
    }
    case "addBlocker":
      return files.team.addBlocker(args);
    case "blockers":
      return files.team.blockers(args);
    case "setBlocker": {
      const { heading, status, ...outcome } = args;
      return files.team.setBlocker(heading, status, outcome);
    }
    case "dispatch": {
      const { lead, ...dispatch } = args;
      return files.team.dispatch(lead, dispatch);
    }
    case "dispatches":
      return files.team.dispatches(args.lead);
    case "activate": {
      const active = await files[args.member ? "activateMember" : "activate"](args.agent);
      const { learnings: _, knowledge: __, ...known } = active;
      return { ...known, frame: active.inject("") };
    }
    case "endSession": {
      const { agent, ...end } = args;
      return (await files.activate(agent)).endSession(end);
    }
    case "searchLearnings": {
      const { agent, query, ...how } = args;
      return (await files.activate(agent)).learnings.search(query, how);
    }
    case "searchKnowledge": {
      const { agent, query, ...how } = args;
      return (await files.activate(agent)).knowledge.search(query, how);
    }
    default:
      return answerOfRest(memory, call, args);
  }
}

/** Collections, tools, and texts. */
async function answerOfRest(memory, call, args) {
  const values = memory.collection(args.collection);
  switch (call) {
    case "values":
      return (await values.getMany(args.keys)).map((value) => (value === undefined ? null : [value]));
    case "listValues": {
      const { collection: _, ...range } = args;
      return (await values.list(range)).map(({ key, value }) => [key, value]);
    }
    case "editValues": {
      const expect = args.expect?.map(({ key, value }) => [key, value]);
      return values.write(args.changes, { expect });
    }
    case "searchValues": {
      const { collection: _, query, ...options } = args;
      return (await values.search(query, options)).map(({ key, value, score }) => [key, value, score]);
    }
    case "tools": {
      const { format, ...options } = args;
      return memory.tools(format, options);
    }
    case "callTool": {
      const { name, args: given, ...scope } = args;
      return memory.call(name, given, scope);
    }
    case "guidance":
      return memory.guidance();
    case "ingest": {
      const { text, ...options } = args;
      return memory.ingest(text, options);
    }
    case "verify":
      return memory.verify(args);
    case "countTokens":
      return memory.countTokens(args.text);
    case "estimateTokens":
      return memory.estimateTokens(args.text);
    case "toFormat":
      return memory.format(args.format, args.messages);
    case "fromFormat":
      return memory.parse(args.format, args.value);
    case "toLines": {
      const { messages, ...options } = args;
      return memory.toLines(messages, options);
    }
    case "fromLines":
      return memory.fromLines(args.lines);
    default:
      return asItIs(memory, call, args);
  }
}

/** A verb that has no method of its own, or one that does more: in the words of the core. */
function asItIs(memory, call, args) {
  return memory.documented(call, args);
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
