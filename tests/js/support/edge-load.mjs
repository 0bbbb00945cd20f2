// Many clients at once on many objects, while the runtime is killed again and again.

import { remoteMemory } from "keepsake/remote";
import { edge, tokenOf, tokensOf } from "./edge.mjs";

/** One answer in so many is lost on its way back. */
const LOST = 20;

/**
 * So many adds, each with a search for what was added, by so many clients to so many users' objects; the runtime is killed
 * and started again so many times on the way. Answers what was acknowledged, what is there in the end, and how
 * many requests had to be sent again.
 */
export async function load({ adds, clients, users, kills }) {
  const names = Array.from({ length: users }, (_, n) => `user-${n}`);
  const runtime = await edge({ texts: { TOKENS: tokensOf(names) } });
  try {
    let attempts = 0;
    const fetching = async (request) => {
      attempts += 1;
      const isLost = attempts % LOST === 0;
      const response = await fetch(request);
      if (!isLost) return response;
      // A kill seldom falls between a write and its answer: the network is to be blamed for more of that.
      await response.arrayBuffer();
      throw new TypeError("the answer was lost");
    };
    const memories = names.map((user) =>
      remoteMemory({ url: runtime.url, token: tokenOf(user), retries: 100, maxPause: 250, fetch: fetching }),
    );
    /** Which user has acknowledged what. */
    const acknowledged = [];
    let begun = 0;
    let unfound = 0;
    let killed = 0;
    let restarting = Promise.resolve();
    const client = async () => {
      while (begun < adds) {
        const number = begun++;
        const at = number % users;
        const content = `The parcel ${number} lies in room r${number * 7919}`;
        await memories[at].add(content);
        acknowledged.push([at, content]);
        const [hit] = await memories[at].search(`parcel ${number} r${number * 7919}`, { limit: 1 });
        if (hit?.summary !== content) unfound += 1;
        // In the middle of what all the others do.
        if (killed < kills && acknowledged.length >= ((killed + 1) * adds) / (kills + 1)) {
          killed += 1;
          restarting = restarting.then(() => runtime.kill()).then(() => runtime.start());
        }
      }
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: clients }, client));
    await restarting;
    const seconds = (performance.now() - start) / 1000;
    const again = attempts - 2 * adds;
    // Whatever is only in a process's memory does not count.
    await runtime.kill();
    await runtime.start();
    const there = [];
    for (const memory of memories) there.push((await memory.list()).map(({ summary }) => summary));
    return { acknowledged, there, unfound, killed, seconds, again };
  } finally {
    runtime.remove();
  }
}

/** What was lost of it, and what is there twice. */
export function judged({ acknowledged, there }) {
  const count = new Map();
  for (const [at, list] of there.entries()) {
    for (const summary of list) count.set(`${at}/${summary}`, (count.get(`${at}/${summary}`) ?? 0) + 1);
  }
  const keys = acknowledged.map(([at, content]) => `${at}/${content}`);
  return {
    lost: keys.filter((key) => !count.has(key)).length,
    twice: [...count.values()].filter((times) => times > 1).length,
    total: [...count.values()].reduce((sum, times) => sum + times, 0),
  };
}
