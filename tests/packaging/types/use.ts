// Says that there are types: if everything were `any`, the second line of the search would be no error.

import { openMemory } from "keepsake";

export async function use(): Promise<string> {
  const memory = await openMemory({ user: "u-42" });
  const [hit] = await memory.search("when do deploy keys change?");
  // @ts-expect-error There is no such thing.
  const nothing: string | undefined = hit?.nonsense;
  return nothing ?? hit?.summary ?? (await memory.add("Deploy keys rotate on Mondays")).id;
}
