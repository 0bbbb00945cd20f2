// Where the inspector comes from.

import type { Memory } from "keepsake";
import type { InspectorView } from "../shell/app.js";

/** What the page uses of the inspector's element. */
export interface Inspector extends HTMLElement {
  memory: Memory | null;
  session: string | undefined;
  query: string | undefined;
  view: InspectorView;
  theme: "light" | "dark";
}

/** Loads the inspector, and makes one. */
export async function loadInspector(): Promise<Inspector> {
  throw new Error("the inspector is not part of this build");
}
