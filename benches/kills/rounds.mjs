// Rounds of mixed work on a host that is killed at a random moment of each, and started again on what it has stored.

import { setTimeout as wait } from "node:timers/promises";
import { dice as diceOf } from "../../tests/js/disk.mjs";
import { judged } from "./judge.mjs";
import { Lane } from "./lane.mjs";

/** Operations under way at a time, of each writer. */
const LANES = 3;
/** A round is killed after this many acknowledgements at most, and this many milliseconds more. */
const MOST_ANSWERS = 120;
const MOST_MS = 40;
/** A host that acknowledges nothing for so long hangs. */
const PATIENCE_MS = 120_000;
/** Rounds that append to one shared session. */
const SHARED_ROUNDS = 10;

/**
 * `host` is started with `start()`, which answers a life: `execute(writer, operation)`, `readAll(writer)` and `kill()`. With
 * `asksAgain`, half of the operations without an answer are sent again under their keys after the restart. Answers with
 * figures, and the faults by kind.
 */
export async function rounds({ host, count, seed, report = () => {} }) {
  const dice = diceOf(seed);
  const world = { state: new Map(), ids: new Map(), count: 0, shared: "", outdated: [] };
  const lanes = Array.from({ length: host.writers * LANES }, (_, at) => {
    const writer = at % host.writers;
    const name = `w${writer}l${Math.floor(at / host.writers)}`;
    const options = { dice: diceOf(seed * 1_000 + at), world, isLocal: host.isLocal, sweeps: at === 0 };
    return { lane: new Lane(name, options), writer, pending: undefined };
  });
  const figures = { rounds: 0, acknowledged: 0, unanswered: 0, arrived: 0, again: 0, refused: {}, verbs: {} };
  const faults = {};

  const acknowledge = (one, { verb, args, changes }, { id }) => {
    one.pending = undefined;
    figures.acknowledged += 1;
    figures.verbs[verb] = (figures.verbs[verb] ?? 0) + 1;
    if (verb === "count") world.count += 1;
    if (verb === "add") world.ids.set(args.content.split(" ")[0], id);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) world.state.delete(name);
      else world.state.set(name, value);
    }
  };

  const checkAfterKill = async (life) => {
    if (host.asksAgain) {
      for (const one of lanes) {
        if (!one.pending || one.pending.verb === "count" || dice(2)) continue;
        figures.again += 1;
        acknowledge(one, one.pending, await life.execute(one.writer, one.pending));
      }
    }
    const pending = lanes.flatMap(({ pending }) => pending ?? []);
    const view = await life.readAll(dice(host.writers));
    const found = judged({ ...world, pending }, view);
    for (const [kind, list] of Object.entries(found)) faults[kind] = [...(faults[kind] ?? []), ...list];
    figures.unanswered += pending.length;
    const there = new Map(view.things);
    figures.arrived += pending.filter(({ changes }) => {
      const [first] = Object.entries(changes);
      return first && (there.get(first[0]) ?? null) === first[1];
    }).length;
    // The next round goes on from what is there, so that a fault is counted once.
    world.state = there;
    world.count = view.count ?? 0;
    world.ids = new Map(Object.entries(view.ids));
    for (const one of lanes) one.pending = undefined;
    return found;
  };

  const work = async (life) => {
    const target = figures.acknowledged + dice(MOST_ANSWERS);
    let over = false;
    const all = lanes.map(async (one) => {
      while (!over) {
        one.pending = one.lane.next();
        try {
          acknowledge(one, one.pending, await life.execute(one.writer, one.pending));
        } catch (error) {
          // Its outcome is unknown, as it is for an operation that the kill interrupts: the lane rests until the check.
          const why = error.code ?? error.message;
          if (!over) figures.refused[why] = (figures.refused[why] ?? 0) + 1;
          return;
        }
      }
    });
    const settled = Promise.all(all);
    const enough = async () => {
      for (let silent = 0, seen = -1; figures.acknowledged < target; silent += 1) {
        if (figures.acknowledged !== seen) silent = 0;
        seen = figures.acknowledged;
        if (silent > PATIENCE_MS) throw new Error(`nothing was acknowledged for ${PATIENCE_MS} ms`);
        await wait(1);
      }
    };
    await Promise.race([enough(), settled]);
    await wait(dice(MOST_MS));
    over = true;
    await life.kill();
    await settled;
  };

  for (let round = 0; round <= count; round += 1) {
    const life = await host.start();
    try {
      const found = await checkAfterKill(life);
      report({ round, figures, found, things: world.state.size });
      if (round === count) break;
      figures.rounds += 1;
      world.shared = `shared-${Math.floor(round / SHARED_ROUNDS)}`;
      const sessions = new Set([...world.state.keys()].map((name) => name.split(" ")[1]));
      world.outdated = [...sessions].filter((name) => name.startsWith("shared-") && name !== world.shared);
      await work(life);
    } finally {
      await life.kill();
    }
  }
  return { figures, faults };
}
