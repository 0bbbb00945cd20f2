// The types of the element, which apps see and every part of it uses.

import type { Memory } from "../memory/memory.js";
import type { Metadata } from "../wire/types.js";

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

/** The `detail` of the event `keepsake-open`: the user opens a thing that the inspector cannot show. */
export interface InspectorOpen {
  /** Its name: a session's id, a message's id, or the source that an entry or a field names. */
  ref: string;
  /** Its kind. */
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
