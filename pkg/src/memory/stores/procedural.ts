// Procedural: skills in the documented shape, written by the app or learned from experience.

import type { FoundSkill, Skill, ToolStep, UseWhen } from "../../wire/procedural.js";
import type { Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";
import type { WithOwn } from "./experience.js";

/** A way to do something, as it is documented. */
export interface SOP {
  /** When to use it. */
  use_when: UseWhen;
  /** The steps, in order. */
  tool_sops: readonly WithOwn<ToolStep>[];
  /** What else to mind. Default: nothing. */
  preferences?: string | undefined;
}

/** What a skill has beside its steps. */
interface SkillDetails {
  /** An id of your own. A skill of that id gets a new version. Default: a new one. */
  id?: string | undefined;
  /** A way to do something, or something to heed. Default: `"sop"`. */
  kind?: "sop" | "guard" | undefined;
  /** Data of the app's own about the skill, which makes no new version. Default: none. */
  metadata?: Metadata | undefined;
}

/** A skill that is still to be kept, by the documented names or in camelCase, with fields of the app's own. */
export type SkillInput = WithOwn<
  SkillDetails &
    (
      | (SOP & { task_type?: string | undefined; taskType?: string | undefined })
      | {
          useWhen: UseWhen;
          toolSops: readonly WithOwn<ToolStep>[];
          preferences?: string | undefined;
          taskType?: string | undefined;
        }
    )
>;

/** A skill that was learned from experience. */
export type Lesson = Skill & {
  /** Always true. */
  learned: true;
};

/** What one user's agents know how to do. */
export class ProceduralMemory {
  readonly #core: Core;

  /** @internal Use `memory.procedural`. */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Skills for a kind of task, and for a query in words. `null`: any kind. Default: any query, 3 skills, none demoted. */
  async searchSkills(
    taskType: string | null,
    query = "",
    topK?: number,
    options: { includeDemoted?: boolean | undefined } = {},
  ): Promise<FoundSkill[]> {
    const asked = { taskType: taskType ?? undefined, query: query || undefined, topK };
    return this.#core.calls.ask("searchSkills", { ...options, ...asked });
  }

  /** Keeps a skill. One of the same id gets a new version. */
  async addSkill(sop: SkillInput): Promise<Skill> {
    return this.#core.write("addSkill", { ...sop });
  }

  /** A skill, or a version of it; `null` if there is none. Default: the latest version. */
  async get(id: string, version?: number): Promise<Skill | null> {
    return this.#core.calls.ask("getSkill", { id, version });
  }

  /** All skills. */
  async list(): Promise<Skill[]> {
    return this.#core.calls.ask("skills", {});
  }

  /** All versions of a skill, oldest first. */
  async versions(id: string): Promise<Skill[]> {
    return this.#core.calls.ask("skillVersions", { id });
  }

  /** Takes a skill away with all its versions. Answers whether it was there. */
  async delete(id: string): Promise<boolean> {
    return this.#core.write("deleteSkill", { id });
  }

  /** Says how it went when a skill was used. One that keeps failing is not offered any more. */
  async recordUse(id: string, success: boolean): Promise<Skill> {
    return this.#core.write("recordSkillUse", { id, success });
  }
}
