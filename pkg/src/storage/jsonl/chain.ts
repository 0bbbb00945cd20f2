// What the lines of a file come to: which of them count, and the tables that they lead to. There is no IO here.
//
// Nobody holds a lock to add a line. Each line names the last one that its writer knew, and the order of the file
// decides: the first line after that one counts, and any other that names it came too late and does not. So all who read
// the file agree on what is in it, and whoever wrote a line reads on to learn what became of it.

import { MemoryError } from "../../base/errors.js";
import type { StorageOp } from "../adapter.js";
import { Tables } from "../tables.js";
import { type Content, decode, hasEnd, type Line, START, VERSION, versionOf } from "./line.js";

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Follows the bytes of one file. */
export class Chain {
  readonly tables = new Tables();
  /** Is told of each commit that is taken in. */
  onCommit: ((ops: StorageOp[]) => void) | undefined;
  /** For the words of errors. */
  readonly #path: string;
  #id: string | undefined;
  #head = "";
  /** The checksums of all lines that counted, and what the first line names. */
  readonly #passed = new Set([""]);
  #seal: string | undefined;
  /** The beginning of a line whose end has not been read yet. */
  #rest: Buffer = Buffer.alloc(0);
  #offset = 0;
  #lines = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** What the first line calls the file; nothing before there is one. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The checksum of the last line that counts; empty if there is none. */
  get head(): string {
    return this.#head;
  }

  /** The seal that is on the file, if there is one. */
  get seal(): string | undefined {
    return this.#seal;
  }

  /** Whether there are bytes at the end that are not a line, or not yet. */
  get unfinished(): boolean {
    return this.#rest.length > 0;
  }

  /** Whether the line with this checksum was read and counts. */
  counts(sum: string): boolean {
    return this.#passed.has(sum);
  }

  /** Takes in the bytes that follow those before. */
  read(bytes: Buffer): void {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    let from = 0;
    for (let to = all.indexOf(NEWLINE); to >= 0; to = all.indexOf(NEWLINE, from)) {
      this.#line(all.subarray(from, to));
      this.#offset += to + 1 - from;
      this.#lines += 1;
      from = to + 1;
    }
    this.#rest = Buffer.from(all.subarray(from));
    // Before more is read of something large that is no such file.
    if (this.#head === "") this.#checkBeginning();
  }

  /** To be called when there are no more bytes for now: a line that lacks nothing but its end is one already. */
  readAll(): void {
    const last = this.#rest.subarray(Math.max(0, this.#rest.lastIndexOf(START)));
    const line = decode(last);
    if (!line) {
      if (this.#head === "") this.#checkVersion(versionOf(last));
      if (hasEnd(last)) throw this.#damaged("it is not as it was written");
      return;
    }
    this.#take(line);
    this.#offset += this.#rest.length;
    this.#rest = Buffer.alloc(0);
  }

  /** Takes in a line of one's own, which nobody else's came before. It is `length` bytes long with its end. */
  add(sum: string, content: Content, length: number): void {
    this.#take({ after: this.#head, sum, content });
    this.#offset += length;
    this.#lines += 1;
  }

  /**
   * What stands between two ends of lines: a line, and before it perhaps what somebody wrote who was cut off. If the last
   * thing there is not a line, it was one: nobody who is cut off gets to the end of their line.
   */
  #line(bytes: Buffer): void {
    const text = bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes;
    if (text.length === 0) return;
    let line: Line | undefined;
    for (let start = text.indexOf(START); start >= 0; ) {
      const next = text.indexOf(START, start + START.length);
      line = decode(text.subarray(start, next >= 0 ? next : text.length));
      if (line) this.#take(line);
      start = next;
    }
    if (line) return;
    if (this.#head === "") this.#checkVersion(versionOf(text));
    throw this.#damaged("it is not as it was written");
  }

  #take({ after, sum, content }: Line): void {
    if (after !== this.#head) {
      // Somebody else's line came first: whoever wrote this one has noticed.
      if (this.#passed.has(after)) return;
      throw this.#damaged("the line before it is missing or not as it was written");
    }
    if ("version" in content !== (after === "")) throw this.#damaged("it is out of its place");
    if ("version" in content) {
      this.#checkVersion(content.version);
      this.#id = content.id;
    } else if ("unseal" in content ? content.unseal !== this.#seal : this.#seal !== undefined) {
      throw this.#damaged("it is out of its place");
    }
    if ("ops" in content) {
      for (const op of content.ops) this.tables.apply(op);
      this.onCommit?.(content.ops);
    }
    if ("seal" in content) this.#seal = content.seal;
    if ("unseal" in content) this.#seal = undefined;
    this.#head = sum;
    this.#passed.add(sum);
  }

  /** A file that ends within its first line was left by somebody who was cut off, if it begins as such files do. */
  #checkBeginning(): void {
    const wanted = Buffer.from(`${START}","by":"`);
    const length = Math.min(wanted.length, this.#rest.length);
    if (wanted.subarray(0, length).equals(this.#rest.subarray(0, length))) return;
    this.#checkVersion(versionOf(this.#rest));
    throw this.#damaged("it is not the first line of a memory");
  }

  #checkVersion(version: number | undefined): void {
    if (version === undefined || version <= VERSION) return;
    const text = `${this.#path} has version ${version} of its format, and this code knows ${VERSION}`;
    throw new MemoryError("newer-version", `${text}: update keepsake`);
  }

  #damaged(what: string): MemoryError {
    const where = `line ${this.#lines + 1} of ${this.#path}, at byte ${this.#offset}, cannot be read`;
    const remedy = this.#offset > 0 ? "; to cut the file off at that byte keeps what is before it" : "";
    return new MemoryError("corrupt", `${where}: ${what}${remedy}`);
  }
}
