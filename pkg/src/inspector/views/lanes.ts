// Which lane each message of a session lies in: how much of it a model still sees.

import type { Message } from "../../wire/messages.js";
import type { ViewItem } from "../../wire/sessions.js";

/**
 * `hot`: shown as it was said. `warm`: a summary or a merge with others stands for it. `cold`: only its beginning is shown,
 * and the rest is found and read again when it is needed. All of them are frozen as well: they stand in the log.
 */
export type Lane = "hot" | "warm" | "cold";

const LANES: { readonly [kind in ViewItem["kind"]]: Lane } = {
  message: "hot",
  merge: "warm",
  summary: "warm",
  history: "warm",
  offload: "cold",
};

/** Messages that one item of the view stands for. */
export interface Stretch {
  lane: Lane;
  item: ViewItem;
  /** Their places, in order. Messages that stay in the window may lie between them. */
  places: number[];
}

/**
 * Lays the view over the last messages, both oldest first. An item that is a message says so by its ref; the others stand
 * for what is left, in order, and say for how many: the newest of them for the newest.
 */
export function stretchesOf(view: readonly ViewItem[], messages: readonly Message[]): Stretch[] {
  const known = new Map(messages.map(({ id }, at) => [id, at]));
  const shown = new Set(view.flatMap(({ ref }) => known.get(ref) ?? []));
  const left = messages.map((_, at) => at).filter((at) => !shown.has(at));
  return [...view]
    .reverse()
    .map((item): Stretch => {
      const at = known.get(item.ref);
      const count = item.kind === "message" ? 0 : (item.messages ?? 1);
      const places = at === undefined ? left.splice(Math.max(0, left.length - count), count) : [at];
      return { lane: LANES[item.kind], item, places };
    })
    .filter(({ places }) => places.length > 0)
    .reverse();
}

/** Places that follow each other, as first and last. */
export function runsOf(places: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const place of places) {
    const run = runs[runs.length - 1];
    if (run && run[1] === place - 1) run[1] = place;
    else runs.push([place, place]);
  }
  return runs;
}
