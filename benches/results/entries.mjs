// Entries of one number: adding them in a batch, searching, adding one more, and opening again. Systems take turns within
// each round, and each round begins with another one, so that whatever else the machine does disturbs all of them.

import { spread } from "../bench/measure.mjs";
import { nodeSeat, pageSeat } from "./seats.mjs";

const ADDS = 20;

/** A slow system answers fewer questions in a round, within about this time, but not fewer than FEWEST. */
const ROUND_MS = 4_000;
const FEWEST = 20;

/** A batch is long: this many rounds of it are enough. */
const BATCHES = 3;

const SETTLE_MS = 1_000;

const rotated = (list, by) => list.map((_, at) => list[(at + by) % list.length]);

/** Everything about one number of entries in Chromium. */
export async function inChromium({ browser, systems, entries, rounds, limitMs, figures, log }) {
  const where = "chromium";
  const chosen = systems.filter((system) => system.in.includes(where) && fits(system, entries));
  const seats = new Map();
  const dataOf = (system, round) => `${system.id}-${entries}-${round}`;
  // A batch of hundreds of thousands takes minutes: once is enough.
  const batches = entries > 20_000 ? 1 : Math.min(rounds, BATCHES);
  try {
    const batch = key("batch", where, entries, "ms");
    const filling = { systems: chosen, rounds: batches, seats, figures, about: batch };
    const fills = await inTurns(filling, async (system, round) => {
      log(`${entries} entries, ${system.name}: batch ${round + 1} of ${batches}`);
      if (!seats.has(system)) seats.set(system, await pageSeat(browser, limitMs));
      return seats.get(system).call("fill", system.id, dataOf(system, round), entries);
    });
    for (const [system, all] of fills) {
      const note = [all[0].batch, all[0].storage].filter(Boolean).join("; ");
      const times = all.map(({ ms }) => ms);
      figures.rounds({ ...batch, system: system.name, ...(note && { note }) }, times);
    }
    await searches({ systems: [...seats.keys()], seats, where, entries, rounds, figures, log });
    await adds({ systems: [...seats.keys()], seats, where, entries, rounds, figures });
    const filled = [...fills.keys()].filter(({ search }) => search > 0);
    await closeAll(seats);
    const last = (system) => dataOf(system, batches - 1);
    const common = { browser, dataOf: last, entries, rounds, limitMs, figures, log };
    const opened = await coldOpens({ ...common, systems: filled });
    await footprints({ ...common, systems: opened });
  } finally {
    await closeAll(seats);
  }
}

/** Search in processes of Node. */
export async function inNode({ staged, systems, entries, rounds, limitMs, figures, log }) {
  const where = "node";
  const chosen = systems.filter((system) => system.in.includes(where) && entries <= system.search);
  const seats = new Map();
  try {
    const about = key("search", where, entries, "ms");
    await inTurns({ systems: chosen, rounds: 1, seats, figures, about }, async (system) => {
      log(`${entries} entries, ${system.name} in Node`);
      seats.set(system, await nodeSeat(staged, limitMs));
      return seats.get(system).call("fill", system.id, `${system.id}-${entries}`, entries);
    });
    await searches({ systems: [...seats.keys()], seats, where, entries, rounds, figures, log });
  } finally {
    await closeAll(seats);
  }
}

/** IndexedDB is measured at every number, for its adds: it is what every store in a browser pays at least. */
const fits = ({ id, search }, entries) => id === "indexeddb" || entries <= Math.max(search, 20_000);

