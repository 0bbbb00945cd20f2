// Loads the inspector: a part of the package that the first load omits.

import type { KeepsakeInspector } from "keepsake/inspector";

/** Loads the inspector, and creates one. */
export async function loadInspector(): Promise<KeepsakeInspector> {
  const { defineInspector } = await import("keepsake/inspector");
  const Inspector = defineInspector();
  return new Inspector();
}
