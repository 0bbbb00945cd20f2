// What a memory costs as a component on a key-value store, beside a component that only puts and gets, and whether two hosts
// lose anything: `cargo xtask bench --service`, or `node benches/service.mjs [--json] [--rounds 300] [--writes 2000]` once
// it is built. Nothing is asserted: figures are printed.

import { parseArgs } from "node:util";
import { tokenOf } from "../tests/js/support/edge.mjs";
import { notesOf, writeFrom } from "../tests/service/support/load.mjs";
import { admit, DRAFTS, redis, wasmtimeServer } from "../tests/service/support/server.mjs";
import { median } from "./bench/measure.mjs";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    rounds: { type: "string", default: "300" },
    writes: { type: "string", default: "2000" },
  },
});
const ROUNDS = Number(values.rounds);
const WRITES = Number(values.writes);

async function compare(draft) {
  const store = await redis();
  await admit(store, ["ann"], { requestsPerMinute: 1_000_000 });
  const [bare, server] = [await wasmtimeServer("bare", store, []), await wasmtimeServer(draft, store, [])];
  const timed = async (url, method, path, body) => {
    const start = performance.now();
    const headers = { Authorization: `Bearer ${tokenOf("ann")}` };
    const response = await fetch(`${url}${path}`, { method, headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return { millis: performance.now() - start, text };
  };
  const content = (n) => `The parcel ${n} lies in room r${n * 7919}, and waits for its owner`;
  const ids = [];
  const steps = {
    "bare put": (n) => timed(bare.url, "POST", `/bare/k${n}`, content(n)),
    add: async (n) => {
      const told = await timed(server.url, "POST", "/v1/entries", JSON.stringify({ content: content(n) }));
      ids.push(JSON.parse(told.text).id);
      return told;
    },
    "bare get": (n) => timed(bare.url, "GET", `/bare/k${n}`),
    get: (n) => timed(server.url, "GET", `/v1/entries/${ids[n]}`),
    search: (n) => timed(server.url, "POST", "/v1/search", JSON.stringify({ query: `parcel r${n * 7919}` })),
  };
  const times = Object.fromEntries(Object.keys(steps).map((name) => [name, []]));
  try {
    // In turn, so that whatever else the machine does hits all of them.
    for (let n = 0; n < ROUNDS; n++) {
      for (const [name, step] of Object.entries(steps)) times[name].push((await step(n)).millis);
    }
  } finally {
    for (const { end } of [bare, server, store]) await end();
  }
  const warm = Math.min(20, ROUNDS >> 1);
  const medians = Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, median(all.slice(warm))]),
  );
  return {
    medians,
    ratios: {
      "add / bare put": medians.add / medians["bare put"],
      "get / bare get": medians.get / medians["bare get"],
      "search / bare get": medians.search / medians["bare get"],
    },
  };
}

async function twoHosts(draft) {
  const store = await redis();
  await admit(store, ["ann"], { requestsPerMinute: 1_000_000 });
  const hosts = [await wasmtimeServer(draft, store, []), await wasmtimeServer(draft, store, [])];
  try {
    const start = performance.now();
    const told = await Promise.all(hosts.map(({ url }, at) => writeFrom(url, "ann", `host ${at}`, WRITES)));
    const seconds = (performance.now() - start) / 1000;
    const found = await notesOf(hosts[0].url, "ann");
    const there = new Set(found);
    return {
      writes: told.flat().length,
      lost: told.flat().filter((content) => !there.has(content)).length,
      twice: found.length - there.size,
      seconds,
    };
  } finally {
    for (const { end } of [...hosts, store]) await end();
  }
}

const results = {};
for (const draft of DRAFTS) results[draft] = { ...(await compare(draft)), hosts: await twoHosts(draft) };
if (values.json) {
  console.log(JSON.stringify(results));
} else {
  for (const [draft, { medians, ratios, hosts }] of Object.entries(results)) {
    console.log(draft);
    for (const [name, millis] of Object.entries(medians))
      console.log(`  ${name.padEnd(20)} ${millis.toFixed(2)} ms`);
    for (const [name, ratio] of Object.entries(ratios))
      console.log(`  ${name.padEnd(20)} ${ratio.toFixed(2)}×`);
    const { writes, lost, twice, seconds } = hosts;
    console.log(`  two hosts: ${writes} writes, ${lost} lost, ${twice} twice, ${seconds.toFixed(0)} s`);
  }
}
