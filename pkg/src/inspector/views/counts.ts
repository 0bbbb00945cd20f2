// The number of items of each kind.

import type { AnyMemory } from "../inside.js";

export interface Counts {
  namespaces: { [name: string]: number };
  entries: number;
  /** The ids of sessions, and their number of messages. */
  sessions: string[];
  messages: number;
  tokens: number;
  /** The top-level names of the profile, and the number of all fields. */
  fields: string[];
  profile: number;
  skills: string[];
  steps: number;
  entities: string[];
  relations: number;
  files: string[];
  bytes: number;
}

export async function countsOf(memory: AnyMemory): Promise<Counts> {
  const [stats, sessions, profile, skills, experience, graph, files] = await Promise.all([
    memory.stats(),
    memory.sessions(),
    memory.profile.details(),
    memory.procedural.list(),
    memory.experience.stats(),
    memory.semantic.graph.read(),
    memory.files.list(),
  ]);
  const sum = <T>(all: readonly T[], of: (one: T) => number) =>
    all.reduce((total, one) => total + of(one), 0);
  return {
    namespaces: stats.namespaces,
    entries: stats.total,
    sessions: sessions.map(({ id }) => id),
    messages: sum(sessions, ({ messages }) => messages),
    tokens: sum(sessions, ({ tokens }) => tokens),
    fields: Object.keys(profile.profile),
    profile: profile.fields.length,
    skills: skills.map(({ id }) => id),
    steps: experience.steps,
    entities: graph.entities.map(({ name }) => name),
    relations: graph.relations.length,
    files: files.map(({ path }) => path),
    bytes: sum(files, ({ size }) => size),
  };
}
