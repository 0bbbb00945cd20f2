// Skills in the forms of Acontext.

import { type Folder, type Memory, type Skill, zipFolder } from "keepsake";
import { type AcontextBlock, type AcontextFile, acontextSkills } from "keepsake/acontext";

export async function use(memory: Memory, folder: Folder, block: AcontextBlock): Promise<void> {
  const skills = acontextSkills(memory, { folder: "skills" });
  const { problems } = await skills.importFrom(folder);
  const code: string | undefined = problems[0]?.error.code;
  const skill: Skill = await skills.addBlock(block);
  const names: string[] = await skills.exportTo(zipFolder(), { only: [skill.id, `${code}`] });
  const files: AcontextFile[] | null = await skills.get(names[0] ?? "");
  await skills.add(files ?? []);
  // @ts-expect-error: bytes, not a text
  await skills.add([{ path: "SKILL.md", bytes: "text" }]);
  // @ts-expect-error: no such option
  acontextSkills(memory, { root: "skills" });
  // @ts-expect-error: a memory is needed
  acontextSkills({});
}
