// The public types of the element.

import type { Listed } from "../base/listed.js";
import type { Memory } from "../memory/memory.js";
import type { Metadata } from "../wire/types.js";

// For apps without the DOM types. Where they exist, the first declaration merges with them, and the second adds the type of
// `document.createElement("keepsake-inspector")`.
declare global {
  interface HTMLElement {}
  interface HTMLElementTagNameMap {
    "keepsake-inspector": KeepsakeInspector;
  }
}

/** The views, in order. */
export type InspectorView = Listed<
  "now" | "search" | "time" | "knowledge" | "experience" | "files" | "storage"
>;

/** The `detail` of the event `keepsake-open`: the user opens an item that the inspector cannot show. */
export interface InspectorOpen {
  /** The id of a session or of a message, or the source of an entry or a field. */
  ref: string;
  /** Its kind. */
  kind: "session" | "message" | "source";
  /** The session of a message. */
  session?: string;
}

/** An item that the inspector can show. */
export type InspectorItem =
  /** An entry, a skill, an entity of the graph, a run of steps, or a file, by its id, name or path. */
  | { kind: "entry" | "skill" | "entity" | "trace" | "file"; id: string }
  | { kind: "profile" }
  /** A session, or one message or summary of it. */
  | {
      kind: "session";
      id: string;
      /** The message or history to select. Default: none. */
      item?: string | undefined;
    };

/** The element. It writes only when the user presses a button that says so, and never closes the memory. */
export interface KeepsakeInspector extends HTMLElement {
  /** The memory to inspect; it can be replaced at any time. Default: `null`, which shows nothing. */
  memory: Memory<Metadata, string> | null;
  /** The id of the session whose next prompt is shown. Default: `undefined`, the most recently used one. */
  session: string | undefined;
  /** The query of the next prompt. Default: `undefined`, the user's last message. */
  query: string | undefined;
  /**
   * Whether it shows what only developers need: the calls that fill an empty view, ids and metadata. Default: `true`. An
   * app that shows the inspector to its users sets `false`.
   */
  hints: boolean;
  /** The open view; also an attribute. Default: `"now"`. */
  view: InspectorView;
  /** Opens the view of an item, and the item in it. */
  show(item: InspectorItem): void;
}
