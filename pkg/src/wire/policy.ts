// Policies: which memory a flow or an agent may read, how much of it, and whether experience is stored.

import type { Documented } from "./spelling.js";

/** The policy of a flow or an agent. If both have one, the more restrictive value applies, field by field. */
export interface MemoryPolicy {
  /** Whether dialog is read. Default: true. */
  useDialog?: boolean | undefined;
  /** Whether states are read. Default: true. */
  useState?: boolean | undefined;
  /** Whether knowledge is read. Default: true. */
  useSemantic?: boolean | undefined;
  /** Whether skills are read. Default: true. */
  useProcedural?: boolean | undefined;
  /** Whether the profile is read. Default: true. */
  useProfile?: boolean | undefined;
  /** Whether experience is read. Default: true. */
  useExperience?: boolean | undefined;
  /** Whether experience is stored. Default: true. */
  writeExperience?: boolean | undefined;
  /** The maximum number of conversation turns returned by a read. Default: 20. */
  maxDialogTurns?: number | undefined;
  /** The maximum number of documents returned by a read. Default: 5. */
  maxDocs?: number | undefined;
  /** The maximum number of skills returned by a read. Default: 3. */
  maxSkills?: number | undefined;
}

/** The policies of an app, by flow and by agent. Unknown fields are rejected. */
export interface MemoryPolicies {
  /** Policies by flow name. Default: none. */
  flows?: { [flow: string]: MemoryPolicy | Documented<MemoryPolicy> } | undefined;
  /** Policies by agent name. Default: none. */
  agents?: { [agent: string]: MemoryPolicy | Documented<MemoryPolicy> } | undefined;
}

/** A complete policy with the snake_case names. */
export type FullPolicy = {
  [K in keyof Documented<MemoryPolicy>]-?: NonNullable<Documented<MemoryPolicy>[K]>;
};
