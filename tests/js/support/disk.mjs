// The file system as the storage in a file sees it, with a gate before every call: to fail there, to stop there for
// good, or to decide who goes first.

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

const FUNCTIONS = ["open", "readdir", "rename", "stat", "unlink", "lstat", "realpath"];
const METHODS = ["read", "write", "stat", "datasync", "sync", "chmod", "chown", "close"];

/**
 * While `work` runs, every call goes through `gate(name, args, execute, path)`, which answers for it; `execute` takes
 * other arguments, if there are to be others. Methods of an open file are called `file.write` and so on. Waiting is a
 * call, too: `pause`. Afterwards every file is closed, as it is when a program ends.
 */
export async function withGate(gate, work) {
  const { promises } = fs;
  const originals = Object.fromEntries(FUNCTIONS.map((name) => [name, promises[name]]));
  const { setTimeout: pause } = timers;
  const open = new Set();
  for (const name of FUNCTIONS) promises[name] = gated(gate, name, originals[name]);
  promises.open = async (...args) => {
    const handle = await gated(gate, "open", originals.open)(...args);
    open.add(handle);
    const method = (name) => gated(gate, `file.${name}`, (...args) => handle[name](...args), args[0]);
    return Object.fromEntries(METHODS.map((name) => [name, method(name)]));
  };
  timers.setTimeout = gated(gate, "pause", pause);
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(promises, originals);
    timers.setTimeout = pause;
    syncBuiltinESMExports();
    await Promise.all([...open].map((handle) => handle.close().catch(() => {})));
  }
}

function gated(gate, name, original, path) {
  const call = (...args) => {
    const execute = (...instead) => original(...(instead.length > 0 ? instead : args));
    return gate(name, args, execute, path ?? String(args[0]));
  };
  return call;
}

/** An error as the operating system's come. */
export function failure(code) {
  return Object.assign(new Error(`${code}: said the gate`), { code });
}

/** Never settles, like the calls of a program that has ended. */
export const never = () => new Promise(() => {});

/** Numbers below `limit` that look like chance and are the same for the same seed. */
export function dice(seed) {
  let state = BigInt(seed);
  return (limit) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number((state >> 33n) % BigInt(limit));
  };
}
