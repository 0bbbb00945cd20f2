// Policies: what a flow or an agent may read, how much of it, and whether what it lives through is kept.

import type { Documented } from "./spelling.js";

/** What holds for a flow or an agent. Where both say something, the narrower holds, field by field. */
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
  /** Whether experience is kept. Default: true. */
  writeExperience?: boolean | undefined;
  /** How many turns of the conversation a read answers. Default: 20. */
  maxDialogTurns?: number | undefined;
  /** How many documents. Default: 5. */
  maxDocs?: number | undefined;
  /** How many skills. Default: 3. */
  maxSkills?: number | undefined;
}

/** The policies of an app, by the names of its flows and agents. What is not known is refused. */
export interface MemoryPolicies {
  /** By flow. Default: none. */
  flows?: { [flow: string]: MemoryPolicy | Documented<MemoryPolicy> } | undefined;
  /** By agent. Default: none. */
  agents?: { [agent: string]: MemoryPolicy | Documented<MemoryPolicy> } | undefined;
}

/** A policy with every field, by the documented names. */
export type FullPolicy = {
  [K in keyof Documented<MemoryPolicy>]-?: NonNullable<Documented<MemoryPolicy>[K]>;
};
