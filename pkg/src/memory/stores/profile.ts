// Profile: who the user is and what they want, changed field by field.

import type { ProfileDetails, UserProfile } from "../../wire/profile.js";
import type { Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";

/** What a user likes and dislikes: a part of a profile, of any shape. */
export type Preferences = UserProfile;

/** Changes to a profile: objects merge, `null` deletes, everything else replaces, lists included. */
export type ProfileChanges<P extends object = UserProfile> = {
  [K in keyof P]?: Change<NonNullable<P[K]>> | null;
};

/** A change of one field. */
type Change<T> = T extends readonly unknown[] ? T : T extends object ? ProfileChanges<T> : T;

/** Who changes a profile. */
export interface ProfileUpdateOptions {
  /** Who or what says so. Default: nobody in particular. */
  source?: string | undefined;
  /** The agent that writes it. Default: none. */
  agent?: string | undefined;
  /** Data of the app's own about the change, kept with each field that it sets. Default: none. */
  metadata?: Metadata | undefined;
}

/** One user's profile. All agents of the user share it; two tabs that change different fields both win. */
export class ProfileMemory {
  readonly #core: Core;

  /** @internal Use `memory.profile`. */
  constructor(core: Core) {
    this.#core = core;
  }

  /** The profile; `{}` if nothing is known yet, whatever `P` says: fields that may be missing are optional in it. */
  async getProfile<P extends object = UserProfile>(): Promise<P> {
    return (await this.details<P>()).profile;
  }

  /** Changes the profile, and answers it as it is then. */
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

  /** The same as `getProfile`. */
  get<P extends object = UserProfile>(): Promise<P> {
    return this.getProfile<P>();
  }

  /** The same as `updateProfile`. */
  update<P extends object = UserProfile>(
    changes: ProfileChanges<P>,
    options: ProfileUpdateOptions = {},
  ): Promise<P> {
    return this.updateProfile<P>(changes, options);
  }

  /** The profile with where each of its fields came from, and when. */
  async details<P extends object = UserProfile>(): Promise<ProfileDetails<P>> {
    return this.#core.calls.ask<"getProfile", Metadata, never, P>("getProfile", {});
  }
}
