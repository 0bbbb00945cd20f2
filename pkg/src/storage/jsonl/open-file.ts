// A file that is open: what was read of it, and how a line is added to it.

import { randomBytes } from "node:crypto";
import { type BigIntStats, constants, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { MemoryError } from "../../base/errors.js";
import { Chain } from "./chain.js";
import { type Content, encode } from "./line.js";
import { codeOf } from "./problems.js";

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = constants;

/** The most that is read at once. */
const PIECE = 1 << 20;

/** Only for its owner, as long as nobody says otherwise: it holds what somebody told an agent. */
const PRIVATE = 0o600;

/** What keeps a file from being written that can perhaps be read. */
const READ_ONLY = ["EACCES", "EPERM", "EROFS"];

/** What keeps a folder from being handed to the disk where folders are not things of that kind. */
const NO_FOLDERS = ["EACCES", "EINVAL", "EISDIR", "ENOTSUP", "EPERM"];

/** What has this path now, if there is anything. */
export function lookAt(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

export class OpenFile {
  /** The name it has, or is about to get. */
  readonly path: string;
  readonly chain: Chain;
  readonly writable: boolean;
  readonly stats: BigIntStats;
  /** How many bytes were read. */
  size = 0;
  /** When the file was last modified, as of the last read or append. */
  modified = 0n;
  /** After a compaction that failed: below this size there is no other one. */
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

  /** Opens and reads the file at `path`; `undefined` if there is none, unless one is to be made. */
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

  /** A new file at `place`, for whoever may use `old` and for nobody else; it is to get the name of that one. */
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

  /** Whether `found` is this file, and not another that has its name. */
  is(found: BigIntStats | undefined): boolean {
    return found?.ino === this.stats.ino && found.dev === this.stats.dev;
  }

  /** Takes in what was written since. */
  async readOn(): Promise<void> {
    const { size: bytes, mtimeNs } = await this.#handle.stat({ bigint: true });
    const size = Number(bytes);
    // Before the bytes are read: an edit during the read must count as one that came later.
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
   * Adds a line. `false`: it does not count, because somebody else's came first; that one was read.
   *
   * The operating system appends each line in one piece, wherever the end of the file then is. A line that is cut off
   * (a full disk, the end of this program) is not taken away again, since another's may follow it already: all who read
   * it skip it.
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
    // Who puts another file in this one's place adds a line before that. Nobody has.
    if (nlink === 0n) throw new MemoryError("store-lost", `${this.path} was deleted while it was open`);
    this.chain.add(line.sum, content, bytes.length);
    this.size = size;
    this.modified = mtimeNs;
    return true;
  }

  /** Hands everything to the disk, and the name of the file as well. */
  async makeDurable(): Promise<void> {
    await this.makeContentDurable();
    if (this.#nameIsDurable) return;
    await syncFolder(dirname(this.path));
    this.#nameIsDurable = true;
  }

  /** Hands everything to the disk but the name of the file. */
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

/** No two lines have the same, whoever writes them. */
function signature(): string {
  writer ??= randomBytes(6).toString("hex");
  written += 1;
  return `${writer}.${written.toString(36)}`;
}
