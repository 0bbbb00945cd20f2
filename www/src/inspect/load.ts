// Where the inspector comes from: a part of the package that the first load does without.

import type { KeepsakeInspector } from "keepsake/inspector";

/** Loads the inspector, and makes one. */
export async function loadInspector(): Promise<KeepsakeInspector> {
  const { defineInspector } = await import("keepsake/inspector");
  const Inspector = defineInspector();
  return new Inspector();
}
