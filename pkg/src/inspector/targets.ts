// What can be pointed at, and in which view it lives.

import type { InspectorView } from "./types.js";

/** The views, in their order. */
export const VIEWS: readonly InspectorView[] = [
  "now",
  "search",
  "time",
  "knowledge",
  "experience",
  "files",
  "storage",
];

/** Something of the memory that a view can show. */
export type Target =
  | { kind: "entry" | "skill" | "entity" | "trace" | "file"; id: string }
  | { kind: "profile" }
  /** A conversation, or one message or summary of it. */
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

/** The view that shows it. */
export function homeOf({ kind }: Target): InspectorView {
  return HOMES[kind];
}

/** The view of that name; the first if there is none. */
export function viewOf(name: string | null | undefined): InspectorView {
  return VIEWS.find((view) => view === name) ?? "now";
}
