// File names checked by the core: which may not be synced, and which are equal on case-insensitive file systems.

import type { JudgedName } from "../../../wire/file-sync.js";
import type { FileTree } from "./types.js";

/** Names per call to the core, since a folder may have a million. */
const BATCH = 5_000;

/** Common folders of other programs. They are skipped without a report. */
const USUAL: readonly string[] = [".git", "node_modules"];

/** The checked names of all paths in a sync. */
export class FolderNames {
  readonly #judged: Map<string, JudgedName>;

  private constructor(judged: Map<string, JudgedName>) {
    this.#judged = judged;
  }

  static async of(tree: Pick<FileTree, "judge">, paths: Iterable<string>): Promise<FolderNames> {
    const names = new Set<string>();
    for (const path of paths) for (const name of path.split("/")) names.add(name);
    const all = [...names];
    const judged = new Map<string, JudgedName>();
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH);
      const answers = await tree.judge(batch);
      for (const [nth, name] of batch.entries()) {
        const answer = answers[nth];
        if (answer) judged.set(name, answer);
      }
    }
    return new FolderNames(judged);
  }

  /** The path with case and Unicode normalisation folded, as some file systems compare it. */
  alike(path: string): string {
    return path
      .split("/")
      .map((name) => this.#judged.get(name)?.plain ?? name)
      .join("/");
  }

  /** Why a path is skipped; `undefined` if it may be synced. */
  refusal(path: string): string | undefined {
    const refused = (name: string) => this.#judged.get(name)?.refused;
    return path.split("/").map(refused).find(Boolean) ?? undefined;
  }
}

/** Whether a path is in a folder that is skipped without a report. */
export function isUsual(path: string): boolean {
  return path.split("/").some((name) => USUAL.includes(name));
}
