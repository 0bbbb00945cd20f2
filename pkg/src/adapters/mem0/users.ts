// Several users behind one class, each with a separate memory: users never mix.

import { MemoryError, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Collection } from "../../memory/collection.js";
import type { Memory as Keepsake } from "../../memory/memory.js";
import { misuse } from "./checks.js";
import type { ManyUsers, MemoryConfig, OneUser } from "./types.js";

/** A user's memory, and its ids in results. */
export interface UserMemory {
  memory: Keepsake;
  /** The user id in results; `undefined` for the shared memory. */
  user: string | undefined;
  /** The public id of an entry. */
  shown(id: string): string;
}

/** Finds memories by user and by public id. */
export interface Users {
  of(user: string | undefined, field: string): Promise<UserMemory>;
  /** The memory of this public id, and the id of the entry there; `undefined` if it belongs to no user. */
  holding(id: string): Promise<[UserMemory, string] | undefined>;
  /** All memories. */
  all(): AsyncGenerator<UserMemory>;
  close(): Promise<void>;
}

/** The users that a configuration is for. */
export function usersOf(config: MemoryConfig): Users {
  known(config, "memory open shared recordFilter");
  const { memory } = (config ?? {}) as Partial<OneUser>;
  const { open, shared = "mem0" } = (config ?? {}) as Partial<ManyUsers>;
  if (memory && typeof memory.add === "function") return oneUser(memory);
  if (typeof open !== "function") throw refused("config", "must have a `memory`, or a function `open`");
  if (typeof shared !== "string" || shared === "") throw refused("shared", "must be the name of a user");
  return new ManyMemories(open, shared);
}

function oneUser(memory: Keepsake): Users {
  const own: UserMemory = { memory, user: memory.user, shown: (id) => id };
  return {
    async of(user, field) {
      if (user === undefined || user === memory.user) return own;
      throw misuse(
        field,
        `Invalid ${field}: this memory is another user's. Give \`open\` for several users.`,
      );
    },
    holding: async (id) => [own, id],
    async *all() {
      yield own;
    },
    close: async () => {},
  };
}

/** The list of users, which is stored in the shared memory. */
const USERS = "mem0/users";

class ManyMemories implements Users {
  readonly #open: ManyUsers["open"];
  readonly #shared: string;
  readonly #opened = new Map<string, Promise<UserMemory>>();
  #closed = false;

  constructor(open: ManyUsers["open"], shared: string) {
    this.#open = open;
    this.#shared = shared;
  }

  of(user = this.#shared): Promise<UserMemory> {
    if (this.#closed) return Promise.reject(new MemoryError("closed", "the memory is closed"));
    const opened = this.#opened.get(user) ?? this.#start(user);
    this.#opened.set(user, opened);
    // A failed open is tried again later.
    opened.catch(() => this.#opened.delete(user));
    return opened;
  }

  async holding(id: string): Promise<[UserMemory, string] | undefined> {
    // The encoded name contains no separator; the id of an entry may.
    const at = id.lastIndexOf("@");
    const user = at < 1 ? undefined : decoded(id.slice(at + 1));
    if (!user) return undefined;
    // An id must not create the memory of a new user.
    const known = this.#opened.has(user) || user === this.#shared || (await this.#list()).get(user);
    return (await known) ? [await this.of(user), id.slice(0, at)] : undefined;
  }

  async *all(): AsyncGenerator<UserMemory> {
    const shared = await this.of();
    const users: string[] = [];
    for await (const [user] of (await this.#list()).entries()) users.push(user);
    for (const user of users) yield await this.of(user);
    yield shared;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const opened = await Promise.allSettled(this.#opened.values());
    this.#opened.clear();
    for (const found of opened) if (found.status === "fulfilled") await found.value.memory.close();
  }

  async #list(): Promise<Collection<true>> {
    return (await this.of()).memory.collection<true>(USERS);
  }

  async #start(user: string): Promise<UserMemory> {
    // Before anything of the user is stored: `reset` must find all users.
    if (user !== this.#shared) await (await this.#list()).set(user, true);
    const memory = await this.#open(user);
    if (memory?.user !== user)
      throw refused("open", "must open the memory of the user that it is called with");
    const name = encodeURIComponent(user);
    return { memory, user: user === this.#shared ? undefined : user, shown: (id) => `${id}@${name}` };
  }
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