async function searches({ systems, seats, where, entries, rounds, figures, log }) {
  const about = key("search", where, entries, "ms");
  const searching = systems.filter(({ search }) => entries <= search);
  const asked = new Map();
  // The first time warms up, and is where the hits are counted.
  const warm = await inTurns({ systems: searching, rounds: 1, seats, figures, about }, async (system) => {
    log(`${entries} entries, ${system.name}: search`);
    const most = system.scans ? FEWEST : Infinity;
    const { ms, questions, r5 } = await seats.get(system).call("warmUp", entries, most);
    const within = Math.floor((questions * ROUND_MS) / ms);
    asked.set(system, Math.max(FEWEST, Math.min(questions, within)));
    return r5;
  });
  for (const [{ name, lists }, [r5]] of warm) {
    if (!lists) figures.single({ ...key("r5", where, entries, "%", "more"), system: name }, r5);
  }
  const turns = { systems: [...warm.keys()], rounds, seats, figures, about };
  const times = await inTurns(turns, async (system) => {
    return spread(await seats.get(system).call("ask", asked.get(system))).p50;
  });
  for (const [system, samples] of times) {
    const note = system.lists ? "lists, ignores the question" : system.scans ? "a scan" : undefined;
    const questions = asked.get(system);
    figures.rounds({ ...about, system: system.name, questions, ...(note && { note }) }, samples);
  }
}

/** One add at a time; a sample is the median of several. */
async function adds({ systems, seats, where, entries, rounds, figures }) {
  const about = key("add", where, entries, "ms");
  const adding = systems.filter(({ batchOnly }) => !batchOnly);
  const times = await inTurns({ systems: adding, rounds, seats, figures, about }, async (system, round) => {
    return spread(await seats.get(system).call("addOnes", entries + round * ADDS, ADDS)).p50;
  });
  for (const [{ name, adds: note }, samples] of times) {
    figures.rounds({ ...about, system: name, ...(note && { note }) }, samples);
  }
}

/** A new page for each, from nothing loaded to the first hit. */
async function coldOpens({ browser, systems, dataOf, entries, rounds, limitMs, figures, log }) {
  const about = key("open", "chromium", entries, "ms");
  const opened = await inTurns({ systems, rounds, figures, about }, async (system, round) => {
    log(`${entries} entries, ${system.name}: open ${round + 1} of ${rounds}`);
    const seat = await pageSeat(browser, limitMs);
    try {
      return await seat.call("coldOpen", system.id, dataOf(system), round);
    } finally {
      await seat.close();
    }
  });
  for (const [system, samples] of opened) figures.rounds({ ...about, system: system.name }, samples);
  return [...opened.keys()];
}

/**
 * What a page holds more than it did before, and which files it asked for. Apart from the times, because a page whose heap
 * is counted is slower.
 */
async function footprints({ browser, systems, dataOf, entries, limitMs, figures, log }) {
  const about = (what) => key(what, "chromium", entries, "bytes");
  const turns = { systems, rounds: 1, figures, about: about("memory") };
  const seen = await inTurns(turns, async (system) => {
    log(`${entries} entries, ${system.name}: memory`);
    const seat = await pageSeat(browser, limitMs);
    try {
      const before = await seat.heap();
      await seat.call("coldOpen", system.id, dataOf(system), 0);
      const first = [...seat.requests];
      await seat.call("ask", FEWEST);
      // A library may still fetch parts by itself.
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      system.requests = { first, all: [...seat.requests] };
      return { heap: (await seat.heap()) - before, wasm: await seat.call("wasm") };
    } finally {
      await seat.close();
    }
  });
  for (const [{ name: system }, [{ heap, wasm }]] of seen) {
    figures.single({ ...about("heap"), system }, heap);
    if (wasm > 0) figures.single({ ...about("wasm"), system }, wasm);
    figures.single({ ...about("memory"), system }, heap + wasm);
  }
}

const key = (what, where, entries, unit, better = "less") => ({ what, where, entries, unit, better });

/**
 * Round by round, system by system within a round; returns the results of each system. A system that fails is left out of
 * the rest, with its reason among the figures.
 */
async function inTurns({ systems, rounds, seats, figures, about }, work) {
  const results = new Map(systems.map((system) => [system, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const system of rotated(systems, round)) {
      if (!results.has(system)) continue;
      try {
        results.get(system).push(await work(system, round));
      } catch (error) {
        figures.fail({ ...about, system: system.name }, error);
        results.delete(system);
        await seats?.get(system)?.close();
        seats?.delete(system);
      }
    }
  }
  return results;
}

async function closeAll(seats) {
  for (const [system, seat] of seats) {
    // A page that crashed has nothing to close.
    await seat.call("close").catch(() => {});
    await seat.close();
    seats.delete(system);
  }
}
