/// <reference lib="esnext.disposable" preserve="true" />
// The facade over the memories of all users. Each of the six stores can be replaced by the app's own.

import { checkFunction, MemoryError, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { ForgetOptions, Forgotten } from "../../wire/long-term.js";
import type { MemoryPolicies } from "../../wire/policy.js";
import { type MemoryResultItem, MemoryScope, type MemoryWritten } from "../../wire/scopes.js";
import { spelled } from "../../wire/spelling.js";
import type { Memory } from "../memory.js";
import { callerOf, guarded, readFrom, writeTo } from "./injected.js";
import type { Either, IMemory, MemoryQuery, MemoryWriteEvent } from "./scopes.js";
import type {
  DialogStore,
  ExperienceStore,
  MemoryStores,
  ProceduralStore,
  ProfileStore,
  SemanticStore,
  StateStore,
} from "./stores.js";

/** The options for opening a user's memory. */
export interface FacadeOpen {
  /** The user. */
  user: string;
  /** The settings, with the facade's policies. */
  config?: { policies: MemoryPolicies };
}

/** Options of a facade. */
export interface FacadeOptions {
  /**
   * Opens a user's memory, called once per user: `openMemory`, or
   * `(options) => openMemory({ ...options, name: "my-app" })`.
   */
  open: (options: FacadeOpen) => Promise<Memory>;
  /** The app's own dialog store. Default: the memory's. */
  dialogStore?: DialogStore | undefined;
  /** The app's own state store. Default: the memory's. */
  stateStore?: StateStore | undefined;
  /** The app's own semantic store. Default: the memory's. */
  semanticStore?: SemanticStore | undefined;
  /** The app's own procedural store. Default: the memory's. */
  proceduralStore?: ProceduralStore | undefined;
  /** The app's own profile store. Default: the memory's. */
  profileStore?: ProfileStore | undefined;
  /** The app's own experience store. Default: the memory's. */
  experienceStore?: ExperienceStore | undefined;
  /** The policies: which scopes flows and agents may read and write. Default: the policies set by `open`. */
  policies?: MemoryPolicies | undefined;
}

const SCOPES: readonly MemoryScope[] = Object.values(MemoryScope);

/**
 * One memory for all users, agents and flows. There is no default user: a call without a user rejects with
 * `invalid-input`.
 */
export class MemoryFacade implements IMemory {
  readonly #options: FacadeOptions;
  readonly #stores: { [S in MemoryScope]: MemoryStores[S] | undefined };
  readonly #memories = new Map<string, Promise<Memory>>();
  #closed = false;

  /** Creates the facade. Each user's memory is opened on first use. */
  constructor(options: FacadeOptions) {
    known(
      options,
      "open dialogStore stateStore semanticStore proceduralStore profileStore experienceStore policies",
    );
    checkFunction("open", options?.open);
    this.#options = options;
    this.#stores = {
      dialog: options.dialogStore,
      state: options.stateStore,
      semantic: options.semanticStore,
      procedural: options.proceduralStore,
      profile: options.profileStore,
      experience: options.experienceStore,
    };
  }

  /** Returns the memory of a user, opened once. Closing the facade closes it. Rejects with `closed` after `close()`. */
  async memory(userId: string): Promise<Memory> {
    userOf({ userId });
    if (this.#closed) throw new MemoryError("closed", "the facade is closed");
    const known = this.#memories.get(userId);
    if (known) return known;
    const { open, policies } = this.#options;
    const opening = (async () =>
      open(policies === undefined ? { user: userId } : { user: userId, config: { policies } }))();
    this.#memories.set(userId, opening);
    // Retry on the next call if opening fails.
    opening.catch(() => this.#memories.delete(userId));
    return opening;
  }

  /**
   * Reads the given scopes and returns an item per scope, in order. Omits scopes the policy denies. The memory's own
   * scopes are read in one snapshot. If one of the app's stores fails, rejects with `storage-failed` and its `cause`.
   */
  async read<S extends MemoryScope>(query: Either<MemoryQuery<S>>): Promise<MemoryResultItem<S>[]> {
    const memory = await this.memory(userOf({ ...query }));
    const replaced = scopesOf(query.scopes).flatMap((scope) => {
      const store = this.#stores[scope];
      return store === undefined ? [] : [{ scope, store }];
    });
    if (replaced.length === 0) return memory.read(query);
    const caller = callerOf(query);
    const policy = await memory.policy({ flowId: caller.flowId, agentId: caller.agentId });
    const taskType = spelled(query, "taskType");
    const asked = {
      caller: query.extra === undefined ? caller : { ...caller, extra: query.extra },
      query: query.query ?? "",
      taskType: typeof taskType === "string" ? taskType : null,
    };
    const scopes = query.scopes.filter((scope) => this.#stores[scope] === undefined);
    // Called even if all scopes are replaced, because the memory validates the query.
    const own = memory.read({ ...query, scopes });
    const allowed = replaced.filter(({ scope }) => policy[`use_${scope}`]);
    const others = allowed.map(({ scope, store }) => readFrom(scope, store, asked, policy));
    const [ours, ...theirs] = await Promise.all([own, ...others]);
    const items = [...ours, ...theirs];
    return query.scopes.flatMap((scope) => items.find((item) => item.scope === scope) ?? []);
  }

  /** Writes the event's data to its scope. The result says whether it was stored: a policy may deny the write. */
  async write(event: Either<MemoryWriteEvent>): Promise<MemoryWritten> {
    const memory = await this.memory(userOf({ ...event }));
    const { scope, data, meta } = event;
    // A name that every object inherits, such as `toString`, is no store.
    const store = SCOPES.includes(scope) ? this.#stores[scope] : undefined;
    if (store === undefined) return memory.write(event);
    const caller = callerOf(event);
    const { flowId, agentId } = caller;
    if (scope === "experience" && !(await memory.policy({ flowId, agentId })).write_experience)
      return { written: false };
    await writeTo(scope, store, caller, data, meta);
    return { written: true };
  }

  /**
   * Deletes all data of a session in all stores. The app's stores come first: if one fails, the memory is unchanged, and
   * the call can be retried.
   */
  async deleteSession(userId: string, sessionId: string): Promise<void> {
    const memory = await this.memory(userId);
    await Promise.all(
      SCOPES.map((scope) =>
        guarded(scope, async () => this.#stores[scope]?.deleteSession?.(userId, sessionId)),
      ),
    );
    await memory.deleteSession(userId, sessionId);
  }

  /**
   * Erases the entries of a user that `query` means, and with `messages` the text of messages that said it. The app's own
   * stores are not asked. See `memory.forget`.
   */
  async forget(userId: string, options: ForgetOptions): Promise<Forgotten> {
    return (await this.memory(userId)).forget(options);
  }

  /** Closes the memory of a user; the next call reopens it. Default: closes all memories and the facade permanently. */
  async close(userId?: string): Promise<void> {
    const closing = userId === undefined ? [...this.#memories.values()] : [this.#memories.get(userId)];
    if (userId === undefined) {
      this.#closed = true;
      this.#memories.clear();
    } else {
      this.#memories.delete(userId);
    }
    // A memory that failed to open needs no close.
    const opened = await Promise.allSettled(closing);
    await Promise.all(opened.map((memory) => memory.status === "fulfilled" && memory.value?.close()));
  }

  /** `await using facade = …` closes the facade at the end of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The user of a call; throws `invalid-input` if there is none. */
function userOf(fields: object): string {
  const userId = spelled(fields, "userId");
  if (typeof userId !== "string" || userId === "")
    throw refused("userId", "is required: there is no default user");
  return userId;
}

/** The scopes of a query; throws `invalid-input` for an unknown scope. */
function scopesOf<S extends MemoryScope>(scopes: readonly S[]): readonly S[] {
  if (!Array.isArray(scopes)) throw refused("scopes", "must be an array");
  const unknown = scopes.findIndex((scope) => !SCOPES.includes(scope));
  if (unknown >= 0) throw refused(`scopes[${unknown}]`, `must be one of: ${SCOPES.join(", ")}`);
  return scopes;
}
