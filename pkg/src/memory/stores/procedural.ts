// Procedural: skills in the documented format, added by the app or learned from experience.

import type { FoundSkill, Skill, ToolStep, UseWhen } from "../../wire/procedural.js";
import type { Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";
import type { WithOwn } from "./experience.js";

/** A standard operating procedure, in the documented format. */
export interface SOP {
  /** When to use the procedure. */
  use_when: UseWhen;
  /** The steps, in order. */
  tool_sops: readonly WithOwn<ToolStep>[];
  /** Further advice. Default: none. */
  preferences?: string | undefined;
}

/** The fields of a skill beside its steps. */
interface SkillDetails {
  /** The id. An existing skill with this id gets a new version. Default: a generated id. */
  id?: string | undefined;
  /** `"sop"` for a procedure, `"guard"` for a warning. Default: `"sop"`. */
  kind?: "sop" | "guard" | undefined;
  /** The app's metadata. Changing it creates no new version. Default: none. */
  metadata?: Metadata | undefined;
}

/** A skill to add, with the documented names or in camelCase, and with custom fields. */
export type SkillInput = WithOwn<
  SkillDetails &
    (
      | (SOP & {
          /** The task type. Default: none, for any task. */
          task_type?: string | undefined;
          /** The same in camelCase. Default: that of `task_type`. */
          taskType?: string | undefined;
        })
      | {
          useWhen: UseWhen;
          toolSops: readonly WithOwn<ToolStep>[];

          /** The preferences. Default: none. */
          preferences?: string | undefined;

          /** The task type. Default: none, for any task. */
          taskType?: string | undefined;
        }
    )
>;

/** A skill learned from experience. */
export type Lesson = Skill & {
  /** Always true. */
  learned: true;
};

/** The skills of one user's agents. */
export class ProceduralMemory {
  readonly #core: Core;

  /** @internal Use `memory.procedural`. */
  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Returns the skills for a task type and a query. `null` matches any task type. Default for `query`: any. Default for
   * `topK`: 3. Default for `includeDemoted`: `false`.
   */
  async searchSkills(
    taskType: string | null,
    query = "",
    topK?: number,
    options: {
      /** Whether demoted skills, which fail too often, are returned as well. Default: `false`. */
      includeDemoted?: boolean | undefined;
    } = {},
  ): Promise<FoundSkill[]> {
    const asked = { taskType: taskType ?? undefined, query: query || undefined, topK };
    return this.#core.calls.ask("searchSkills", { ...options, ...asked });
  }

  /** Adds a skill and returns it. An existing skill with the same id gets a new version. */
  async addSkill(sop: SkillInput): Promise<Skill> {
    return this.#core.write("addSkill", { ...sop });
  }

  /** Returns a version of a skill, or `null` if there is none. Default for `version`: the latest. */
  async get(id: string, version?: number): Promise<Skill | null> {
    return this.#core.calls.ask("getSkill", { id, version });
  }

  /** Returns all skills. */
  async list(): Promise<Skill[]> {
    return this.#core.calls.ask("skills", {});
  }

  /** Returns all versions of a skill, oldest first. */
  async versions(id: string): Promise<Skill[]> {
    return this.#core.calls.ask("skillVersions", { id });
  }

  /** Deletes a skill with all its versions. Returns `true` if the skill existed. */
  async delete(id: string): Promise<boolean> {
    return this.#core.write("deleteSkill", { id });
  }

  /** Records the outcome of using a skill and returns the skill. A skill that keeps failing is demoted. */
  async recordUse(id: string, success: boolean): Promise<Skill> {
    return this.#core.write("recordSkillUse", { id, success });
  }
}
