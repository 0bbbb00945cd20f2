// The profile of a user, and where its fields come from.

import type { Json, Metadata } from "./types.js";

/** What is known of a user: about them, their style, their constraints, settings of a domain. Any JSON object. */
export type UserProfile = { [field: string]: Json };

/** Where a field of a profile came from. */
export interface ProfileField {
  /** The names that lead to it: `["style", "tone"]`. */
  path: string[];
  /** Who or what set it. */
  source?: string;
  /** When, in ISO 8601. */
  at: string;
  /** The app's metadata of the change. */
  metadata?: Metadata;
}

/** A profile with where it came from. */
export interface ProfileDetails<P extends object = UserProfile> {
  /** The profile. */
  profile: P;
  /** Where each value in it came from. */
  fields: ProfileField[];
  /** How often it was changed. */
  version: number;
}
