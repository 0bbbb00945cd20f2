// Interprets the lines of a file: which of them count, and the resulting tables. There is no IO here.
//
// Adding a line needs no lock. Each line names the last line that its writer knew, and the order in the file decides: the
// first line that names it counts, and every later one that names it lost the race and does not count. So all readers agree,
// and a writer reads on to learn whether its line counts.

import { MemoryError } from "../../base/errors.js";
import type { StorageOp } from "../adapter.js";
import { Tables } from "../tables.js";
import { type Content, decode, hasEnd, type Line, START, VERSION, versionOf } from "./line.js";

const NEWLINE = 0x0a;
/** The beginning of the first line, which names no line before it. */
const BEGINNING = /* @__PURE__ */ Buffer.from(`${START}","by":"`);
const RETURN = 0x0d;

/** Reads the bytes of one file incrementally. */
export class Chain {
  readonly tables = new Tables();
  /** Called for each commit that counts. */
  onCommit: ((ops: StorageOp[]) => void) | undefined;
  /** The path, for error messages. */
  readonly #path: string;
  #id: string | undefined;
  #head = "";
  /** The checksums of all lines that count, and the empty one that the first line names. */
  readonly #passed = new Set([""]);
  #seal: string | undefined;
  /** The beginning of an incomplete line. */
  #rest: Buffer = Buffer.alloc(0);
  #offset = 0;
  #lines = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** The id in the first line; empty before there is one. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The checksum of the last line that counts; empty if there is none. */
  get head(): string {
    return this.#head;
  }

  /** The current seal, if there is one. */
  get seal(): string | undefined {
    return this.#seal;
  }

  /** Whether the file ends with bytes that are not a complete line. */
  get unfinished(): boolean {
    return this.#rest.length > 0;
  }

  /** Whether the line with this checksum was read and counts. */
  counts(sum: string): boolean {
    return this.#passed.has(sum);
  }

  /** Reads the bytes that follow the previous ones. */
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
    // Early, before more is read of a large file of another kind. An interrupted write may have left a part of our first line.
    if (this.#head === "") this.#checkFirst(this.#rest, BEGINNING.subarray(0, this.#rest.length));
  }

  /** Called at the end of the file: a last line that lacks only its line break counts. */
  readAll(): void {
    const last = this.#rest.subarray(Math.max(0, this.#rest.lastIndexOf(START)));
    const line = decode(last);
    if (!line) {
      if (this.#head === "") this.#checkVersion(versionOf(last));
      if (hasEnd(last)) throw this.#damaged("its checksum does not match");
      return;
    }
    this.#take(line);
    this.#offset += this.#rest.length;
    this.#rest = Buffer.alloc(0);
  }

  /** Applies our own line, when no other line came first. `length` includes the line break. */
  add(sum: string, content: Content, length: number): void {
    this.#take({ after: this.#head, sum, content });
    this.#offset += length;
    this.#lines += 1;
  }

  /**
   * The bytes between two line breaks: a line, possibly after the fragment of an interrupted write. If they do not end with
   * a valid line, the line is damaged: an interrupted write never reaches its line break.
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
    if (this.#head === "") this.#checkFirst(text, BEGINNING);
    throw this.#damaged("its checksum does not match");
  }

  #take({ after, sum, content }: Line): void {
    if (after !== this.#head) {
      // Another line came first. The writer of this one has noticed.
      if (this.#passed.has(after)) return;
      throw this.#damaged("the line before it is missing or damaged");
    }
    if ("version" in content !== (after === "")) throw this.#damaged("it is out of order");
    if ("version" in content) {
      this.#checkVersion(content.version);
      this.#id = content.id;
    } else if ("unseal" in content ? content.unseal !== this.#seal : this.#seal !== undefined) {
      throw this.#damaged("it is out of order");
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

  /** Refuses a first line, or its beginning, that is none of ours: no advice may make users truncate a file of their own. */
  #checkFirst(bytes: Buffer, wanted: Buffer): void {
    this.#checkVersion(versionOf(bytes));
    if (wanted.equals(bytes.subarray(0, wanted.length))) return;
    throw new MemoryError("corrupt", `${this.#path} is not a Keepsake file, or its beginning was changed`);
  }

  #checkVersion(version: number | undefined): void {
    if (version === undefined || version <= VERSION) return;
    const text = `${this.#path} has format version ${version}, and this version supports ${VERSION}`;
    throw new MemoryError("newer-version", `${text}; update keepsake`);
  }

  #damaged(what: string): MemoryError {
    const where = `line ${this.#lines + 1} of ${this.#path}, at byte ${this.#offset}, cannot be read`;
    const remedy = this.#offset > 0 ? "; truncate the file at that byte to keep everything before it" : "";
    return new MemoryError("corrupt", `${where}: ${what}${remedy}`);
  }
}
