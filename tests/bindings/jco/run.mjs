// Runs a scenario through the bindings that jco has generated.

import { readFile } from "node:fs/promises";
import { scripted } from "../../js/scenario.mjs";
import { snapshot } from "../../js/snapshot.mjs";
import { imports, Storage } from "./host.mjs";
import { call } from "./verbs.mjs";

/**
 * The answer to every call, and the hash of what is stored at the end. `generated` is the address of the bindings' main
 * file. Reopenings share an instance: the start of these bindings takes seconds.
 */
export async function run(generated, scenario) {
  const { instantiate } = await import(generated);
  const module = async (path) => WebAssembly.compile(await readFile(new URL(path, generated)));
  const [storage, world] = [new Storage(), scripted(scenario)];
  const { Memory } = (await instantiate(module, imports(storage, world))).memory;
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
