// Erases everything through the public API: only a log of hashes remains.

import type { Json, Memory } from "keepsake";

/** Erases the content of a memory. */
export async function eraseAll(memory: Memory): Promise<void> {
  // Sessions first: their experience, states and recordings are deleted with them.
  for (const { id } of await memory.sessions()) await memory.session(id).delete();
  for (const { id } of await memory.procedural.list()) await memory.procedural.delete(id);
  for (const { path } of await memory.files.list()) await memory.files.delete(path);
  const { entities } = await memory.semantic.graph.read();
  await memory.semantic.graph.delete({ entities: entities.map(({ name }) => name) });
  const profile = await memory.profile.getProfile();
  const nothing = Object.fromEntries(Object.keys(profile).map((field): [string, Json] => [field, null]));
  await memory.profile.updateProfile(nothing);
  await memory.clear();
}
