// The names in a tree and a folder, as the core judges them: which must stay out of a real folder, and which are alike.

import type { JudgedName } from "../../../wire/file-sync.js";
import type { FileTree } from "./types.js";

/** How many names are judged in one call: a folder may have a million. */
const BATCH = 5_000;

/** Entries that most folders hold for other programs. They are left alone without a word. */
const USUAL: readonly string[] = [".git", "node_modules"];

/** The names of all paths that a sync is about. */
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

  /** A path as disks compare it that ignore case, or how accents are written. */
  alike(path: string): string {
    return path
      .split("/")
      .map((name) => this.#judged.get(name)?.plain ?? name)
      .join("/");
  }

  /** Why a path is left out; nothing if it may take part. */
  refusal(path: string): string | undefined {
    const refused = (name: string) => this.#judged.get(name)?.refused;
    return path.split("/").map(refused).find(Boolean) ?? undefined;
  }
}

/** Whether a path is in one of the folders that nobody expects to be synced. */
export function isUsual(path: string): boolean {
  return path.split("/").some((name) => USUAL.includes(name));
}
