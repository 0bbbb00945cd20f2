// Exports a memory as lines: everything that the public API can read.

import type { Memory } from "../memory/memory.js";

import type { StepExperience } from "../wire/experience.js";
import type { Json, Metadata } from "../wire/types.js";
import { type Header, type Item, versionsOf } from "./form.js";
import { inGroups } from "./in-groups.js";

/** No limit. */
const ALL = 1_000_000_000;

/** The lines of an export without the last. Collections are exported only by name, because they cannot be listed. */
export async function* exported(
  memory: Memory<Metadata, string>,
  collections: string[] = [],
): AsyncGenerator<Header | Item> {
  const ids: string[] = [];
  const namespaces = new Set<string>();
  for await (const { id, namespace } of memory.entries({ pageSize: 1000, includePast: true })) {
    ids.push(id);
    namespaces.add(namespace);
  }
  yield { kind: "keepsake", version: 2, user: memory.user, namespaces: [...namespaces].sort() };
  // Oldest first, so that an import keeps the order.
  const read = async (id: string) => [await memory.get(id), await memory.history(id)] as const;
  for await (const [entry, before] of inGroups(ids.reverse(), read)) {
    if (entry) yield { kind: "entry", entry, before: versionsOf(entry, before) };
  }
  yield* sessions(memory);
  yield* profile(memory);
  yield* skills(memory);
  for (const { path } of await memory.files.list()) {
    const [now, before] = [await memory.files.read(path), await memory.files.history(path)];
    for (const { text, version, updatedAt } of now ? [...before, now] : []) {
      yield { kind: "file", path, text, version, at: updatedAt };
    }
  }
  const graph = await memory.semantic.graph.read();
  if (graph.entities.length > 0) yield { kind: "graph", graph };
  for (const collection of collections) {
    for await (const [key, value] of memory.collection(collection).entries()) {
      yield { kind: "value", collection, key, value };
    }
  }
}

async function* sessions(memory: Memory<Metadata, string>): AsyncGenerator<Item> {
  // A session comes before its forks.
  const all = (await memory.sessions()).reverse();
  const left = new Map(all.map((session) => [session.id, session]));
  const inOrder = function* (id: string): Generator<(typeof all)[number]> {
    const session = left.get(id);
    if (!session) return;
    left.delete(id);
    if (session.forkedFrom) yield* inOrder(session.forkedFrom.session);
    yield session;
  };
  for (const { id } of all) {
    for (const session of inOrder(id)) {
      const of = memory.session(session.id);
      yield { kind: "session", session, components: (await of.loadComponents()) ?? undefined };
      for await (const message of of.all()) yield { kind: "message", message };
    }
  }
}

async function* profile(memory: Memory<Metadata, string>): AsyncGenerator<Item> {
  const { profile, fields } = await memory.profile.details();
  for (const { path, source, at } of fields) {
    let value: Json | undefined = profile;
    for (const name of path) {
      value = Object.hasOwn(Object(value), name) ? (value as { [name: string]: Json })[name] : undefined;
    }
    if (value !== undefined) yield { kind: "profile", path, value, source, at };
  }
}

async function* skills(memory: Memory<Metadata, string>): AsyncGenerator<Item> {
  const all = await memory.procedural.list();
  for (const { id } of all) yield { kind: "skill", versions: await memory.procedural.versions(id) };
  const steps = new Map<number, StepExperience>();
  for (const step of await memory.experience.getFailures(null, ALL)) steps.set(step.n, step);
  for (const trace of await memory.experience.getSuccessfulTraces(null, ALL)) {
    for (const step of trace.steps) steps.set(step.n, step);
  }
  for (const [, step] of [...steps].sort(([one], [other]) => one - other)) yield { kind: "step", step };
  for (const { id, uses, successes } of all) {
    if (uses > 0) yield { kind: "uses", skill: id, uses, successes };
  }
}
