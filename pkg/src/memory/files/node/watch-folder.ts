/// <reference lib="esnext.disposable" preserve="true" />
// Keeping a folder on a disk in step with a memory while both go on changing, for Node.

import { type FSWatcher, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError, optionsIn, refused } from "../../../base/errors.js";
import { known } from "../../../base/options.js";
import type { Memory } from "../../memory.js";
import type { MemoryFiles } from "../files.js";
import type { FolderOptions, FolderSync } from "../sync/types.js";
import { nodeFolder } from "./node-folder.js";

/** How a folder is watched. */
export interface WatchFolderOptions extends FolderOptions {
  /** Called after each time that something came of it. Default: nothing. */
  onSync?: ((sync: FolderSync) => void) | undefined;
  /** Called when it fails. It goes on with the next change. Default: a warning on the console. */
  onError?: ((error: unknown) => void) | undefined;
  /**
   * How many milliseconds it has to be quiet before it begins: who saves a file often writes it twice. It waits at most
   * ten times as long. Default: 200.
   */
  quiet?: number | undefined;
}

/** A folder that is being watched. */
export interface FolderWatch {
  /** Brings both into step now. */
  sync(): Promise<FolderSync>;
  /** Ends it, after what is under way. */
  stop(): Promise<void>;
  /** `await using watching = …` stops it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>;
}

const QUIET = 200;
/** By how much longer than that it waits at most. */
const MOST = 10;

/** Whether the system itself watches what is below a folder. Elsewhere each folder is watched by itself. */
const WHOLE_TREES = ["darwin", "win32"];

/**
 * Brings the folder at `path` and the files of a memory into step, and again whenever one of them changes, until it is
 * stopped, `signal` is aborted, or the memory is closed. What other handles write to a storage that does not tell of it
 * is taken along the next time.
 */
export async function watchFolder(
  memory: Pick<Memory, "files" | "on">,
  path: string,
  options: WatchFolderOptions = {},
): Promise<FolderWatch> {
  if (!memory?.files) throw refused("memory", "must be a memory");
  known(options, "only sources onConflict onProgress signal onSync onError quiet");
  const watching = new Watching(memory.files, path, optionsIn(options));
  await watching.start(memory);
  return {
    sync: () => watching.sync(),
    stop: () => watching.stop(),
    [Symbol.asyncDispose]: () => watching.stop(),
  };
}

/** A folder that is watched by itself, or with all that is below it. */
interface Watched {
  /** Which folder it is, whatever it is called. */
  node: number;
  watcher: FSWatcher;
}

class Watching {
  readonly #files: MemoryFiles;
  readonly #path: string;
  readonly #options: WatchFolderOptions;
  readonly #stopping = new AbortController();
  readonly #watched = new Map<string, Watched>();
  readonly #ends: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** When the first of the changes was noticed that are still to be taken along. */
  #since: number | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(files: MemoryFiles, path: string, options: WatchFolderOptions) {
    this.#files = files;
    this.#path = path;
    this.#options = options;
  }

  async start(memory: Pick<Memory, "on">): Promise<void> {
    const { signal } = this.#options;
    const { closed } = this.#files;
    signal?.throwIfAborted();
    const stop = () => void this.stop();
    for (const ending of [signal, closed]) {
      ending?.addEventListener("abort", stop, { once: true });
      this.#ends.push(() => ending?.removeEventListener("abort", stop));
    }
    this.#ends.push(this.#files.onChange(() => this.#soon()));
    // Of others it is not known what they wrote; of what is written here, most has nothing to do with files.
    this.#ends.push(memory.on("change", ({ local }) => local || this.#soon()));
    try {
      this.#tell(await this.sync());
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** One after the other: two at once would only be in each other's way. */
  sync(): Promise<FolderSync> {
    const next = this.#last.then(async () => {
      const { only, onConflict, onProgress, sources } = this.#options;
      const { signal } = this.#stopping;
      signal.throwIfAborted();
      // Before, so that nothing is missed; and after, because folders were made.
      await this.#watch();
      const done = await this.#files.sync(nodeFolder(this.#path), {
        only,
        onConflict,
        onProgress,
        sources,
        signal,
      });
      if (await this.#watch()) this.#soon();
      return done;
    });
    this.#last = next.catch(() => {});
    return next;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    for (const end of this.#ends.splice(0)) end();
    await this.#last;
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  /** Brings both into step when it has been quiet for a while. */
  #soon(): void {
    if (this.#stopping.signal.aborted) return;
    clearTimeout(this.#timer);
    const { quiet = QUIET } = this.#options;
    this.#since ??= performance.now();
    const latest = this.#since + MOST * quiet - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#since = undefined;
        this.sync()
          .then((done) => this.#tell(done))
          .catch((error) => this.#failed(error));
      },
      Math.min(quiet, Math.max(latest, 0)),
    );
  }

  /** Watches the folders that are there now, and no others. Answers whether there are new ones. */
  async #watch(): Promise<boolean> {
    const whole = WHOLE_TREES.includes(process.platform);
    const folders = new Map<string, number>();
    await collect(this.#path, !whole, folders);
    for (const [folder, { node, watcher }] of this.#watched) {
      if (folders.get(folder) === node) continue;
      watcher.close();
      this.#watched.delete(folder);
    }
    const fresh = [...folders].filter(([folder]) => !this.#watched.has(folder));
    for (const [folder, node] of fresh) {
      try {
        const watcher = watch(folder, { recursive: whole }, () => this.#soon());
        // One that is gone is found out about below.
        watcher.on("error", () => this.#soon());
        this.#watched.set(folder, { node, watcher });
      } catch (error) {
        this.#failed(error);
      }
    }
    return fresh.length > 0;
  }

  #tell(done: FolderSync): void {
    const { skipped, ingested, ...moved } = done;
    // What is left out is left out each time.
    const found = [...Object.values(moved), ...Object.values(ingested ?? {})];
    if (found.some((files) => files.length > 0)) this.#options.onSync?.(done);
  }

  #failed(error: unknown): void {
    const { onError = (error) => console.warn("keepsake: folder:", error) } = this.#options;
    const over = error instanceof MemoryError && error.code === "closed";
    if (!over && !this.#stopping.signal.aborted) onError(error);
  }
}

/** The folders below one, and it itself; only that, if the others are not wanted. */
async function collect(folder: string, below: boolean, found: Map<string, number>): Promise<void> {
  const about = await stat(folder).catch(() => undefined);
  if (!about?.isDirectory()) return;
  found.set(folder, about.ino);
  if (!below) return;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    // In these two there is a lot going on, and nothing for an agent.
    if (!entry.isDirectory() || entry.name === ".git" || entry.name === "node_modules") continue;
    await collect(join(folder, entry.name), true, found);
  }
}
