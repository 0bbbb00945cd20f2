// Retrieval on a folder of data: `benches/eval.mjs` in a process of its own, with the staged package.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withStaged } from "./seats.mjs";

const SCRIPT = fileURLToPath(new URL("../eval.mjs", import.meta.url));

/**
 * The rows of each set by category and system: `{ set, category, n, systems: { [name]: { r5, r10, ndcg10, mrr } } }`. A
 * failure is among the missing figures, so that the others of a long run are not lost.
 */
export async function retrieval({ staged, data, figures, log }) {
  log("retrieval");
  try {
    return rowsOf(await measured(staged, data));
  } catch ({ stderr, message }) {
    // The script's own words, if it had any.
    const [reason] = /^\w*error(?: \[\w+\])?: .*/im.exec(stderr ?? "") ?? [message];
    figures.fail({ what: "retrieval", system: "all", where: "node" }, new Error(reason));
    return [];
  }
}

async function measured(staged, data) {
  const { execArgv, env } = withStaged(staged);
  const given = [...execArgv, SCRIPT, "--json", "--ranking", "best", "--", data];
  const { stdout } = await promisify(execFile)(process.execPath, given, { env, maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

function rowsOf({ best, peers }) {
  return Object.entries(best).flatMap(([set, categories]) =>
    Object.entries(categories).map(([category, own]) => {
      const others = Object.entries(peers).map(([name, sets]) => [name, sets[set][category]]);
      return { set, category, n: own.n, systems: { Keepsake: own, ...Object.fromEntries(others) } };
    }),
  );
}
