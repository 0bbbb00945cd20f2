// Runs a scenario file through the TypeScript API, in Node and in browsers alike.

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
      throw new Error(`no such verb: ${call}`);
  }
}

/**
 * Every step's number, what it should give and what it gave. `open` gets the options of the scenario's world and opens a
 * memory on a storage that outlives it.
 */
export async function run(scenario, open) {
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
  return outcomes;
}
