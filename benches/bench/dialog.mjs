// Runs in the page: what a long conversation costs, beside IndexedDB itself in the same page. Compression is the
// session's default and goes on in the background, as it does in an app.

import { document, questions } from "./corpus.mjs";
import { spread, timed } from "./measure.mjs";

const WINDOW = 30;
const BUDGET = 4000;

/** So many appends, then as many raw puts, in turn: whatever else the machine does disturbs both. */
const TURN = 100;

const RAW = "raw-puts";
const KEEPSAKE = "keepsake/dialog";
const RECORDS = "records";
const LOG = "log";

let memory;
let session;

async function open() {
  const { openMemory } = await import("keepsake");
  memory = await openMemory({ name: "dialog", user: "u-1", storage: "indexeddb" });
  session = memory.session("talk");
}

/** What is said in the place `number`: between one line and a paragraph, by the two of them in turn. */
function message(number) {
  const content = document(number).slice(0, 60 + ((number * 97) % 400));
  return { role: number % 2 === 0 ? "user" : "assistant", content };
}

/** Says `count` messages one by one; answers what one costs, and what a raw put of its record does. */
export async function fill(count) {
  await open();
  const [raw, stored] = [await database(RAW), await database(KEEPSAKE)];
  const [appends, puts] = [[], []];
  let bytes = 0;
  for (let at = 0; at < count; at += TURN) {
    for (let number = at; number < Math.min(count, at + TURN); number += 1) {
      const said = message(number);
      appends.push(await timed(() => session.append(said)));
    }
    await session.idle();
    for (const [key, value] of await storedMessages(stored, at, at + TURN)) {
      bytes += value.byteLength;
      puts.push(await timed(() => put(raw, key, value)));
    }
  }
  raw.close();
  stored.close();
  if (puts.length !== count) throw new Error(`${puts.length} of ${count} messages are stored`);
  return { messages: count, bytes: bytes / count, append: spread(appends), put: spread(puts) };
}

/** One transaction a put, as durable as those of the package. */
const put = (raw, key, value) =>
  new Promise((resolve, reject) => {
    const transaction = raw.transaction(RECORDS, "readwrite", { durability: "relaxed" });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.objectStore(RECORDS).put(value, key);
  });

/** The messages from one place up to another as the package has stored them, on their own or within the log: keys, bytes. */
async function storedMessages(stored, from, to) {
  const transaction = stored.transaction([RECORDS, LOG]);
  const store = transaction.objectStore(RECORDS);
  const range = IDBKeyRange.bound(messageKey(from), messageKey(to), false, true);
  const [keys, values, within] = await Promise.all([
    answer(store.getAllKeys(range)),
    answer(store.getAll(range)),
    answer(transaction.objectStore(LOG).index("carried").getAll(range)),
  ]);
  return [...keys.map((key, at) => [key, values[at]]), ...within.map(({ key, value }) => [key, value])];
}

/** The package's key of the message in this place: parts with two bytes of length before them, then the number. */
function messageKey(place) {
  const parts = ["u-1", "m", "talk"].flatMap((part) => [0, part.length, ...new TextEncoder().encode(part)]);
  const number = new DataView(new ArrayBuffer(8));
  number.setBigUint64(0, BigInt(place));
  return new Uint8Array([...parts, ...new Uint8Array(number.buffer)]);
}

/** What a prompt costs, and beside it reading as many messages as its window has through IndexedDB alone. */
export async function contexts(count) {
  const ask = ({ text }) => session.context({ budget: BUDGET, query: text });
  // The first puts the index up.
  const first = await timed(() => ask(questions[0]));
  for (const question of questions) await ask(question);
  const stored = await database(KEEPSAKE);
  const [asked, read] = [[], []];
  for (const question of questions) {
    asked.push(await timed(() => ask(question)));
    read.push(await timed(() => storedMessages(stored, count - WINDOW, count)));
  }
  stored.close();
  return { first, context: spread(asked), read: spread(read) };
}

/** Opens in a page that knows nothing, and reads the window; answers what was read of each object store. */
export async function reopen() {
  const reads = watchReads();
  const opened = await timed(open);
  let page;
  const shown = await timed(async () => {
    page = await session.messages({ limit: WINDOW });
  });
  return { opened, shown: opened + shown, window: page.messages.length, reads };
}

/** Counts requests and the values that they answer, by object store; records within the log are records. */
function watchReads() {
  const reads = {};
  const watched = ({ prototype }, nameOf) => {
    for (const method of ["get", "getKey", "getAll", "getAllKeys", "openCursor", "openKeyCursor", "count"]) {
      const original = prototype[method];
      prototype[method] = function (...args) {
        const request = original.apply(this, args);
        const name = nameOf(this);
        reads[name] ??= { requests: 0, values: 0 };
        const seen = reads[name];
        seen.requests += 1;
        request.addEventListener("success", () => {
          if (method === "getAll") seen.values += request.result.length;
          // A cursor may go anywhere: each step is a value.
          else if (method === "get" || method === "openCursor")
            seen.values += request.result === undefined ? 0 : 1;
        });
        return request;
      };
    }
  };
  watched(IDBObjectStore, ({ name }) => name);
  watched(IDBIndex, () => RECORDS);
  return reads;
}

export const close = () => memory.close();

function database(name) {
  const opening = indexedDB.open(name);
  opening.onupgradeneeded = () => opening.result.createObjectStore(RECORDS);
  return answer(opening);
}

const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
