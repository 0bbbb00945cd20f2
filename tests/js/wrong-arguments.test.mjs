// Every exported function and every method, called with what JavaScript lets pass: each failure is a MemoryError that says
// what is wrong, and never a bare TypeError out of the library's own code.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as keepsake from "keepsake";
import * as acontext from "keepsake/acontext";
import * as mem0 from "keepsake/mem0";
import * as service from "keepsake/memory-service";

const { MemoryError, openMemory } = keepsake;

/** What is passed in the place of the first arguments. */
const WRONG = [undefined, null, 1, "", [], {}, true, () => {}];

/** The ways to call something: with one of them, and with a name and one of them. */
const lists = [[], ...WRONG.map((value) => [value]), ...WRONG.map((value) => ["x", value])];

/** Methods of a value, of its class and of the classes below it. */
function methods(value) {
  const names = new Set();
  for (let at = value; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Reflect.ownKeys(at)) {
      if (name === "constructor" || typeof name !== "string") continue;
      const { get, value: own } = Object.getOwnPropertyDescriptor(at, name);
      if (!get && typeof own === "function") names.add(name);
    }
  }
  return [...names].sort();
}

const shown = (args) =>
  args
    .map((value) => (typeof value === "function" ? "f" : (JSON.stringify(value) ?? "undefined")))
    .join(", ");

/** Calls it and answers what went wrong, if that was not a MemoryError. */
async function fault(name, call) {
  try {
    const answer = await call();
    // Answers that are read bit by bit fail when they are read.
    if (answer && typeof answer[Symbol.asyncIterator] === "function")
      await answer[Symbol.asyncIterator]().next();
    return undefined;
  } catch (error) {
    return error instanceof MemoryError
      ? undefined
      : `${name}: ${error?.stack?.split("\n").slice(0, 3).join(" | ") ?? error}`;
  }
}

/** Shows every fault, which a comparison of long lists does not. */
function none(faults) {
  assert.equal(faults.length, 0, faults.join("\n"));
}

/** The faults of all methods of what `make` makes, each on a new one. */
async function faultsOf(label, make, without = []) {
  const faults = [];
  for (const name of methods(await make()).filter((name) => !without.includes(name))) {
    for (const args of lists) {
      const value = await make();
      faults.push(await fault(`${label}.${name}(${shown(args)})`, () => value[name](...args)));
    }
  }
  return faults.filter(Boolean);
}

const open = () => openMemory({ user: "u", storage: "memory" });
let memory;
const held = async () => {
  memory ??= await open();
  return memory;
};

test("openMemory refuses options that are none, and names what is missing", async () => {
  for (const options of [undefined, null, 1, "u", true, () => {}]) {
    await assert.rejects(openMemory(options), {
      name: "MemoryError",
      code: "invalid-input",
      field: "options",
    });
  }
  for (const options of [{}, [], { user: null }, { user: 1 }, { user: "" }]) {
    await assert.rejects(openMemory(options), { name: "MemoryError", code: "invalid-input", field: "user" });
  }
});

test("log.check refuses what is no string", async () => {
  const { log } = await held();
  for (const lines of [undefined, null, 1, [], {}]) {
    await assert.rejects(log.check(lines), { name: "MemoryError", code: "invalid-input" });
  }
});

test("no exported function fails with a bare TypeError", async () => {
  const faults = [];
  const modules = { keepsake, acontext, mem0, service };
  for (const [module, exports] of Object.entries(modules)) {
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value !== "function" || value === MemoryError) continue;
      const isClass = /^class\b/.test(Function.prototype.toString.call(value));
      for (const args of lists) {
        const call = () => (isClass ? new value(...args) : value(...args));
        faults.push(await fault(`${module}.${isClass ? "new " : ""}${name}(${shown(args)})`, call));
      }
    }
  }
  await service.MemoryService.resetInstance();
  none(faults.filter(Boolean));
});

test("no method of a memory fails with a bare TypeError", async () => {
  none(await faultsOf("memory", held, ["close"]));
  assert.equal(await fault("close", async () => (await open()).close(1)), undefined);
});

for (const store of ["log", "dialog", "state", "semantic", "procedural", "profile", "experience", "files"]) {
  test(`no method of memory.${store} fails with a bare TypeError`, async () => {
    none(await faultsOf(store, async () => (await held())[store], ["onChange"]));
  });
}

test("no method of what a memory makes fails with a bare TypeError", async () => {
  const made = {
    session: async () => (await held()).session("s"),
    longTerm: async () => (await held()).longTerm(),
    collection: async () => (await held()).collection("c"),
    graph: async () => (await held()).semantic.graph,
    service: async () => service.MemoryService,
  };
  for (const [label, make] of Object.entries(made)) none(await faultsOf(label, make));
});
