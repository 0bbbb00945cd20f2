// Link targets, and the view of each.

import type { InspectorView } from "./types.js";

/** The views, in order. */
export const VIEWS: readonly InspectorView[] = [
  "now",
  "search",
  "time",
  "knowledge",
  "experience",
  "files",
  "storage",
];

/** An item of the memory that a view can show. */
export type Target =
  | { kind: "entry" | "skill" | "entity" | "trace" | "file"; id: string }
  | { kind: "profile" }
  /** A session, or one message or summary of it. */
  | { kind: "session"; id: string; item?: string | undefined };

const HOMES: { readonly [kind in Target["kind"]]: InspectorView } = {
  entry: "knowledge",
  skill: "knowledge",
  entity: "knowledge",
  profile: "knowledge",
  trace: "experience",
  file: "files",
  session: "time",
};

/** The view of a target. */
export function homeOf({ kind }: Target): InspectorView {
  return HOMES[kind];
}

/** The view with this name; the first view if there is none. */
export function viewOf(name: string | null | undefined): InspectorView {
  return VIEWS.find((view) => view === name) ?? "now";
}
