/**
 * `<keepsake-inspector>`: what a memory holds, what the next prompt will contain, and why, on any page that has a memory
 * open. Nothing happens on import; `defineInspector` makes the element known to the page.
 *
 * @module keepsake/inspector
 */

import { MemoryError } from "../base/errors.js";
import { elementClass } from "./element.js";
import type { KeepsakeInspector } from "./types.js";

export type { InspectorOpen, InspectorView, KeepsakeInspector } from "./types.js";

/**
 * Makes the element known to the page, by this name. To do it twice is no mistake. Rejects nothing: it throws
 * `unavailable` where there are no elements. Default: `"keepsake-inspector"`.
 *
 * @example
 * defineInspector();
 * const inspector = document.createElement("keepsake-inspector");
 * inspector.memory = memory;
 */
export function defineInspector(tag = "keepsake-inspector"): new () => KeepsakeInspector {
  if (typeof customElements === "undefined") {
    throw new MemoryError("unavailable", "there are no custom elements here: this is not a page");
  }
  const known = customElements.get(tag) as (new () => KeepsakeInspector) | undefined;
  if (known) return known;
  const made = elementClass();
  customElements.define(tag, made);
  return made;
}
