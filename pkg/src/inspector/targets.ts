// Link targets, and the view of each.

import type { InspectorItem, InspectorView } from "./types.js";

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
export type Target = InspectorItem;

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
