// Erases everything through the public API: only a log of hashes remains.

import type { Json, Memory } from "keepsake";

/** The progress; without `total` the last write is under way, whose duration is not known. */
export interface Erasing {
  done: number;
  total?: number;
}

/** Erases the content of a memory. */
export async function eraseAll(memory: Memory, tell: (progress: Erasing) => void): Promise<void> {
  const [sessions, skills, files, { entities }, profile] = await Promise.all([
    memory.sessions(),
    memory.procedural.list(),
    memory.files.list(),
    memory.semantic.graph.read(),
    memory.profile.getProfile(),
  ]);
  const nothing = Object.fromEntries(Object.keys(profile).map((field): [string, Json] => [field, null]));
  const steps: (() => Promise<unknown>)[] = [
    // Sessions first: their experience, states and recordings are deleted with them.
    ...sessions.map(
      ({ id }) =>
        () =>
          memory.session(id).delete(),
    ),
    ...skills.map(
      ({ id }) =>
        () =>
          memory.procedural.delete(id),
    ),
    ...files.map(
      ({ path }) =>
        () =>
          memory.files.delete(path),
    ),
    () => memory.semantic.graph.delete({ entities: entities.map(({ name }) => name) }),
    () => memory.profile.updateProfile(nothing),
  ];
  for (const [done, step] of steps.entries()) {
    tell({ done, total: steps.length });
    await step();
  }
  // All entries are one commit. It takes most of the time, and nearly all of that after the last progress it reports.
  tell({ done: steps.length });
  await memory.clear();
}
