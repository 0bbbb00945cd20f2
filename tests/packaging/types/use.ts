// Says that there are types: if everything were `any`, the second line of the search would be no error.

import { jsonl, type Memory, openMemory } from "keepsake";

export async function use(): Promise<string> {
  const memory = await openMemory({ user: "u-42" });
  const [hit] = await memory.search("when do deploy keys change?");
  // @ts-expect-error There is no such thing.
  const nothing: string | undefined = hit?.nonsense;
  return nothing ?? hit?.summary ?? (await memory.add("Deploy keys rotate on Mondays")).id;
}

/** As the README begins. A compiler for bundlers resolves the package's entry for pages. */
export function inFile(): Promise<Memory> {
  return openMemory({ user: "u-42", storage: jsonl("memory.jsonl") });
}
