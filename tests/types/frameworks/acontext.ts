// Blocks as Acontext's own client answers and creates them.

import type { AcontextClient, Block } from "@acontext/acontext";
import type { AcontextSkills } from "keepsake/acontext";

export async function both(client: AcontextClient, skills: AcontextSkills, space: string): Promise<void> {
  const blocks: Block[] = await client.blocks.list(space, { blockType: "sop" });
  for (const block of blocks) await skills.addBlock(block);
  for (const block of await skills.toBlocks()) await client.blocks.create(space, block);
}
