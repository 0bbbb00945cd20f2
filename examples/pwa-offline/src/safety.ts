// Whether the memory may be lost, and what can be done about it.

import type { Memory } from "keepsake/full";

/** The text for the user about the safety of the memory, and whether it helps to ask the browser. */
export async function safetyOf(memory: Memory): Promise<{ text: string; ask: boolean }> {
  const { persistent, storageProblem = "there is no IndexedDB here" } = memory;
  if (!persistent) return { text: `Lost when this page is closed: ${storageProblem}.`, ask: false };
  if (await navigator.storage.persisted()) return { text: "Protected on this device.", ask: false };
  return { text: "The browser may delete this when the disk is full.", ask: true };
}

/** Firefox asks the user. Chromium and Safari decide by how the site is used, and agree once it is installed. */
export async function askForSafety(): Promise<boolean> {
  return navigator.storage.persist();
}
