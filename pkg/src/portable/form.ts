// The format of an export: JSON Lines, each line with a kind. The first line is a header.

import type { StepExperience } from "../wire/experience.js";
import type { Graph } from "../wire/graph.js";
import type { Message } from "../wire/messages.js";

import type { Skill } from "../wire/procedural.js";
import type { SavedComponents, SessionInfo } from "../wire/sessions.js";
import type { Json, MemoryEntryWithContent, Metadata } from "../wire/types.js";

/** The header line. */
export interface Header {
  kind: "keepsake";
  /** The version of the format. Version 1 had no last line with a count. */
  version: 1 | 2;
  user: string;
  /** The namespaces of the entries. */
  namespaces: string[];
}

/** The last line. */
export interface End {
  kind: "end";
  /** The number of lines before it. */
  lines: number;
  /** The CRC-32 of those lines, in hexadecimal. */
  sum: string;
}

type Entry = MemoryEntryWithContent<Metadata, string>;

/** A line between the first and the last, in the order of the kinds. */
export type Item =
  /** An entry with its past versions, oldest first. */
  | { kind: "entry"; entry: Entry; before: Entry[] }
  | { kind: "session"; session: SessionInfo; components?: SavedComponents | undefined }
  /** A message of the session in the last `session` line. */
  | { kind: "message"; message: Message }
  /** A field of the profile. */
  | { kind: "profile"; path: string[]; value: Json; source?: string | undefined; at: string }
  /** A skill in all its versions, oldest first. */
  | { kind: "skill"; versions: Skill[] }
  | { kind: "step"; step: StepExperience }
  /** The counts of uses of a skill. It comes after the steps that are counted for it. */
  | { kind: "uses"; skill: string; uses: number; successes: number }
  /** A version of a file, oldest first. */
  | { kind: "file"; path: string; text: string; version: number; at: string }
  | { kind: "graph"; graph: Graph }
  /** A value of a collection that was requested by name. */
  | { kind: "value"; collection: string; key: string; value: Json };

/** The versions of the entry itself: its history goes on with the entry that it replaced, which has a line of its own. */
export function versionsOf({ id }: Entry, history: Entry[]): Entry[] {
  return history.filter((version) => version.id === id);
}

/** The names of a kind in a report: singular and plural. */
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
