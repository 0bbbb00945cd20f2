// Profile: facts and preferences of the user, updated field by field.

import type { ProfileDetails, UserProfile } from "../../wire/profile.js";
import type { Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";

/** A user's preferences: a part of a profile, of any shape. */
export type Preferences = UserProfile;

/** Changes to a profile: objects merge, `null` deletes, all other values, including arrays, replace. */
export type ProfileChanges<P extends object = UserProfile> = {
  [K in keyof P]?: Change<NonNullable<P[K]>> | null;
};

/** A change of one field. */
type Change<T> = T extends readonly unknown[] ? T : T extends object ? ProfileChanges<T> : T;

/** The origin of a profile change. */
export interface ProfileUpdateOptions {
  /** The source of the information. Default: none. */
  source?: string | undefined;
  /** The agent that makes the change. Default: none. */
  agent?: string | undefined;
  /** The app's metadata, stored with each changed field. Default: none. */
  metadata?: Metadata | undefined;
}

/** One user's profile, shared by all agents. Concurrent changes to different fields do not conflict. */
export class ProfileMemory {
  readonly #core: Core;

  /** @internal Use `memory.profile`. */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Returns the profile; `{}` if it is empty. `P` is not checked: declare fields that may be missing as optional. */
  async getProfile<P extends object = UserProfile>(): Promise<P> {
    return (await this.details<P>()).profile;
  }

  /** Updates the profile and returns the new profile. */
  async updateProfile<P extends object = UserProfile>(
    changes: ProfileChanges<P>,
    options: ProfileUpdateOptions = {},
  ): Promise<P> {
    const { profile } = await this.#core.write<"updateProfile", Metadata, never, P>("updateProfile", {
      ...options,
      changes,
    });
    return profile;
  }

  /** Alias of `getProfile`. */
  get<P extends object = UserProfile>(): Promise<P> {
    return this.getProfile<P>();
  }

  /** Alias of `updateProfile`. */
  update<P extends object = UserProfile>(
    changes: ProfileChanges<P>,
    options: ProfileUpdateOptions = {},
  ): Promise<P> {
    return this.updateProfile<P>(changes, options);
  }

  /** Returns the profile with the source and time of each field. */
  async details<P extends object = UserProfile>(): Promise<ProfileDetails<P>> {
    return this.#core.calls.ask<"getProfile", Metadata, never, P>("getProfile", {});
  }
}
