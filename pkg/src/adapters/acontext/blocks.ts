// Skills as blocks of a space, which Acontext's client lists and creates.

import { refused } from "../../base/errors.js";
import type { Memory } from "../../memory/memory.js";
import type { SkillInput } from "../../memory/stores/procedural.js";
import type { Skill } from "../../wire/procedural.js";
import type { Json } from "../../wire/types.js";

/** A block of a space, as Acontext's client returns it. */
export interface AcontextBlock {
  /** Its id. */
  id: string;
  /** Its type; skills are `"sop"`. */
  type: string;
  /** Its title. */
  title: string;
  /** Its fields: `use_when`, `preferences`, `tool_sops` of a skill. */
  props: Record<string, unknown>;
}

/** A block as Acontext's client creates it: `client.blocks.create(space, block)`. */
export interface NewAcontextBlock {
  /** Always a skill. */
  blockType: "sop";
  /** Its title. */
  title: string;
  /** Its fields. */
  props: {
    /** When to use it. */
    use_when: string;
    /** Further instructions. */
    preferences: string;
    /** The steps, in order. */
    tool_sops: { tool_name: string; action: string }[];
    /** Further fields of the original block. */
    [field: string]: unknown;
  };
}

/** Original blocks by the ids of their skills: they keep fields that a skill does not have. */
const BLOCKS = "acontext/blocks";

interface Step {
  tool_name: string;
  action: string;
}

/** The skill of a block. */
export function skillOfBlock(block: AcontextBlock): SkillInput {
  if (typeof block?.id !== "string" || block.id === "") throw refused("block.id", "must be a string");
  if (block.type !== "sop") throw refused("block.type", "must be sop; other blocks have no skill");
  const {
    use_when = block.title,
    preferences,
    tool_sops = [],
  } = Object(block.props) as Record<string, unknown>;
  if (typeof use_when !== "string" || use_when.trim() === "") {
    throw refused("block.props.use_when", "must say when to use the skill");
  }
  if (preferences !== undefined && preferences !== null && typeof preferences !== "string") {
    throw refused("block.props.preferences", "must be a string");
  }
  if (!Array.isArray(tool_sops)) throw refused("block.props.tool_sops", "must be an array");
  const steps = tool_sops.map((step: Partial<Step> | null, at) => {
    const { tool_name, action } = Object(step) as Partial<Step>;
    const field = `block.props.tool_sops[${at}]`;
    if (typeof tool_name !== "string") throw refused(`${field}.tool_name`, "must be a string");
    if (action !== undefined && action !== null && typeof action !== "string") {
      throw refused(`${field}.action`, "must be a string");
    }
    return { tool: tool_name, ...(action && { action }) };
  });
  return { id: block.id, use_when, tool_sops: steps, ...(preferences && { preferences }) };
}

/** Stores the skill of a block, and the original block. */
export async function addBlock(memory: Memory, block: AcontextBlock): Promise<Skill> {
  const skill = skillOfBlock(block);
  const { title, props } = block;
  await memory.collection<Json>(BLOCKS).set(block.id, { title, props } as Json);
  return memory.procedural.addSkill(skill);
}

/** A skill as a block. */
export async function blockOf(memory: Memory, skill: Skill): Promise<NewAcontextBlock> {
  const kept = (await memory.collection<Json>(BLOCKS).get(skill.id)) as
    | Pick<AcontextBlock, "title" | "props">
    | undefined;
  const { use_when, preferences = "", tool_sops } = skill;
  const { tool_sops: held } = kept?.props ?? {};
  const before = (Array.isArray(held) ? held : []) as (Partial<Step> | null)[];
  const steps = tool_sops.map(({ tool, action = "" }, at) => {
    const same = before[at]?.tool_name === tool && (before[at]?.action ?? "") === action;
    return { ...(same && before[at]), tool_name: tool, action };
  });
  const props = { ...kept?.props, use_when, preferences, tool_sops: steps };
  return { blockType: "sop", title: kept?.title ?? use_when, props };
}
