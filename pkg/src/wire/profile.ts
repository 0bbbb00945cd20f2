// User profiles and the provenance of their fields.

import type { Json, Metadata } from "./types.js";

/** A user profile: facts, style, constraints and domain settings of a user. Any JSON object. */
export type UserProfile = { [field: string]: Json };

/** The provenance of a profile field. */
export interface ProfileField {
  /** The path of the field, such as `["style", "tone"]`. */
  path: string[];
  /** The source of the value. */
  source?: string;
  /** The time of the change, in ISO 8601. */
  at: string;
  /** The app's metadata of the change. */
  metadata?: Metadata;
}

/** A profile and its provenance. */
export interface ProfileDetails<P extends object = UserProfile> {
  /** The profile. */
  profile: P;
  /** The provenance of each value. */
  fields: ProfileField[];
  /** The number of changes so far. */
  version: number;
}
