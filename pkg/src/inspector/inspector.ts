/**
 * `<keepsake-inspector>` shows the content of a memory, the next prompt, and why each part is in it, on any page with an
 * open memory. The import has no side effects; `defineInspector` registers the element.
 *
 * @module keepsake/inspector
 */

import { MemoryError } from "../base/errors.js";
import { elementClass } from "./element.js";
import type { KeepsakeInspector } from "./types.js";

export type { InspectorItem, InspectorOpen, InspectorView, KeepsakeInspector } from "./types.js";

/**
 * Registers the element. Idempotent. Throws `unavailable` where there are no custom elements. The name defaults to
 * `"keepsake-inspector"`.
 *
 * @example
 * defineInspector();
 * const inspector = document.createElement("keepsake-inspector");
 * inspector.memory = memory;
 */
export function defineInspector(tag = "keepsake-inspector"): new () => KeepsakeInspector {
  if (typeof customElements === "undefined") {
    throw new MemoryError("unavailable", "custom elements are not available here");
  }
  const known = customElements.get(tag) as (new () => KeepsakeInspector) | undefined;
  if (known) return known;
  const made = elementClass();
  customElements.define(tag, made);
  return made;
}
