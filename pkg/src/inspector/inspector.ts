/**
 * `<keepsake-inspector>`: what a memory holds, what the next prompt will contain, and why, on any page that has a memory
 * open. Nothing happens on import; `defineInspector` makes the element known to the page.
 *
 * @module keepsake/inspector
 */

import { MemoryError } from "../errors.js";
import type { Memory } from "../memory.js";
import type { Metadata } from "../types.js";
import { elementClass } from "./element.js";

// For apps whose libraries of types do not have these, as without the DOM's. Where one has, the first adds nothing to it,
// and the second tells it what `document.createElement("keepsake-inspector")` makes.
declare global {
  interface HTMLElement {}
  interface HTMLElementTagNameMap {
    "keepsake-inspector": KeepsakeInspector;
  }
}

/** The views, in their order. */
export type InspectorView = "now" | "search" | "time" | "knowledge" | "experience" | "files" | "storage";

/** What `keepsake-open` tells in its `detail`: somebody wants to see a thing that the inspector cannot show. */
export interface InspectorOpen {
  /** What it is called: a session's id, a message's id, or the source that an entry or a field names. */
  ref: string;
  /** What it is. */
  kind: "session" | "message" | "source";
  /** The session of a message. */
  session?: string;
}

/** The element. It never writes unless somebody presses a button that says so, and never closes the memory. */
export interface KeepsakeInspector extends HTMLElement {
  /** The memory to look into; another one, or none, may be set at any time. Default: `null`, which shows nothing. */
  memory: Memory<Metadata, string> | null;
  /** The id of the session whose next prompt is shown. Default: `undefined`, the one that was last used. */
  session: string | undefined;
  /** What the next prompt answers. Default: `undefined`, what the user said last. */
  query: string | undefined;
  /** The view that is open; also an attribute. Default: `"now"`. */
  view: InspectorView;
}

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
