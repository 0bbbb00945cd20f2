// A Durable Object on workerd, with a memory for each of three clients on its one storage.

import { edge } from "../../tests/js/support/edge.mjs";

/** Each operation is a request of its own: workerd sends an answer once the object's writes are on the disk. */
const WORKER = `
import { DurableObject } from "cloudflare:workers";
import { openMemory } from "keepsake";
import { durableObjectStorage } from "keepsake/cloudflare";
import { execute, readAll } from "../../benches/kills/verbs.mjs";

export class Killed extends DurableObject {
  #memories = [];

  async fetch(request) {
    const { writer, operation } = await request.json();
    try {
      this.#memories[writer] ??= openMemory({ user: "u-1", storage: durableObjectStorage(this.ctx.storage) });
      const memory = await this.#memories[writer];
      return Response.json({ answer: await (operation ? execute(memory, operation) : readAll(memory)) });
    } catch ({ code, message }) {
      return Response.json({ error: { code, message } });
    }
  }
}

export default {
  fetch: (request, env) => env.KILLED.get(env.KILLED.idFromName("one")).fetch(request),
};
`;

export async function host() {
  const runtime = await edge({ source: WORKER, classes: { KILLED: "Killed" } });
  const ask = async (body) => {
    const response = await fetch(runtime.url, { method: "POST", body: JSON.stringify(body) });
    const { answer, error } = await response.json();
    if (error) throw Object.assign(new Error(error.message), { code: error.code });
    return answer;
  };
  return {
    writers: 3,
    isLocal: true,
    async start() {
      // The first time it runs already.
      if (runtime.child.exitCode !== null || runtime.child.signalCode !== null) await runtime.start();
      return {
        execute: (writer, operation) => ask({ writer, operation }),
        readAll: (writer) => ask({ writer }),
        kill: () => runtime.kill(),
      };
    },
    remove: async () => runtime.remove(),
  };
}
