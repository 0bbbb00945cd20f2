// The lane of each message of a session: how much of it a model still sees.

import type { Message } from "../../wire/messages.js";
import type { ViewItem } from "../../wire/sessions.js";

/**
 * `hot`: the original text. `warm`: replaced by a summary or a merged message. `cold`: only the beginning, and the rest can
 * be searched and read when needed. All of them are frozen as well: they are in the log.
 */
export type Lane = "hot" | "warm" | "cold";

const LANES: { readonly [kind in ViewItem["kind"]]: Lane } = {
  message: "hot",
  merge: "warm",
  summary: "warm",
  history: "warm",
  offload: "cold",
};

/** Messages that one item of the view replaces. */
export interface Stretch {
  lane: Lane;
  item: ViewItem;
  /** Their indices, in order. Messages that stay in the window may lie between them. */
  places: number[];
}

/**
 * Maps the view to the last messages, both oldest first. An item that is a message has its ref. The other items replace the
 * remaining messages, in order, each with a count: the newest item the newest messages.
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

/** Ranges of consecutive indices, as first and last. */
export function runsOf(places: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const place of places) {
    const run = runs[runs.length - 1];
    if (run && run[1] === place - 1) run[1] = place;
    else runs.push([place, place]);
  }
  return runs;
}
