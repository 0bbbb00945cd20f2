// What the component imports, in JavaScript: a storage in memory, and the clock and the chance of a scenario.

/** A failure in the form that the generated bindings pass on. */
class StoreError extends Error {
  constructor(tag, val) {
    super(tag);
    this.payload = { tag, val };
  }
}

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (text) => new Uint8Array(Buffer.from(text, "hex"));

/** Bytes in memory, by their space and by their key in hex: that orders as the keys do. */
export class Storage {
  /** How often somebody was told that others had written first. */
  conflicts = 0;
  #tables = new Map(["meta", "records", "bodies", "log", "index"].map((space) => [space, new Map()]));

  get(space, keys) {
    return keys.map((key) => this.#tables.get(space).get(hex(key)));
  }

  scan(space, range, limit) {
    const keys = this.#within(space, range);
    const items = keys.slice(0, limit).map((key) => [bytes(key), this.#tables.get(space).get(key)]);
    return { items, next: keys[limit] === undefined ? undefined : bytes(keys[limit]) };
  }

  /** Makes all changes, if the guard holds what they were planned on, and answers what it holds then. */
  commit({ guard, base, ops }) {
    const meta = this.#tables.get("meta");
    const current = BigInt(`0x${hex(meta.get(hex(guard)) ?? [0])}`);
    if (current !== base) {
      this.conflicts += 1;
      throw new StoreError("conflict", current);
    }
    for (const { tag, val } of ops) {
      const table = this.#tables.get(val.space);
      if (tag === "put") table.set(hex(val.key), val.value);
      else if (tag === "delete") table.delete(hex(val.key));
      else for (const key of this.#within(val.space, val.range)) table.delete(key);
    }
    meta.set(hex(guard), bytes((current + 1n).toString(16).padStart(16, "0")));
    return current + 1n;
  }

  #within(space, { start, end }) {
    const [first, last] = [hex(start), end && hex(end)];
    const inside = (key) => key >= first && (last === undefined || key < last);
    return [...this.#tables.get(space).keys()].filter(inside).sort();
  }
}

/** The imports of an instance; `host` has the storage and the world of the current run. */
export function imports(host) {
  class Store {
    #open = true;

    static open() {
      return new Store();
    }

    get(space, keys) {
      return this.#storage().get(space, keys);
    }

    scan(space, range, limit) {
      const { items, next } = this.#storage().scan(space, range, limit);
      return { items: items.map(([key, value]) => ({ key, value })), next };
    }

    commit(batch) {
      return this.#storage().commit(batch);
    }

    close() {
      this.#open = false;
    }

    #storage() {
      if (!this.#open) throw new StoreError("closed");
      return host.storage;
    }
  }
  return {
    "keepsake:memory/clock": { now: () => BigInt(host.world.now()) },
    "keepsake:memory/entropy": { bytes: (length) => host.world.random(length) },
    "keepsake:memory/storage": { Store },
  };
}
