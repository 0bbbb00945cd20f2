// Encodes storage requests and answers between the wasm instance and an adapter as bytes. `src/web/store.rs` is the other
// side. Answers of an adapter are validated here.

import { turn } from "../base/later.js";
import {
  SPACES,
  type StorageAdapter,
  type StorageBatch,
  type StorageOp,
  type StoragePage,
  type StorageRange,
  type StorageSpace,
} from "../storage/adapter.js";

const GET = 0;
const SCAN = 1;
const COMMIT = 2;
const CLOSE = 3;
const TURN = 4;

/** How many operations of a commit are read at a time. */
const GROUP = 2048;

const DONE = 0;
const FAILED = 1;
const UNAVAILABLE = 3;
const CODES: Record<string, number> = { "quota-exceeded": 2, "store-lost": 4, closed: 5 };

/** The newest revision that any instance of a memory has seen. A storage with an older one was emptied or replaced (F9). */
export interface Newest {
  revision: number;
}

/** Serves the storage requests of an instance from an adapter. */
export class Wire {
  /** The number of commits that were sent to the adapter. */
  commits = 0;
  readonly #adapter: StorageAdapter;
  readonly #newest: Newest | undefined;
  #closed = false;

  /** `newest` is only for a wire of one user: each user has a separate guard. */
  constructor(adapter: StorageAdapter, newest?: Newest) {
    this.#adapter = adapter;
    this.#newest = newest;
  }

  /** Carries out a request, and sends the answer. */
  serve(bytes: Uint8Array, send: (answer: Uint8Array) => void): void {
    // A copy: the bytes belong to the instance, which reuses them.
    const request = new Reader(bytes.slice());
    this.#answer(request).then(send, (error) => send(failure(error)));
  }

  async #answer(request: Reader): Promise<Uint8Array> {
    const kind = request.byte();
    if (this.#closed) {
      if (kind === CLOSE) return new Writer().take();
      throw { code: "closed" };
    }
    if (kind === GET) {
      const space = request.space();
      const keys = request.keys();
      // Its value before the request: it may advance before the answer.
      const revision = this.#newest?.revision ?? 0;
      const found = await this.#adapter.get(space, keys);
      const answer = values(found, keys.length);
      if (space === "meta") {
        for (const guard of found) {
          if (revisionOf(guard) < revision) throw { code: "store-lost" };
          this.#see(guard);
        }
      }
      return answer;
    }
    if (kind === SCAN) {
      const [space, range, limit] = [request.space(), request.range(), request.number()];
      return page(await this.#adapter.scan(space, range, limit));
    }
    if (kind === COMMIT) {
      this.commits += 1;
      const batch = request.batch();
      for (let left = request.number(); left > 0; left -= 1) {
        batch.ops.push(request.op());
        if (left % GROUP === 0) await turn();
      }
      const written: unknown = await this.#adapter.commit(batch);
      if (typeof written !== "boolean") throw nonsense("true or false");
      if (written) this.#see(batch.next);
      return new Writer().byte(written ? 1 : 0).take();
    }
    if (kind === TURN) {
      await this.#adapter.turn?.(request.key(), false);
      return new Writer().take();
    }
    // `close` is called once, whether it succeeds or not.
    try {
      await this.#adapter.close();
    } finally {
      this.#closed = true;
    }
    return new Writer().take();
  }

  #see(guard: Uint8Array | undefined): void {
    const newest = this.#newest;
    if (newest) newest.revision = Math.max(newest.revision, revisionOf(guard));
  }
}

/** The revision in a guard; 0 if there is none. */
function revisionOf(guard: Uint8Array | null | undefined): number {
  return guard?.reduce((number, byte) => number * 256 + byte, 0) ?? 0;
}

function values(found: (Uint8Array | undefined)[], count: number): Uint8Array {
  const wrong = () => nonsense("one Uint8Array or undefined for each key");
  if (!Array.isArray(found) || found.length !== count) throw wrong();
  const answer = new Writer();
  for (const value of found) {
    if (value != null && !isBytes(value)) throw wrong();
    answer.some(value ?? undefined);
  }
  return answer.take();
}

