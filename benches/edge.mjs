// What a memory costs on the edge, beside a bare Durable Object on the same runtime, and how it fares when that is killed:
// `node benches/edge.mjs [--json] [--rounds 500] [--adds 10000]`. Nothing is asserted: figures are printed.

import { parseArgs } from "node:util";
import { edge, tokenOf, tokensOf } from "../tests/js/support/edge.mjs";
import { judged, load } from "../tests/js/support/edge-load.mjs";
import { median } from "./bench/measure.mjs";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    rounds: { type: "string", default: "500" },
    adds: { type: "string", default: "0" },
  },
});
const ROUNDS = Number(values.rounds);
const ADDS = Number(values.adds);

/** The example, and beside it an object that puts and gets what it is sent. */
const WORKER = `
import { DurableObject } from "cloudflare:workers";
import example from "../../examples/cloudflare-worker/src/worker.ts";
export { MemoryObject } from "keepsake/cloudflare";

export class Bare extends DurableObject {
  async fetch(request) {
    const { key, value } = await request.json();
    if (value !== undefined) await this.ctx.storage.put(key, value);
    return Response.json({ value: await this.ctx.storage.get(key) });
  }
}

export default {
  fetch(request, env) {
    if (new URL(request.url).pathname !== "/bare") return example.fetch(request, env);
    return env.BARE.get(env.BARE.idFromName("one")).fetch(request);
  },
};
`;

async function compare() {
  const classes = { BARE: "Bare", MEMORY: "MemoryObject" };
  const runtime = await edge({ source: WORKER, classes, texts: { TOKENS: tokensOf(["ann"]) } });
  const headers = { Authorization: `Bearer ${tokenOf("ann")}` };
  const ask = async (method, path, body) => {
    const start = performance.now();
    const response = await fetch(`${runtime.url}${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return { millis: performance.now() - start, json: JSON.parse(text) };
  };
  const content = (n) => `The parcel ${n} lies in room r${n * 7919}, and waits for its owner`;
  const ids = [];
  const steps = {
    "bare put": (n) => ask("POST", "/bare", { key: `k${n}`, value: content(n) }),
    add: async (n) => {
      const told = await ask("POST", "/v1/entries", { content: content(n) });
      ids.push(told.json.id);
      return told;
    },
    "bare get": (n) => ask("POST", "/bare", { key: `k${n}` }),
    get: (n) => ask("GET", `/v1/entries/${ids[n]}`),
    search: (n) => ask("POST", "/v1/search", { query: `parcel r${n * 7919}` }),
  };
  const times = Object.fromEntries(Object.keys(steps).map((name) => [name, []]));
  try {
    // In turn, so that whatever else the machine does hits all of them.
    for (let n = 0; n < ROUNDS; n++) {
      for (const [name, step] of Object.entries(steps)) times[name].push((await step(n)).millis);
    }
  } finally {
    runtime.remove();
  }
  // The first ones start the object and compile.
  const warm = Math.min(20, ROUNDS >> 1);
  const medians = Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, median(all.slice(warm))]),
  );
  return {
    rounds: ROUNDS,
    medians,
    ratios: {
      "add / bare put": medians.add / medians["bare put"],
      "get / bare get": medians.get / medians["bare get"],
      "search / bare get": medians.search / medians["bare get"],
    },
  };
}

async function killed() {
  const outcome = await load({ adds: ADDS, clients: 50, users: 100, kills: 5 });
  const { seconds, again, unfound, killed } = outcome;
  return { adds: ADDS, killed, seconds, again, unfound, ...judged(outcome) };
}

const results = { latency: await compare(), ...(ADDS > 0 && { load: await killed() }) };
if (values.json) {
  console.log(JSON.stringify(results));
} else {
  const { medians, ratios } = results.latency;
  for (const [name, millis] of Object.entries(medians))
    console.log(`${name.padEnd(20)} ${millis.toFixed(2)} ms`);
  for (const [name, ratio] of Object.entries(ratios)) console.log(`${name.padEnd(20)} ${ratio.toFixed(2)}×`);
  if (results.load) console.log(results.load);
}
