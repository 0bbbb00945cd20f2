// The layout of a graph: a small, deterministic spring simulation.

import type { Graph } from "../../wire/graph.js";

/** An entity and its position, from 0 to 1 in both directions. */
export interface Place {
  name: string;
  type: string;
  x: number;
  y: number;
  /** The number of its relations. */
  degree: number;
}

const TURNS = 200;
/** A starting position: no two are equal, and no three on a line. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** The entities with the most relations, at most `limit`, with their positions. */
export function layout({ entities, relations }: Graph, limit: number): Place[] {
  const degrees = new Map<string, number>();
  for (const { from, to } of relations) {
    for (const name of [from, to]) degrees.set(name, (degrees.get(name) ?? 0) + 1);
  }
  const places = entities
    .map(({ name, type }) => ({ name, type, degree: degrees.get(name) ?? 0, x: 0, y: 0 }))
    .sort((one, other) => other.degree - one.degree || (one.name < other.name ? -1 : 1))
    .slice(0, limit);
  for (const [at, place] of places.entries()) {
    const radius = Math.sqrt((at + 0.5) / places.length);
    place.x = radius * Math.cos(at * GOLDEN);
    place.y = radius * Math.sin(at * GOLDEN);
  }
  const index = new Map(places.map((place) => [place.name, place]));
  const springs = relations.flatMap(({ from, to }) => {
    const [one, other] = [index.get(from), index.get(to)];
    return one && other && one !== other ? [[one, other] as const] : [];
  });
  const rest = 1.4 / Math.sqrt(places.length || 1);
  for (let turn = 0; turn < TURNS; turn++) {
    const heat = 0.1 * (1 - turn / TURNS);
    const forces = new Map(places.map((place) => [place, { x: -place.x * 0.15, y: -place.y * 0.15 }]));
    const pull = (one: Place, other: Place, strength: (distance: number) => number) => {
      const [dx, dy] = [other.x - one.x, other.y - one.y];
      const distance = Math.hypot(dx, dy) || 1e-3;
      const force = strength(distance) / distance;
      const [a, b] = [forces.get(one), forces.get(other)];
      if (!a || !b) return;
      a.x += dx * force;
      a.y += dy * force;
      b.x -= dx * force;
      b.y -= dy * force;
    };
    for (const [at, one] of places.entries()) {
      for (const other of places.slice(at + 1)) pull(one, other, (distance) => (-rest * rest) / distance);
    }
    for (const [one, other] of springs) pull(one, other, (distance) => (distance * distance) / rest);
    for (const [place, { x, y }] of forces) {
      const length = Math.hypot(x, y) || 1;
      place.x += (x / length) * Math.min(length, heat);
      place.y += (y / length) * Math.min(length, heat);
    }
  }
  return scaled(places);
}

function scaled(places: Place[]): Place[] {
  const span = (values: number[]) => {
    const least = Math.min(...values);
    const width = Math.max(...values) - least;
    return (value: number) => (width > 1e-9 ? (value - least) / width : 0.5);
  };
  const [x, y] = [span(places.map((place) => place.x)), span(places.map((place) => place.y))];
  return places.map((place) => ({ ...place, x: x(place.x), y: y(place.y) }));
}