function page(found: StoragePage): Uint8Array {
  const wrong = () => nonsense("a page of items");
  if (!Array.isArray(found?.items)) throw wrong();
  const answer = new Writer().number(found.items.length);
  for (const item of found.items) {
    if (!Array.isArray(item) || !isBytes(item[0]) || !isBytes(item[1])) throw wrong();
    answer.bytes(item[0]).bytes(item[1]);
  }
  const next = found.next ?? undefined;
  if (next && !isBytes(next)) throw wrong();
  return answer.some(next).take();
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

/** An invalid answer of an adapter. */
class Nonsense extends Error {}

function nonsense(what: string): Error {
  return new Nonsense(`the storage adapter's answer is not ${what}`);
}

/** Encodes an adapter's error. Its message is dropped, since it may quote stored data. */
function failure(thrown: unknown): Uint8Array {
  const { code, name } = (thrown ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === "string" && Object.hasOwn(CODES, code)) return new Writer(CODES[code]).take();
  if (code === "unavailable") return new Writer(UNAVAILABLE).text("the storage adapter says so").take();
  if (name === "QuotaExceededError") return new Writer(CODES["quota-exceeded"]).take();
  if (thrown instanceof Nonsense) return new Writer(FAILED).text(thrown.message).take();
  const named = typeof name === "string" ? ` ${name}` : "";
  return new Writer(FAILED).text(`the storage adapter threw${named}`).take();
}

/** Decodes a request: integers of four bytes, little-endian, and length-prefixed bytes. */
class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.#view.getUint8(this.#at++);
  }

  number(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  /** A view of the request, without a copy: a small write has six, and each copy would be garbage soon. */
  key(): Uint8Array {
    const length = this.number();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** A copy of bytes: a storage that clones a view also clones the rest of its buffer. */
  value(): Uint8Array {
    return this.key().slice();
  }

  some(): Uint8Array | undefined {
    return this.byte() === 0 ? undefined : this.key();
  }

  space(): StorageSpace {
    return SPACES[this.byte()] as StorageSpace;
  }

  range(): StorageRange {
    return { start: this.key(), end: this.some() };
  }

  keys(): Uint8Array[] {
    return Array.from({ length: this.number() }, () => this.key());
  }

  /** A batch without its operations, which follow: their number, and each of them. */
  batch(): StorageBatch {
    const durability = this.byte() === 1 ? "strict" : "relaxed";
    const guard = this.key();
    const expected = this.some();
    const next = this.value();
    return { guard, expected, next, ops: [], durability };
  }

  op(): StorageOp {
    const kind = this.byte();
    const space = this.space();
    if (kind === 0 || kind === 3) {
      return { type: "put", space, key: this.key(), value: this.value(), isNew: kind === 3 };
    }
    if (kind === 1) return { type: "delete", space, key: this.key() };
    return { type: "delete-range", space, range: this.range() };
  }
}

/** Encodes an answer in the same format. */
class Writer {
  readonly #parts: (number | Uint8Array)[];
  #length = 1;

  constructor(status = DONE) {
    this.#parts = [status];
  }

  byte(byte: number): this {
    this.#parts.push(byte);
    this.#length += 1;
    return this;
  }

  number(number: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, number, true);
    return this.#add(bytes);
  }

  bytes(bytes: Uint8Array): this {
    return this.number(bytes.length).#add(bytes);
  }

  some(bytes: Uint8Array | undefined): this {
    return bytes ? this.byte(1).bytes(bytes) : this.byte(0);
  }

  text(text: string): this {
    return this.bytes(new TextEncoder().encode(text));
  }

  take(): Uint8Array {
    const answer = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      if (typeof part === "number") answer[at++] = part;
      else {
        answer.set(part, at);
        at += part.length;
      }
    }
    return answer;
  }

  #add(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return this;
  }
}
