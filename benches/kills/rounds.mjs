// Rounds of mixed work on a host that is killed at a random moment of each, and started again on what it has stored.

import { setTimeout as wait } from "node:timers/promises";
import { dice } from "../../tests/js/support/disk.mjs";
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
 * `host` is started with `start()`, which resolves to a life: `execute(writer, operation)`, `readAll(writer)` and `kill()`.
 * With `asksAgain`, half of the operations without an answer are sent again under their keys after the restart. Resolves to
 * figures, and the faults by kind.
 */
export async function rounds({ host, count, seed, report = () => {} }) {
  const run = new Run(host, seed);
  for (let round = 0; round <= count; round += 1) {
    const life = await host.start();
    try {
      const found = await run.check(life);
      report({ round, figures: run.figures, found, things: run.world.state.size });
      if (round < count) await run.workUntilKilled(life, round);
    } finally {
      await life.kill();
    }
  }
  return { figures: run.figures, faults: run.faults };
}

class Run {
  figures = { rounds: 0, acknowledged: 0, unanswered: 0, arrived: 0, again: 0, refused: {}, verbs: {} };
  faults = {};
  /** The state after all acknowledged operations, and what lanes share. */
  world = { state: new Map(), ids: new Map(), count: 0, shared: "", outdated: [] };
  #host;
  #dice;
  /** Each with the operation that it waits for. */
  #lanes;

  constructor(host, seed) {
    this.#host = host;
    this.#dice = dice(seed);
    this.#lanes = Array.from({ length: host.writers * LANES }, (_, at) => {
      const writer = at % host.writers;
      const shared = { world: this.world, isLocal: host.isLocal, sweeps: at === 0 };
      const name = `w${writer}l${Math.floor(at / host.writers)}`;
      return {
        lane: new Lane(name, { ...shared, dice: dice(seed * 1_000 + at) }),
        writer,
        pending: undefined,
      };
    });
  }

  /** Lets every lane work, and kills the host in the middle of it. */
  async workUntilKilled(life, round) {
    this.figures.rounds += 1;
    this.#share(round);
    const stop = { now: false };
    const ended = Promise.all(this.#lanes.map((one) => this.#work(life, one, stop)));
    await Promise.race([this.#acknowledgements(this.#dice(MOST_ANSWERS)), ended]);
    await wait(this.#dice(MOST_MS));
    stop.now = true;
    await life.kill();
    await ended;
  }

  /** Reads everything back and judges it. The next round goes on from what is there, so that a fault is counted once. */
  async check(life) {
    if (this.#host.asksAgain) await this.#askAgain(life);
    const { world, figures } = this;
    const pending = this.#lanes.flatMap(({ pending }) => pending ?? []);
    const view = await life.readAll(this.#dice(this.#host.writers));
    const found = judged({ ...world, pending }, view);
    for (const [kind, list] of Object.entries(found))
      this.faults[kind] = [...(this.faults[kind] ?? []), ...list];
    world.state = new Map(view.things);
    world.ids = new Map(Object.entries(view.ids));
    world.count = view.count ?? 0;
    figures.unanswered += pending.length;
    figures.arrived += pending.filter(({ changes }) => {
      const [first] = Object.entries(changes);
      return first && (world.state.get(first[0]) ?? null) === first[1];
    }).length;
    for (const one of this.#lanes) one.pending = undefined;
    return found;
  }

  async #work(life, one, stop) {
    while (!stop.now) {
      one.pending = one.lane.next();
      try {
        this.#acknowledge(one, await life.execute(one.writer, one.pending));
      } catch (error) {
        // Its outcome is unknown, as that of an operation which the kill interrupts: the lane rests until the check.
        const why = error.code ?? error.message;
        if (!stop.now) this.figures.refused[why] = (this.figures.refused[why] ?? 0) + 1;
        return;
      }
    }
  }

  #acknowledge(one, { id }) {
    const { verb, args, changes } = one.pending;
    const { figures, world } = this;
    one.pending = undefined;
    figures.acknowledged += 1;
    figures.verbs[verb] = (figures.verbs[verb] ?? 0) + 1;
    if (verb === "count") world.count += 1;
    if (verb === "add") world.ids.set(args.content.split(" ")[0], id);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) world.state.delete(name);
      else world.state.set(name, value);
    }
  }

  async #askAgain(life) {
    for (const one of this.#lanes) {
      // The counter is read and written under no key.
      if (!one.pending || one.pending.verb === "count" || this.#dice(2)) continue;
      this.figures.again += 1;
      this.#acknowledge(one, await life.execute(one.writer, one.pending));
    }
  }

  async #acknowledgements(count) {
    const target = this.figures.acknowledged + count;
    for (let silent = 0, seen = -1; this.figures.acknowledged < target; silent += 1) {
      if (this.figures.acknowledged !== seen) silent = 0;
      seen = this.figures.acknowledged;
      if (silent > PATIENCE_MS) throw new Error(`nothing was acknowledged for ${PATIENCE_MS} ms`);
      await wait(1);
    }
  }

  #share(round) {
    const { world } = this;
    world.shared = `shared-${Math.floor(round / SHARED_ROUNDS)}`;
    const sessions = new Set([...world.state.keys()].map((name) => name.split(" ")[1]));
    world.outdated = [...sessions].filter((name) => name.startsWith("shared-") && name !== world.shared);
  }
}
