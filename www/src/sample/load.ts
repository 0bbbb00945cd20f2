import type { Memory } from "keepsake";
import type { Language } from "../text/language.js";
export async function loadSample(memory: Memory, _language: Language): Promise<string> {
  await memory.add("x");
  return "x";
}
