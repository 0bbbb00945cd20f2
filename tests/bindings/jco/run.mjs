// Runs a scenario through the bindings that jco has generated.

import { readFile } from "node:fs/promises";
import { scripted } from "../../js/scenario.mjs";
import { snapshot } from "../../js/snapshot.mjs";
import { imports, Storage } from "./host.mjs";
import { call } from "./verbs.mjs";

/** What an instance of the bindings exports for memories. `generated` is the address of their main file. */
async function memories(generated, storage, world) {
  const { instantiate } = await import(generated);
  const module = async (path) => WebAssembly.compile(await readFile(new URL(path, generated)));
  return (await instantiate(module, imports(storage, world))).memory.Memory;
}

/**
 * The answer to every call, and the hash of what is stored at the end. Reopenings share an
 * instance: the start of these bindings takes seconds.
 */
export async function run(generated, scenario) {
  const [storage, world] = [new Storage(), scripted(scenario)];
  const Memory = await memories(generated, storage, world);
  const config = scenario.config && JSON.stringify(scenario.config);
  const open = () => Memory.open(scenario.user, config);
  let memory = open();
  const answers = [];
  for (const step of scenario.steps) {
    if (step.wait !== undefined) {
      world.wait(step.wait);
    } else if (step.reopen) {
      memory.close();
      memory = open();
    } else {
      answers.push(call(memory, step.call, step.args ?? {}));
    }
  }
  memory.close();
  return { answers, snapshot: await snapshot(storage) };
}

/** Two memories of one user that write in turn: how much each of them lists, and how often one came too late. */
export async function writeInTurn(generated, turns) {
  const storage = new Storage();
  const Memory = await memories(generated, storage, scripted({ now: 0, seed: 1 }));
  const writers = [Memory.open("u-1"), Memory.open("u-1")];
  for (let turn = 0; turn < turns; turn++) call(writers[turn % 2], "add", { content: `turn ${turn}` });
  const listed = writers.map((memory) => call(memory, "list", {}).gives.length);
  return { listed, conflicts: storage.conflicts };
}
