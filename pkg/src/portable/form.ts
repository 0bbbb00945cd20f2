// The form of an export: lines of JSON, each of a kind. The first one says what it is.

import type { StepExperience } from "../wire/experience.js";
import type { Graph } from "../wire/graph.js";
import type { Message } from "../wire/messages.js";

import type { Skill } from "../wire/procedural.js";
import type { SavedComponents, SessionInfo } from "../wire/sessions.js";
import type { Json, MemoryEntryWithContent, Metadata } from "../wire/types.js";

/** The first line. */
export interface Header {
  kind: "keepsake";
  /** The version of this form. Version 1 had no last line that says how many there are. */
  version: 1 | 2;
  user: string;
  /** The namespaces that entries are in. */
  namespaces: string[];
}

/** The last line. */
export interface End {
  kind: "end";
  /** How many lines are before it. */
  lines: number;
  /** The CRC-32 of their texts, in hexadecimal digits. */
  sum: string;
}

type Entry = MemoryEntryWithContent<Metadata, string>;

/** A line between the first and the last, in the order in which the kinds come. */
export type Item =
  /** An entry, and what it was before, oldest first. */
  | { kind: "entry"; entry: Entry; before: Entry[] }
  | { kind: "session"; session: SessionInfo; components?: SavedComponents | undefined }
  /** A message of the session that the last such line has named. */
  | { kind: "message"; message: Message }
  /** A field of the profile. */
  | { kind: "profile"; path: string[]; value: Json; source?: string | undefined; at: string }
  /** A skill in all its versions, oldest first. */
  | { kind: "skill"; versions: Skill[] }
  | { kind: "step"; step: StepExperience }
  /** How often a skill was used, after the steps that count for it. */
  | { kind: "uses"; skill: string; uses: number; successes: number }
  /** A version of a file, oldest first. */
  | { kind: "file"; path: string; text: string; version: number; at: string }
  | { kind: "graph"; graph: Graph }
  /** A value of a collection that was asked for by name. */
  | { kind: "value"; collection: string; key: string; value: Json };

/** What a line is called in a report: one, and many. */
export const NAMES: { readonly [kind in Item["kind"]]: readonly [one: string, many: string] } = {
  entry: ["entry", "entries"],
  session: ["session", "sessions"],
  message: ["message", "messages"],
  profile: ["profile field", "profile fields"],
  skill: ["skill", "skills"],
  step: ["step", "steps"],
  uses: ["count of uses", "counts of uses"],
  file: ["file version", "file versions"],
  graph: ["graph", "graphs"],
  value: ["value", "values"],
};
