// Runs in the page: what writes cost, one by one and many at once, beside IndexedDB itself in the same page.

import { document } from "./corpus.mjs";
import { median, spread, timed } from "./measure.mjs";

/** So many adds, then as many raw puts, in turn: whatever else the machine does disturbs both. */
const TURN = 50;

const STORE = "entries";

export const config = { namespaces: { "long-term": { maxEntries: 1_000_000 } } };

/** A memory in a database of its own. */
export async function opened(name) {
  const { openMemory } = await import("keepsake");
  return openMemory({ name, user: "u-1", storage: "indexeddb", config });
}

/** A bare database. */
export const database = (name) =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Puts these in one transaction, as durable as those of the package. */
export const put = (raw, items) =>
  new Promise((resolve, reject) => {
    const transaction = raw.transaction(STORE, "readwrite", { durability: "relaxed" });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    const store = transaction.objectStore(STORE);
    for (const item of items) store.put(item, item.id);
  });

const draft = (number, tag) => ({ id: `${tag}-${number}`, namespace: "long-term" });
export const item = (number, tag) => ({ ...draft(number, tag), content: document(number), at: Date.now() });

/** What one add costs, beside one put of the same text. */
export async function single(count) {
  const memory = await opened("writes-single");
  const raw = await database("raw-single");
  const [adds, puts] = [[], []];
  for (let at = 0; at < count; at += TURN) {
    for (let n = at; n < at + TURN; n += 1) {
      const content = document(n);
      adds.push(await timed(() => memory.add(content, draft(n, "s"))));
    }
    for (let n = at; n < at + TURN; n += 1) {
      const one = item(n, "s");
      puts.push(await timed(() => put(raw, [one])));
    }
  }
  await memory.close();
  raw.close();
  return { add: spread(adds.slice(TURN)), put: spread(puts.slice(TURN)) };
}

/** The longest time in which the page did nothing else, while `work` was going on. */
export async function blocked(work) {
  let longest = 0;
  let last = performance.now();
  let going = true;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (going) setTimeout(() => port2.postMessage(0), 1);
  };
  port2.postMessage(0);
  const time = await timed(work);
  going = false;
  // The last block ends with the work.
  longest = Math.max(longest, performance.now() - last);
  port1.close();
  return { time, longest };
}

/** The medians of the runs of each way. */
export const medians = (results) =>
  Object.fromEntries(
    Object.entries(results).map(([name, runs]) => [
      name,
      { time: median(runs.map(({ time }) => time)), longest: median(runs.map(({ longest }) => longest)) },
    ]),
  );

/** What `count` writes at once cost, in each way. */
export async function many(count, rounds) {
  const results = {};
  const keep = (name, found) => {
    results[name] ??= [];
    results[name].push(found);
  };
  for (let round = 0; round < rounds; round += 1) {
    const items = Array.from({ length: count }, (_, n) => item(n, `r${round}`));
    const raw = await database(`raw-many-${round}`);
    keep("raw", await blocked(() => put(raw, items)));
    raw.close();
    const memory = await opened(`writes-many-${round}`);
    const adding = ({ content, id, namespace }) => memory.add(content, { id, namespace });
    keep("adds", await blocked(() => Promise.all(items.map(adding))));
    await memory.close();
    if (memory.addMany) {
      const other = await opened(`writes-group-${round}`);
      const drafts = items.map(({ content, id, namespace }) => ({ content, id, namespace }));
      keep("addMany", await blocked(() => other.addMany(drafts)));
      await other.close();
    }
    const talking = await opened(`writes-talk-${round}`);
    const session = talking.session("talk", { compression: false });
    const said = items.map(({ content }) => ({ role: "user", content }));
    keep("appends", await blocked(() => Promise.all(said.map((message) => session.append(message)))));
    await talking.close();
  }
  return medians(results);
}
