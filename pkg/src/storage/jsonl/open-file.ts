// An open file: the state of reading it, and appending a line.

import { randomBytes } from "node:crypto";
import { type BigIntStats, constants, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { MemoryError } from "../../base/errors.js";
import { Chain } from "./chain.js";
import { type Content, encode } from "./line.js";
import { codeOf } from "./problems.js";

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = constants;

/** The maximum size of one read. */
const PIECE = 1 << 20;

/** Private to the owner by default: it holds personal data. */
const PRIVATE = 0o600;

/** Errors of opening for writing after which the file may still be readable. */
const READ_ONLY = ["EACCES", "EPERM", "EROFS"];

/** Errors of `fsync` on a folder, on systems that do not support it. */
const NO_FOLDERS = ["EACCES", "EINVAL", "EISDIR", "ENOTSUP", "EPERM"];

/** The file at this path, if there is one. */
export function lookAt(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

export class OpenFile {
  /** Its path, or the path that it will be renamed to. */
  readonly path: string;
  readonly chain: Chain;
  readonly writable: boolean;
  readonly stats: BigIntStats;
  /** The number of bytes read. */
  size = 0;
  /** When the file was last modified, as of the last read or append. */
  modified = 0n;
  /** After a failed compaction: no other one below this size. */
  retryAt = 0;
  readonly #handle: FileHandle;
  #nameIsDurable = false;

  private constructor(path: string, handle: FileHandle, writable: boolean, stats: BigIntStats) {
    this.path = path;
    this.chain = new Chain(path);
    this.writable = writable;
    this.stats = stats;
    this.#handle = handle;
  }

  /** Opens and reads the file at `path`; `undefined` if there is none, unless `create` is set. */
  static async open(path: string, create: boolean): Promise<OpenFile | undefined> {
    let [handle, writable]: [FileHandle | undefined, boolean] = [undefined, true];
    try {
      handle = await open(path, O_RDWR | O_APPEND | (create ? O_CREAT : 0), PRIVATE);
    } catch (error) {
      const code = codeOf(error) ?? "";
      if (code === "ENOENT" && !create) return undefined;
      if (!READ_ONLY.includes(code)) throw error;
      writable = false;
      handle = await open(path, O_RDONLY).catch(() => {
        throw error;
      });
    }
    return OpenFile.#of(path, handle, async (stats) => {
      const file = new OpenFile(path, handle, writable, stats);
      await file.readOn();
      return file;
    });
  }

  /** A new file at `place` with the permissions of `old`, whose name it will get. */
  static async toReplace(old: OpenFile, place: string): Promise<OpenFile> {
    const { mode, uid, gid } = old.stats;
    const handle = await open(place, O_RDWR | O_APPEND | O_CREAT | O_EXCL, PRIVATE);
    return OpenFile.#of(place, handle, async (stats) => {
      if (stats.uid !== uid || stats.gid !== gid) await handle.chown(Number(uid), Number(gid));
      await handle.chmod(Number(mode & 0o777n));
      return new OpenFile(old.path, handle, true, stats);
    });
  }

  static async #of(path: string, handle: FileHandle, make: (stats: BigIntStats) => Promise<OpenFile>) {
    try {
      const stats = await handle.stat({ bigint: true });
      if (!stats.isFile()) {
        throw new MemoryError("unavailable", `${path} cannot be used: it is not a file`);
      }
      return await make(stats);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Whether `found` is this file, and not another one with its name. */
  is(found: BigIntStats | undefined): boolean {
    return found?.ino === this.stats.ino && found.dev === this.stats.dev;
  }

  /** Reads bytes that were written since the last read. */
  async readOn(): Promise<void> {
    const { size: bytes, mtimeNs } = await this.#handle.stat({ bigint: true });
    const size = Number(bytes);
    // Before the bytes are read: an edit during the read must count as a later one.
    this.modified = mtimeNs;
    while (this.size < size) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, size - this.size));
      const { bytesRead } = await this.#handle.read(piece, 0, piece.length, this.size);
      if (bytesRead === 0) break;
      this.chain.read(piece.subarray(0, bytesRead));
      this.size += bytesRead;
    }
    this.chain.readAll();
  }

  /**
   * Appends a line. `false`: it does not count, because another line came first; that line was read.
   *
   * The operating system appends each line atomically at the end of the file. A partial line (a full disk, a killed process)
   * is not truncated, since another writer's line may already follow it; readers skip it.
   */
  async append(content: Content): Promise<boolean> {
    const { unfinished, head } = this.chain;
    const line = encode(head, signature(), content);
    const bytes = Buffer.from(`${line.text}\n`, "latin1");
    const { bytesWritten } = await this.#handle.write(bytes, 0, bytes.length, null);
    const { size: total, nlink, mtimeNs } = await this.#handle.stat({ bigint: true });
    const size = Number(total);
    const alone = bytesWritten === bytes.length && size === this.size + bytes.length;
    if (!alone || unfinished) {
      await this.readOn();
      return this.chain.counts(line.sum);
    }
    // A compaction adds a line before it replaces the file, and there is none.
    if (nlink === 0n) throw new MemoryError("store-lost", `${this.path} was deleted while it was open`);
    this.chain.add(line.sum, content, bytes.length);
    this.size = size;
    this.modified = mtimeNs;
    return true;
  }

  /** Flushes the file and its folder to disk. */
  async makeDurable(): Promise<void> {
    await this.makeContentDurable();
    if (this.#nameIsDurable) return;
    await syncFolder(dirname(this.path));
    this.#nameIsDurable = true;
  }

  /** Flushes the file to disk, without its folder. */
  async makeContentDurable(): Promise<void> {
    await this.#handle.datasync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, O_RDONLY);
    await handle.sync();
  } catch (error) {
    if (!NO_FOLDERS.includes(codeOf(error) ?? "")) throw error;
  } finally {
    await handle?.close();
  }
}

let writer: string | undefined;
let written = 0;

/** A unique signature for each line. */
function signature(): string {
  writer ??= randomBytes(6).toString("hex");
  written += 1;
  return `${writer}.${written.toString(36)}`;
}
