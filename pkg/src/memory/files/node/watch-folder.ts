/// <reference lib="esnext.disposable" preserve="true" />
// Continuous sync of a folder on disk with a memory, for Node.

import { type FSWatcher, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError, optionsIn, refused } from "../../../base/errors.js";
import { known } from "../../../base/options.js";
import type { Memory } from "../../memory.js";
import type { MemoryFiles } from "../files.js";
import type { FolderOptions, FolderSync } from "../sync/types.js";
import { nodeFolder } from "./node-folder.js";

/** Options of `watchFolder`. */
export interface WatchFolderOptions extends FolderOptions {
  /** Called after each sync that changed something. Default: none. */
  onSync?: ((sync: FolderSync) => void) | undefined;
  /** Called when a sync fails; the next change syncs again. Default: a warning on the console. */
  onError?: ((error: unknown) => void) | undefined;
  /**
   * The debounce before a sync, in milliseconds: editors often write a file twice per save. The total wait is at most ten
   * times as long. Default: 200.
   */
  quiet?: number | undefined;
}

/** A handle to a watched folder. */
export interface FolderWatch {
  /** Syncs now and returns the result. */
  sync(): Promise<FolderSync>;
  /** Stops watching, after a sync in progress. */
  stop(): Promise<void>;
  /** `await using watching = …` stops watching at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>;
}

const QUIET = 200;
/** The maximum wait before a sync, as a multiple of `quiet`. */
const MOST = 10;

/** Platforms with recursive watching. On others, each folder has its own watcher. */
const WHOLE_TREES = ["darwin", "win32"];

/**
 * Syncs the folder at `path` with the files of a memory, and again whenever one of them changes, until the watch is
 * stopped, `signal` is aborted, or the memory is closed. Rejects if the first sync fails. Writes by other handles to a
 * storage without change notifications are included in the next sync.
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

/** A watched folder, alone or recursively. */
interface Watched {
  /** The inode: another folder at the same path gets a new watcher. */
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
  /** The time of the first change that is not synced yet. */
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
    // Remote changes may concern files, so they trigger a sync. Most local changes do not, and `onChange` reports those.
    this.#ends.push(memory.on("change", ({ local }) => local || this.#soon()));
    try {
      this.#tell(await this.sync());
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Syncs run one at a time: concurrent ones would conflict with each other. */
  sync(): Promise<FolderSync> {
    const next = this.#last.then(async () => {
      const { only, onConflict, onProgress, sources } = this.#options;
      const { signal } = this.#stopping;
      signal.throwIfAborted();
      // Watch before the sync, to miss no change, and after it, because the sync may create folders.
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

  /** Schedules a debounced sync. */
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

  /** Updates the watchers to the folders that exist now. Returns `true` if there are new ones. */
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
        // A deleted folder raises an error; the next sync drops its watcher.
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
    // Skipped files are skipped in every sync, so they are no reason to notify.
    const found = [...Object.values(moved), ...Object.values(ingested ?? {})];
    if (found.some((files) => files.length > 0)) this.#options.onSync?.(done);
  }

  #failed(error: unknown): void {
    const { onError = (error) => console.warn("keepsake: folder:", error) } = this.#options;
    const over = error instanceof MemoryError && error.code === "closed";
    if (!over && !this.#stopping.signal.aborted) onError(error);
  }
}

/** Collects a folder and, with `below`, all folders below it, with their inodes. */
async function collect(folder: string, below: boolean, found: Map<string, number>): Promise<void> {
  const about = await stat(folder).catch(() => undefined);
  if (!about?.isDirectory()) return;
  found.set(folder, about.ino);
  if (!below) return;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    // These two change often and are never synced.
    if (!entry.isDirectory() || entry.name === ".git" || entry.name === "node_modules") continue;
    await collect(join(folder, entry.name), true, found);
  }
}
