// Runs a scenario through the bindings that jco has generated.

import { readFile } from "node:fs/promises";
import { scripted } from "../../js/support/scenario.mjs";
import { snapshot } from "../../js/support/snapshot.mjs";
import { imports, Storage } from "./host.mjs";
import { call } from "./verbs.mjs";

/** An instance of the bindings for all runs, because to start one takes seconds. `generated` is the address of their main file. */
export async function started(generated) {
  const { instantiate } = await import(generated);
  const module = async (path) => WebAssembly.compile(await readFile(new URL(path, generated)));
  const host = {};
  return { host, exports: await instantiate(module, imports(host)) };
}

/** The answer to every call of a scenario, and the hash of what is stored at the end. */
export async function run({ host, exports }, scenario) {
  const [storage, world] = [new Storage(), scripted(scenario)];
  Object.assign(host, { storage, world });
  const config = scenario.config && JSON.stringify(scenario.config);
  const open = () => exports.memory.Memory.open(scenario.user, config);
  let memory = open();
  const answers = [];
  for (const step of scenario.steps) {
    if (step.wait !== undefined) {
      world.wait(step.wait);
    } else if (step.reopen) {
      memory.close();
      memory = open();
    } else {
      answers.push(call(exports, memory, step.call, step.args));
    }
  }
  memory.close();
  return { answers, snapshot: await snapshot(storage) };
}

/** Two memories of one user that write in turn: how much each of them lists, and how often one came too late. */
export function writeInTurn({ host, exports }, turns) {
  const storage = new Storage();
  Object.assign(host, { storage, world: scripted({ now: 0, seed: 1 }) });
  const { Memory } = exports.memory;
  const writers = [Memory.open("u-1"), Memory.open("u-1")];
  for (let turn = 0; turn < turns; turn++)
    call(exports, writers[turn % 2], "add", { content: `turn ${turn}` });
  const listed = writers.map((memory) => call(exports, memory, "list", {}).gives.length);
  return { listed, conflicts: storage.conflicts };
}
